// Writes automata in their own language (after expansion; reading it again gives the same automaton). As a picture:
// drawing.hpp.
#pragma once

#include <string>

#include "nika/automata/automaton.hpp"
#include "nika/automata/normal_form.hpp"

namespace nika::automata {

std::string printed(const Automaton& automaton);
std::string printed(const Automaton& automaton, const Expression& expression);
std::string printed(const Automaton& automaton, const Formula& formula);
std::string printed(const Automaton& automaton, const Normal& formula);

}  // namespace nika::automata
