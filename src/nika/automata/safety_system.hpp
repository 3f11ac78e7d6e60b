// A safety property of any automaton, resets and decrements included, as a question about a transition system: can it
// reach a configuration that refutes the property? docs/threshold-automata.md, section 8.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nika/automata/interpreter.hpp"
#include "nika/automata/normal_form.hpp"
#include "nika/smt/transition_system.hpp"

namespace nika::automata {

// Is the property refuted by finitely many steps? Its negation must be without "always", in normal form.
bool is_safety(const Formula& property);

// Of a safety property. The first variables are those of the automaton.
smt::TransitionSystem safety_system(const Automaton& automaton, const Formula& property);

// The run that goes through these values of the system's variables; nothing if no rule leads from one to the next.
std::optional<Counterexample> run_through(const Automaton& automaton,
                                          const std::vector<std::vector<std::int64_t>>& values);

}  // namespace nika::automata
