// In which way a property is broken, as far as violations that look alike are told once.
#pragma once

#include <cstdint>
#include <string_view>

#include "nika/model/outcome.hpp"

namespace nika {

enum class ViolationKind : std::uint8_t {
  kSameRound,        // agreement: two values of one round
  kAcrossRounds,     // agreement: values of different rounds
  kNoDecision,       // termination: nobody decides after the network healed
  kNoValidProposal,  // termination: a leader can never make a valid proposal again
};
inline constexpr unsigned kViolationKinds = 4;

ViolationKind kind_of(const Conflict& conflict);
ViolationKind kind_of(const Outcome& outcome);  // of a violated one
Property property_of(ViolationKind kind);
std::string_view name_of(ViolationKind kind);

}  // namespace nika
