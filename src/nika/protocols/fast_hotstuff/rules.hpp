// The rules of Fast-HotStuff that decide safety, and its published flaw. The flag is read here and nowhere else.
#pragma once

#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

namespace nika::fast_hotstuff {

enum class Bug : std::uint8_t { kNonconsecutiveCommit };

struct Rules {
  int quorum = 0;
  bool commits_consecutive_views = true;  // the two views of a committing 2-chain follow each other
};

inline Rules rules_of(const Context& context) {
  Rules rules;
  rules.quorum = context.quorum();
  const bool flawed = (context.bugs >> static_cast<unsigned>(Bug::kNonconsecutiveCommit) & 1U) != 0;
  if (flawed) rules.commits_consecutive_views = false;
  return rules;
}

// The NEW-VIEW messages of a quorum for the view of the block, and the highest certificate among them is the one that
// the block builds on.
inline bool is_proven(const Proposal& proposal, const Rules& rules) {
  IdentitySet senders;
  QuorumCertificate highest;
  for (const Report& report : proposal.proof) {
    if (report.view != proposal.block.round() || !(report.senders & senders).empty()) return false;
    senders |= report.senders;
    if (report.certificate.round() > highest.round()) highest = report.certificate;
  }
  return senders.size() >= rules.quorum && highest == proposal.certificate;
}

// The paper's SafeNode: a proposal follows a certificate of the view before it (happy path), or proves that it builds
// on the highest certificate of a quorum (unhappy path).
inline bool is_justified(const Proposal& proposal, const Rules& rules) {
  const Round view = proposal.block.round();
  if (proposal.certificate.round().next() == view) return true;
  return proposal.certificate.round() < view && is_proven(proposal, rules);
}

// The 2-chain: a certified block commits its parent, which the block itself certifies.
inline bool commits_parent(ValueId block, ValueId parent, const Rules& rules) {
  if (parent.is_genesis()) return false;
  return !rules.commits_consecutive_views || parent.round().next() == block.round();
}

}  // namespace nika::fast_hotstuff
