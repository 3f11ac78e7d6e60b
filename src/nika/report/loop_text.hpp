// A loop in words. "For ever" is said only of one that is proved.
#pragma once

#include <optional>
#include <string>

#include "nika/store/loop_record.hpp"

namespace nika::report {

// "loops for ever: rounds 5..8 repeat, proved; assumptions: healed, fair, one order of arrival, liars selective",
// without a line's end.
std::string loop_text(const std::optional<store::LoopRecord>& loop);
// "repaired: the same schedule on hotstuff decides in round 7", without a line's end; nothing if it is not known.
std::string repaired_text(const std::optional<store::LoopRecord>& loop);

}  // namespace nika::report
