// Numbers the ways to assign configurations to rounds, in the lexicographic order of the sequences: a sequence with
// repetition is a number in base `choices`, one without is a number in a falling base, a static one is its first
// element.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nika/base/wide.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika::twins {

struct AssignmentShape {
  Assignment assignment = Assignment::kReplacement;
  std::uint32_t choices = 0;
};

void unrank_assignment(const AssignmentShape& shape, Wide number, std::span<std::uint32_t> sequence);
// Nothing if the sequence is none of this shape, or its number is 2^128 or more.
std::optional<Wide> rank_assignment(const AssignmentShape& shape, std::span<const std::uint32_t> sequence);

}  // namespace nika::twins
