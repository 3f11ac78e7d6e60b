#include "nika/cli/property_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/wide.hpp"
#include "nika/properties/bounded_time.hpp"
#include "nika/properties/temperature.hpp"

namespace nika::cli {
namespace {

struct LimitOption {
  std::string_view name;
  const std::string& text;
  const Property& property;
};

Result<void> apply(const LimitOption& option, Properties& properties) {
  if (option.text.empty()) return {};
  const auto limit = parse_wide(option.text);
  if (!limit || *limit < 1 || *limit > kMaxLimit) {
    return bad_input(
        fmt::format("read {} \"{}\", expected a number from 1 to {}", option.name, option.text, kMaxLimit));
  }
  auto* found = std::ranges::find(properties, option.property.name, &Property::name);
  if (found == properties.end())
    return bad_input(fmt::format("{} needs --property {}", option.name, option.property.name));
  if ((*found)->limit != (*found)->usual_limit && (*found)->limit != *limit) {
    return bad_input(
        fmt::format("{} {} and --property {} contradict each other", option.name, option.text, title_of(**found)));
  }
  *found = &limited_to(**found, static_cast<unsigned>(*limit));
  return {};
}

}  // namespace

void add_limit_options(Command& command, PropertyArguments& arguments) {
  command.option("--temperature", arguments.temperature,
                 "with --property temperature: hot rounds in a row that are too many (default: 5)", "N");
  command.option("--time-bound", arguments.time_bound,
                 "with --property bounded-time: rounds, or ticks of a timed run, without a decision that are too many",
                 "N");
}

Result<Properties> properties_of(const PropertyArguments& arguments, std::span<const Property* const> known) {
  auto properties = parse_properties(arguments.property, known);
  if (!properties) return properties;
  for (const LimitOption& option : {LimitOption{"--temperature", arguments.temperature, kTemperature},
                                    LimitOption{"--time-bound", arguments.time_bound, kBoundedTime}}) {
    if (auto sound = apply(option, *properties); !sound) return tl::unexpected(sound.error());
  }
  for (const Property* property : *properties) {
    if (!property->limit_name.empty() && property->limit == 0) {
      return bad_input(
          fmt::format("--property {0} needs a number of {1}, such as {0}:20", property->name, property->limit_name));
    }
  }
  return properties;
}

}  // namespace nika::cli
