// All that there is at one moment of a run, as a value: replicas, timers, messages on their way, crashed seats, time,
// what was committed, and the state of the monitors. One world serves all network models; it can be copied, compared
// and continued between any two steps, and never allocates.
#pragma once

#include <algorithm>

#include "nika/model/cluster.hpp"
#include "nika/model/complete_fields.hpp"
#include "nika/model/property.hpp"
#include "nika/sim/hearsay.hpp"

namespace nika {

enum class Wait : std::uint8_t {
  kForRound,    // the message's own round has not begun; the adversary will judge it then
  kForTick,     // it arrives in a tick
  kToHeal,      // the adversary withholds it until the network heals
  kForArrival,  // it arrives in a network round, however the network is parted then
};

// A message that reaches its receivers later.
template <class Message>
struct Pending {
  Post<Message> post{};
  std::uint32_t due = 0;  // the tick or network round of its arrival
  Wait wait = Wait::kForRound;
};

template <Protocol P>
struct World {
  // What a description forgets would be lost where worlds are compared, renamed or stored.
  static_assert(DescribedWhole<typename P::State>::value && DescribedWhole<typename P::Message>::value);

  // Network rounds keep little in flight; a synchronous protocol has all that travels there.
  static constexpr std::size_t kMaxPending = is_synchronous<P>() ? kMaxPosts : 128;

  std::array<typename P::State, kMaxSeats> states{};
  std::array<std::array<Timer, timer_count<P>()>, kMaxSeats> timers{};
  std::array<std::uint8_t, kMaxSeats> incarnation{};
  SeatSet down{};
  SeatSet amnesiac{};  // seats that lost their memory at some time
  Round network_round{};
  std::uint32_t now_tick = 0;
  std::uint32_t step_count = 0;
  std::uint32_t sent_count = 0;  // messages, where they are numbered
  std::uint32_t delivered_count = 0;
  bool overflowed = false;
  std::uint8_t monitor_words = 0;  // that are in use
  MonitorStates monitors{};
  CommitLog commits{};
  BlockNames block_names{};  // empty unless several seats have one input
  std::uint32_t pending_count = 0;
  std::array<Pending<typename P::Message>, kMaxPending> pending{};
  Hearsay<P> hearsay{};

  void reset(unsigned seat_count) {
    for (unsigned s = 0; s < seat_count; ++s) {
      states[s] = {};
      timers[s] = {};
      incarnation[s] = 0;
    }
    down = {};
    amnesiac = {};
    network_round = {};
    now_tick = step_count = sent_count = delivered_count = 0;
    overflowed = false;
    commits.clear();
    block_names.clear();
    pending_count = 0;
    hearsay.clear();
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
    if (!block_names.empty() || !other.block_names.empty()) block_names = other.block_names;
    std::copy_n(other.pending.begin(), other.pending_count, pending.begin());
    pending_count = other.pending_count;
    if (hearsay.is_kept || other.hearsay.is_kept) hearsay = other.hearsay;
  }
  // All but replicas and messages.
  void copy_rest_from(const World& other) {
    down = other.down;
    amnesiac = other.amnesiac;
    network_round = other.network_round;
    now_tick = other.now_tick;
    step_count = other.step_count;
    sent_count = other.sent_count;
    delivered_count = other.delivered_count;
    overflowed = other.overflowed;
    monitor_words = other.monitor_words;
    std::copy_n(other.monitors.begin(), other.monitor_words, monitors.begin());
    commits.copy_from(other.commits);
  }

  // A place for a message that waits; its post is for the caller to write. Null, and an overflow, if there is none.
  Post<typename P::Message>* keep(Wait wait, std::uint32_t due = 0) {
    if (pending_count == kMaxPending) {
      overflowed = true;
      return nullptr;
    }
    Pending<typename P::Message>& slot = pending[pending_count++];
    slot.due = due;
    slot.wait = wait;
    return &slot.post;
  }
  void keep(const Post<typename P::Message>& post, Wait wait, std::uint32_t due = 0) {
    if (Post<typename P::Message>* slot = keep(wait, due)) *slot = post;
  }
};

}  // namespace nika
