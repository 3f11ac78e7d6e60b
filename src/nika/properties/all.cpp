#include "nika/properties/all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "nika/properties/agreement.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"

namespace nika {

std::span<const Property* const> built_in_properties() {
  static constexpr std::array<const Property*, 3> kAll{&kAgreement, &kTermination, &kTotality};
  return kAll;
}

Result<Properties> parse_properties(std::string_view text, std::span<const Property* const> known) {
  Properties properties;
  const auto add = [&](const Property* property) {
    return std::ranges::find(properties, property) != properties.end() || properties.push_back(property);
  };
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    bool fits = true;
    if (name == "all") {
      for (const Property* property : known) fits = fits && add(property);
    } else {
      const auto found = std::ranges::find(known, name, &Property::name);
      if (found == known.end()) {
        std::vector<std::string_view> names;
        for (const Property* property : known) names.push_back(property->name);
        return bad_input(
            fmt::format("read property \"{}\", expected all, or some of {} with commas", name, fmt::join(names, ", ")));
      }
      fits = add(*found);
    }
    if (!fits) return bad_input(fmt::format("a run is judged by at most {} properties", kMaxProperties));
    if (comma == std::string_view::npos) return properties;
    rest.remove_prefix(comma + 1);
  }
}

std::string names_of(const Properties& properties) {
  std::string text;
  for (const Property* property : properties) text += (text.empty() ? "" : ",") + std::string(property->name);
  return text;
}

}  // namespace nika
