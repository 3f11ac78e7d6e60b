// The network model of Twins: network rounds. A network round is the time in which one partition is in force: messages
// of rounds up to it travel at once, messages of later rounds wait for theirs. A component of the network in which
// nobody gets ahead times out, replica by replica, before the round ends; so the network moves on even when all are
// stuck.
#pragma once

#include "nika/sim/network.hpp"

namespace nika {

template <Protocol P>
class RoundNetwork : public Network<P, RoundNetwork<P>> {
  using Base = Network<P, RoundNetwork<P>>;
  friend Base;

 public:
  using Message = typename P::Message;

  RoundNetwork(const Cluster& cluster, const Properties& properties) : Base(cluster, properties) {}

  // A fresh world in network round 0, with every replica started.
  void start(World<P>& world, const Schedule& schedule) {
    attend(schedule);
    this->boot_all(world);
  }
  // A world that comes from elsewhere goes on with this schedule.
  void attend(const Schedule& schedule, Round asked = {}) { Base::attend(schedule, asked); }

  // Runs the next network round as the schedule wants it. False if there is none.
  bool advance(World<P>& world, Schedule& schedule) {
    if (world.network_round >= schedule.last_round()) return false;
    run_round(world, schedule.round(world.network_round.next()));
    return true;
  }
  void run_round(World<P>& world, const RoundAnswers& answers);
  // The same for one component of the links alone; the rest of the world is then of no meaning. Needs a round without
  // rules, since rules may join components.
  void run_block(World<P>& world, const RoundAnswers& answers, SeatSet component);

  std::uint32_t time_of(const World<P>& world) const { return world.network_round.number; }

 private:
  using Base::cluster_;
  using Base::deliveries_left_;
  using Base::kNever;
  using Base::next_;
  using Base::order_;
  using Base::outbox_;

  void begin_round(World<P>& world, const RoundAnswers& answers);
  void crash_and_recover(World<P>& world);
  void run_component(World<P>& world, SeatSet component);
  void release(World<P>& world, SeatSet component);
  bool is_due(const World<P>& world, const Pending<Message>& item) const;
  void give_up(World<P>& world, SeatSet seats);
  bool wait_for_event(World<P>& world, SeatSet component);
  void expire_all(World<P>& world, SeatSet component, Ticks duration);
  // When the first timer of these seats runs out. Never once one of them is ahead of the network.
  std::uint32_t next_timer(const World<P>& world, SeatSet seats) const;
  std::uint32_t next_delayed(const World<P>& world, SeatSet component) const;
  void send(World<P>& world, Seat from, Sent<Message>& sent);
  // Gives a message to the adversary, and what it lets through to the next batch. Inlined with its letter, which then
  // never is in memory before it is in the batch.
  [[gnu::always_inline]] inline void judge(World<P>& world, const Letter<Message>& letter);
  // The rest of it: rules, or the links.
  [[gnu::always_inline]] inline void admit(World<P>& world, const Letter<Message>& letter);
  SeatSet judge_by_rules(World<P>& world, const Letter<Message>& letter, const Reach& reach);
  void put_off(World<P>& world, const Letter<Message>& letter, Seat to, Fate fate);

  // Faults of protocol rounds (Algorithm 1 of ByzzFuzz): outages first, then lies, then all that is said above.
  struct Version {  // of one message, for some receivers
    Message message{};
    SeatSet to{};
    const Lie* lie = nullptr;  // null: what its sender would say
    BriefChange brief{};
  };
  static constexpr std::size_t kMaxVersions = 10;
  using Versions = BoundedVector<Version, kMaxVersions>;
  [[gnu::noinline]] void judge_by_faults(World<P>& world, const Letter<Message>& letter);
  struct Cut {  // whom outages keep a message from
    SeatSet lost{};
    SeatSet withheld{};
  };
  Cut cut_off(const Letter<Message>& letter, unsigned protocol_round) const;
  void travel(World<P>& world, Letter<Message> letter, const Cut& cut);
  void withhold(World<P>& world, const Letter<Message>& letter, Seat to);
  void tell_lies(World<P>& world, const Letter<Message>& letter, const Cut& cut, unsigned protocol_round);
  bool rename_blocks(World<P>& world, Seat liar, Versions& versions);
  void send_version(World<P>& world, const Letter<Message>& letter, const Version& version, const Cut& cut);
  [[gnu::noinline]] void note_received(World<P>& world, SeatSet receivers);

  const RoundAnswers* answers_ = nullptr;
  std::array<SeatSet, timer_count<P>()> expired_{};  // whose timer has run out in this network round
  bool has_delayed_ = false;                         // whether anything waits for a tick
  std::uint32_t round_start_ = 0;                    // timers count from here
  std::uint32_t clock_ = 0;                          // of the component that is running
};

}  // namespace nika

#include "nika/sim/round_network_faults_inl.hpp"
#include "nika/sim/round_network_inl.hpp"
