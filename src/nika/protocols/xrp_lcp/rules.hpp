// The seeded bugs of XRP LCP. Each flag is read here and nowhere else; the protocol asks for the rule, not for the bug.
#pragma once

#include <array>

#include "nika/model/protocol.hpp"

namespace nika::xrp_lcp {

enum class Bug : std::uint8_t {
  kUncheckedSequence,  // as in rippled 1.7.2: the sequence of a VALIDATION is not compared with that of its ledger
  kQuorumHalf,         // half of the list validates a ledger
  kNoPreferredLedger,  // a node stays on its own branch, whatever others validate
  kRulesOf2014,        // the white paper of 2014: see docs/xrp_lcp.md
};

// In percent, by heartbeat.
using Thresholds = std::array<unsigned, 4>;
inline constexpr Thresholds kThresholds{50, 65, 70, 95};
// Schwartz, Youngs, Britto, "The Ripple Protocol Consensus Algorithm", section 3.1: a minimum that is 80 % in the final
// round. It says nothing of those before; half and steps of ten are how others tell it, and they change no count of the
// study (campaign/overlap_study_test.cpp).
inline constexpr Thresholds kThresholdsOf2014{50, 60, 70, 80};

struct Rules {
  bool compares_sequence = true;
  bool half_validates = false;
  bool follows_validations = true;
  // RPCA, section 3.1 of the white paper: votes are counted against the whole list, and the final round closes the
  // ledger with whatever reaches its threshold; nobody waits for others, and nobody ends early.
  bool counts_whole_list = false;
  bool closes_after_final_round = false;
  Thresholds thresholds = kThresholds;

  // Whether so many of the voters are enough at this heartbeat. "More than" the threshold; "a minimum of" 80 % in the
  // final round of 2014.
  bool is_enough(unsigned votes, unsigned voters, unsigned heartbeat) const {
    const unsigned needed = thresholds[heartbeat] * voters;
    const bool is_final = closes_after_final_round && heartbeat + 1 == thresholds.size();
    return is_final ? 100 * votes >= needed : 100 * votes > needed;
  }
  // Whether these validations make a ledger fully validated for this node.
  bool is_validated(const Context& context, IdentitySet validators) const {
    if (half_validates) return 2 * (validators & context.trusted()).size() >= context.trusted().size();
    return context.is_quorum(validators);
  }
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  Rules rules;
  rules.compares_sequence = !has(Bug::kUncheckedSequence);
  rules.half_validates = has(Bug::kQuorumHalf);
  rules.follows_validations = !has(Bug::kNoPreferredLedger);
  if (has(Bug::kRulesOf2014)) {
    rules.follows_validations = false;
    rules.counts_whole_list = true;
    rules.closes_after_final_round = true;
    rules.thresholds = kThresholdsOf2014;
  }
  return rules;
}

}  // namespace nika::xrp_lcp
