// The rules of Casper FFG that its safety rests on, and its seeded bugs. Each flag is read here and nowhere else; the
// protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::casper_ffg {

enum class Bug : std::uint8_t { kHalfQuorum, kDoubleVote, kSurroundVote, kIndirectFinality };

struct Rules {
  int supermajority = 0;
  bool one_vote_a_height = true;     // commandment I
  bool never_surrounds = true;       // commandment II
  bool finalises_by_a_child = true;  // only a link to a checkpoint of the next height finalises its source
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  const int n = context.replica_count;
  Rules rules;
  // "At least 2/3 of validators (by deposit)"; here all have one deposit. Two of these share a third.
  rules.supermajority = has(Bug::kHalfQuorum) ? (n + 1) / 2 : (2 * n + 2) / 3;
  rules.one_vote_a_height = !has(Bug::kDoubleVote);
  rules.never_surrounds = !has(Bug::kSurroundVote);
  rules.finalises_by_a_child = !has(Bug::kIndirectFinality);
  return rules;
}

}  // namespace nika::casper_ffg
