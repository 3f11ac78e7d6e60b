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

  // Copies what `seats` need, and all that is not of one seat; much cheaper than copying the whole value.
  void copy_from(const World& other, SeatSet seats) {
    for (Seat seat : seats) {
      const unsigned s = index_of(seat);
      states[s] = other.states[s];
      timers[s] = other.timers[s];
    }
    incarnation = other.incarnation;
    copy_rest_from(other);
    std::copy_n(other.pending.begin(), other.pending_count, pending.begin());
    pending_count = other.pending_count;
  }
  // All but replicas and messages.
  void copy_rest_from(const World& other) {
    down = other.down;
    network_round = other.network_round;
    now_tick = other.now_tick;
    overflowed = other.overflowed;
    commits.copy_from(other.commits);
  }

  // A place for a message that waits; its post is for the caller to write. Null, and an overflow, if there is none.
  Post<typename P::Message>* keep(Wait wait, std::uint32_t due_tick = 0) {
    if (pending_count == kMaxPending) {
      overflowed = true;
      return nullptr;
    }
    Pending<typename P::Message>& slot = pending[pending_count++];
    slot.due_tick = due_tick;
    slot.wait = wait;
    return &slot.post;
  }
  void keep(const Post<typename P::Message>& post, Wait wait, std::uint32_t due_tick = 0) {
    if (Post<typename P::Message>* slot = keep(wait, due_tick)) *slot = post;
  }
};

}  // namespace nika
