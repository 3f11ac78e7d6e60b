#include "nika/scenarios/twins/keyed_permutation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nika::twins {
namespace {

TEST(KeyedPermutation, IsABijectionOnEverySmallSize) {
  for (unsigned size = 1; size <= 1100; ++size) {
    const KeyedPermutation permutation(size, size * 7919U);
    std::vector<bool> seen(size);
    for (unsigned i = 0; i < size; ++i) {
      const Wide image = permutation(i);
      ASSERT_LT(image, size);
      ASSERT_FALSE(seen[static_cast<std::size_t>(image)]);
      seen[static_cast<std::size_t>(image)] = true;
      ASSERT_EQ(permutation.inverse(image), i);
    }
  }
}

// With 55 degrees of freedom a chi-square above 105 has a chance below 10^-4; the numbers are the same in every run.
TEST(KeyedPermutation, SendsEveryPairEverywhereAboutEquallyOften) {
  constexpr unsigned kSize = 8;
  constexpr unsigned kSeeds = 56'000;
  std::vector<unsigned> hits(kSize * kSize);
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const KeyedPermutation permutation(kSize, seed);
    ++hits[static_cast<std::size_t>(permutation(2) * kSize + permutation(5))];
  }
  double chi_square = 0;
  for (unsigned a = 0; a < kSize; ++a) {
    EXPECT_EQ(hits[a * kSize + a], 0U);
    for (unsigned b = 0; b < kSize; ++b) {
      const double difference = hits[a * kSize + b] - 1000.0;
      if (a != b) chi_square += difference * difference / 1000.0;
    }
  }
  EXPECT_LT(chi_square, 105.0);
}

// A sample of the first tenth of the images must spread over the whole space: 9 degrees of freedom, chance below 10^-4.
TEST(KeyedPermutation, AFirstPartOfTheImagesIsSpreadOverTheWholeSpace) {
  constexpr unsigned kSize = 170'859'375;
  constexpr unsigned kSample = 100'000;
  const KeyedPermutation permutation(kSize, 1);
  std::vector<unsigned> hits(10);
  for (unsigned i = 0; i < kSample; ++i) ++hits[static_cast<std::size_t>(permutation(i) * 10 / kSize)];
  double chi_square = 0;
  for (const unsigned hit : hits) chi_square += (hit - 1e4) * (hit - 1e4) / 1e4;
  EXPECT_LT(chi_square, 33.7);
}

TEST(KeyedPermutation, WorksUpToTheWidestSize) {
  const Wide half = Wide{1} << 127U;
  for (const Wide size : {half - 1, half, half + 1, kMaxWide}) {
    const KeyedPermutation permutation(size, 42);
    for (const Wide index : {Wide{0}, Wide{1}, size / 2, size - 1}) {
      const Wide image = permutation(index);
      EXPECT_LT(image, size);
      EXPECT_EQ(permutation.inverse(image), index);
    }
  }
}

TEST(KeyedPermutation, AnotherSeedGivesAnotherOrder) {
  const KeyedPermutation one(1000, 1);
  const KeyedPermutation two(1000, 2);
  unsigned equal = 0;
  for (unsigned i = 0; i < 1000; ++i) equal += one(i) == two(i) ? 1U : 0U;
  EXPECT_LT(equal, 10U);
}

}  // namespace
}  // namespace nika::twins
