#include "nika/explore/search.hpp"

#include <algorithm>
#include <tuple>

namespace nika {

void keep_first(std::vector<BrokenPrefix>& broken, const BrokenPrefix& found) {
  const auto length = [](const BrokenPrefix& b) { return b.configurations.size() + (b.while_healing ? 1U : 0U); };
  const auto same = std::ranges::find_if(
      broken, [&](const BrokenPrefix& b) { return b.property == found.property && b.kind == found.kind; });
  if (same == broken.end()) {
    broken.push_back(found);
    std::ranges::sort(broken, {}, [](const BrokenPrefix& b) { return std::tuple(b.property, b.kind); });
  } else if (std::tuple(length(found), found.configurations, found.healing) <
             std::tuple(length(*same), same->configurations, same->healing)) {
    *same = found;
  }
}

void absorb(SearchResult& total, const SearchResult& part) {
  total.tally.add(part.tally);
  total.executions += part.executions;
  total.healing_rounds += part.healing_rounds;
  total.has_committed = total.has_committed || part.has_committed;
  for (const BrokenPrefix& found : part.broken) keep_first(total.broken, found);
}

}  // namespace nika
