// The page of a threshold automaton with a counterexample's path on it: what `nika verify --html` writes.
#pragma once

#include "nika/automata/verifier.hpp"
#include "nika/report/page.hpp"

namespace nika::cli {

// Of the position-th property of the automaton. Without a counterexample the automaton alone.
report::Page page_of(const automata::Automaton& automaton, std::size_t position, const automata::Outcome& outcome);

}  // namespace nika::cli
