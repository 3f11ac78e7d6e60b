// What all network models have in common: replicas get inputs one by one, what they put down is recorded and handed to
// the network, and messages that arrive together are handled in one order. A model (Derived) knows how time passes; it
// has `void send(World<P>&, Seat, Sent<Message>&)`, which gives a message to the adversary.
#pragma once

#include "nika/model/schedule.hpp"
#include "nika/sim/adversary.hpp"
#include "nika/sim/mail.hpp"
#include "nika/sim/world.hpp"

namespace nika {

// Says in which order a receiver handles what arrives together, where that is not for the schedule to say.
template <Protocol P>
class Arranger {
 public:
  using Letters = std::span<const Letter<typename P::Message>*>;
  virtual ~Arranger() = default;
  // The letters are in the order of the schedule. The receiver has handled none of them yet.
  virtual void arrange(const World<P>& world, Seat receiver, Letters letters) = 0;
};

template <Protocol P, class Derived>
class Network {
 public:
  using Message = typename P::Message;

  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const Cluster& cluster() const { return cluster_; }
  const Monitors& monitors() const { return monitors_; }
  const Context& context_of(Seat seat) const { return contexts_[index_of(seat)]; }
  std::span<const Context> contexts() const { return {contexts_.data(), cluster_.seat_count}; }

  // Events are appended here when it is set; runs are much faster without.
  Trace* trace = nullptr;
  // Whoever arranges what arrives together; usually the schedule does.
  Arranger<P>* arranger = nullptr;
  // What an order of arrival had to decide is added here when it is set.
  Rivals* rivals = nullptr;

  // The latest round whose leaders a replica has asked for. A schedule that differs in those of later rounds has led to
  // the same world.
  Round asked_until() const {
    std::uint8_t latest = 0;
    for (const Context& context : contexts()) latest = std::max(latest, context.latest_asked);
    return Round(latest);
  }

  // The latest round whose coin one of these seats has asked for since a schedule was attended to.
  Round coins_asked_by(SeatSet seats) const {
    std::uint8_t latest = 0;
    for (Seat seat : seats) latest = std::max(latest, contexts_[index_of(seat)].coin.latest_asked);
    return Round(latest);
  }

  // What properties see of the world now.
  Sight sight_of(const World<P>& world) const {
    Sight sight(cluster_, world.commits, *leaders_);
    sight.promises = {kIsSingleShot<P>,
                      kIsBroadcast<P>,
                      static_cast<std::uint8_t>(leaders_in_a_row_of<P>()),
                      static_cast<std::uint8_t>(heal_rounds_of<P>()),
                      static_cast<std::uint8_t>(claimed_resilience()),
                      static_cast<std::uint8_t>(decision_deltas_of<P>()),
                      kIsResponsive<P>,
                      kRepeatsValues<P>,
                      kOutlastsLiars<P>};
    sight.now = world.network_round;
    if (world.network_round.number > scheduled_rounds_) sight.healing_since = Round(scheduled_rounds_ + 1);
    sight.last_round = last_round_;
    sight.time = static_cast<const Derived*>(this)->time_of(world);
    sight.down = world.down;
    sight.amnesiac = world.amnesiac;
    sight.overflowed = world.overflowed;
    if (monitors_.ask_for_rest()) sight.is_at_rest = is_at_rest(world);
    sight.template show<P>(world.states.data(), contexts_.data());
    return sight;
  }

 protected:
  // A flaw may be that a protocol is said to bear more faulty nodes than it does; then it is judged as if it did.
  unsigned claimed_resilience() const {
    if constexpr (requires { P::claimed_resilience(cluster_.bugs); }) return P::claimed_resilience(cluster_.bugs);
    return resilience_of<P>();
  }

  static constexpr std::uint32_t kNever = ~0U;
  static constexpr unsigned kMaxDeliveries = 1U << 16;  // without a pause: a protocol that never comes to rest

  Network(const Cluster& cluster, const Properties& properties) : cluster_(cluster), monitors_(properties) {
    for (Seat seat : cluster.seats()) {
      Context& context = contexts_[index_of(seat)];
      context.self = cluster.identity(seat);
      context.replica_count = cluster.node_count;
      context.fault_count = cluster.fault_count;
      context.bugs = cluster.bugs;
      context.clients = cluster.clients;
      context.count_only(cluster.unl_of[index_of(context.self)], quorum_percent_of<P>());
      shares_inputs_ = shares_inputs_ || cluster.input_of[index_of(seat)] != seat;
    }
  }

  // Whether nothing is on its way to anybody, and no timer runs of whoever is up.
  bool is_at_rest(const World<P>& world) const {
    for (unsigned i = 0; i < world.pending_count; ++i) {
      if (!world.pending[i].post.to.empty()) return false;
    }
    const auto runs = [](const Timer& timer) { return timer.duration != 0; };
    for (Seat seat : cluster_.seats() - world.down) {
      if (std::ranges::any_of(world.timers[index_of(seat)], runs)) return false;
    }
    return true;
  }

  // Whoever answers the choices from here on; the leaders of rounds up to `asked` were asked for before.
  void attend(const Schedule& schedule, Round asked = {}) {
    leaders_ = &schedule.leaders();
    scheduled_rounds_ = schedule.scheduled_rounds();
    last_round_ = schedule.last_round();
    for (unsigned s = 0; s < cluster_.seat_count; ++s) {
      contexts_[s].leaders = leaders_->data();
      contexts_[s].latest_asked = asked.number;
      contexts_[s].coin = {&schedule.coins(), 0};
    }
  }

  // A fresh world with every replica started; what they sent is where the model puts it.
  void boot_all(World<P>& world) { boot_all(world, cluster_.seats()); }
  void boot_all(World<P>& world, SeatSet seats) {
    world.reset(cluster_.seat_count);
    world.monitor_words = static_cast<std::uint8_t>(monitors_.words());
    open_outbox();
    monitors_.begin(world.monitors, sight_of(world));
    for (Seat seat : seats) boot(world, seat);
  }
  void boot(World<P>& world, Seat seat) {
    const unsigned s = index_of(seat);
    refresh(world, s);
    serve(world, s);
    P::start(world.states[s], contexts_[s], outbox_);
    settle(world, seat);
  }
  // The incarnation that marks fresh values, and the names of blocks, are the world's, not the last run's.
  void refresh(World<P>& world, unsigned s) {
    Context& context = contexts_[s];
    context.fresh = ValueId(Round(0), cluster_.input_of[s], world.incarnation[s]);
    if (!shares_inputs_) return;
    context.own = ValueId(Round(0), static_cast<Seat>(s), world.incarnation[s]);
    context.block_names = &world.block_names;
  }

  void open_outbox() {
    OutboxReader<Message>::open(outbox_, {}, trace != nullptr ? &notes_ : nullptr);
    clear_next();
  }
  void clear_next() {
    next_->count = 0;
    next_->owners = {};
    OutboxReader<Message>::use(outbox_, next_->written);
  }
  // Whatever a replica does next, it does to this seat.
  void serve(World<P>& world, unsigned seat) { OutboxReader<Message>::use(outbox_, std::span(world.timers[seat])); }

  // Carries out what a replica put in its outbox; most inputs leave it empty.
  void settle(World<P>& world, Seat seat) {
    if (!OutboxReader<Message>::is_empty(outbox_)) carry_out(world, seat);
  }
  void carry_out(World<P>& world, Seat seat);
  void record(World<P>& world, Seat seat);
  // A copy of a message that waited, and will be forgotten where it is, where it stays until it is delivered.
  const Sent<Message>* rewrite(World<P>& world, const Post<Message>& post);

  Letter<Message> letter_of(const Sent<Message>& sent, Seat from, SeatSet to, Round round, ValueId subject) const {
    return {&sent, ArrivalKey(from, round, kind_of<P>(sent.message), subject, *order_), to,
            Letter<Message>::owner_of(subject)};
  }
  Letter<Message> letter_of(const Sent<Message>& sent, const Post<Message>& post) const {
    return letter_of(sent, post.from, post.to, post.round, post.subject);
  }
  // Where nothing but the protocol bounds its rounds: there are no more numbers for them.
  static bool has_outgrown(World<P>& world, const Letter<Message>& letter) {
    if (letter.key.round() <= Round(kMaxRound)) return false;
    world.overflowed = true;
    return true;
  }
  [[gnu::always_inline]] void enqueue(World<P>& world, const Letter<Message>& letter, SeatSet to) {
    if (!next_->insert(letter, to)) world.overflowed = true;
  }

  // All that waits in the next batch, to these receivers.
  void deliver_batch(World<P>& world, SeatSet receivers);
  void note_rivals(SeatSet receivers) const;
  void deliver_in_order(World<P>& world, Seat receiver, const Order& order);
  void deliver_arranged(World<P>& world, SeatSet receivers);
  void deliver(World<P>& world, const Letter<Message>& letter, SeatSet receivers);
  void expire(World<P>& world, Seat seat, unsigned timer);

  void tell(Event event, const World<P>& world) {
    if (trace == nullptr) return;
    event.time = static_cast<const Derived*>(this)->time_of(world);
    trace->push_back(event);
  }
  void tell(EventKind kind, Seat seat, Seat peer, const Letter<Message>& letter, const World<P>& world) {
    if (trace == nullptr) return;
    tell({.kind = kind,
          .seat = seat,
          .peer = peer,
          .message_kind = letter.key.kind(),
          .message = letter.sent->number,
          .round = letter.key.round(),
          .value = letter.key.subject()},
         world);
  }

  const Cluster cluster_;
  const Monitors monitors_;
  const SeatSet honest_ = cluster_.honest_seats();
  bool shares_inputs_ = false;  // several seats have one input
  std::array<Context, kMaxSeats> contexts_{};
  const LeaderTable* leaders_ = nullptr;
  unsigned scheduled_rounds_ = 0;
  Round last_round_{};
  Outbox<Message> outbox_{};
  Trace notes_{};
  std::array<Mail<Message>, 2> mails_{};
  Mail<Message>* next_ = &mails_[0];     // what will be delivered together
  Mail<Message>* current_ = &mails_[1];  // what is being delivered
  const Order* order_ = nullptr;
  std::span<const ReceiverOrder> receiver_orders_{};
  unsigned deliveries_left_ = 0;

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace nika

#include "nika/sim/network_inl.hpp"
