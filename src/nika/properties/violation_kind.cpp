#include "nika/properties/violation_kind.hpp"

namespace nika {

ViolationKind kind_of(const Conflict& conflict) {
  const bool same_round = conflict.first_value.round() == conflict.second_value.round();
  return same_round ? ViolationKind::kSameRound : ViolationKind::kAcrossRounds;
}

ViolationKind kind_of(const Outcome& outcome) {
  if (outcome.property == Property::kAgreement) return kind_of(outcome.conflict);
  return outcome.standstill.blocked.empty() ? ViolationKind::kNoDecision : ViolationKind::kNoValidProposal;
}

Property property_of(ViolationKind kind) {
  const bool forks = kind == ViolationKind::kSameRound || kind == ViolationKind::kAcrossRounds;
  return forks ? Property::kAgreement : Property::kTermination;
}

std::string_view name_of(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::kSameRound: return "two values of one round";
    case ViolationKind::kAcrossRounds: return "values of different rounds";
    case ViolationKind::kNoDecision: return "no decision after healing";
    case ViolationKind::kNoValidProposal: break;
  }
  return "no valid proposal exists";
}

}  // namespace nika
