// The search for an attack on a synchronous protocol: delays of messages drawn from a seed, one timed scenario after
// the other, until one breaks the property. Then the repaired protocol gets as many.
#pragma once

#include "nika/campaign/attack_search.hpp"

namespace nika {

Result<AttackFound> search_timed(const Registry& registry, const store::Attack& attack, const SearchBudget& budget);

}  // namespace nika
