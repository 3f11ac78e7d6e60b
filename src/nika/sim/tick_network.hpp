// The network model of synchronous protocols: one clock that all replicas share. In a tick first all messages arrive
// that are due, as one batch, then what these cause to arrive at once (delay 0), and so on; then the timers of the tick
// run out, each seat's in the order of their ids, and again what that causes arrives. So a message that takes exactly Δ
// is in time for a timer of Δ, as synchronous protocols mean it; the schedule may let the timers of some seats go
// first.
#pragma once

#include <vector>

#include "nika/sim/network.hpp"

namespace nika {

template <Protocol P>
class TickNetwork : public Network<P, TickNetwork<P>> {
  using Base = Network<P, TickNetwork<P>>;
  friend Base;

 public:
  using Message = typename P::Message;

  TickNetwork(const Cluster& cluster, const Properties& properties) : Base(cluster, properties) {}

  // A fresh world at tick 0, with every replica started and nothing delivered.
  void start(World<P>& world, const Schedule& schedule);
  void attend(const Schedule& schedule);

  // Runs the next tick in which something happens. False when the time is over or nothing is left to happen.
  bool advance(World<P>& world, Schedule& schedule);

  // Now is the highest view that an honest seat has reached. Messages between honest seats always arrive in time: the
  // network is as good as healed from the first view on that honest nodes alone lead.
  Sight sight_of(const World<P>& world) const {
    Sight sight = Base::sight_of(world);
    sight.delta_ticks = timing_.delta_ticks;
    sight.now = Round(0);
    for (Seat seat : this->honest_) sight.now = std::max(sight.now, P::current_round(world.states[index_of(seat)]));
    Round first(1);
    while (first <= sight.now && !sight.is_led_by_honest(first, cluster_.compromised)) first = first.next();
    sight.healing_since = first <= sight.now ? first : Round(0);
    return sight;
  }
  std::uint32_t time_of(const World<P>& world) const { return world.now_tick; }

 private:
  using Base::cluster_;
  using Base::kNever;
  using Base::next_;

  std::uint32_t next_tick(const World<P>& world) const;
  void release(World<P>& world);
  bool expire_all(World<P>& world, SeatSet seats);
  void send(World<P>& world, Seat from, Sent<Message>& sent);
  void carry(World<P>& world, const Letter<Message>& letter, SeatSet to, const Rule& rule);
  void schedule(World<P>& world, const Letter<Message>& letter, SeatSet to, std::uint32_t delay_ticks);

  Timing timing_{};
  std::span<const Rule> rules_{};
  std::vector<RuleKey> rule_keys_{};
  const Order fifo_ = Order::fifo();
};

}  // namespace nika

#include "nika/sim/tick_network_inl.hpp"
