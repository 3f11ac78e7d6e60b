#include "nika/campaign/liveness_methods.hpp"

#include <algorithm>
#include <cmath>

#include "nika/campaign/watch.hpp"

namespace nika::liveness {
namespace {

void measure_decisions(const std::vector<Execution>& executions, Experiment& experiment) {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
  for (const Execution& execution : executions) {
    const std::uint64_t at = execution.decided_at;
    if (at == 0) continue;
    ++count;
    sum += at;
    squares += at * at;
  }
  if (count == 0) return;
  const double mean = static_cast<double>(sum) / static_cast<double>(count);
  const double variance = static_cast<double>(squares) / static_cast<double>(count) - mean * mean;
  experiment.decision_mean = mean;
  experiment.decision_deviation = std::sqrt(std::max(0.0, variance));
}

// Rounds that had begun when the bound was over.
unsigned rounds_within(const Execution& execution, double bound, unsigned rounds) {
  const auto over = static_cast<unsigned>(
      std::ranges::count_if(execution.over_at, [&](unsigned time) { return time > 0 && time < std::floor(bound); }));
  return std::min(over + 1, rounds);
}

Method bounded(std::string_view name, double deviations, const Experiment& experiment) {
  const unsigned rounds = experiment.rounds;
  if (experiment.decided == 0) return {name, std::nullopt, [rounds](const Execution&) { return rounds; }};
  const double bound = experiment.decision_mean + deviations * experiment.decision_deviation;
  return {name, bound, [bound, rounds](const Execution& execution) {
            const bool in_time = execution.decided_at > 0 && execution.decided_at <= bound;
            return in_time ? 0 : rounds_within(execution, bound, rounds);
          }};
}

}  // namespace

std::vector<Method> methods_of(const std::vector<Execution>& executions, Experiment& experiment) {
  measure_decisions(executions, experiment);
  std::vector<Method> methods;
  for (std::size_t t = 0; t < kTemperatures.size(); ++t) {
    if (t > 0 && experiment.rounds < kRounds.back()) break;
    methods.push_back({kTemperature, kTemperatures[t], [t](const Execution& e) -> unsigned { return e.hot_at[t]; }});
  }
  methods.push_back({kLasso, std::nullopt, [](const Execution& e) -> unsigned { return e.lasso_at; }});
  methods.push_back(
      {kConfirmedLasso, std::nullopt, [](const Execution& e) -> unsigned { return e.is_confirmed ? e.lasso_at : 0; }});
  methods.push_back(bounded("small-timeout", 0, experiment));
  methods.push_back(bounded("mid-timeout", 1, experiment));
  methods.push_back(bounded("large-timeout", 2, experiment));
  return methods;
}

Row row_of(const Method& method, const std::vector<Execution>& executions) {
  const Watch watch;
  Row row;
  row.method = method.name;
  row.threshold = method.threshold;
  std::uint64_t lengths = 0;
  for (const Execution& execution : executions) {
    const unsigned at = execution.overflowed ? 0 : method.reported_at(execution);
    if (at == 0) continue;
    ++row.reported;
    row.false_positives += execution.is_confirmed ? 0 : 1;
    row.false_positives_by_locks += execution.ends_in_conflict ? 0 : 1;
    lengths += at;
  }
  if (row.reported > 0) row.trace_length = static_cast<double>(lengths) / static_cast<double>(row.reported);
  row.seconds = watch.seconds();
  return row;
}

}  // namespace nika::liveness
