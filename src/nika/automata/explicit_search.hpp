// Brute force: every run of an automaton for every choice of small parameters, one configuration at a time. It shares
// only the interpreter's one-step semantics with the rest. It is a second opinion on small automata, and finds
// violations of automata that the decision procedure does not cover.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nika/automata/interpreter.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

struct ExplicitLimits {
  std::int64_t max_parameter = 4;           // all parameters range over 0 … this
  std::int64_t max_initial = 4;             // and so do all other variables at the start
  std::size_t max_configurations = 20'000;  // reachable ones, per choice of parameters
  smt::Budget budget;                       // when it is spent, the search gives up
};

enum class ExplicitAnswer { violated, satisfied, gave_up };

struct ExplicitResult {
  ExplicitAnswer answer = ExplicitAnswer::satisfied;
  Counterexample run;  // of a violation
};

// "Satisfied" speaks of the parameters within the limits only.
ExplicitResult search_explicitly(const Automaton& automaton, const Formula& formula, const ExplicitLimits& limits);

}  // namespace nika::automata
