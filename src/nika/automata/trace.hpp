// A counterexample made readable: every accelerated step with the variables that it changed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nika/automata/interpreter.hpp"

namespace nika::automata {

using NamedValues = std::vector<std::pair<std::string, std::int64_t>>;

struct TraceStep {
  std::string rule;
  std::string source;
  std::string target;
  std::int64_t count = 1;
  NamedValues changed;  // with their values after the step
};

struct Trace {
  NamedValues parameters;
  NamedValues initial;  // shared variables and locations that do not start at 0
  std::vector<TraceStep> steps;
  std::vector<TraceStep> loop;  // empty: the run stays where it is for ever
};

Trace trace_of(const Automaton& automaton, const Counterexample& counterexample);
std::string printed(const Trace& trace);

}  // namespace nika::automata
