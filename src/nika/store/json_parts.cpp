#include "nika/store/json_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nika::store {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void check_version(JsonReading& reading, const LocatedJson& root, std::string_view what, unsigned known) {
  const auto version = std::ranges::find(root.items, "version", &LocatedJson::name);
  const std::string named = fmt::format("{} {}", what.starts_with('a') ? "an" : "a", what);
  const std::string expected = fmt::format("version {}, which this program reads", known);
  if (version == root.items.end()) {
    return reading.complain(root.offset, fmt::format("{} without \"version\"", named), expected);
  }
  if (version->number == known) return;
  const std::string read = version->number ? fmt::format("{} of version {}", named, *version->number)
                                           : fmt::format("{} as the version of {}", describe(*version), named);
  const bool is_newer = version->number && *version->number > known;
  reading.complain(version->offset, read, expected + (is_newer ? ": a newer Nika wrote it" : ""));
}

void check_property(JsonReading& reading, const LocatedJson& node, std::span<const std::string_view> known) {
  const std::string_view name = std::string_view(node.text).substr(0, node.text.find(':'));  // without its limit
  if (known.empty() || std::ranges::find(known, name) != known.end()) return;
  reading.complain(node, fmt::format("a property, one of {}", fmt::join(known, ", ")));
}

const LocatedJson* member(JsonReading& reading, const JsonObject& object, const LocatedJson& owner,
                          std::string_view name) {
  const LocatedJson* found = object.find(name);
  if (found == nullptr) reading.complain(owner.offset, fmt::format("an object without \"{}\"", name), "it");
  return reading.error() ? nullptr : found;
}

std::vector<std::string> texts_in(JsonReading& reading, const JsonObject& object, std::string_view name) {
  std::vector<std::string> texts;
  for (const LocatedJson& item : object.items(name, LocatedJson::Kind::kArray)) {
    if (item.kind != LocatedJson::Kind::kString) reading.complain(item, "a text");
    texts.push_back(item.text);
  }
  return texts;
}

}  // namespace nika::store
