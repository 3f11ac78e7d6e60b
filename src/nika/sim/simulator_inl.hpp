// The member functions of Simulator. Included by simulator.hpp only.
#pragma once

#include "nika/sim/simulator.hpp"

namespace nika {

template <Protocol P>
void Simulator<P>::start(World<P>& world) {
  world.reset(cluster_.seat_count);
  open_outbox();
  for (Seat seat : cluster_.seats()) boot(world, seat);
}

template <Protocol P>
void Simulator<P>::open_outbox() {
  OutboxReader<Message>::open(outbox_, nullptr, trace != nullptr);
  clear_next();
}

template <Protocol P>
void Simulator<P>::clear_next() {
  next_->count = 0;
  next_->owners = {};
  OutboxReader<Message>::use(outbox_, next_->written);
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
  open_outbox();
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
  for (unsigned i = 0; i < next_->count; ++i) {
    const Letter& letter = next_->letters[i];
    world.keep(post_of(letter, letter.to), Wait::kForTick, round_start_);
  }
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
        if (const Message* message = rewrite(world, item.post)) judge(world, letter_of(*message, item.post));
        continue;
      }
    } else if (item.wait == Wait::kForTick ? item.due_tick <= clock_ : heals) {
      const SeatSet now = item.post.to & component;
      if (!now.empty()) {
        if (const Message* message = rewrite(world, item.post)) enqueue(world, letter_of(*message, item.post), now);
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
  const SeatSet owners = order_->own_first ? current_->owners & receivers : SeatSet{};
  if (!owners.empty()) {
    for (const Letter& letter : letters) {
      if (const SeatSet own = letter.to & owners & letter.owner; !own.empty()) deliver(world, letter, own);
    }
  }
  for (const Letter& letter : letters) {
    if (const SeatSet rest = (letter.to & receivers) - (owners & letter.owner); !rest.empty())
      deliver(world, letter, rest);
  }
}

template <Protocol P>
void Simulator<P>::deliver(World<P>& world, const Letter& letter, SeatSet receivers) {
  const auto count = static_cast<unsigned>(receivers.size());
  if (count > deliveries_left_) {
    world.overflowed = true;
    return;
  }
  deliveries_left_ -= count;
  delivered_count += count;
  const Identity from = cluster_.identity(letter.key.from());
  for (Seat to : receivers) {
    if (trace != nullptr) tell(EventKind::kDelivered, to, letter.key.from(), letter.key);
    const unsigned s = index_of(to);
    serve(world, s);
    P::receive(world.states[s], contexts_[s], from, *letter.message, outbox_);
    settle(world, to);
  }
}

// When nothing is left to deliver: the earliest timer or delayed message of the component. Once somebody got ahead the
// round is a success, and timers wait for the next one.
template <Protocol P>
bool Simulator<P>::wait_for_event(World<P>& world, SeatSet component) {
  if (world.overflowed) return false;
  const std::uint32_t timer = next_timer(world, component - world.down);
  const std::uint32_t message = next_delayed(world, component);
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
std::uint32_t Simulator<P>::next_timer(const World<P>& world, SeatSet seats) const {
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
std::uint32_t Simulator<P>::next_delayed(const World<P>& world, SeatSet component) const {
  std::uint32_t earliest = kNever;
  if (faults_.rules.empty() && faults_.crashes.empty()) return earliest;  // nothing else delays
  for (unsigned i = 0; i < world.pending_count; ++i) {
    const Pending<Message>& item = world.pending[i];
    if (item.wait == Wait::kForTick && !(item.post.to & component).empty())
      earliest = std::min(earliest, item.due_tick);
  }
  return earliest;
}

template <Protocol P>
void Simulator<P>::carry_out(World<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  if (!Reader::has_only_sent(outbox_)) record(world, seat);
  const auto written = Reader::sent(outbox_);
  Reader::leave_sent(outbox_);
  for (const Sent<Message>& sent : written) send(world, seat, sent);
}

template <Protocol P>
void Simulator<P>::record(World<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  for (Event event : Reader::notes(outbox_)) {
    event.seat = seat;
    trace->push_back(event);
  }
  if (Reader::overflowed(outbox_)) world.overflowed = true;
  if (!cluster_.is_honest(seat)) return;
  for (const Commit& commit : Reader::commits(outbox_)) world.commits.record(seat, commit);
}

template <Protocol P>
void Simulator<P>::send(World<P>& world, Seat from, const Sent<Message>& sent) {
  const SeatSet to = cluster_.seats_of_identities(sent.to);
  const Round round = P::round_of(sent.message);
  const ValueId subject = P::subject_of(sent.message);
  if (round > world.network_round || world.network_round == Round(0)) {
    Post<Message>* post = world.keep(Wait::kForRound);
    if (post == nullptr) return;
    post->message = sent.message;
    post->from = from;
    post->to = to;
    post->round = round;
    post->kind = kind_of<P>(sent.message);
    post->subject = subject;
  } else {
    judge(world, letter_of(sent.message, from, to, round, subject));
  }
}

template <Protocol P>
void Simulator<P>::judge(World<P>& world, const Letter& letter) {
  SeatSet now;
  if (faults_.rules.empty()) {
    const Reach& reach = phases == nullptr ? links_->reach : (*phases)[letter.key.kind()];
    now = letter.to & reach[index_of(letter.key.from())];
    if (trace != nullptr) {
      for (Seat to : letter.to - now) tell(EventKind::kLost, letter.key.from(), to, letter.key);
    }
  } else {
    now = judge_by_rules(world, letter);
  }
  if (!now.empty()) enqueue(world, letter, now);
}

template <Protocol P>
SeatSet Simulator<P>::judge_by_rules(World<P>& world, const Letter& letter) {
  const Seat from = letter.key.from();
  SeatSet now;
  for (Seat to : letter.to) {
    const Fate fate = fate_of(faults_.rules, *links_, {world.network_round, letter.key.kind(), from, to});
    if (fate.action == Action::kDeliver) now.insert(to);
    if (fate.action == Action::kDrop) tell(EventKind::kLost, from, to, letter.key);
    if (fate.action == Action::kDelay)
      world.keep(post_of(letter, SeatSet::single(to)), Wait::kForTick, clock_ + fate.delay_ticks);
    if (fate.action == Action::kWithhold) world.keep(post_of(letter, SeatSet::single(to)), Wait::kToHeal);
  }
  return now;
}

// Keeps the batch sorted. Equal letters stay in the order in which they were sent.
template <Protocol P>
void Simulator<P>::enqueue(World<P>& world, const Letter& letter, SeatSet to) {
  Mail& batch = *next_;
  if (batch.count == kMaxPosts) {
    world.overflowed = true;
    return;
  }
  Letter* at = batch.letters.data() + batch.count++;
  for (; at != batch.letters.data() && at[-1].key > letter.key; --at) *at = at[-1];
  // Member by member: a copy of the whole would wait until its parts are written.
  at->message = letter.message;
  at->key = letter.key;
  at->to = to;
  at->owner = letter.owner;
  batch.owners |= letter.owner;
}

template <Protocol P>
const typename P::Message* Simulator<P>::rewrite(World<P>& world, const Post<Message>& post) {
  Sent<Message>* slot = OutboxReader<Message>::take_slot(outbox_);
  if (slot == nullptr) {
    world.overflowed = true;
    return nullptr;
  }
  slot->message = post.message;
  return &slot->message;
}

}  // namespace nika
