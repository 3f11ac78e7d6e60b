#include "nika/model/outcome.hpp"

#include <fmt/format.h>

namespace nika {

std::string_view name_of(Property property) { return property == Property::kAgreement ? "agreement" : "termination"; }

Result<Properties> parse_properties(std::string_view text) {
  if (text == "agreement") return Properties{true, false};
  if (text == "termination") return Properties{false, true};
  if (text == "all") return Properties{true, true};
  return bad_input(fmt::format("read property \"{}\", expected agreement, termination or all", text));
}

std::string_view name_of(Properties properties) {
  if (properties.agreement && properties.termination) return "all";
  return name_of(properties.termination ? Property::kTermination : Property::kAgreement);
}

}  // namespace nika
