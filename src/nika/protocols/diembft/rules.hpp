// The seeded bugs of DiemBFT. Each flag is read here and nowhere else; the protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::diembft {

enum class Bug : std::uint8_t {
  kQuorum2f,
  kConflictingVotes,
  kForgottenPreferredRound,
  kNonconsecutiveCommit,
  kPreferredRoundNeverUpdated,
};

struct Rules {
  int quorum = 0;
  bool votes_once_a_round = true;          // Safety Rule 1 with "greater than"
  bool votes_in_rising_rounds = true;      // Safety Rule 1 at all
  bool updates_preferred_round = true;     // Update Rule 2
  bool commits_consecutive_rounds = true;  // the three rounds of a committing 3-chain follow each other
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  Rules rules;
  rules.quorum = context.quorum();
  if (context.bugs == 0) return rules;
  if (has(Bug::kQuorum2f)) rules.quorum = 2 * context.fault_count;
  if (has(Bug::kConflictingVotes)) rules.votes_once_a_round = false;
  if (has(Bug::kForgottenPreferredRound)) rules.votes_in_rising_rounds = rules.updates_preferred_round = false;
  if (has(Bug::kNonconsecutiveCommit)) rules.commits_consecutive_rounds = false;
  if (has(Bug::kPreferredRoundNeverUpdated)) rules.updates_preferred_round = false;
  return rules;
}

}  // namespace nika::diembft
