// The protocols that come with nika. A new one is one line in registry.cpp.
#pragma once

#include "nika/campaign/registry.hpp"

namespace nika::cli {

Registry built_in_protocols();

}  // namespace nika::cli
