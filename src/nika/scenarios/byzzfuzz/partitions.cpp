#include "nika/scenarios/byzzfuzz/partitions.hpp"

#include "nika/base/require.hpp"

namespace nika::byzzfuzz {
namespace {

// kWays[left][blocks]: in how many ways as many seats can be added to so many blocks.
using Ways = std::array<std::array<std::uint64_t, kMaxSeats + 2>, kMaxSeats + 1>;
constexpr Ways kWays = [] {
  Ways ways{};
  for (auto& way : ways[0]) way = 1;
  for (unsigned left = 1; left <= kMaxSeats; ++left) {
    for (unsigned blocks = 0; blocks + left <= kMaxSeats + 1; ++blocks)
      ways[left][blocks] = blocks * ways[left - 1][blocks] + ways[left - 1][blocks + 1];
  }
  return ways;
}();

}  // namespace

std::uint64_t partition_count(unsigned seats) { return kWays[seats][0]; }

Partition partition_numbered(std::uint64_t number, unsigned seats, unsigned seat_count) {
  NIKA_REQUIRE(seats <= seat_count && seat_count <= kMaxSeats && number < partition_count(seats));
  Partition partition;
  unsigned blocks = 0;
  for (unsigned s = 0; s < seats; ++s) {
    const std::uint64_t in_each = kWays[seats - s - 1][blocks];
    const std::uint64_t block = blocks == 0 ? 0 : std::min<std::uint64_t>(number / in_each, blocks);
    number -= block * (blocks == 0 ? 0 : in_each);
    partition.block_of[s] = static_cast<std::uint8_t>(block);
    if (block == blocks) ++blocks;
  }
  for (unsigned s = seats; s < seat_count; ++s) partition.block_of[s] = Partition::kEverywhere;
  partition.normalize(seat_count);
  return partition;
}

}  // namespace nika::byzzfuzz
