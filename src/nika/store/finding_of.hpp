// From a run that was judged to a finding, without running anything.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "nika/model/outcome.hpp"
#include "nika/store/finding.hpp"

namespace nika::store {

// A run, one judgement of it, and the protocol's words for its messages and its own notes.
struct JudgedRun {
  const Scenario& scenario;
  const Cluster& cluster;
  const Judgement& judgement;
  std::span<const Event> trace;
  std::span<const std::string_view> kinds;
  std::span<const std::string_view> notes{};
};

// The judgement must be a violation. The scenario counts as the original too; who shrank it says otherwise, and adds
// program, origin and shrink_runs.
Finding finding_of(const JudgedRun& run);

// What a seat committed, by height, and at one height in the order of time. A seat may contradict itself.
std::vector<CommitEntry> history_of(const Cluster& cluster, std::span<const Event> trace, Seat seat);

}  // namespace nika::store
