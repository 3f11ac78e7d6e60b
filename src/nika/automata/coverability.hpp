// A cheap proof of safety properties for automata of any kind: backward coverability on an abstraction. Locations keep
// lower bounds of their counters, shared variables only the truth of the comparisons that guards and property make with
// them. The abstract system is well-structured, so the search ends. docs/threshold-automata.md, section 8.
#pragma once

#include <cstddef>

#include "nika/automata/automaton.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

struct CoverabilityLimits {
  std::size_t sets = 4'000;  // upward closed sets of configurations that are looked at, for each part of the property
  smt::Budget budget;
};

enum class Coverability { proved, not_proved, limit_met };

// Proved: the safety property holds, for all parameters. Not proved: the abstraction is too coarse, or it is violated.
Coverability prove_by_coverability(const Automaton& automaton, const Formula& property,
                                   const CoverabilityLimits& limits);

}  // namespace nika::automata
