// Whether two ways to run a scenario end alike. For tests only.
#pragma once

#include <gtest/gtest.h>

#include "nika/model/property.hpp"

namespace nika::checks {

inline void expect_same(const Evidence& one, const Evidence& other) {
  EXPECT_EQ(one.kind, other.kind);
  EXPECT_EQ(one.why, other.why);
  EXPECT_EQ(one.since, other.since);
  EXPECT_EQ(one.height, other.height);
  EXPECT_EQ(one.seats, other.seats);
  ASSERT_EQ(one.claims.size(), other.claims.size());
  for (std::size_t i = 0; i < one.claims.size(); ++i) {
    EXPECT_EQ(one.claims[i].seat, other.claims[i].seat);
    EXPECT_EQ(one.claims[i].value, other.claims[i].value);
  }
}

// All judgements with what shows them, and how long the run was.
inline void expect_same(const Outcome& one, const Outcome& other) {
  EXPECT_EQ(one.delivered, other.delivered);
  EXPECT_EQ(one.rounds, other.rounds);
  EXPECT_EQ(one.overflowed, other.overflowed);
  EXPECT_EQ(one.has_committed, other.has_committed);
  ASSERT_EQ(one.judgements.size(), other.judgements.size());
  for (std::size_t i = 0; i < one.judgements.size(); ++i) {
    EXPECT_EQ(one.judgements[i].property, other.judgements[i].property);
    EXPECT_EQ(one.judgements[i].verdict, other.judgements[i].verdict);
    EXPECT_EQ(one.judgements[i].unjudged, other.judgements[i].unjudged);
    expect_same(one.judgements[i].evidence, other.judgements[i].evidence);
  }
}

}  // namespace nika::checks
