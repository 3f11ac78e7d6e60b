// Runs a timed scenario, deterministically, on one clock that all replicas share. In a tick first all messages arrive
// that are due, as one batch in the order of BatchOrder, then what these cause to arrive at once (delay 0), and so on;
// then the timers of the tick expire, each seat's in the order of their ids, and again what that causes arrives. So a
// message that takes exactly Δ is in time for a timer of Δ: synchronous protocols mean "within Δ" inclusively.
#pragma once

#include <span>
#include <vector>

#include "nika/sim/outcome.hpp"
#include "nika/sim/timed_world.hpp"

namespace nika {

template <Protocol P>
class TimedSimulator {
 public:
  using Message = typename P::Message;

  // The scenario's timing and rules count, and its leaders; it must pass check_synchrony.
  TimedSimulator(const Cluster& cluster, const Scenario& scenario) : cluster_(cluster), timing_(*scenario.timing) {
    set_rules(scenario.rules);
    for (std::size_t r = 0; r < scenario.rounds.size(); ++r) leaders_[r + 1] = scenario.rounds[r].leaders;
    set_heal_leaders(leaders_, static_cast<unsigned>(scenario.rounds.size()), scenario.heal_leaders);
    for (Seat seat : cluster.seats()) {
      Context& context = contexts_[index_of(seat)];
      context.self = cluster.identity(seat);
      context.replica_count = cluster.node_count;
      context.fault_count = cluster.fault_count;
      context.bugs = cluster.bugs;
      context.delta_ticks = timing_.delta_ticks;
      context.fresh = ValueId(Round(0), cluster.input_of[index_of(seat)], 0);
      context.leaders = leaders_.data();
    }
  }
  TimedSimulator(const TimedSimulator&) = delete;
  TimedSimulator& operator=(const TimedSimulator&) = delete;

  // For running many scenarios that differ by their rules only.
  void set_rules(std::span<const Rule> rules);

  // Events are appended here when it is set; runs are much faster without.
  Trace* trace = nullptr;
  // How many messages were delivered, for benchmarks.
  std::uint64_t delivered_count = 0;

  // A fresh world at tick 0, with every replica started and nothing delivered.
  void start(TimedWorld<P>& world);

  // Runs the next tick in which something happens. False when the time is over, nothing is left to happen, or the
  // verdict is settled.
  bool run_tick(TimedWorld<P>& world);

  void run(TimedWorld<P>& world) {
    start(world);
    while (run_tick(world)) {
    }
  }

 private:
  using Outgoing = Post<Message>;
  static constexpr unsigned kMaxDeliveriesPerTick = 1U << 16;  // a protocol that never comes to rest is Unknown
  static constexpr Ticks kUntouched = 0xffff;                  // a timer that one input neither set nor cancelled

  // What decides whether a rule is about a message, close together: there may be hundreds of rules.
  struct RuleKey {
    std::uint32_t kinds;
    SeatSet from;
    Round first_round;
    Round last_round;
  };

  void open();
  void settle(TimedWorld<P>& world, Seat seat);
  void send(TimedWorld<P>& world, Seat from, const Message& message, IdentitySet to);
  void schedule(TimedWorld<P>& world, const Outgoing& post, SeatSet to, std::uint32_t delay_ticks);
  void release(TimedWorld<P>& world);
  void deliver_all(TimedWorld<P>& world);
  void deliver(TimedWorld<P>& world, Seat to, const Outgoing& post);
  bool expire_all(TimedWorld<P>& world);
  void tell(Event event) {
    if (trace != nullptr) trace->push_back(event);
  }

  const Cluster cluster_;
  const Timing timing_;
  std::vector<Rule> rules_;
  std::vector<RuleKey> rule_keys_;
  LeaderTable leaders_{};
  std::array<Context, kMaxSeats> contexts_{};
  Outbox<Message> outbox_{};
  std::array<Timer, timer_count<P>()> touched_{};  // what the current input does to the timers
  std::array<Batch<Message>, 2> batches_{};
  Batch<Message>* next_ = &batches_[0];     // what will be delivered together
  Batch<Message>* current_ = &batches_[1];  // what is being delivered
  BatchOrder batch_order_{};
  unsigned deliveries_left_ = 0;
};

template <Protocol P>
bool is_settled(const TimedWorld<P>& world) {
  return world.commits.conflict().found || world.overflowed;
}

// `rounds` is the highest view that an honest seat has reached.
template <Protocol P>
Outcome outcome_of(const TimedWorld<P>& world, const Cluster& cluster) {
  Outcome outcome;
  outcome.conflict = world.commits.conflict();
  for (Seat seat : cluster.honest_seats()) {
    outcome.rounds = std::max(outcome.rounds, P::current_round(world.states[index_of(seat)]).number);
  }
  if (outcome.conflict.found) {
    outcome.verdict = Verdict::kViolated;
  } else if (world.overflowed) {
    outcome.verdict = Verdict::kUnknown;
  }
  return outcome;
}

}  // namespace nika

#include "nika/sim/timed_simulator_inl.hpp"
