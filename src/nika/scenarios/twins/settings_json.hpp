// The settings of a space as one line of JSON, so that an index in a file keeps its meaning.
// Checks each value by itself; whether they fit together is for Space::make.
#pragma once

#include <string>

#include "nika/base/located_json.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika::twins {

std::string to_json(const Settings& settings);
// Complaints go to the reading; what is returned after one is of no use.
Settings settings_in(JsonReading& reading, const LocatedJson& node);

}  // namespace nika::twins
