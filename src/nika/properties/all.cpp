#include "nika/properties/all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "nika/base/wide.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/bounded_time.hpp"
#include "nika/properties/deadlock.hpp"
#include "nika/properties/integrity.hpp"
#include "nika/properties/lasso.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/temperature.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"
#include "nika/properties/validity.hpp"

namespace nika {

std::span<const Property* const> built_in_properties() {
  static constexpr std::array<const Property*, 11> kAll{&kAgreement, &kTermination,    &kTotality,      &kValidity,
                                                        &kIntegrity, &kResponsiveness, &kTemperature,   &kBoundedTime,
                                                        &kDeadlock,  &kLasso,          &kConfirmedLasso};
  return kAll;
}

// Made once for each property and limit, and kept for as long as the program runs, since runs point to it.
const Property& limited_to(const Property& property, unsigned limit) {
  struct Kept {
    Property property;
    const Kept* next;
  };
  static std::atomic<const Kept*> kept{nullptr};
  if (property.limit == limit) return property;
  for (const Kept* item = kept.load(); item != nullptr; item = item->next) {
    if (item->property.judge == property.judge && item->property.name == property.name && item->property.limit == limit)
      return item->property;
  }
  auto* added = new Kept{property.with_limit(limit), kept.load()};
  while (!kept.compare_exchange_weak(added->next, added)) {
  }
  return added->property;
}

namespace {

// "temperature", or "temperature:3" of a property that has a limit.
Result<const Property*> property_named(std::string_view title, std::span<const Property* const> known) {
  const std::size_t colon = title.find(':');
  const auto found = std::ranges::find(known, title.substr(0, colon), &Property::name);
  if (found == known.end()) {
    std::vector<std::string_view> names;
    for (const Property* property : known) names.push_back(property->name);
    return bad_input(
        fmt::format("read property \"{}\", expected all, or some of {} with commas", title, fmt::join(names, ", ")));
  }
  if (colon == std::string_view::npos) return *found;
  const auto limit = parse_wide(title.substr(colon + 1));
  if ((*found)->limit_name.empty() || !limit || *limit < 1 || *limit > kMaxLimit) {
    return bad_input((*found)->limit_name.empty()
                         ? fmt::format("read property \"{}\", but {} has no limit", title, (*found)->name)
                         : fmt::format("read property \"{}\", expected a number of {} from 1 to {} behind the colon",
                                       title, (*found)->limit_name, kMaxLimit));
  }
  return &limited_to(**found, static_cast<unsigned>(*limit));
}

bool fit_together(const Properties& properties) {
  std::size_t bytes = 0;
  for (const Property* property : properties) bytes += (property->bytes + 7) / 8 * 8;
  return bytes <= kMonitorBytes;
}

}  // namespace

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
      for (const Property* property : known) fits = fits && (property->only_by_name || add(property));
    } else {
      const auto found = property_named(name, known);
      if (!found) return tl::unexpected(found.error());
      fits = add(*found);
    }
    if (!fits) return bad_input(fmt::format("a run is judged by at most {} properties", kMaxProperties));
    if (!fit_together(properties)) {
      return bad_input(
          fmt::format("\"{}\": together these properties remember more than the {} bytes that a run has for "
                      "them",
                      text, kMonitorBytes));
    }
    if (comma == std::string_view::npos) return properties;
    rest.remove_prefix(comma + 1);
  }
}

std::string names_of(const Properties& properties) {
  std::string text;
  for (const Property* property : properties) text += (text.empty() ? "" : ",") + title_of(*property);
  return text;
}

}  // namespace nika
