// The protocols that come with nika. A new one is one line in built_in_protocols.cpp.
#pragma once

#include <string_view>

#include "nika/campaign/registry.hpp"

namespace nika {

Registry built_in_protocols();

// The one with this name, which there must be.
const Runner& built_in_protocol(std::string_view name);

}  // namespace nika
