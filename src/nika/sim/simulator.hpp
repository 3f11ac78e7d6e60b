// Runs a world through network rounds, deterministically. A network round is the time in which one partition is in
// force: messages of rounds up to it travel at once, messages of later rounds wait for theirs. A component of the
// network in which nobody gets ahead times out, replica by replica, before the round ends; so the network moves on even
// when all are stuck.
#pragma once

#include <vector>

#include "nika/sim/batch.hpp"
#include "nika/sim/world.hpp"

namespace nika {

using Trace = std::vector<Event>;

template <Protocol P>
class Simulator {
 public:
  using Message = typename P::Message;

  Simulator(const Cluster& cluster, const Faults& faults) : cluster_(cluster), faults_(faults) {
    for (Seat seat : cluster.seats()) {
      Context& context = contexts_[index_of(seat)];
      context.self = cluster.identity(seat);
      context.replica_count = cluster.node_count;
      context.fault_count = cluster.fault_count;
      context.bugs = cluster.bugs;
      context.leaders = leaders.data();
    }
  }
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  const Context& context_of(Seat seat) const { return contexts_[index_of(seat)]; }
  std::span<const Context> contexts() const { return {contexts_.data(), cluster_.seat_count}; }

  // Who leads each round. Must be set, up to one round past the horizon, before the rounds that need it are run.
  LeaderTable leaders{};
  // Events are appended here when it is set; runs are much faster without.
  Trace* trace = nullptr;
  // When it is set, each kind of message has links of its own, and those that a round is run under do not count. For
  // scenarios without rules: the faster equal of one rule on links for each kind.
  const PhaseLinks* phases = nullptr;
  // How many messages were delivered, for benchmarks.
  std::uint64_t delivered_count = 0;

  // A fresh world in network round 0, with every replica about to start.
  void start(World<P>& world);

  // Runs the next network round under these links; `heals` releases what was withheld.
  void run_round(World<P>& world, const Links& links, const Order& order, bool heals);

  // The same for one component of the links alone; the rest of the world is then of no meaning. Needs a scenario
  // without rules, since rules may join components.
  void run_block(World<P>& world, const Links& links, const Order& order, SeatSet component);

 private:
  // A message of a batch, and what is asked of it often. The message itself stays where its sender put it.
  struct Letter {
    const Message* message;
    ArrivalKey key;
    SeatSet to;
    SeatSet owner;  // whose proposal it is about
  };
  static constexpr std::uint32_t kNever = ~0U;
  static constexpr unsigned kMaxDeliveriesPerRound = 1U << 16;  // a protocol that never comes to rest is Unknown

  // What arrives together, in the order in which it is handled.
  struct Mail {
    std::array<Sent<Message>, kMaxPosts> written;
    std::array<Letter, kMaxPosts> letters;
    unsigned count = 0;
    SeatSet owners{};  // of all letters
  };

  void begin_round(World<P>& world, const Links& links, const Order& order);
  void apply_crashes(World<P>& world);
  void boot(World<P>& world, Seat seat);
  void run_component(World<P>& world, SeatSet component, bool heals);
  void release(World<P>& world, SeatSet component, bool heals);
  void deliver_batch(World<P>& world, SeatSet component);
  void deliver(World<P>& world, const Letter& letter, SeatSet receivers);
  bool wait_for_event(World<P>& world, SeatSet component);
  void expire(World<P>& world, SeatSet component, Ticks duration);
  // When the first timer of these seats runs out. Never once one of them is ahead of the network.
  std::uint32_t next_timer(const World<P>& world, SeatSet seats) const;
  std::uint32_t next_delayed(const World<P>& world, SeatSet component) const;
  // Carries out what a replica put in its outbox; most inputs leave it empty.
  void settle(World<P>& world, Seat seat) {
    if (!OutboxReader<Message>::is_empty(outbox_)) carry_out(world, seat);
  }
  void carry_out(World<P>& world, Seat seat);
  void record(World<P>& world, Seat seat);
  void open_outbox();
  void clear_next();
  // Whatever a replica does next, it does to this seat.
  void serve(World<P>& world, unsigned seat) { OutboxReader<Message>::use(outbox_, world.timers[seat].data()); }
  void send(World<P>& world, Seat from, const Sent<Message>& sent);
  // Gives a message to the adversary, and what it lets through to the next batch. Inlined with its letter, which then
  // never is in memory before it is in the batch.
  [[gnu::always_inline]] inline void judge(World<P>& world, const Letter& letter);
  SeatSet judge_by_rules(World<P>& world, const Letter& letter);
  [[gnu::always_inline]] inline void enqueue(World<P>& world, const Letter& letter, SeatSet to);
  // Copies a message that waited, and will be forgotten where it is, to where it stays until it is delivered.
  const Message* rewrite(World<P>& world, const Post<Message>& post);
  Letter letter_of(const Message& message, Seat from, SeatSet to, Round round, ValueId subject) const {
    return {&message, ArrivalKey(from, round, kind_of<P>(message), subject, *order_), to, owner_of(subject)};
  }
  Letter letter_of(const Message& message, const Post<Message>& post) const {
    return letter_of(message, post.from, post.to, post.round, post.subject);
  }
  static Post<Message> post_of(const Letter& letter, SeatSet to) {
    const ArrivalKey& key = letter.key;
    return {*letter.message, key.from(), to, key.round(), key.kind(), key.subject()};
  }
  static SeatSet owner_of(ValueId subject) {
    return subject.is_genesis() ? SeatSet{} : SeatSet::single(subject.seat());
  }
  void tell(Event event) {
    if (trace != nullptr) trace->push_back(event);
  }
  void tell(EventKind kind, Seat seat, Seat other, const ArrivalKey& key) {
    tell({kind, seat, other, key.kind(), key.round(), {}, key.subject(), {}});
  }

  const Cluster cluster_;
  const Faults faults_;
  std::array<Context, kMaxSeats> contexts_{};
  Outbox<Message> outbox_{};
  std::array<Mail, 2> mails_{};
  Mail* next_ = &mails_[0];     // what will be delivered together
  Mail* current_ = &mails_[1];  // what is being delivered
  const Links* links_ = nullptr;
  const Order* order_ = nullptr;
  std::array<SeatSet, timer_count<P>()> expired_{};  // whose timer has run out in this network round
  unsigned deliveries_left_ = 0;
  std::uint32_t round_start_ = 0;  // timers count from here
  std::uint32_t clock_ = 0;        // of the component that is running
};

}  // namespace nika

#include "nika/sim/simulator_inl.hpp"
