// The whole state of a run between two network rounds, as a value: replicas, timers, messages on their way, commits.
// It can be copied, compared and continued. It never allocates.
#pragma once

#include <algorithm>

#include "nika/model/cluster.hpp"
#include "nika/sim/commit_log.hpp"
#include "nika/sim/plan.hpp"

namespace nika {

enum class Wait : std::uint8_t {
  kForRound,  // the message's own round has not begun; the adversary will judge it then
  kForTick,   // the adversary delayed it
  kToHeal,    // the adversary withholds it until the network heals
};

// A message that reaches its receivers later.
template <class Message>
struct Pending {
  Post<Message> post{};
  std::uint32_t due_tick = 0;
  Wait wait = Wait::kForRound;
};

template <Protocol P>
struct World {
  static constexpr std::size_t kMaxPending = 64;

  std::array<typename P::State, kMaxSeats> states{};
  std::array<std::array<Timer, timer_count<P>()>, kMaxSeats> timers{};
  std::array<std::uint8_t, kMaxSeats> incarnation{};
  SeatSet down{};
  Round network_round{};
  std::uint32_t now_tick = 0;
  bool overflowed = false;
  CommitLog commits{};
  std::array<Pending<typename P::Message>, kMaxPending> pending{};
  std::uint32_t pending_count = 0;

  void reset(unsigned seat_count) {
    for (unsigned s = 0; s < seat_count; ++s) {
      states[s] = {};
      timers[s] = {};
      incarnation[s] = 0;
    }
    down = {};
    network_round = {};
    now_tick = 0;
    overflowed = false;
    commits.clear();
    pending_count = 0;
  }

  // Copies the part that `seat_count` seats use; much cheaper than copying the whole value.
  void copy_from(const World& other, unsigned seat_count) {
    std::copy_n(other.states.begin(), seat_count, states.begin());
    std::copy_n(other.timers.begin(), seat_count, timers.begin());
    std::copy_n(other.incarnation.begin(), seat_count, incarnation.begin());
    down = other.down;
    network_round = other.network_round;
    now_tick = other.now_tick;
    overflowed = other.overflowed;
    commits.copy_from(other.commits);
    std::copy_n(other.pending.begin(), other.pending_count, pending.begin());
    pending_count = other.pending_count;
  }

  void keep(const Post<typename P::Message>& post, Wait wait, std::uint32_t due_tick = 0) {
    if (pending_count == kMaxPending) {
      overflowed = true;
    } else {
      pending[pending_count++] = {post, due_tick, wait};
    }
  }
};

}  // namespace nika
