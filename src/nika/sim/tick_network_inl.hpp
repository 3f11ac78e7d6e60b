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
  for (const Rule& rule : rules_) rule_keys_.emplace_back(rule);
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
// once.
template <Protocol P>
void TickNetwork<P>::send(World<P>& world, Seat from, Sent<Message>& sent) {
  const SeatSet to = cluster_.seats_of_identities(sent.to);
  if (this->trace != nullptr) sent.number = ++world.sent_count;
  const auto letter = this->letter_of(sent, from, to, P::round_of(sent.message), P::subject_of(sent.message));
  if (this->has_outgrown(world, letter)) return;
  this->tell(EventKind::kSent, from, from, letter, world);
  SeatSet left = to - SeatSet::single(from);
  if (left != to) schedule(world, letter, SeatSet::single(from), 0);
  for (const RuleKey& key : rule_keys_) {
    if (left.empty()) return;
    if (!key.is_about(letter.key.round(), letter.key.kind(), from)) continue;
    const Rule& rule = rules_[static_cast<std::size_t>(&key - rule_keys_.data())];
    carry(world, letter, left & rule.to, rule);
    left = left - rule.to;
  }
  schedule(world, letter, left, timing_.delay_ticks);
}

// What the links of a rule carry takes as long as what no rule is about. Nothing is late by rounds or waits for the
// network to heal: check_synchrony refuses such rules.
template <Protocol P>
void TickNetwork<P>::carry(World<P>& world, const Letter<Message>& letter, SeatSet to, const Rule& rule) {
  SeatSet carried;
  SeatSet lost;
  Fate fate;  // of all that are carried
  for (Seat receiver : to) {
    const Fate own = fate_by(rule, letter.key.from(), receiver);
    (own.action == Action::kDrop ? lost : carried).insert(receiver);
    if (own.action != Action::kDrop) fate = own;
  }
  const bool is_repeated = fate.action == Action::kTwice && fate.delay == 0;
  NIKA_REQUIRE(fate.action == Action::kDeliver || fate.action == Action::kDelay || is_repeated);
  const std::uint32_t usual = rule.action == Action::kLinks ? timing_.delay_ticks : 0;
  schedule(world, letter, carried, fate.action == Action::kDelay ? fate.delay : usual);
  if (is_repeated) schedule(world, letter, carried, 0);
  schedule(world, letter, lost, kNever);
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
