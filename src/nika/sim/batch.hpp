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
  auto operator<=>(const ArrivalKey&) const = default;

 private:
  static std::uint64_t rank_of(ValueId subject, const Order& order) {
    assert(!subject.is_nameless());
    return subject.is_genesis() ? 255 : order.rank[index_of(subject.seat())];
  }
};

template <class Message>
struct Batch {
  std::array<Post<Message>, kMaxPosts> posts;
  unsigned count = 0;

  // False when the batch is full.
  [[nodiscard]] bool add(const Post<Message>& post, SeatSet to) {
    if (count == kMaxPosts) return false;
    posts[count] = post;
    posts[count++].to = to;
    return true;
  }
};

class BatchOrder {
 public:
  template <class Message>
  void sort(const Batch<Message>& batch, const Order& order) {
    SeatSet subjects;
    for (unsigned i = 0; i < batch.count; ++i) {
      const Post<Message>& post = batch.posts[i];
      if (!post.subject.is_genesis()) subjects.insert(post.subject.seat());
      const ArrivalKey key(post.from, post.round, post.kind, post.subject, order);
      unsigned at = i;
      for (; at > 0 && keys_[at - 1] > key; --at) {
        keys_[at] = keys_[at - 1];
        sorted_[at] = sorted_[at - 1];
      }
      keys_[at] = key;
      sorted_[at] = static_cast<std::uint16_t>(i);
    }
    owners_ = order.own_first ? subjects : SeatSet{};
  }

  // Calls deliver(to, post) for every message of the sorted batch, receiver by receiver: what is about the receiver's
  // own proposal first if the order says so, then the rest.
  template <class Message, class Deliver>
  void for_each_delivery(const Batch<Message>& batch, SeatSet receivers, const Deliver& deliver) const {
    for (Seat to : receivers) {
      const bool has_own = owners_.contains(to);
      for (unsigned i = 0; has_own && i < batch.count; ++i) {
        const Post<Message>& post = batch.posts[sorted_[i]];
        if (post.to.contains(to) && is_about(post.subject, to)) deliver(to, post);
      }
      for (unsigned i = 0; i < batch.count; ++i) {
        const Post<Message>& post = batch.posts[sorted_[i]];
        if (post.to.contains(to) && !(has_own && is_about(post.subject, to))) deliver(to, post);
      }
    }
  }

 private:
  static bool is_about(ValueId subject, Seat seat) { return !subject.is_genesis() && subject.seat() == seat; }

  std::array<std::uint16_t, kMaxPosts> sorted_{};
  std::array<ArrivalKey, kMaxPosts> keys_{};
  SeatSet owners_{};  // whose proposals the batch is about, if a receiver handles its own first
};

}  // namespace nika
