#include "nika/scenarios/twins/partitions.hpp"

#include "nika/base/require.hpp"

namespace nika::twins {

PartitionNumbering::PartitionNumbering(const PartitionShape& shape) : shape_(shape) {
  NIKA_REQUIRE(shape.seat_count >= 1 && shape.seat_count <= kMaxSeats);
  NIKA_REQUIRE(shape.block_count >= 1 && shape.block_count <= shape.seat_count);
  for (unsigned used = 1; used <= shape.block_count; ++used) {
    completions_[0][used] = shape.at_most || used == shape.block_count ? 1 : 0;
  }
  for (unsigned left = 1; left < shape.seat_count; ++left) {
    for (unsigned used = 1; used <= shape.block_count; ++used) {
      // completions_[…][block_count + 1] stays zero: no further block may be opened.
      completions_[left][used] = used * completions_[left - 1][used] + completions_[left - 1][used + 1];
    }
  }
}

Partition PartitionNumbering::at(std::uint64_t number) const {
  NIKA_REQUIRE(number < size());
  Partition partition;
  unsigned used = 1;  // the first seat is always in block 0
  for (unsigned seat = 1; seat < shape_.seat_count; ++seat) {
    const std::uint64_t below = completions_[shape_.seat_count - 1 - seat][used];
    if (below != 0 && number / below < used) {
      partition.block_of[seat] = static_cast<std::uint8_t>(number / below);
      number %= below;
    } else {
      number -= used * below;
      partition.block_of[seat] = static_cast<std::uint8_t>(used++);
    }
  }
  return partition;
}

}  // namespace nika::twins
