// A sketch is an automaton with unknowns: thresholds such as a * n + b of which a and b are to be found. With numbers
// for its unknowns it is an automaton like any other.
#pragma once

#include <cstdint>
#include <vector>

#include "nika/automata/automaton.hpp"

namespace nika::automata {

// By position in Automaton::unknowns.
using Assignment = std::vector<std::int64_t>;

// The sketch with these numbers for its unknowns, rules and properties in the same order. What its assumptions say of
// unknowns alone is left out: whoever chose the numbers has looked at it.
Automaton completed(const Automaton& sketch, const Assignment& assignment);

// The assumptions that read unknowns and nothing else, the parts of a conjunction each by itself.
std::vector<FormulaPtr> conditions_on_unknowns(const Automaton& sketch);

}  // namespace nika::automata
