// Properties of one automaton spread over threads. Always returns soon after its budget is spent, even if a solver
// does not listen: what is unfinished then is unknown.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/verifier.hpp"
#include "nika/model/verdict.hpp"

namespace nika::cli {

struct WorkOrder {
  automata::VerifyOptions options;
  double timeout_seconds = 0;  // for everything together; 0: no limit
  unsigned threads = 1;
  bool symmetry = true;  // a property that a symmetry makes of another one takes over its answer
};

struct PropertyResult {
  automata::Outcome outcome;
  double seconds = 0;
};

struct WorkResult {
  std::vector<PropertyResult> properties;    // as in Automaton::specifications
  double preparation_seconds = 0;            // pruning, layering and symmetries, shared by all properties
  bool abandoned = false;                    // a thread is still running and must not be waited for
  bool out_of_memory = false;                // while deciding a property, which is unknown then
  std::vector<std::string> warnings;         // about the file
  std::vector<smt::Refutation> preparation;  // if the order records: what was ruled out before any property
};

struct FinishedProperty {
  std::size_t property = 0;
  PropertyResult result;
};
using Watcher = std::function<void(const std::vector<FinishedProperty>&)>;

// `watch` is told again and again which properties got their answer since the last time, maybe none. Throws
// std::bad_alloc if there is not even the memory to begin.
WorkResult verify_all(const automata::Automaton& automaton, const WorkOrder& order, const Watcher& watch = {});
// The program's word for it. What holds only vacuously is told apart: for the exit code it is no success.
Verdict verdict_of(const automata::Outcome& outcome);
bool is_vacuous(const automata::Outcome& outcome);
std::string_view word_for(const automata::Outcome& outcome);
int exit_code_of(const WorkResult& result);

}  // namespace nika::cli
