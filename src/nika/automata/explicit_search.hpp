// Brute force: every run of an automaton for every choice of small parameters, one configuration at a time. It shares
// only the interpreter's one-step semantics with the rest, and serves as a second opinion on small automata.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nika/automata/interpreter.hpp"

namespace nika::automata {

struct ExplicitLimits {
  std::int64_t max_parameter = 4;           // all parameters range over 0 … this
  std::int64_t max_initial = 4;             // and so do all other variables at the start
  std::size_t max_configurations = 20'000;  // reachable ones, per choice of parameters
};

enum class ExplicitAnswer { violated, satisfied, gave_up };

struct ExplicitResult {
  ExplicitAnswer answer = ExplicitAnswer::satisfied;
  Configuration initial;  // of a violation
};

// "Satisfied" speaks of the parameters within the limits only.
ExplicitResult search_explicitly(const Automaton& automaton, const Formula& formula, const ExplicitLimits& limits);

}  // namespace nika::automata
