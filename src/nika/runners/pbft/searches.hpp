// The exhaustive searches of PBFT are compiled apart from its runs: together they take too long.
#pragma once

#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/pbft/pbft.hpp"

namespace nika {

extern template Result<SearchResult> explore<pbft::Pbft>(const twins::Space&, const Cluster&, const Properties&,
                                                         const SearchOptions&);
extern template Result<StepSearchResult> explore_steps<pbft::Pbft>(const Cluster&, const Properties&,
                                                                   const StepSearchOptions&);

}  // namespace nika
