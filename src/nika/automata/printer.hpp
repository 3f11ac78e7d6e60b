// Writes automata in their own language (after expansion; reading it again gives the same automaton). As a picture:
// drawing.hpp.
#pragma once

#include <string>

#include "nika/automata/automaton.hpp"

namespace nika::automata {

std::string printed(const Automaton& automaton);
std::string printed(const Automaton& automaton, const Expression& expression);
std::string printed(const Automaton& automaton, const Formula& formula);

}  // namespace nika::automata
