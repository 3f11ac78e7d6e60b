// What HoneyBadger's paper asks of the agreement on a common subset beyond agreement and totality: its validity. What
// an honest node outputs has the values of at least n - f nodes, so of n - 2f honest ones, and of an honest node its
// own.
#pragma once

#include "nika/model/property.hpp"

namespace nika::honeybadger {

struct CommonSubsetMonitor {
  static constexpr bool kOnlyByName = true;

  enum class Break : std::uint8_t { kNone, kTooFew, kNotItsOwn };

  std::array<std::uint8_t, kMaxSeats> slots{};   // that each seat has committed
  std::array<std::uint8_t, kMaxSeats> values{};  // of these, those that are not empty
  ValueId value{};                               // the last of the first set that is not as it should be
  Height height{};
  Seat seat{};
  Break broken{};
  std::uint8_t unused = 0;  // no padding: monitors are compared as bytes

  void committed(const Sight& sight, Seat by, Commit commit);
  bool is_settled(const Sight&) const { return broken != Break::kNone; }
  Judgement judge(const Sight& sight) const;

 private:
  void break_by(Break how, Seat by, Commit commit);
};

inline constexpr Property kCommonSubset = property_of<CommonSubsetMonitor>(
    "common-subset", "of honeybadger-acs: what honest nodes output has n - f values, and honest nodes' own");

}  // namespace nika::honeybadger
