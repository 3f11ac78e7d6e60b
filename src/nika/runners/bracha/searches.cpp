#include "nika/runners/bracha/searches.hpp"

namespace nika {

template Result<SearchResult> explore<bracha::Bracha>(const twins::Space&, const Cluster&, const Properties&,
                                                      const SearchOptions&);
template Result<StepSearchResult> explore_steps<bracha::Bracha>(const Cluster&, const Properties&,
                                                                const StepSearchOptions&);

}  // namespace nika
