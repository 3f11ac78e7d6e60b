// 128-bit unsigned integers for scenario indices and counts on hot paths. Spaces that do not fit are counted with GMP
// in the generator and can be printed, but not indexed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nika {

__extension__ typedef unsigned __int128 Wide;

inline constexpr Wide kMaxWide = ~Wide{0};

std::string to_string(Wide value);
// "170,859,375".
std::string grouped(std::string_view decimal);
inline std::string grouped(Wide value) { return grouped(to_string(value)); }
std::optional<Wide> parse_wide(std::string_view digits);

// Saturation would make a count wrong without anyone seeing it; these say so instead.
constexpr std::optional<Wide> checked_multiply(Wide a, Wide b) {
  Wide product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}
constexpr std::optional<Wide> checked_add(Wide a, Wide b) {
  Wide sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace nika
