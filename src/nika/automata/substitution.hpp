// An automaton with other expressions in the place of its variables.
#pragma once

#include <vector>

#include "nika/automata/automaton.hpp"

namespace nika::automata {

// The expression with each index replaced by its image.
Expression substituted(const Expression& expression, const std::vector<Expression>& images);

// Every formula and every update with each index replaced by its image. The images of the variables of rules and of
// what they update must be variables; names, and what declares them, stay as they are.
Automaton substituted(const Automaton& automaton, const std::vector<Expression>& images);

}  // namespace nika::automata
