// The exhaustive search.
#pragma once

#include "nika/base/result.hpp"
#include "nika/explore/search.hpp"
#include "nika/model/protocol.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika {

template <Protocol P>
Result<SearchResult> explore(const twins::Space&, const SearchOptions&) {
  return bad_input("exhaustive search is not linked in");
}

}  // namespace nika
