// Writes automata in their own language (after expansion; reading it again gives the same automaton), and as a graph.
#pragma once

#include <string>

#include "nika/automata/automaton.hpp"

namespace nika::automata {

std::string printed(const Automaton& automaton);
std::string printed(const Automaton& automaton, const Expression& expression);
std::string printed(const Automaton& automaton, const Formula& formula);

// Graphviz: a node per location, an edge per rule; rules that do nothing are left out.
std::string dot_graph(const Automaton& automaton);

}  // namespace nika::automata
