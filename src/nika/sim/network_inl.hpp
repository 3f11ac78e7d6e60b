// The member functions of Network. Included by network.hpp only.
#pragma once

#include "nika/sim/network.hpp"

namespace nika {

template <Protocol P, class Derived>
void Network<P, Derived>::carry_out(World<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  if (!Reader::has_only_sent(outbox_)) record(world, seat);
  const auto written = Reader::sent(outbox_);
  Reader::leave_sent(outbox_);
  for (Sent<Message>& sent : written) self().send(world, seat, sent);
}

template <Protocol P, class Derived>
void Network<P, Derived>::record(World<P>& world, Seat seat) {
  using Reader = OutboxReader<Message>;
  for (Event event : Reader::notes(outbox_)) {
    event.seat = seat;
    tell(event, world);
  }
  if (Reader::overflowed(outbox_)) world.overflowed = true;
  // Whoever lost its memory is no longer bound to what it promised, and is judged no more than a liar.
  if (!honest_.contains(seat) || world.amnesiac.contains(seat)) return;
  for (const Commit& commit : Reader::commits(outbox_)) {
    world.commits.record(seat, commit);
    if (monitors_.listens()) monitors_.committed(world.monitors, sight_of(world), seat, commit);
  }
}

template <Protocol P, class Derived>
const Sent<typename P::Message>* Network<P, Derived>::rewrite(World<P>& world, const Post<Message>& post) {
  Sent<Message>* slot = OutboxReader<Message>::take_slot(outbox_);
  if (slot == nullptr) {
    world.overflowed = true;
    return nullptr;
  }
  slot->message = post.message;
  slot->number = post.number;
  return slot;
}

// Letter by letter: receivers do not notice each other, and one message handled by all is easier to predict than one
// replica handling all.
template <Protocol P, class Derived>
void Network<P, Derived>::deliver_batch(World<P>& world, SeatSet receivers) {
  std::swap(current_, next_);
  clear_next();
  if (rivals != nullptr) note_rivals(receivers);
  if (arranger != nullptr) return deliver_arranged(world, receivers);
  for (const ReceiverOrder& own : receiver_orders_) {
    if (!receivers.contains(own.receiver)) continue;
    deliver_in_order(world, own.receiver, own.order);
    receivers.erase(own.receiver);
  }
  const SeatSet owners = order_->own_first ? current_->owners & receivers : SeatSet{};
  if (!owners.empty()) {
    for (const Letter<Message>& letter : current_->all()) {
      if (const SeatSet own = letter.to & owners & letter.owner; !own.empty()) deliver(world, letter, own);
    }
  }
  for (const Letter<Message>& letter : current_->all()) {
    if (const SeatSet rest = (letter.to & receivers) - (owners & letter.owner); !rest.empty())
      deliver(world, letter, rest);
  }
}

template <Protocol P, class Derived>
void Network<P, Derived>::note_rivals(SeatSet receivers) const {
  if (current_->owners.size() < 2) return;
  for (Seat receiver : receivers) {
    SeatSet owners;
    for (const Letter<Message>& letter : current_->all()) {
      if (letter.to.contains(receiver)) owners |= letter.owner;
    }
    rivals->add(owners, receiver);
  }
}

template <Protocol P, class Derived>
void Network<P, Derived>::deliver_in_order(World<P>& world, Seat receiver, const Order& order) {
  std::array<std::pair<ArrivalKey, std::uint16_t>, kMaxPosts> sorted;
  unsigned count = 0;
  for (unsigned i = 0; i < current_->count; ++i) {
    const Letter<Message>& letter = current_->letters[i];
    if (!letter.to.contains(receiver)) continue;
    sorted[count++] = {letter.key.in(order), static_cast<std::uint16_t>(i)};
  }
  std::sort(sorted.begin(), sorted.begin() + count);
  const auto is_own = [&](const Letter<Message>& letter) { return order.own_first && letter.owner.contains(receiver); };
  std::array<const Letter<Message>*, kMaxPosts> letters;
  unsigned placed = 0;
  for (const bool own : {true, false}) {
    for (unsigned i = 0; i < count; ++i) {
      const Letter<Message>& letter = current_->letters[sorted[i].second];
      if (is_own(letter) == own) letters[placed++] = &letter;
    }
  }
  if (arranger != nullptr) arranger->arrange(world, receiver, {letters.data(), count});
  for (unsigned i = 0; i < count; ++i) deliver(world, *letters[i], SeatSet::single(receiver));
}

template <Protocol P, class Derived>
void Network<P, Derived>::deliver_arranged(World<P>& world, SeatSet receivers) {
  for (Seat receiver : receivers) {
    const auto own = std::ranges::find(receiver_orders_, receiver, &ReceiverOrder::receiver);
    deliver_in_order(world, receiver, own == receiver_orders_.end() ? *order_ : own->order);
  }
}

template <Protocol P, class Derived>
void Network<P, Derived>::deliver(World<P>& world, const Letter<Message>& letter, SeatSet receivers) {
  const auto count = static_cast<unsigned>(receivers.size());
  if (count > deliveries_left_) {
    world.overflowed = true;
    return;
  }
  deliveries_left_ -= count;
  world.delivered_count += count;
  const Identity from = cluster_.identity(letter.key.from());
  for (Seat to : receivers) {
    tell(EventKind::kDelivered, to, letter.key.from(), letter, world);
    const unsigned s = index_of(to);
    serve(world, s);
    P::receive(world.states[s], contexts_[s], from, letter.sent->message, outbox_);
    settle(world, to);
  }
}

template <Protocol P, class Derived>
void Network<P, Derived>::expire(World<P>& world, Seat seat, unsigned timer) {
  const unsigned s = index_of(seat);
  world.timers[s][timer] = {};
  if (trace != nullptr) {
    tell({.kind = EventKind::kExpired, .seat = seat, .round = P::current_round(world.states[s])}, world);
  }
  serve(world, s);
  P::expire(world.states[s], contexts_[s], static_cast<TimerId>(timer), outbox_);
  settle(world, seat);
}

}  // namespace nika
