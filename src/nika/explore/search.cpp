#include "nika/explore/search.hpp"

#include <algorithm>
#include <tuple>

namespace nika {

void keep_first(std::vector<FoundFork>& forks, const FoundFork& fork) {
  const auto rank = [](const FoundFork& f) {
    return std::tuple(f.configurations.size() + (f.while_healing ? 1U : 0U), f.configurations);
  };
  const auto same = std::ranges::find(forks, fork.kind, &FoundFork::kind);
  if (same == forks.end()) {
    forks.push_back(fork);
    std::ranges::sort(forks, {}, &FoundFork::kind);
  } else if (rank(fork) < rank(*same)) {
    *same = fork;
  }
}

void absorb(SearchResult& total, const SearchResult& part) {
  total.covered += part.covered;
  total.violating += part.violating;
  total.unknown += part.unknown;
  total.executions += part.executions;
  for (const FoundFork& fork : part.forks) keep_first(total.forks, fork);
}

}  // namespace nika
