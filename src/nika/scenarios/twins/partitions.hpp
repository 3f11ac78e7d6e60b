// All partitions of the seats into blocks, each exactly once, as restricted growth strings in lexicographic order.
// They are numbered, not stored: S(16, 8) is two billion, and a selection of a few must not visit the others.
#pragma once

#include <array>
#include <cstdint>

#include "nika/model/scenario.hpp"

namespace nika::twins {

struct PartitionShape {
  unsigned seat_count = 0;
  unsigned block_count = 0;
  bool at_most = false;  // fewer blocks are partitions too
};

class PartitionNumbering {
 public:
  explicit PartitionNumbering(const PartitionShape& shape);

  std::uint64_t size() const { return completions_[shape_.seat_count - 1][1]; }
  Partition at(std::uint64_t number) const;

 private:
  PartitionShape shape_;
  // completions_[left][used]: the ways to seat `left` more seats when `used` blocks are open.
  std::array<std::array<std::uint64_t, kMaxSeats + 2>, kMaxSeats> completions_{};
};

}  // namespace nika::twins
