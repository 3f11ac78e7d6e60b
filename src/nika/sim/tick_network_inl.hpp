// The member functions of TickNetwork. Included by tick_network.hpp only.
#pragma once

#include "nika/sim/tick_network.hpp"

namespace nika {

template <Protocol P>
void TickNetwork<P>::attend(const Schedule& schedule) {
  Base::attend(schedule);
  timing_ = *schedule.timing();
  rules_ = schedule.rules();
  rule_keys_.clear();
  for (const Rule& rule : rules_) rule_keys_.push_back({rule.kinds, rule.from, rule.first_round, rule.last_round});
  for (unsigned s = 0; s < cluster_.seat_count; ++s) this->contexts_[s].delta_ticks = timing_.delta_ticks;
  this->order_ = &fifo_;
}

template <Protocol P>
void TickNetwork<P>::start(World<P>& world, const Schedule& schedule) {
  attend(schedule);
  OutboxReader<Message>::set_clock(this->outbox_, 0);
  this->boot_all(world);
  // Between ticks everything that is on its way is in the world.
  for (const Letter<Message>& letter : next_->all()) world.keep(letter.post(letter.to), Wait::kForTick, 0);
  this->clear_next();
}

template <Protocol P>
std::uint32_t TickNetwork<P>::next_tick(const World<P>& world) const {
  std::uint32_t next = kNever;
  for (unsigned i = 0; i < world.pending_count; ++i) next = std::min(next, world.pending[i].due);
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    for (const Timer& timer : world.timers[s]) {
      if (timer.duration != 0) next = std::min<std::uint32_t>(next, timer.since + timer.duration);
    }
  }
  return next;
}

template <Protocol P>
bool TickNetwork<P>::advance(World<P>& world, Schedule&) {
  const std::uint32_t tick = next_tick(world);
  if (tick > timing_.ticks) return false;
  world.now_tick = tick;
  this->deliveries_left_ = Base::kMaxDeliveries;
  this->tell({.kind = EventKind::kTick}, world);
  this->open_outbox();
  OutboxReader<Message>::set_clock(this->outbox_, tick);
  release(world);
  expire_all(world, timing_.timers_first);
  do {
    while (next_->count > 0 && !world.overflowed) this->deliver_batch(world, cluster_.seats());
  } while (!world.overflowed && expire_all(world, cluster_.seats()));
  return true;
}

// Moves what arrives in this tick into the next batch, keeping the order of the rest.
template <Protocol P>
void TickNetwork<P>::release(World<P>& world) {
  unsigned kept = 0;
  for (unsigned i = 0; i < world.pending_count; ++i) {
    Pending<Message>& item = world.pending[i];
    if (item.due == world.now_tick) {
      const auto* sent = this->rewrite(world, item.post);
      if (sent != nullptr) this->enqueue(world, this->letter_of(*sent, item.post), item.post.to);
    } else {
      if (kept != i) world.pending[kept] = item;
      ++kept;
    }
  }
  world.pending_count = kept;
}

// A timer that an earlier one of the same tick stops does not run out.
template <Protocol P>
bool TickNetwork<P>::expire_all(World<P>& world, SeatSet seats) {
  bool any = false;
  for (Seat seat : seats& cluster_.seats()) {
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      const Timer& timer = world.timers[index_of(seat)][t];
      if (timer.duration == 0 || timer.since + timer.duration != world.now_tick) continue;
      any = true;
      this->expire(world, seat, t);
    }
  }
  return any;
}

// The first rule about a message and a receiver decides, by the message's own round; who sends to itself hears it at
// once. A timed run has no healing, so what is withheld is lost, and no rounds, so nothing is late by rounds.
template <Protocol P>
void TickNetwork<P>::send(World<P>& world, Seat from, Sent<Message>& sent) {
  const SeatSet to = cluster_.seats_of_identities(sent.to);
  if (this->trace != nullptr) sent.number = ++world.sent_count;
  const auto letter = this->letter_of(sent, from, to, P::round_of(sent.message), P::subject_of(sent.message));
  this->tell(EventKind::kSent, from, from, letter, world);
  SeatSet left = to - SeatSet::single(from);
  if (left != to) schedule(world, letter, SeatSet::single(from), 0);
  const Round round = letter.key.round();
  for (const RuleKey& key : rule_keys_) {
    if (left.empty()) return;
    if ((key.kinds >> letter.key.kind() & 1U) == 0 || !key.from.contains(from)) continue;
    if (!(key.first_round <= round && round <= key.last_round)) continue;
    const Rule& rule = rules_[static_cast<std::size_t>(&key - rule_keys_.data())];
    const SeatSet receivers = left & rule.to;
    left = left - receivers;
    switch (rule.action) {
      case Action::kDeliver: schedule(world, letter, receivers, 0); break;
      case Action::kTwice:
        schedule(world, letter, receivers, 0);
        schedule(world, letter, receivers, rule.delay_ticks);
        break;
      case Action::kDelay: schedule(world, letter, receivers, rule.delay_ticks); break;
      case Action::kLate:
      case Action::kDrop:
      case Action::kWithhold: schedule(world, letter, receivers, kNever); break;
      case Action::kLinks:
        schedule(world, letter, receivers & rule.reach[index_of(from)], timing_.delay_ticks);
        schedule(world, letter, receivers - rule.reach[index_of(from)], kNever);
        break;
    }
  }
  schedule(world, letter, left, timing_.delay_ticks);
}

template <Protocol P>
void TickNetwork<P>::schedule(World<P>& world, const Letter<Message>& letter, SeatSet to, std::uint32_t delay_ticks) {
  if (to.empty()) return;
  if (delay_ticks == 0) {
    this->enqueue(world, letter, to);
  } else if (delay_ticks != kNever) {
    for (Seat receiver : to) this->tell(EventKind::kLate, letter.key.from(), receiver, letter, world);
    world.keep(letter.post(to), Wait::kForTick, world.now_tick + delay_ticks);
  } else {
    for (Seat receiver : to) this->tell(EventKind::kLost, letter.key.from(), receiver, letter, world);
  }
}

}  // namespace nika
