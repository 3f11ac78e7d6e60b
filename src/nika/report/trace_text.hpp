// A trace as text, one line for each event: the same bytes for the same run, on every machine. Messages have numbers,
// so that a delivery can be followed to its sending.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/model/cluster.hpp"
#include "nika/model/event.hpp"
#include "nika/model/leaves.hpp"

namespace nika::report {

// A recorded run and the words to tell it with.
struct TraceView {
  const Cluster& cluster;
  std::span<const std::string_view> kinds;  // of messages
  std::span<const Event> events;
  std::span<const std::string_view> notes{};  // the protocol's own
  std::span<const KindLeaves> leaves{};       // what can be lied about; a stored run does not know
};

// "3 B delivered #12 from=A vote round=2 value=A2": the time, who, what. A new network round, tick or step is a line of
// its own: "network-round 3".
std::string line_of(const TraceView& view, const Event& event);
std::string trace_text(const TraceView& view);

}  // namespace nika::report
