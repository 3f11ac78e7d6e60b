// What the readers and writers of all file formats share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nika/base/located_json.hpp"

namespace nika::store {

// A text in quotes. Control characters are escaped, and what is no UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

// The items, each as `to_text` writes it, with `separator` between two.
template <class Items, class ToText>
std::string joined(const Items& items, std::string_view separator, const ToText& to_text) {
  std::string result;
  bool first = true;
  for (const auto& item : items) {
    if (!first) result += separator;
    first = false;
    result += to_text(item);
  }
  return result;
}

// Complains unless the object has just this version. `what` is "scenario", "finding" or "attack". It comes before the
// members are looked at: another version has other members.
void check_version(JsonReading& reading, const LocatedJson& root, std::string_view what, unsigned known);

// Complains unless the node is one of the names; without any every text will do.
void check_property(JsonReading& reading, const LocatedJson& node, std::span<const std::string_view> known);

// A member that has to be there; null after a complaint.
const LocatedJson* member(JsonReading& reading, const JsonObject& object, const LocatedJson& owner,
                          std::string_view name);

// The items of an array of texts; none if there is no such member.
std::vector<std::string> texts_in(JsonReading& reading, const JsonObject& object, std::string_view name);

}  // namespace nika::store
