#include "nika/base/wide.hpp"

#include <algorithm>

namespace nika {

std::string to_string(Wide value) {
  if (value == 0) return "0";
  std::string digits;
  for (; value != 0; value /= 10) digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
  std::ranges::reverse(digits);
  return digits;
}

std::string grouped(std::string_view decimal) {
  std::string result;
  for (std::size_t i = 0; i < decimal.size(); ++i) {
    if (i > 0 && (decimal.size() - i) % 3 == 0) result += ',';
    result += decimal[i];
  }
  return result;
}

std::optional<Wide> parse_wide(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  Wide value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto shifted = checked_multiply(value, 10);
    const auto next = shifted ? checked_add(*shifted, static_cast<Wide>(c - '0')) : std::nullopt;
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

}  // namespace nika
