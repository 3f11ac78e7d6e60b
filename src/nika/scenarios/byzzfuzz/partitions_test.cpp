#include "nika/scenarios/byzzfuzz/partitions.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace nika::byzzfuzz {
namespace {

using Blocks = std::array<std::uint8_t, kMaxSeats>;

TEST(ByzzFuzzPartitions, AreCountedByBellNumbers) {
  EXPECT_EQ(partition_count(1), 1U);
  EXPECT_EQ(partition_count(3), 5U);  // Example 1 of the paper
  EXPECT_EQ(partition_count(4), 15U);
  EXPECT_EQ(partition_count(7), 877U);
  EXPECT_EQ(partition_count(16), 10'480'142'147U);
}

TEST(ByzzFuzzPartitions, EachNumberIsAnotherPartition) {
  for (const unsigned seats : {1U, 3U, 4U, 7U}) {
    std::set<Blocks> known;
    for (std::uint64_t n = 0; n < partition_count(seats); ++n)
      known.insert(partition_numbered(n, seats, seats).block_of);
    EXPECT_EQ(known.size(), partition_count(seats));
  }
}

TEST(ByzzFuzzPartitions, ClientsAreInEveryBlock) {
  const Partition parted = partition_numbered(partition_count(4) - 1, 4, 6);
  EXPECT_EQ(parted.block_count(6), 4U);
  EXPECT_EQ(parted.everywhere(6), (SeatSet{Seat{4}, Seat{5}}));
}

// 15 partitions of four seats, 30,000 draws: with 14 degrees of freedom, 36.1 is exceeded once in a thousand times.
TEST(ByzzFuzzPartitions, AreDrawnUniformly) {
  Random random(7);
  std::map<Blocks, unsigned> drawn;
  constexpr unsigned kDraws = 30'000;
  for (unsigned i = 0; i < kDraws; ++i) ++drawn[partition_numbered(random.below(partition_count(4)), 4, 4).block_of];
  ASSERT_EQ(drawn.size(), 15U);
  double distance = 0;
  for (const auto& [blocks, count] : drawn) {
    const double expected = kDraws / 15.0;
    distance += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(distance, 36.1);
}

}  // namespace
}  // namespace nika::byzzfuzz
