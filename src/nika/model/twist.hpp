// What a twist makes of a field, by its type. Pure functions: the same field, lie and past give the same value.
#pragma once

#include <optional>

#include "nika/model/leaves.hpp"
#include "nika/model/protocol.hpp"

namespace nika {

// Who lies, among how many.
struct LiarView {
  Seat seat{};
  std::uint8_t node_count = 0;
};

namespace twists {

constexpr unsigned kLastRound = kMaxRound - 1;  // a replica can still look at the round after it

inline unsigned moved(unsigned number, const Lie& lie, unsigned most) {
  if (lie.twist == Twist::kRaise) return std::min(number + 1, most);
  if (lie.twist == Twist::kLower) return number == 0 ? 0 : number - 1;
  if (lie.twist == Twist::kSet) return lie.argument % (most + 1);
  if (lie.twist == Twist::kLeaveOut) return 0;
  return number;
}

inline void apply(Round& round, const Lie& lie, const LiarView&) {
  round = Round(moved(round.number, lie, kLastRound));
}
inline void apply(Height& height, const Lie& lie, const LiarView&) {
  height = Height(moved(height.number, lie, kMaxHeight));
}
inline void apply(Identity& identity, const Lie& lie, const LiarView& liar) {
  identity = static_cast<Identity>(moved(index_of(identity), lie, liar.node_count - 1U));
}
inline void apply(IdentitySet& set, const Lie& lie, const LiarView& liar) {
  const auto everyone = IdentitySet::first(liar.node_count);
  if (lie.twist == Twist::kLeaveOut) set = {};
  if (lie.twist == Twist::kSet) set = IdentitySet::from_bits(lie.argument) & everyone;
  if (lie.twist == Twist::kFlip) {
    const auto member = IdentitySet::single(static_cast<Identity>(lie.argument % liar.node_count));
    set = (set - member) | (member - set);
  }
}
inline void apply(ValueId& value, const Lie& lie, const LiarView& liar) {
  const auto with_round = [&](unsigned round) { return ValueId(Round(round), value.seat(), value.incarnation()); };
  switch (lie.twist) {
    case Twist::kLeaveOut: value = kGenesis; break;
    case Twist::kRaise:
    case Twist::kLower:
      if (!value.is_genesis()) value = with_round(moved(value.round().number, lie, kLastRound));
      if (value.round() == Round(0)) value = kGenesis;
      break;
    case Twist::kOwn:
      value = ValueId(std::max(value.round(), Round(1)), liar.seat, 1U + lie.argument % ValueId::kMaxIncarnation);
      break;
    case Twist::kSet: {  // of any node and round
      const unsigned round = 1U + (lie.argument >> 8U) % kLastRound;
      value = ValueId(Round(round), static_cast<Seat>((lie.argument >> 3U) % liar.node_count), 0);
      break;
    }
    default: break;
  }
}
template <class Number>
  requires std::is_integral_v<Number> || std::is_enum_v<Number>
void apply(Number& number, const Lie& lie, const LiarView&) {
  if constexpr (std::same_as<Number, bool>) {
    if (lie.twist == Twist::kFlip) number = !number;
  } else if (lie.twist != Twist::kFlip) {
    constexpr unsigned kMost = sizeof(Number) == 1 ? 0xff : 0xffff;
    number = static_cast<Number>(moved(static_cast<unsigned>(number), lie, kMost));
  }
}
template <class T, std::size_t Capacity>
void apply(BoundedVector<T, Capacity>& list, const Lie& lie, const LiarView&) {
  if (lie.twist == Twist::kLeaveOut) list.clear();
  if (lie.twist == Twist::kLower && !list.empty()) list.resize_down(list.size() - 1);
  if (lie.twist == Twist::kRaise && !list.empty()) (void)list.push_back(T(list.back()));
}

template <class Message>
void apply(leaves::Together<Message>& together, const Lie& lie, const LiarView& liar) {
  if (lie.twist != Twist::kOwn) return;
  const auto make = [&]<class T>(T& part) {
    if constexpr (std::same_as<T, ValueId>) {
      apply(part, lie, liar);
    } else {
      part = T{};
    }
  };
  std::apply([&](auto&... parts) { (make(parts), ...); }, together.values);
}

}  // namespace twists

// `seen(n)` is the n-th latest other value of the field, if there are so many.
template <class Leaf, class Seen>
void twist(Leaf& leaf, LeafType type, const Lie& lie, const LiarView& liar, const Seen& seen) {
  if (lie.twist == Twist::kSeen) {
    if (const std::optional<Leaf> other = seen(lie.argument)) leaf = *other;
  } else if (type == LeafType::kAtomic || type == LeafType::kAsked) {
    if (lie.twist == Twist::kLeaveOut) leaf = Leaf{};
    if constexpr (kCanBeMadeUp<Leaf>) {
      if (lie.twist == Twist::kOwn) leaf.make_up();
    }
  } else if constexpr (requires { twists::apply(leaf, lie, liar); }) {
    twists::apply(leaf, lie, liar);
  }
}

// What a leaf says in 16 bits, for traces: a number, a name, the members of a set, the length of a list, the first
// value or round of what is atomic.
template <class Leaf>
std::uint16_t brief_of(const Leaf& leaf) {
  if constexpr (std::same_as<Leaf, Round> || std::same_as<Leaf, Height>) {
    return leaf.number;
  } else if constexpr (std::same_as<Leaf, ValueId>) {
    return leaf.packed;
  } else if constexpr (std::same_as<Leaf, IdentitySet>) {
    return leaf.bits();
  } else if constexpr (std::is_integral_v<Leaf> || std::is_enum_v<Leaf>) {
    return static_cast<std::uint16_t>(leaf);
  } else if constexpr (requires { leaf.size(); }) {
    return static_cast<std::uint16_t>(leaf.size());
  } else if constexpr (leaves::kIsTogether<Leaf>) {
    return brief_of(std::get<0>(leaf.values));
  } else if constexpr (Described<Leaf>) {
    std::optional<std::uint16_t> first;
    for_each_field(leaf, [&](std::string_view, const auto& member) {
      if (!first) first = brief_of(member);
    });
    return first.value_or(0);
  } else {
    return 0;
  }
}

}  // namespace nika
