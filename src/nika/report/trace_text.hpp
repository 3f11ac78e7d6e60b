// A trace as text, one line for each event: the same bytes for the same run, on every machine. Fingerprints of traces
// are fingerprints of this text, so its form is part of the file formats.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nika/model/cluster.hpp"
#include "nika/model/event.hpp"
#include "nika/store/finding.hpp"

namespace nika::report {

// A recorded run and the words to tell it with.
struct TraceView {
  const Cluster& cluster;
  std::span<const std::string_view> kinds;  // of messages
  std::span<const Event> events;
};

std::string line_of(const TraceView& view, const Event& event);
std::string trace_text(const TraceView& view);
store::TraceMark mark_of(const TraceView& view);

// What a seat committed, by height, and at one height in the order of time. A seat may contradict itself.
std::vector<store::CommitEntry> history_of(const TraceView& view, Seat seat);

}  // namespace nika::report
