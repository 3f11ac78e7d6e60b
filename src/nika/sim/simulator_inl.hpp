// The member functions of Simulator. Included by simulator.hpp only.
#pragma once

#include "nika/sim/simulator.hpp"

namespace nika {

template <Protocol P>
void Simulator<P>::start(World<P>& world) {
  world.reset(cluster_.seat_count);
  next_->count = 0;
  for (Seat seat : cluster_.seats()) boot(world, seat);
}

template <Protocol P>
void Simulator<P>::boot(World<P>& world, Seat seat) {
  const unsigned s = index_of(seat);
  contexts_[s].fresh = ValueId(Round(0), cluster_.input_of[s], world.incarnation[s]);
  OutboxReader<Message>::open(outbox_, world.timers[s].data(), trace != nullptr);
  P::start(world.states[s], contexts_[s], outbox_);
  settle(world, seat);
}

template <Protocol P>
void Simulator<P>::run_round(World<P>& world, const Links& links, const Order& order, bool heals) {
  world.network_round = world.network_round.next();
  links_ = &links;
  order_ = &order;
  round_start_ = clock_ = world.now_tick;
  expired_ = {};
  deliveries_left_ = kMaxDeliveriesPerRound;
  tell({EventKind::kNetworkRound, {}, {}, 0, world.network_round, {}, {}, {}});
  next_->count = 0;
  // The incarnation that marks fresh values is the world's, not the last run's.
  for (unsigned s = 0; s < cluster_.seat_count; ++s)
    contexts_[s].fresh = ValueId(Round(0), cluster_.input_of[s], world.incarnation[s]);
  if (!faults_.crashes.empty()) apply_crashes(world);
  if (!faults_.rules.empty()) {  // rules may join what the partition separates
    run_component(world, cluster_.seats(), heals);
    world.now_tick = clock_;
    return;
  }
  std::uint32_t latest = clock_;
  for (unsigned c = 0; c < links.component_count; ++c) {
    clock_ = round_start_;
    run_component(world, links.components[c], heals);
    latest = std::max(latest, clock_);
  }
  world.now_tick = latest;
}

template <Protocol P>
void Simulator<P>::apply_crashes(World<P>& world) {
  for (const Crash& crash : faults_.crashes) {
    if (crash.down_from == world.network_round) {
      world.down.insert(crash.seat);
      tell({EventKind::kCrashed, crash.seat, {}, 0, world.network_round, {}, {}, {}});
    }
    if (crash.up_from == world.network_round) {
      const unsigned s = index_of(crash.seat);
      world.down.erase(crash.seat);
      tell({EventKind::kRecovered, crash.seat, {}, 0, world.network_round, {}, {}, {}});
      if (crash.keeps_memory) continue;
      NIKA_REQUIRE(world.incarnation[s] < ValueId::kMaxIncarnation);
      ++world.incarnation[s];
      world.states[s] = {};
      world.timers[s] = {};
      boot(world, crash.seat);
    }
  }
  // What a recovering seat sends waits like everything else until its component runs.
  for (unsigned i = 0; i < next_->count; ++i) world.keep(next_->posts[i], Wait::kForTick, round_start_);
  next_->count = 0;
}

template <Protocol P>
void Simulator<P>::run_component(World<P>& world, SeatSet component, bool heals) {
  release(world, component, heals);
  do {
    while (next_->count > 0) deliver_batch(world, component);
  } while (wait_for_event(world, component));
}

// Moves what is due out of the pending messages into the next batch, keeping the order of the rest.
template <Protocol P>
void Simulator<P>::release(World<P>& world, SeatSet component, bool heals) {
  unsigned kept = 0;
  const unsigned count = world.pending_count;
  for (unsigned i = 0; i < count; ++i) {
    Pending<Message>& item = world.pending[i];
    if (item.wait == Wait::kForRound) {
      if (item.post.round <= world.network_round && component.contains(item.post.from)) {
        judge(world, Outgoing(item.post));
        continue;
      }
    } else if (item.wait == Wait::kForTick ? item.due_tick <= clock_ : heals) {
      const SeatSet now = item.post.to & component;
      if (!now.empty()) enqueue(world, item.post, now);
      item.post.to = item.post.to - component;
      if (item.post.to.empty()) continue;
    }
    if (kept != i) world.pending[kept] = item;
    ++kept;
  }
  // judge() may have appended newly delayed messages behind the old ones.
  for (unsigned i = count; i < world.pending_count; ++i) world.pending[kept++] = world.pending[i];
  world.pending_count = kept;
}

template <Protocol P>
void Simulator<P>::deliver_batch(World<P>& world, SeatSet component) {
  std::swap(current_, next_);
  next_->count = 0;
  batch_order_.sort(*current_, *order_);
  batch_order_.for_each_delivery(*current_, component - world.down,
                                 [&](Seat to, const Outgoing& post) { deliver(world, to, post); });
}

template <Protocol P>
void Simulator<P>::deliver(World<P>& world, Seat to, const Outgoing& post) {
  if (deliveries_left_ == 0) {
    world.overflowed = true;
    return;
  }
  --deliveries_left_;
  ++delivered_count;
  tell({EventKind::kDelivered, to, post.from, post.kind, post.round, {}, post.subject, {}});
  const unsigned s = index_of(to);
  OutboxReader<Message>::open(outbox_, world.timers[s].data(), trace != nullptr);
  P::receive(world.states[s], contexts_[s], cluster_.identity(post.from), post.message, outbox_);
  settle(world, to);
}

// When nothing is left to deliver: the earliest timer or delayed message of the component. Once somebody got ahead the
// round is a success, and timers wait for the next one.
template <Protocol P>
bool Simulator<P>::wait_for_event(World<P>& world, SeatSet component) {
  if (world.overflowed) return false;
  constexpr std::uint32_t kNever = ~0U;
  std::uint32_t timer = kNever;
  const SeatSet waiting = anyone_ahead(world, component) ? SeatSet{} : component - world.down;
  for (Seat seat : waiting) {
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      const Ticks duration = world.timers[index_of(seat)][t].duration;
      if (duration != 0 && !expired_[t].contains(seat)) timer = std::min(timer, round_start_ + duration);
    }
  }
  std::uint32_t message = kNever;
  for (unsigned i = 0; i < world.pending_count; ++i) {
    const Pending<Message>& item = world.pending[i];
    if (item.wait == Wait::kForTick && !(item.post.to & component).empty()) message = std::min(message, item.due_tick);
  }
  if (timer == kNever && message == kNever) return false;
  clock_ = std::max(clock_, std::min(timer, message));
  if (message <= timer) {
    release(world, component, false);
  } else {
    expire(world, component, static_cast<Ticks>(timer - round_start_));
  }
  return true;
}

template <Protocol P>
void Simulator<P>::expire(World<P>& world, SeatSet component, Ticks duration) {
  for (Seat seat : component - world.down) {
    const unsigned s = index_of(seat);
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      if (world.timers[s][t].duration != duration || expired_[t].contains(seat)) continue;
      expired_[t].insert(seat);
      world.timers[s][t].duration = 0;
      OutboxReader<Message>::open(outbox_, world.timers[s].data(), trace != nullptr);
      P::expire(world.states[s], contexts_[s], static_cast<TimerId>(t), outbox_);
      settle(world, seat);
    }
  }
}

template <Protocol P>
bool Simulator<P>::anyone_ahead(const World<P>& world, SeatSet component) const {
  for (Seat seat : component - world.down) {
    if (P::current_round(world.states[index_of(seat)]) > world.network_round) return true;
  }
  return false;
}

// Carries out what a replica put in its outbox.
template <Protocol P>
void Simulator<P>::settle(World<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  if (trace != nullptr) {
    for (Event event : Reader::notes(outbox_)) {
      event.seat = seat;
      trace->push_back(event);
    }
  }
  if (Reader::overflowed(outbox_)) world.overflowed = true;
  if (cluster_.is_honest(seat)) {
    for (const Commit& commit : Reader::commits(outbox_)) world.commits.record(seat, commit);
  }
  for (const auto& sent : Reader::sent(outbox_)) send(world, seat, sent.message, sent.to);
}

template <Protocol P>
void Simulator<P>::send(World<P>& world, Seat from, const Message& message, IdentitySet to) {
  Outgoing post;
  post.message = message;
  post.from = from;
  post.to = to == cluster_.identities() ? cluster_.seats() : cluster_.seats_of_identities(to);
  post.round = P::round_of(message);
  post.kind = kind_of<P>(message);
  post.subject = P::subject_of(message);
  if (post.round > world.network_round || world.network_round == Round(0)) {
    world.keep(post, Wait::kForRound);
  } else {
    judge(world, post);
  }
}

template <Protocol P>
void Simulator<P>::judge(World<P>& world, const Outgoing& post) {
  SeatSet now = post.to & links_->reach[index_of(post.from)];
  if (!faults_.rules.empty()) {
    now = {};
    Outgoing later = post;
    for (Seat to : post.to) {
      const Fate fate = fate_of(faults_.rules, *links_, {world.network_round, post.kind, post.from, to});
      later.to = SeatSet::single(to);
      if (fate.action == Action::kDeliver) now.insert(to);
      if (fate.action == Action::kDelay) world.keep(later, Wait::kForTick, clock_ + fate.delay_ticks);
      if (fate.action == Action::kWithhold) world.keep(later, Wait::kToHeal);
      if (fate.action == Action::kDrop)
        tell({EventKind::kLost, post.from, to, post.kind, post.round, {}, post.subject, {}});
    }
  } else if (trace != nullptr) {
    for (Seat to : post.to - now) tell({EventKind::kLost, post.from, to, post.kind, post.round, {}, post.subject, {}});
  }
  if (!now.empty()) enqueue(world, post, now);
}

template <Protocol P>
void Simulator<P>::enqueue(World<P>& world, const Outgoing& post, SeatSet to) {
  if (!next_->add(post, to)) world.overflowed = true;
}

}  // namespace nika
