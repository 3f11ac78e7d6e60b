#include "nika/scenarios/twins/assignments.hpp"

#include <algorithm>
#include <array>

#include "nika/base/require.hpp"

namespace nika::twins {
namespace {

// Takes the last digit of a number whose last digit has the given base.
std::uint32_t take_digit(Wide& number, std::uint32_t base) {
  // A 128-bit division is a library call; nearly every space fits in 64 bits.
  if (number >> 64U == 0) {
    const auto small = static_cast<std::uint64_t>(number);
    number = small / base;
    return static_cast<std::uint32_t>(small % base);
  }
  const Wide quotient = number / base;
  const auto digit = static_cast<std::uint32_t>(number - quotient * base);
  number = quotient;
  return digit;
}

// The configurations that earlier rounds took, in ascending order.
class Taken {
 public:
  // Turns "the digit-th of those still free" into that configuration and takes it.
  std::uint32_t take_free(std::uint32_t digit) {
    std::size_t at = 0;
    for (; at < size_ && taken_[at] <= digit; ++at) ++digit;
    insert(at, digit);
    return digit;
  }
  // The inverse; nothing if the configuration was taken before.
  std::optional<std::uint32_t> take(std::uint32_t configuration) {
    const auto end = taken_.begin() + static_cast<std::ptrdiff_t>(size_);
    const auto found = std::lower_bound(taken_.begin(), end, configuration);
    if (found != end && *found == configuration) return std::nullopt;
    const auto below = static_cast<std::size_t>(found - taken_.begin());
    insert(below, configuration);
    return configuration - static_cast<std::uint32_t>(below);
  }

 private:
  void insert(std::size_t at, std::uint32_t configuration) {
    NIKA_REQUIRE(size_ < taken_.size());
    for (std::size_t i = size_; i > at; --i) taken_[i] = taken_[i - 1];
    taken_[at] = configuration;
    ++size_;
  }

  std::array<std::uint32_t, kMaxRound> taken_;
  std::size_t size_ = 0;
};

std::optional<Wide> append_digit(Wide number, std::uint32_t base, std::uint32_t digit) {
  const auto shifted = checked_multiply(number, base);
  return shifted ? checked_add(*shifted, digit) : std::nullopt;
}

}  // namespace

void unrank_assignment(const AssignmentShape& shape, Wide number, std::span<std::uint32_t> sequence) {
  switch (shape.assignment) {
    case Assignment::kReplacement:
      for (std::size_t r = sequence.size(); r-- > 0;) sequence[r] = take_digit(number, shape.choices);
      break;
    case Assignment::kNoReplacement: {
      for (std::size_t r = sequence.size(); r-- > 0;) {
        sequence[r] = take_digit(number, shape.choices - static_cast<std::uint32_t>(r));
      }
      Taken taken;
      for (std::uint32_t& configuration : sequence) configuration = taken.take_free(configuration);
      break;
    }
    case Assignment::kStatic: std::ranges::fill(sequence, take_digit(number, shape.choices)); break;
  }
  NIKA_REQUIRE(number == 0);
}

std::optional<Wide> rank_assignment(const AssignmentShape& shape, std::span<const std::uint32_t> sequence) {
  if (std::ranges::any_of(sequence, [&](std::uint32_t c) { return c >= shape.choices; })) return std::nullopt;
  if (shape.assignment == Assignment::kStatic) {
    const bool constant = std::ranges::all_of(sequence, [&](std::uint32_t c) { return c == sequence.front(); });
    return constant ? std::optional<Wide>(sequence.front()) : std::nullopt;
  }
  const bool distinct = shape.assignment == Assignment::kNoReplacement;
  std::optional<Wide> number = 0;
  Taken taken;
  for (std::size_t r = 0; r < sequence.size() && number; ++r) {
    const auto digit = distinct ? taken.take(sequence[r]) : std::optional(sequence[r]);
    if (!digit) return std::nullopt;
    number = append_digit(*number, distinct ? shape.choices - static_cast<std::uint32_t>(r) : shape.choices, *digit);
  }
  return number;
}

}  // namespace nika::twins
