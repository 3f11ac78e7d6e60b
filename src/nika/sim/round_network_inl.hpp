// The member functions of RoundNetwork. Included by round_network.hpp only.
#pragma once

#include "nika/sim/round_network.hpp"

namespace nika {

template <Protocol P>
void RoundNetwork<P>::begin_round(World<P>& world, const RoundAnswers& answers) {
  world.network_round = world.network_round.next();
  answers_ = &answers;
  order_ = answers.order;
  this->receiver_orders_ = answers.receiver_orders;
  round_start_ = clock_ = world.now_tick;
  expired_ = {};
  has_delayed_ = false;
  this->tell({.kind = EventKind::kNetworkRound, .round = world.network_round}, world);
  this->open_outbox();
  for (unsigned s = 0; s < cluster_.seat_count; ++s) this->refresh(world, s);
  if (!(answers.crashes | answers.recovers).empty()) crash_and_recover(world);
}

template <Protocol P>
void RoundNetwork<P>::run_round(World<P>& world, const RoundAnswers& answers) {
  begin_round(world, answers);
  if (!answers.rules.empty() || answers.kind_links != nullptr) {  // both may join what the partition separates
    run_component(world, cluster_.seats());
    world.now_tick = clock_;
    return;
  }
  std::uint32_t latest = clock_;
  for (unsigned c = 0; c < answers.links->component_count; ++c) {
    clock_ = round_start_;
    run_component(world, answers.links->components[c]);
    latest = std::max(latest, clock_);
  }
  world.now_tick = latest;
}

template <Protocol P>
void RoundNetwork<P>::run_block(World<P>& world, const RoundAnswers& answers, SeatSet component) {
  NIKA_REQUIRE(answers.rules.empty() && answers.kind_links == nullptr);
  begin_round(world, answers);
  run_component(world, component);
}

template <Protocol P>
void RoundNetwork<P>::crash_and_recover(World<P>& world) {
  for (Seat seat : answers_->recovers) {
    const unsigned s = index_of(seat);
    world.down.erase(seat);
    this->tell({.kind = EventKind::kRecovered, .seat = seat, .round = world.network_round}, world);
    if (!answers_->forgets.contains(seat)) continue;
    // No scenario says so, but a loop that is repeated may restart a seat again and again.
    if (world.incarnation[s] == ValueId::kMaxIncarnation) {
      world.overflowed = true;
      continue;
    }
    ++world.incarnation[s];
    world.amnesiac.insert(seat);
    world.states[s] = {};
    world.timers[s] = {};
    this->boot(world, seat);
  }
  for (Seat seat : answers_->crashes) {
    world.down.insert(seat);
    this->tell({.kind = EventKind::kCrashed, .seat = seat, .round = world.network_round}, world);
  }
  // What a recovering seat sends waits like everything else until its component runs.
  for (const Letter<Message>& letter : next_->all()) world.keep(letter.post(letter.to), Wait::kForTick, round_start_);
  this->clear_next();
}

template <Protocol P>
void RoundNetwork<P>::run_component(World<P>& world, SeatSet component) {
  deliveries_left_ = Base::kMaxDeliveries;
  release(world, component);
  if (!answers_->gives_up.empty()) give_up(world, answers_->gives_up & component);
  do {
    while (next_->count > 0) {
      if (answers_->faults != nullptr) [[unlikely]]
        note_received(world, component - world.down);
      this->deliver_batch(world, component - world.down);
    }
  } while (wait_for_event(world, component));
}

template <Protocol P>
bool RoundNetwork<P>::is_due(const World<P>& world, const Pending<Message>& item) const {
  switch (item.wait) {
    case Wait::kForTick: return item.due <= clock_;
    case Wait::kForArrival: return item.due <= world.network_round.number;
    case Wait::kToHeal: return answers_->heals;
    case Wait::kForRound: break;
  }
  return false;
}

// Moves what is due out of the pending messages into the next batch, keeping the order of the rest.
template <Protocol P>
void RoundNetwork<P>::release(World<P>& world, SeatSet component) {
  unsigned kept = 0;
  const unsigned count = world.pending_count;
  for (unsigned i = 0; i < count; ++i) {
    Pending<Message>& item = world.pending[i];
    if (item.wait == Wait::kForRound) {
      if (item.post.round <= world.network_round && component.contains(item.post.from)) {
        if (const auto* sent = this->rewrite(world, item.post)) judge(world, this->letter_of(*sent, item.post));
        continue;
      }
    } else if (is_due(world, item)) {
      const SeatSet now = item.post.to & component;
      if (!now.empty()) {
        if (const auto* sent = this->rewrite(world, item.post))
          this->enqueue(world, this->letter_of(*sent, item.post), now);
      }
      item.post.to = item.post.to - component;
      if (item.post.to.empty()) continue;
    }
    has_delayed_ = has_delayed_ || item.wait == Wait::kForTick;
    if (kept != i) world.pending[kept] = item;
    ++kept;
  }
  // judge() may have appended newly delayed messages behind the old ones.
  for (unsigned i = count; i < world.pending_count; ++i) world.pending[kept++] = world.pending[i];
  world.pending_count = kept;
}

// Before anything of the round arrives, as if their clocks were fast.
template <Protocol P>
void RoundNetwork<P>::give_up(World<P>& world, SeatSet seats) {
  for (Seat seat : seats - world.down) {
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      if (world.timers[index_of(seat)][t].duration == 0) continue;
      expired_[t].insert(seat);
      this->expire(world, seat, t);
    }
  }
}

// When nothing is left to deliver: the earliest timer or delayed message of the component. Once somebody got ahead the
// round is a success, and timers wait for the next one.
template <Protocol P>
bool RoundNetwork<P>::wait_for_event(World<P>& world, SeatSet component) {
  if (world.overflowed) return false;
  const std::uint32_t timer = next_timer(world, component - world.down);
  const std::uint32_t message = has_delayed_ ? next_delayed(world, component) : kNever;
  if (timer == kNever && message == kNever) return false;
  clock_ = std::max(clock_, std::min(timer, message));
  if (message <= timer) {
    release(world, component);
  } else {
    expire_all(world, component, static_cast<Ticks>(timer - round_start_));
  }
  return true;
}

template <Protocol P>
void RoundNetwork<P>::expire_all(World<P>& world, SeatSet component, Ticks duration) {
  for (Seat seat : component - world.down) {
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      if (world.timers[index_of(seat)][t].duration != duration || expired_[t].contains(seat)) continue;
      expired_[t].insert(seat);
      this->expire(world, seat, t);
    }
  }
}

template <Protocol P>
std::uint32_t RoundNetwork<P>::next_timer(const World<P>& world, SeatSet seats) const {
  std::uint32_t earliest = kNever;
  Round furthest{};
  for (Seat seat : seats) {
    furthest = std::max(furthest, P::current_round(world.states[index_of(seat)]));
    for (unsigned t = 0; t < timer_count<P>(); ++t) {
      const Ticks duration = world.timers[index_of(seat)][t].duration;
      const bool runs = duration != 0 && !expired_[t].contains(seat);
      earliest = std::min(earliest, runs ? round_start_ + duration : kNever);
    }
  }
  return furthest > world.network_round ? kNever : earliest;
}

template <Protocol P>
std::uint32_t RoundNetwork<P>::next_delayed(const World<P>& world, SeatSet component) const {
  std::uint32_t earliest = kNever;
  for (unsigned i = 0; i < world.pending_count; ++i) {
    const Pending<Message>& item = world.pending[i];
    if (item.wait == Wait::kForTick && !(item.post.to & component).empty()) earliest = std::min(earliest, item.due);
  }
  return earliest;
}

template <Protocol P>
void RoundNetwork<P>::send(World<P>& world, Seat from, Sent<Message>& sent) {
  const SeatSet to = cluster_.seats_of_identities(sent.to);
  const Round round = P::round_of(sent.message);
  const ValueId subject = P::subject_of(sent.message);
  if (this->trace != nullptr) {
    sent.number = ++world.sent_count;
    this->tell({.kind = EventKind::kSent,
                .seat = from,
                .peer = from,
                .message_kind = kind_of<P>(sent.message),
                .message = sent.number,
                .round = round,
                .value = subject},
               world);
  }
  if (round > world.network_round || world.network_round == Round(0)) {
    Post<Message>* post = world.keep(Wait::kForRound);
    if (post == nullptr) return;
    post->message = sent.message;
    post->from = from;
    post->to = to;
    post->round = round;
    post->kind = kind_of<P>(sent.message);
    post->subject = subject;
    post->number = sent.number;
  } else {
    judge(world, this->letter_of(sent, from, to, round, subject));
  }
}

template <Protocol P>
void RoundNetwork<P>::judge(World<P>& world, const Letter<Message>& letter) {
  if (answers_->faults != nullptr) [[unlikely]]
    return judge_by_faults(world, letter);
  admit(world, letter);
}

template <Protocol P>
void RoundNetwork<P>::admit(World<P>& world, const Letter<Message>& letter) {
  SeatSet now;
  const Reach& reach =
      answers_->kind_links == nullptr ? answers_->links->reach : (*answers_->kind_links)[letter.key.kind()];
  if (answers_->rules.empty()) {
    now = letter.to & reach[index_of(letter.key.from())];
    if (this->trace != nullptr) {
      for (Seat to : letter.to - now) this->tell(EventKind::kLost, letter.key.from(), to, letter, world);
    }
  } else {
    now = judge_by_rules(world, letter, reach);
  }
  if (!now.empty()) this->enqueue(world, letter, now);
}

template <Protocol P>
SeatSet RoundNetwork<P>::judge_by_rules(World<P>& world, const Letter<Message>& letter, const Reach& reach) {
  const Seat from = letter.key.from();
  SeatSet now;
  for (Seat to : letter.to) {
    const Fate fate = fate_of(answers_->rules, reach, {world.network_round, letter.key.kind(), from, to});
    if (fate.action == Action::kDeliver || fate.action == Action::kTwice) now.insert(to);
    if (fate.action != Action::kDeliver) put_off(world, letter, to, fate);
  }
  return now;
}

template <Protocol P>
void RoundNetwork<P>::put_off(World<P>& world, const Letter<Message>& letter, Seat to, Fate fate) {
  const auto told = fate.action == Action::kDrop    ? EventKind::kLost
                    : fate.action == Action::kTwice ? EventKind::kRepeated
                                                    : EventKind::kLate;
  this->tell(told, letter.key.from(), to, letter, world);
  const auto keep = [&](Wait wait, std::uint32_t due) { world.keep(letter.post(SeatSet::single(to)), wait, due); };
  if (fate.action == Action::kWithhold) keep(Wait::kToHeal, 0);
  if (fate.action == Action::kLate || (fate.action == Action::kTwice && fate.delay > 0))
    keep(Wait::kForArrival, world.network_round.number + fate.delay);
  if (fate.action == Action::kDelay || (fate.action == Action::kTwice && fate.delay == 0)) {
    has_delayed_ = true;
    keep(Wait::kForTick, clock_ + fate.delay);
  }
}

}  // namespace nika
