// The whole state of a timed run between two ticks, as a value: replicas, timers that run, messages on their way,
// commits. It never allocates.
#pragma once

#include <algorithm>

#include "nika/model/cluster.hpp"
#include "nika/sim/commit_log.hpp"

namespace nika {

inline constexpr std::uint32_t kNever = ~0U;

template <Protocol P>
struct TimedWorld {
  static constexpr std::size_t kMaxInFlight = kMaxPosts;

  struct InFlight {
    Post<typename P::Message> post{};
    std::uint32_t due_tick = 0;
  };

  std::array<typename P::State, kMaxSeats> states{};
  std::array<std::array<std::uint32_t, timer_count<P>()>, kMaxSeats> expiry_ticks{};  // of each timer; kNever: stopped
  std::uint32_t now_tick = 0;
  bool overflowed = false;
  CommitLog commits{};
  std::array<InFlight, kMaxInFlight> in_flight{};
  std::uint32_t in_flight_count = 0;

  void reset(unsigned seat_count) {
    for (unsigned s = 0; s < seat_count; ++s) {
      states[s] = {};
      expiry_ticks[s].fill(kNever);
    }
    now_tick = 0;
    overflowed = false;
    commits.clear();
    in_flight_count = 0;
  }

  void keep(const Post<typename P::Message>& post, SeatSet to, std::uint32_t due_tick) {
    if (in_flight_count == kMaxInFlight) {
      overflowed = true;
      return;
    }
    in_flight[in_flight_count] = {post, due_tick};
    in_flight[in_flight_count++].post.to = to;
  }

  // The tick of the next message or timer, kNever if there is none.
  std::uint32_t next_tick(unsigned seat_count) const {
    std::uint32_t next = kNever;
    for (unsigned i = 0; i < in_flight_count; ++i) next = std::min(next, in_flight[i].due_tick);
    for (unsigned s = 0; s < seat_count; ++s) {
      for (const std::uint32_t tick : expiry_ticks[s]) next = std::min(next, tick);
    }
    return next;
  }
};

}  // namespace nika
