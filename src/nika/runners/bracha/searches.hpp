// The exhaustive searches of Bracha's broadcast are compiled apart from its runs: together they take too long with
// sanitizers.
#pragma once

#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/bracha/bracha.hpp"

namespace nika {

extern template Result<SearchResult> explore<bracha::Bracha>(const twins::Space&, const Cluster&, const Properties&,
                                                             const SearchOptions&);
extern template Result<StepSearchResult> explore_steps<bracha::Bracha>(const Cluster&, const Properties&,
                                                                       const StepSearchOptions&);

}  // namespace nika
