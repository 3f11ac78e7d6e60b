// The seeded bugs of Sync HotStuff. Each flag is read here and nowhere else; the protocol asks for the rule, not for
// the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::sync_hotstuff {

enum class Bug : std::uint8_t { kEarlyVersion, kShortStatusWait };

// Why the early version is wrong, and what repairs it. A commit needs no certificate: 2Δ without equivocation or blame
// are enough, since then all honest replicas have voted for the block and hold its certificate before they leave the
// view. For that, whoever gets the proposal must vote for it. The early version lets a replica vote only for what
// extends the highest certificate that it knows at that moment. The adversary completes a certificate of the last view
// for some replicas, after others have left that view with a lower one, and so decides who can vote for what: those who
// cannot do not hold back those who can, and these commit a block that nobody else will build on (the force-locking
// attack). The published version (IEEE S&P 2020, figure 2) repairs it in three steps that belong together:
//  - a lock is taken once, Δ after quitting a view, from the certificates known by then; a later one does not force it;
//  - a new view begins with votes for the block of the leader's new-view message, given by those whose lock ranks no
//    higher; f+1 of them certify that block again, in the new view, which proves that one honest lock allows it;
//  - certificates rank by view before height, so the block certified in the new view outranks every older lock, and all
//    honest replicas vote for what is built on it.
struct Rules {
  int quorum = 0;                  // f+1 of 2f+1: at least one honest replica
  bool certifies_anew = true;      // a new view begins with a new-view message and votes for its block
  bool ranks_by_view = true;       // before height
  Ticks status_ticks = 0;          // how long a new leader waits for status messages
  Ticks first_proposal_ticks = 0;  // from entering a later view until a replica blames its leader for silence
  Ticks next_proposal_ticks = 0;   // the same from one proposal to the next, and in the first view
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  const auto deltas = [&](unsigned count) { return static_cast<Ticks>(count * context.delta_ticks); };
  Rules rules;
  rules.quorum = context.fault_count + 1;
  // Others enter a view up to Δ after its leader, and their status takes up to Δ.
  rules.status_ticks = deltas(2);
  // The leader enters up to Δ later and waits 2Δ; its new-view message, the votes and its proposal take up to Δ each:
  // the (2p+4)Δ of the paper for p = 1.
  rules.first_proposal_ticks = deltas(6);
  // The certificate of a block takes a leader 2Δ, the next proposal up to Δ.
  rules.next_proposal_ticks = deltas(3);
  if (has(Bug::kEarlyVersion)) {
    rules.certifies_anew = rules.ranks_by_view = false;
    rules.first_proposal_ticks = deltas(4);  // no new-view message and no votes for it
  }
  // As the Gemini paper, section 13.1, sums up the early version. Then a leader may miss the status of those who enter
  // up to Δ after it.
  if (has(Bug::kShortStatusWait)) rules.status_ticks = deltas(1);
  return rules;
}

}  // namespace nika::sync_hotstuff
