#include "nika/scenarios/twins/partitions.hpp"

#include <gtest/gtest.h>

#include <set>

namespace nika::twins {
namespace {

std::uint64_t size_of(unsigned seats, unsigned blocks, bool at_most = false) {
  return PartitionNumbering({seats, blocks, at_most}).size();
}

TEST(TwinsPartitions, CountsAreStirlingNumbersOfTheSecondKind) {
  EXPECT_EQ(size_of(5, 2), 15U);
  EXPECT_EQ(size_of(5, 3), 25U);
  EXPECT_EQ(size_of(6, 2), 31U);
  EXPECT_EQ(size_of(9, 2), 255U);
  EXPECT_EQ(size_of(9, 3), 3025U);
  EXPECT_EQ(size_of(16, 8), 2141764053U);
  EXPECT_EQ(size_of(1, 1), 1U);
}

TEST(TwinsPartitions, AtMostAsManyBlocksAsSeatsIsTheBellNumber) {
  EXPECT_EQ(size_of(5, 5, true), 52U);
  EXPECT_EQ(size_of(16, 16, true), 10480142147U);
  EXPECT_EQ(size_of(5, 2, true), 16U);
}

TEST(TwinsPartitions, MirroredPartitionsAreGeneratedOnce) {
  for (unsigned seats = 1; seats <= 7; ++seats) {
    for (unsigned blocks = 1; blocks <= seats; ++blocks) {
      for (const bool at_most : {false, true}) {
        const PartitionNumbering all({seats, blocks, at_most});
        std::set<std::array<std::uint8_t, kMaxSeats>> seen;
        for (std::uint64_t i = 0; i < all.size(); ++i) {
          Partition partition = all.at(i);
          const Partition as_generated = partition;
          partition.normalize(seats);
          EXPECT_EQ(partition, as_generated);
          EXPECT_TRUE(seen.empty() || *seen.rbegin() < partition.block_of) << "not in lexicographic order";
          seen.insert(partition.block_of);
          EXPECT_LE(partition.block_count(seats), blocks);
          if (!at_most) {
            EXPECT_EQ(partition.block_count(seats), blocks);
          }
        }
        EXPECT_EQ(seen.size(), all.size());
      }
    }
  }
}

TEST(TwinsPartitions, TheLastOfTwoBillionIsFoundWithoutTheOthers) {
  const PartitionNumbering all({16, 8, false});
  const Partition last = all.at(all.size() - 1);
  EXPECT_EQ(last.block_of, (std::array<std::uint8_t, kMaxSeats>{0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7}));
}

}  // namespace
}  // namespace nika::twins
