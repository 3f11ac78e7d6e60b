// Messages that arrive together, and the order in which each receiver handles them. The order never depends on the
// names of honest nodes; it is the same in network rounds and in timed runs.
#pragma once

#include <array>
#include <cassert>

#include "nika/model/protocol.hpp"
#include "nika/model/scenario.hpp"

namespace nika {

// Messages that arrive together are handled in the order of this key: by the rank of the seat whose proposal they are
// about, later rounds first. The sender only decides between otherwise equal messages. The key tells all it is made of.
struct ArrivalKey {
  std::uint64_t bits = 0;

  ArrivalKey() = default;
  ArrivalKey(Seat from, Round round, Kind kind, ValueId subject, const Order& order)
      : bits(rank_of(subject, order) << 40U | (255ULL - round.number) << 32U | std::uint64_t{kind} << 24U |
             std::uint64_t{subject.packed} << 8U | index_of(from)) {}

  Seat from() const { return static_cast<Seat>(bits & 255U); }
  ValueId subject() const {
    ValueId subject;
    subject.packed = static_cast<std::uint16_t>(bits >> 8U);
    return subject;
  }
  Kind kind() const { return static_cast<Kind>(bits >> 24U); }
  Round round() const { return Round(255U - static_cast<std::uint8_t>(bits >> 32U)); }
  ArrivalKey in(const Order& order) const { return {from(), round(), kind(), subject(), order}; }
  auto operator<=>(const ArrivalKey&) const = default;

 private:
  static std::uint64_t rank_of(ValueId subject, const Order& order) {
    assert(!subject.is_nameless());
    return subject.is_genesis() ? 255 : order.rank[index_of(subject.seat())];
  }
};

// Between whose proposals an order of arrival had to decide: those that the messages of one batch to one receiver were
// about, where they were about several. Under orders that rank these alike a run is the same.
struct Rivals {
  static constexpr std::size_t kMost = 24;

  BoundedVector<SeatSet, kMost> sets{};
  bool has_own = false;  // one of them was the receiver's own

  void clear() { *this = {}; }
  void add(SeatSet owners, Seat receiver) {
    if (owners.size() < 2) return;
    has_own = has_own || owners.contains(receiver);
    for (const SeatSet set : sets) {
      if (set == owners) return;
    }
    if (!sets.push_back(owners)) sets[kMost - 1] |= owners;  // who ranks all alike ranks some of them alike
  }
};

// A message of a batch, and what is asked of it often. The message itself stays where its sender put it.
template <class Message>
struct Letter {
  const Sent<Message>* sent;
  ArrivalKey key;
  SeatSet to;
  SeatSet owner;  // whose proposal it is about

  static SeatSet owner_of(ValueId subject) {
    return subject.is_genesis() ? SeatSet{} : SeatSet::single(subject.seat());
  }
  Post<Message> post(SeatSet receivers) const {
    return {sent->message, key.from(), receivers, key.round(), key.kind(), key.subject(), sent->number};
  }
};

// What arrives together, in the order in which it is handled.
template <class Message>
struct Mail {
  std::array<Sent<Message>, kMaxPosts> written;
  std::array<Letter<Message>, kMaxPosts> letters;
  unsigned count = 0;
  SeatSet owners{};  // of all letters

  // Keeps the batch sorted; equal letters stay in the order in which they were sent. False if it is full.
  [[gnu::always_inline]] bool insert(const Letter<Message>& letter, SeatSet to) {
    if (count == kMaxPosts) return false;
    Letter<Message>* at = letters.data() + count++;
    for (; at != letters.data() && at[-1].key > letter.key; --at) *at = at[-1];
    // Member by member: a copy of the whole would wait until its parts are written.
    at->sent = letter.sent;
    at->key = letter.key;
    at->to = to;
    at->owner = letter.owner;
    owners |= letter.owner;
    return true;
  }
  std::span<const Letter<Message>> all() const { return {letters.data(), count}; }
};

}  // namespace nika
