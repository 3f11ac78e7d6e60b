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
  NamedValues changed;                // with their values after the step
  std::uint32_t rule_index = 0;       // position in Automaton::rules: numbers in the file may be repeated
  std::size_t line = 0;               // of the rule in the file
  std::string guard;                  // empty: always true
  std::vector<std::string> unlocked;  // comparisons of guards that became true by the step
  NamedValues configuration;          // after the step: shared variables and locations that are not 0
};

struct Trace {
  NamedValues parameters;
  NamedValues initial;  // shared variables and locations that do not start at 0
  std::vector<TraceStep> steps;
  std::vector<TraceStep> loop;  // empty: the run stays where it is for ever
};

Trace trace_of(const Automaton& automaton, const Counterexample& counterexample);
// "With configurations" tells after each step all that is not 0, instead of what changed.
std::string printed(const Trace& trace, bool with_configurations = false);

}  // namespace nika::automata
