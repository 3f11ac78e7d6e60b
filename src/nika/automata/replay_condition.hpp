// What a counterexample for one choice of the unknowns says of all others: for which numbers the same run, step by step
// from the same start, is a run of the sketch and violates the property. Synthesis learns from it.
#pragma once

#include <optional>

#include "nika/automata/interpreter.hpp"
#include "nika/automata/sketch.hpp"

namespace nika::automata {

// True of exactly those assignments (variable i is unknown i) that satisfy the conditions on unknowns and under which
// the interpreter has no objection to the run. Nothing if the run is too long to be written down.
std::optional<smt::Formula> replay_condition(const Automaton& sketch, const Formula& property,
                                             const Counterexample& run);

// Of which assignments the state formula, which may read unknowns, is true at a configuration.
smt::Formula condition_at(const Automaton& sketch, const Formula& formula, const Configuration& configuration);

// Is the formula true of these numbers?
bool is_true_of(const smt::Formula& formula, const Assignment& assignment);

}  // namespace nika::automata
