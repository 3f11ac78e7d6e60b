// The semantics, executed one step at a time on numbers: what a guard means, what a rule does, what a temporal formula
// says of a lasso. It shares no code with the encoding and judges every counterexample before it is reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/base/result.hpp"

namespace nika::automata {

// Values of the parameters, the shared variables and the counters of the locations, by variable index.
using Configuration = std::vector<std::int64_t>;

// One rule, fired several times in a row.
struct Step {
  std::uint32_t rule = 0;  // position in Automaton::rules
  std::int64_t count = 1;
  bool operator==(const Step&) const = default;
};

// A run: a start, finitely many steps, then a loop for ever. An empty loop stays in the last configuration for ever,
// or, if the steps alone refute the formula, it does not matter how the run goes on.
struct Counterexample {
  Configuration initial;
  std::vector<Step> steps;
  std::vector<Step> loop;
};

std::int64_t value_of(const Expression& expression, const Configuration& configuration);
bool satisfies(const Formula& state_formula, const Configuration& configuration);
bool is_enabled(const Rule& rule, const Configuration& configuration);
void fire(const Rule& rule, Configuration& configuration);
// So many times in a row, whether or not the rule is enabled; at once if it only adds constants.
void fire(const Rule& rule, Configuration& configuration, std::int64_t count);
// How many times, up to the given number, an enabled rule can fire before any comparison of its guard changes its
// truth.
std::int64_t steady_firings(const Rule& rule, const Configuration& configuration, std::int64_t most);
// A run has at least one process.
bool has_processes(const Automaton& automaton, const Configuration& configuration);
// May a run end here, so that nothing happens any more? If no rule can fire, or if the automaton draws no self-loops.
bool may_rest(const Automaton& automaton, const Configuration& configuration);

// Can finitely many steps refute the formula (or satisfy it, if "positive" is false)? They cannot if, as it is written,
// something must be true for ever to do so.
bool is_settled_by_prefixes(const Formula& formula, bool positive);

// The truth of a temporal formula at the first of the configurations; the last is followed by the one at loop_begin.
bool satisfies_on_lasso(const Formula& formula, const std::vector<Configuration>& run, std::size_t loop_begin);

// The objections that an imprecise query can earn; every other one means that it was no run of the automaton at all.
inline constexpr const char* kSatisfiesFormula = "the run satisfies the formula";
inline constexpr const char* kLoopIsNoticed =
    "the loop changes shared variables that a guard or the formula still watches";
inline constexpr const char* kStopsTooEarly = "the run stops where somebody must still move";

// Runs the counterexample and evaluates the formula on it. Nothing is returned if it is a run of the automaton that
// violates the formula; otherwise what is wrong with it.
std::optional<std::string> objection_to(const Automaton& automaton, const Formula& formula, const Counterexample& run);

}  // namespace nika::automata
