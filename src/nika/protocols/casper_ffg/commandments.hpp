// The two Casper commandments (Buterin and Griffith, figure 2): what no validator may sign. Who did loses its deposit.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::casper_ffg {

// What a vote says, without who says it.
struct Link {
  ValueId source{};
  ValueId target{};

  bool operator==(const Link&) const = default;
  auto operator<=>(const Link&) const = default;
  static constexpr auto fields() { return std::tuple{field("source", &Link::source), field("target", &Link::target)}; }
};

// I: a validator must not publish two distinct votes with h(t1) = h(t2).
inline bool is_double_vote(const Link& one, const Link& other) {
  return one != other && one.target.round() == other.target.round();
}

// II: nor may it publish two votes with h(s1) < h(s2) < h(t2) < h(t1), of which the first surrounds the second.
inline bool surrounds(const Link& one, const Link& other) {
  return one.source.round() < other.source.round() && other.target.round() < one.target.round();
}
inline bool is_surround_vote(const Link& one, const Link& other) {
  return surrounds(one, other) || surrounds(other, one);
}

inline bool is_slashable(const Link& one, const Link& other) {
  return is_double_vote(one, other) || is_surround_vote(one, other);
}

}  // namespace nika::casper_ffg
