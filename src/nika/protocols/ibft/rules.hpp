// The seeded bugs of IBFT, which are the two flaws of EIP-650 that IBFT 2.0 repairs. Each flag is read here and nowhere
// else; the protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::ibft {

enum class Bug : std::uint8_t {
  kLocked,       // EIP-650, "Block locking": who is prepared votes for nothing else, and nothing ever unlocks it
  kSmallQuorum,  // EIP-650: 2F+1 messages are a quorum, also where n is not 3F+1
};

struct Rules {
  int quorum = 0;
  bool prepared_is_locked = false;
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  Rules rules;
  // IBFT 2.0: Quorum(n) = ceil(2n/3). Any two of them share more than a third of the validators.
  rules.quorum = has(Bug::kSmallQuorum) ? 2 * context.fault_count + 1 : (2 * context.replica_count + 2) / 3;
  rules.prepared_is_locked = has(Bug::kLocked);
  return rules;
}

}  // namespace nika::ibft
