#include "nika/explore/loop.hpp"

#include <algorithm>

namespace nika {

Assumptions::Liars liars_in(std::span<const Event> events, const Cluster& cluster) {
  const SeatSet honest = cluster.honest_seats();
  const SeatSet liars = cluster.seats() - honest;
  bool is_heard = false;
  bool is_unheard = false;
  for (const Event& event : events) {
    is_heard =
        is_heard || (event.kind == EventKind::kDelivered && honest.contains(event.seat) && liars.contains(event.peer));
    is_unheard =
        is_unheard || (event.kind == EventKind::kLost && liars.contains(event.seat) && honest.contains(event.peer));
  }
  if (!is_heard) return Assumptions::Liars::kSilent;
  return is_unheard ? Assumptions::Liars::kSelective : Assumptions::Liars::kActive;
}

bool is_quiet(std::span<const Event> events) {
  return std::ranges::find(events, EventKind::kDelivered, &Event::kind) == events.end();
}

}  // namespace nika
