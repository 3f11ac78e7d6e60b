// Partitions of a set, each with the same probability: they are numbered, and a number is drawn. Sixteen seats have
// 10,480,142,147 partitions, so that this is exact for every cluster and needs no urns (Stam 1983).
#pragma once

#include <array>
#include <cstdint>

#include "nika/base/random.hpp"
#include "nika/model/scenario.hpp"

namespace nika::byzzfuzz {

// How many partitions a set of so many seats has: 1, 1, 2, 5, 15, 52, …
std::uint64_t partition_count(unsigned seats);
// The partition with this number, below partition_count(seats). Seats behind these are in every block.
Partition partition_numbered(std::uint64_t number, unsigned seats, unsigned seat_count);

}  // namespace nika::byzzfuzz
