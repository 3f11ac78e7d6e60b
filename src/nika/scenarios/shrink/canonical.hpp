// One scenario for all that differ only by names: honest nodes among each other, the seats of a compromised identity,
// compromised identities with equally many seats. Two findings with the same canonical form are one finding.
#pragma once

#include "nika/model/scenario.hpp"

namespace nika::shrink {

// A cluster with more renamings than this is left as it is, and so is a scenario with steps, whose messages have
// numbers that depend on the names: equal findings may then be told twice, different ones never merged.
inline constexpr std::uint64_t kMaxRenamings = 50'000;

Scenario canonical_form(const Scenario& scenario);

}  // namespace nika::shrink
