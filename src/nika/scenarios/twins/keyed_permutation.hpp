// A bijection on [0, size) chosen by a seed: a shuffled order of any number of things without remembering any of them.
// A balanced Feistel network on the next even number of bits, walked along its cycle until it lands inside.
// It is no cipher: it spreads samples well and hides nothing.
#pragma once

#include <array>
#include <cstdint>

#include "nika/base/wide.hpp"

namespace nika::twins {

class KeyedPermutation {
 public:
  KeyedPermutation(Wide size, std::uint64_t seed);

  Wide size() const { return size_; }
  Wide operator()(Wide index) const;
  Wide inverse(Wide image) const;

 private:
  static constexpr unsigned kFeistelRounds = 8;

  Wide size_;
  unsigned half_bits_;
  std::uint64_t half_mask_;
  std::array<std::uint64_t, kFeistelRounds> keys_{};
};

}  // namespace nika::twins
