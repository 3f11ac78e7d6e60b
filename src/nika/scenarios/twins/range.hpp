// Parts of an index space: "a..b" holds every index with a <= index < b, and "i/n" is the i-th of n nearly equal parts,
// counted from 1. The parts of a range are disjoint and together are the range.
#pragma once

#include <string>
#include <string_view>

#include "nika/base/result.hpp"
#include "nika/base/wide.hpp"

namespace nika::twins {

struct Range {
  Wide begin = 0;
  Wide end = 0;

  Wide size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

struct Shard {
  Wide number = 1;
  Wide count = 1;

  bool operator==(const Shard&) const = default;
};

// An error if the range is empty or not inside [0, size).
Result<Range> parse_range(std::string_view text, Wide size);
Result<Shard> parse_shard(std::string_view text);
Range part_of(const Range& whole, const Shard& shard);
std::string to_text(const Range& range);

}  // namespace nika::twins
