#include "nika/runners/pbft/searches.hpp"

namespace nika {

template Result<SearchResult> explore<pbft::Pbft>(const twins::Space&, const Cluster&, const Properties&,
                                                  const SearchOptions&);
template Result<StepSearchResult> explore_steps<pbft::Pbft>(const Cluster&, const Properties&,
                                                            const StepSearchOptions&);

}  // namespace nika
