// The ways to check liveness that the experiment compares: each says of an execution after how many rounds it reports a
// violation, if it does.
#pragma once

#include "nika/campaign/liveness_experiment.hpp"

namespace nika::liveness {

inline constexpr std::string_view kTemperature = "temperature";
inline constexpr std::string_view kLasso = "lasso";
inline constexpr std::string_view kConfirmedLasso = "confirmed-lasso";

struct Method {
  std::string_view name;
  std::optional<double> threshold;
  std::function<unsigned(const Execution&)> reported_at;  // 0: it reports nothing
};

// Temperatures, lassos, lassos that are confirmed (never false positives), and three bounds.
// Measures how long decisions take, for the bounds: the mean, with one and two deviations (section VII-B). Where
// nothing is ever decided there are no bounds, and they report everything at the end.
std::vector<Method> methods_of(const std::vector<Execution>& executions, Experiment& experiment);

// All but the seconds that the executions took. A buffer that was full leaves an execution out.
Row row_of(const Method& method, const std::vector<Execution>& executions);

}  // namespace nika::liveness
