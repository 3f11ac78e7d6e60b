// The seeded bugs of XRP LCP. Each flag is read here and nowhere else; the protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::xrp_lcp {

enum class Bug : std::uint8_t {
  kUncheckedSequence,  // as in rippled 1.7.2: the sequence of a VALIDATION is not compared with that of its ledger
  kQuorumHalf,         // half of the list validates a ledger
  kNoPreferredLedger,  // a node stays on its own branch, whatever others validate
};

struct Rules {
  bool compares_sequence = true;
  bool half_validates = false;
  bool follows_validations = true;

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
  return rules;
}

}  // namespace nika::xrp_lcp
