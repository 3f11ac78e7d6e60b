// The member functions of TimedSimulator. Included by timed_simulator.hpp only.
#pragma once

#include "nika/sim/timed_simulator.hpp"

namespace nika {

template <Protocol P>
void TimedSimulator<P>::set_rules(std::span<const Rule> rules) {
  rules_.assign(rules.begin(), rules.end());
  rule_keys_.clear();
  for (const Rule& rule : rules_) rule_keys_.push_back({rule.kinds, rule.from, rule.first_round, rule.last_round});
}

template <Protocol P>
void TimedSimulator<P>::start(TimedWorld<P>& world) {
  world.reset(cluster_.seat_count);
  next_->count = 0;
  for (Seat seat : cluster_.seats()) {
    open();
    P::start(world.states[index_of(seat)], contexts_[index_of(seat)], outbox_);
    settle(world, seat);
  }
  // Between ticks everything that is on its way is in the world.
  for (unsigned i = 0; i < next_->count; ++i) world.keep(next_->posts[i], next_->posts[i].to, world.now_tick);
  next_->count = 0;
}

template <Protocol P>
bool TimedSimulator<P>::run_tick(TimedWorld<P>& world) {
  if (is_settled(world)) return false;
  const std::uint32_t tick = world.next_tick(cluster_.seat_count);
  if (tick > timing_.ticks) return false;
  world.now_tick = tick;
  deliveries_left_ = kMaxDeliveriesPerTick;
  tell({EventKind::kTick, {}, {}, 0, Round(tick), {}, {}, {}});
  next_->count = 0;
  release(world);
  do {
    deliver_all(world);
  } while (!is_settled(world) && expire_all(world));
  return !is_settled(world);
}

// Moves what arrives in this tick into the next batch, keeping the order of the rest.
template <Protocol P>
void TimedSimulator<P>::release(TimedWorld<P>& world) {
  unsigned kept = 0;
  for (unsigned i = 0; i < world.in_flight_count; ++i) {
    if (world.in_flight[i].due_tick == world.now_tick) {
      if (!next_->add(world.in_flight[i].post, world.in_flight[i].post.to)) world.overflowed = true;
    } else {
      if (kept != i) world.in_flight[kept] = world.in_flight[i];
      ++kept;
    }
  }
  world.in_flight_count = kept;
}

template <Protocol P>
void TimedSimulator<P>::deliver_all(TimedWorld<P>& world) {
  while (next_->count > 0 && !is_settled(world)) {
    std::swap(current_, next_);
    next_->count = 0;
    batch_order_.sort(*current_, Order::fifo());
    batch_order_.for_each_delivery(*current_, cluster_.seats(),
                                   [&](Seat to, const Outgoing& post) { deliver(world, to, post); });
  }
}

template <Protocol P>
void TimedSimulator<P>::deliver(TimedWorld<P>& world, Seat to, const Outgoing& post) {
  if (deliveries_left_ == 0) {
    world.overflowed = true;
    return;
  }
  --deliveries_left_;
  ++delivered_count;
  tell({EventKind::kDelivered, to, post.from, post.kind, post.round, {}, post.subject, {}});
  open();
  P::receive(world.states[index_of(to)], contexts_[index_of(to)], cluster_.identity(post.from), post.message, outbox_);
  settle(world, to);
}

// A timer that an earlier one of the same tick stops does not expire.
template <Protocol P>
bool TimedSimulator<P>::expire_all(TimedWorld<P>& world) {
  bool any = false;
  for (Seat seat : cluster_.seats()) {
    const unsigned s = index_of(seat);
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      if (world.expiry_ticks[s][t] != world.now_tick) continue;
      any = true;
      world.expiry_ticks[s][t] = kNever;
      open();
      P::expire(world.states[s], contexts_[s], static_cast<TimerId>(t), outbox_);
      settle(world, seat);
    }
  }
  return any;
}

// An outbox knows durations only. Marking every timer as untouched tells which ones this input set anew, even to the
// duration that they had.
template <Protocol P>
void TimedSimulator<P>::open() {
  touched_.fill(Timer{kUntouched});
  OutboxReader<Message>::open(outbox_, touched_.data(), trace != nullptr);
}

// Carries out what a replica put in its outbox.
template <Protocol P>
void TimedSimulator<P>::settle(TimedWorld<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  if (trace != nullptr) {
    for (Event event : Reader::notes(outbox_)) {
      event.seat = seat;
      trace->push_back(event);
    }
  }
  if (Reader::overflowed(outbox_)) world.overflowed = true;
  for (unsigned t = 0; t < timer_count<P>(); ++t) {
    const Ticks duration = touched_[t].duration;
    if (duration == kUntouched) continue;
    world.expiry_ticks[index_of(seat)][t] = duration == 0 ? kNever : world.now_tick + duration;
  }
  if (cluster_.is_honest(seat)) {
    for (const Commit& commit : Reader::commits(outbox_)) world.commits.record(seat, commit);
  }
  for (const auto& sent : Reader::sent(outbox_)) send(world, seat, sent.message, sent.to);
}

// The first rule about a message and a receiver decides; who sends to itself hears it at once. There is no healing in a
// timed run, so what is withheld is lost.
template <Protocol P>
void TimedSimulator<P>::send(TimedWorld<P>& world, Seat from, const Message& message, IdentitySet to) {
  Outgoing post;
  post.message = message;
  post.from = from;
  post.to = cluster_.seats_of_identities(to);
  post.round = P::round_of(message);
  post.kind = kind_of<P>(message);
  post.subject = P::subject_of(message);
  SeatSet left = post.to - SeatSet::single(from);
  if (left != post.to) schedule(world, post, SeatSet::single(from), 0);
  for (const RuleKey& key : rule_keys_) {
    if (left.empty()) return;
    if ((key.kinds >> post.kind & 1U) == 0 || !key.from.contains(from)) continue;
    if (!(key.first_round <= post.round && post.round <= key.last_round)) continue;
    const Rule& rule = rules_[static_cast<std::size_t>(&key - rule_keys_.data())];
    const SeatSet receivers = left & rule.to;
    left = left - receivers;
    switch (rule.action) {
      case Action::kDeliver: schedule(world, post, receivers, 0); break;
      case Action::kDelay: schedule(world, post, receivers, rule.delay_ticks); break;
      case Action::kDrop:
      case Action::kWithhold: schedule(world, post, receivers, kNever); break;
      case Action::kLinks:
        schedule(world, post, receivers & rule.reach[index_of(from)], timing_.delay_ticks);
        schedule(world, post, receivers - rule.reach[index_of(from)], kNever);
        break;
    }
  }
  schedule(world, post, left, timing_.delay_ticks);
}

template <Protocol P>
void TimedSimulator<P>::schedule(TimedWorld<P>& world, const Outgoing& post, SeatSet to, std::uint32_t delay_ticks) {
  if (to.empty()) return;
  if (delay_ticks == 0) {
    if (!next_->add(post, to)) world.overflowed = true;
  } else if (delay_ticks != kNever) {
    world.keep(post, to, world.now_tick + delay_ticks);
  } else {
    for (Seat receiver : to) tell({EventKind::kLost, post.from, receiver, post.kind, post.round, {}, post.subject, {}});
  }
}

}  // namespace nika
