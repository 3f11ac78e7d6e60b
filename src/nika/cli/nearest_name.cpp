#include "nika/cli/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace nika::cli {
namespace {

// Levenshtein's distance, row by row of the usual table.
std::size_t changes_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view given, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;  // nobody mistypes more than that, and the table stays small
  if (given.size() > kLongest) return {};
  std::string nearest;
  std::size_t fewest = kLongest;
  for (const std::string& name : names) {
    const std::size_t changes = changes_between(given, name);
    if (changes >= fewest || changes * 3 > std::max(given.size(), name.size())) continue;
    fewest = changes;
    nearest = name;
  }
  return nearest;
}

}  // namespace nika::cli
