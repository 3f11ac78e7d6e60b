#include "nika/scenarios/twins/keyed_permutation.hpp"

#include <bit>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"

namespace nika::twins {
namespace {

unsigned bit_width(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64U);
  return high != 0 ? 64U + static_cast<unsigned>(std::bit_width(high))
                   : static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value)));
}

// The low bits of a product mix least, so the half is taken from the top.
std::uint64_t scramble(std::uint64_t half, std::uint64_t key, unsigned half_bits) {
  return mix64(half ^ key) >> (64U - half_bits);
}

}  // namespace

KeyedPermutation::KeyedPermutation(Wide size, std::uint64_t seed) : size_(size) {
  NIKA_REQUIRE(size > 0);
  const unsigned bits = bit_width(size - 1);
  half_bits_ = bits < 2 ? 1 : (bits + 1) / 2;
  half_mask_ = ~std::uint64_t{0} >> (64U - half_bits_);
  Random random(mix64(seed) ^ static_cast<std::uint64_t>(size) ^ static_cast<std::uint64_t>(size >> 64U));
  for (std::uint64_t& key : keys_) key = random.next();
}

// The network permutes at most four times as many numbers, so fewer than four steps are walked on average.
Wide KeyedPermutation::operator()(Wide index) const {
  NIKA_REQUIRE(index < size_);
  do {
    auto left = static_cast<std::uint64_t>(index >> half_bits_);
    std::uint64_t right = static_cast<std::uint64_t>(index) & half_mask_;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t mixed = left ^ scramble(right, key, half_bits_);
      left = right;
      right = mixed;
    }
    index = Wide{left} << half_bits_ | right;
  } while (index >= size_);
  return index;
}

Wide KeyedPermutation::inverse(Wide image) const {
  NIKA_REQUIRE(image < size_);
  do {
    auto left = static_cast<std::uint64_t>(image >> half_bits_);
    std::uint64_t right = static_cast<std::uint64_t>(image) & half_mask_;
    for (unsigned i = kFeistelRounds; i-- > 0;) {
      const std::uint64_t mixed = right ^ scramble(left, keys_[i], half_bits_);
      right = left;
      left = mixed;
    }
    image = Wide{left} << half_bits_ | right;
  } while (image >= size_);
  return image;
}

}  // namespace nika::twins
