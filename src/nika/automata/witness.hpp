// From a solver's model to a run on numbers: the firings of each segment are put into an order in which they can
// happen.
#pragma once

#include <optional>

#include "nika/automata/interpreter.hpp"
#include "nika/automata/run_encoding.hpp"

namespace nika::automata {

// Nothing if the firings cannot be ordered; that would be an error in the encoding, and the caller reports it.
std::optional<Counterexample> witness_of(const RunEncoding& encoding, smt::Solver& solver);

}  // namespace nika::automata
