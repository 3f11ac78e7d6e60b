// A loop in words. "For ever" is said only of one that is proved.
#pragma once

#include <optional>
#include <string>

#include "nika/model/loop.hpp"

namespace nika::report {

// "loops for ever: rounds 5..8 repeat, proved; assumptions: healed, fair, one order of arrival", without a line's end.
std::string loop_text(const std::optional<Loop>& loop);

}  // namespace nika::report
