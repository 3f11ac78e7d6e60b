#include "nika/explore/search.hpp"

namespace nika {

ForkKind kind_of(const Conflict& conflict) {
  return conflict.first_value.round() == conflict.second_value.round() ? ForkKind::kSameRound : ForkKind::kAcrossRounds;
}

std::string_view name_of(ForkKind kind) {
  return kind == ForkKind::kSameRound ? "two values of one round" : "values of different rounds";
}

}  // namespace nika
