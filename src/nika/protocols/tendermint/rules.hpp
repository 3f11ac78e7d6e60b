// The seeded bugs of Tendermint. Each flag is read here and nowhere else; the protocol asks for the rule, not for the
// bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::tendermint {

enum class Bug : std::uint8_t {
  kEarlyUnlock,           // as in early Tendermint: a polka of a later round than the lock releases it, and no more
  kNoRetransmission,      // nothing is sent twice, so that a network that drops breaks the paper's model
  kQuorum2f,              // 2f votes are a quorum
  kRepeatedVotes,         // a vote that arrives again is counted again
  kPrecommitWithoutLock,  // L38 and L39 are left out
  kOlderPolka,            // L29 without its condition: any earlier polka overrules a lock
  kUncheckedValidRound,   // L28 without the 2f+1 prevotes: the proposer is believed
};

struct Rules {
  int quorum = 0;
  bool polka_releases_lock = false;
  bool gossips = true;
  bool counts_repeats = false;
  bool locks = true;                 // L38, L39
  bool lock_binds = true;            // L29: the polka must not be older than the lock
  bool wants_proof_of_round = true;  // L28: 2f+1 prevotes of validRound
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  Rules rules;
  rules.quorum = has(Bug::kQuorum2f) ? 2 * context.fault_count : context.quorum();
  rules.polka_releases_lock = has(Bug::kEarlyUnlock);
  rules.gossips = !has(Bug::kNoRetransmission);
  rules.counts_repeats = has(Bug::kRepeatedVotes);
  rules.locks = !has(Bug::kPrecommitWithoutLock);
  rules.lock_binds = !has(Bug::kOlderPolka);
  rules.wants_proof_of_round = !has(Bug::kUncheckedValidRound);
  return rules;
}

}  // namespace nika::tendermint
