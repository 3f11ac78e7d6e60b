#include "nika/scenarios/twins/range.hpp"

#include <gtest/gtest.h>

namespace nika::twins {
namespace {

TEST(TwinsRange, HoldsItsBeginAndNotItsEnd) {
  EXPECT_EQ(parse_range("3..7", 15), (Range{3, 7}));
  EXPECT_EQ(parse_range("0..15", 15), (Range{0, 15}));
  EXPECT_EQ(parse_range("3..7", 15)->size(), 4U);
  EXPECT_EQ(to_text(Range{3, 7}), "3..7");
}

TEST(TwinsRange, OutsideTheSpaceIsAnError) {
  EXPECT_EQ(parse_range("3..16", 15).error().message, "range 3..16 is outside the space, which is 0..15");
  EXPECT_EQ(parse_range("7..7", 15).error().message, "range 7..7 is empty, expected a..b with a < b");
  for (const auto* text : {"", "..", "3", "3..", "..3", "a..b", "3...7", "-1..2", "3..7 ", "1..2..3"}) {
    EXPECT_FALSE(parse_range(text, 15).has_value()) << text;
  }
  EXPECT_EQ(parse_range("7", 15).error().message, "read range \"7\", expected a..b: every index with a <= index < b");
}

TEST(TwinsShard, TheShardsOfARangeAreThatRange) {
  for (Wide size = 1; size <= 40; ++size) {
    for (Wide count = 1; count <= 45; ++count) {
      Wide next = 5;
      for (Wide i = 1; i <= count; ++i) {
        const Range part = part_of({5, 5 + size}, {i, count});
        ASSERT_EQ(part.begin, next);
        ASSERT_LE(part.size() - size / count, 1U);
        next = part.end;
      }
      ASSERT_EQ(next, 5 + size);
    }
  }
  EXPECT_EQ(part_of({0, kMaxWide}, {3, 3}).end, kMaxWide);
}

TEST(TwinsShard, IsCountedFromOne) {
  EXPECT_EQ(parse_shard("1/4"), (Shard{1, 4}));
  EXPECT_EQ(parse_shard("0/4").error().message, "read shard \"0/4\", expected i/n with 1 <= i <= n");
  for (const auto* text : {"", "/", "5/4", "1/", "/4", "1/0", "x/4"})
    EXPECT_FALSE(parse_shard(text).has_value()) << text;
}

}  // namespace
}  // namespace nika::twins
