// A scenario as a row of numbers: one total order on scenarios, and what their fingerprints are made of. It sees all
// but texts; inputs are compared by who shares them.
#pragma once

#include <cstdint>
#include <vector>

#include "nika/model/scenario.hpp"

namespace nika::shrink {

std::vector<std::uint32_t> key_of(const Scenario& scenario);

}  // namespace nika::shrink
