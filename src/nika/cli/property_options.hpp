// The options that say what a run is judged by: properties by name, and the limits of those that count something.
#pragma once

#include <string>

#include "nika/cli/arguments.hpp"
#include "nika/properties/all.hpp"

namespace nika::cli {

struct PropertyArguments {
  std::string property;
  std::string temperature;  // hot rounds that are too many
  std::string time_bound;   // rounds or ticks without a decision that are too many
};

void add_limit_options(Command& command, PropertyArguments& arguments);

// A limit that is given is one of a property that is asked for.
Result<Properties> properties_of(const PropertyArguments& arguments, std::span<const Property* const> known);

}  // namespace nika::cli
