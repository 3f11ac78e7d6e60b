// The properties that come with nika, by name. A new one is a file beside this one and a line in all.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/base/result.hpp"
#include "nika/model/property.hpp"

namespace nika {

std::span<const Property* const> built_in_properties();

inline constexpr unsigned kMaxLimit = 65'535;

// The same property with another limit; it lives as long as the program.
const Property& limited_to(const Property& property, unsigned limit);

// "agreement,termination", or "all" of those that are known but for those that are asked for only by name. A limit
// stands behind its property: "temperature:3".
Result<Properties> parse_properties(std::string_view text, std::span<const Property* const> known);
std::string names_of(const Properties& properties);  // with their limits, joined by commas

inline Properties only(const Property& property) {
  Properties result;
  (void)result.push_back(&property);
  return result;
}

}  // namespace nika
