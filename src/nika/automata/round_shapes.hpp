// The shapes of properties from which something follows for later rounds; see rounds.hpp.
#pragma once

#include <optional>
#include <vector>

#include "nika/automata/automaton.hpp"

namespace nika::automata {

// The locations that are all empty if and only if the formula is true, if it says just that: "a + b == 0 && c == 0".
std::optional<std::vector<std::uint32_t>> emptied_by(const Automaton& automaton, const Formula& formula);
// The locations one of which is occupied if and only if the formula is true: "a + b != 0", "a > 0 || b >= 1".
std::optional<std::vector<std::uint32_t>> occupied_by(const Automaton& automaton, const Formula& formula);

}  // namespace nika::automata
