// The trace that a finding holds, ready to be told: `story_of(finding.scenario, StoredView(finding).view())`.
#pragma once

#include <string_view>
#include <vector>

#include "nika/report/trace_text.hpp"
#include "nika/store/finding.hpp"

namespace nika::report {

// Refers to the finding, which must outlive it.
class StoredView {
 public:
  explicit StoredView(const store::Finding& finding)
      : cluster_(cast_of(finding.scenario).value()),
        kinds_(finding.trace.kinds.begin(), finding.trace.kinds.end()),
        notes_(finding.trace.notes.begin(), finding.trace.notes.end()),
        events_(finding.trace.events) {
    cluster_.fault_count = finding.scenario.fault_count;
  }

  TraceView view() const { return {cluster_, kinds_, events_, notes_}; }
  const Cluster& cluster() const { return cluster_; }

 private:
  Cluster cluster_;
  std::vector<std::string_view> kinds_;
  std::vector<std::string_view> notes_;
  std::span<const Event> events_;
};

}  // namespace nika::report
