#include "nika/scenarios/twins/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "nika/base/require.hpp"

namespace nika::twins {
namespace {

// "a..b" or "i/n": two numbers with a separator between them.
std::optional<std::pair<Wide, Wide>> parse_pair(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = parse_wide(text.substr(0, at));
  if (!first) return std::nullopt;
  const auto second = parse_wide(text.substr(at + separator.size()));
  if (!second) return std::nullopt;
  return std::pair(*first, *second);
}

}  // namespace

Result<Range> parse_range(std::string_view text, Wide size) {
  const auto pair = parse_pair(text, "..");
  if (!pair) {
    return bad_input(fmt::format("read range \"{}\", expected a..b: every index with a <= index < b", text));
  }
  const Range range{pair->first, pair->second};
  if (range.begin >= range.end) return bad_input(fmt::format("range {} is empty, expected a..b with a < b", text));
  if (range.end > size) {
    return bad_input(fmt::format("range {} is outside the space, which is 0..{}", text, to_string(size)));
  }
  return range;
}

Result<Shard> parse_shard(std::string_view text) {
  const auto pair = parse_pair(text, "/");
  if (!pair || pair->first == 0 || pair->first > pair->second) {
    return bad_input(fmt::format("read shard \"{}\", expected i/n with 1 <= i <= n", text));
  }
  return Shard{pair->first, pair->second};
}

Range part_of(const Range& whole, const Shard& shard) {
  NIKA_REQUIRE(shard.number >= 1 && shard.number <= shard.count);
  const Wide each = whole.size() / shard.count;
  const Wide longer = whole.size() % shard.count;  // that many parts, the first ones, hold one more
  const Wide before = shard.number - 1;
  const Wide begin = whole.begin + before * each + std::min(before, longer);
  return {begin, begin + each + (before < longer ? 1 : 0)};
}

std::string to_text(const Range& range) { return to_string(range.begin) + ".." + to_string(range.end); }

}  // namespace nika::twins
