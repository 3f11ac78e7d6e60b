// The member functions of Simulator. Included by simulator.hpp only.
#pragma once

#include "nika/sim/simulator.hpp"

namespace nika {

template <Protocol P>
void Simulator<P>::start(World<P>& world) {
  world.reset(cluster_.seat_count);
  clear_next();
  for (Seat seat : cluster_.seats()) boot(world, seat);
}

template <Protocol P>
void Simulator<P>::clear_next() {
  next_->written_count = next_->count = 0;
  next_->subjects = {};
  OutboxReader<Message>::open(outbox_, nullptr, trace != nullptr, next_->written);
}

template <Protocol P>
void Simulator<P>::boot(World<P>& world, Seat seat) {
  const unsigned s = index_of(seat);
  contexts_[s].fresh = ValueId(Round(0), cluster_.input_of[s], world.incarnation[s]);
  serve(world, s);
  P::start(world.states[s], contexts_[s], outbox_);
  settle(world, seat);
}

template <Protocol P>
void Simulator<P>::begin_round(World<P>& world, const Links& links, const Order& order) {
  world.network_round = world.network_round.next();
  links_ = &links;
  order_ = &order;
  round_start_ = clock_ = world.now_tick;
  expired_ = {};
  tell({EventKind::kNetworkRound, {}, {}, 0, world.network_round, {}, {}, {}});
  clear_next();
  // The incarnation that marks fresh values is the world's, not the last run's.
  for (unsigned s = 0; s < cluster_.seat_count; ++s)
    contexts_[s].fresh = ValueId(Round(0), cluster_.input_of[s], world.incarnation[s]);
  if (!faults_.crashes.empty()) apply_crashes(world);
}

template <Protocol P>
void Simulator<P>::run_round(World<P>& world, const Links& links, const Order& order, bool heals) {
  begin_round(world, links, order);
  if (!faults_.rules.empty() || phases != nullptr) {  // both may join what the partition separates
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
void Simulator<P>::run_block(World<P>& world, const Links& links, const Order& order, SeatSet component) {
  NIKA_REQUIRE(faults_.rules.empty() && phases == nullptr);
  begin_round(world, links, order);
  run_component(world, component, false);
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
  for (unsigned i = 0; i < next_->count; ++i) world.keep(post_of(next_->letters[i]), Wait::kForTick, round_start_);
  clear_next();
}

template <Protocol P>
void Simulator<P>::run_component(World<P>& world, SeatSet component, bool heals) {
  deliveries_left_ = kMaxDeliveriesPerRound;
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
        if (const Letter letter = rewritten(world, item.post); letter.message != nullptr) judge(world, letter);
        continue;
      }
    } else if (item.wait == Wait::kForTick ? item.due_tick <= clock_ : heals) {
      const SeatSet now = item.post.to & component;
      if (!now.empty()) {
        if (const Letter letter = rewritten(world, item.post); letter.message != nullptr) enqueue(world, letter, now);
      }
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

// Letter by letter: receivers do not notice each other, and one message handled by all is easier to predict than one
// replica handling all.
template <Protocol P>
void Simulator<P>::deliver_batch(World<P>& world, SeatSet component) {
  std::swap(current_, next_);
  clear_next();
  const std::span<const Letter> letters(current_->letters.data(), current_->count);
  const SeatSet receivers = component - world.down;
  const SeatSet owners = order_->own_first ? current_->subjects & receivers : SeatSet{};
  if (!owners.empty()) {
    for (const Letter& letter : letters) {
      for (Seat to : letter.to & owners & owner_of(letter)) deliver(world, to, letter);
    }
  }
  for (const Letter& letter : letters) {
    for (Seat to : (letter.to & receivers) - (owners & owner_of(letter))) deliver(world, to, letter);
  }
}

template <Protocol P>
void Simulator<P>::deliver(World<P>& world, Seat to, const Letter& letter) {
  if (deliveries_left_ == 0) {
    world.overflowed = true;
    return;
  }
  --deliveries_left_;
  ++delivered_count;
  if (trace != nullptr)
    tell({EventKind::kDelivered, to, letter.from, letter.kind, letter.round, {}, letter.subject, {}});
  const unsigned s = index_of(to);
  serve(world, s);
  P::receive(world.states[s], contexts_[s], cluster_.identity(letter.from), *letter.message, outbox_);
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
      serve(world, s);
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

template <Protocol P>
void Simulator<P>::carry_out(World<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  for (Event event : Reader::notes(outbox_)) {
    event.seat = seat;
    trace->push_back(event);
  }
  if (Reader::overflowed(outbox_)) world.overflowed = true;
  if (cluster_.is_honest(seat)) {
    for (const Commit& commit : Reader::commits(outbox_)) world.commits.record(seat, commit);
  }
  const auto written = Reader::sent(outbox_);
  if (!written.empty()) {
    next_->written_count += static_cast<unsigned>(written.size());
    Reader::use(outbox_, next_->free_slots());
    for (const Sent<Message>& sent : written) send(world, seat, sent);
  }
  Reader::empty(outbox_);
}

template <Protocol P>
void Simulator<P>::send(World<P>& world, Seat from, const Sent<Message>& sent) {
  Letter letter;
  letter.message = &sent.message;
  letter.from = from;
  letter.to = sent.to == cluster_.identities() ? cluster_.seats() : cluster_.seats_of_identities(sent.to);
  letter.round = P::round_of(sent.message);
  letter.kind = kind_of<P>(sent.message);
  letter.subject = P::subject_of(sent.message);
  if (letter.round > world.network_round || world.network_round == Round(0)) {
    world.keep(post_of(letter), Wait::kForRound);
  } else {
    judge(world, letter);
  }
}

template <Protocol P>
void Simulator<P>::judge(World<P>& world, const Letter& letter) {
  const Reach& reach = phases == nullptr ? links_->reach : (*phases)[letter.kind];
  SeatSet now = letter.to & reach[index_of(letter.from)];
  if (!faults_.rules.empty()) {
    now = {};
    Letter later = letter;
    for (Seat to : letter.to) {
      const Fate fate = fate_of(faults_.rules, *links_, {world.network_round, letter.kind, letter.from, to});
      later.to = SeatSet::single(to);
      if (fate.action == Action::kDeliver) now.insert(to);
      if (fate.action == Action::kDelay) world.keep(post_of(later), Wait::kForTick, clock_ + fate.delay_ticks);
      if (fate.action == Action::kWithhold) world.keep(post_of(later), Wait::kToHeal);
      if (fate.action == Action::kDrop)
        tell({EventKind::kLost, letter.from, to, letter.kind, letter.round, {}, letter.subject, {}});
    }
  } else if (trace != nullptr) {
    for (Seat to : letter.to - now)
      tell({EventKind::kLost, letter.from, to, letter.kind, letter.round, {}, letter.subject, {}});
  }
  if (!now.empty()) enqueue(world, letter, now);
}

// Keeps the batch sorted. Equal letters stay in the order in which they were sent.
template <Protocol P>
void Simulator<P>::enqueue(World<P>& world, const Letter& letter, SeatSet to) {
  Mail& batch = *next_;
  if (batch.count == kMaxPosts) {
    world.overflowed = true;
    return;
  }
  const std::uint64_t key = arrival_key(letter, *order_);
  unsigned at = batch.count++;
  for (; at > 0 && batch.keys[at - 1] > key; --at) {
    batch.keys[at] = batch.keys[at - 1];
    batch.letters[at] = batch.letters[at - 1];
  }
  batch.keys[at] = key;
  batch.letters[at] = letter;
  batch.letters[at].to = to;
  if (!letter.subject.is_genesis()) batch.subjects.insert(letter.subject.seat());
}

template <Protocol P>
typename Simulator<P>::Letter Simulator<P>::rewritten(World<P>& world, const Post<Message>& post) {
  if (next_->written_count == kMaxPosts) {
    world.overflowed = true;
    return {};
  }
  Sent<Message>& slot = next_->written[next_->written_count++];
  slot.message = post.message;
  OutboxReader<Message>::use(outbox_, next_->free_slots());
  return {&slot.message, post.from, post.kind, post.to, post.subject, post.round};
}

}  // namespace nika
