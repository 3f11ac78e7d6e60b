#include "nika/base/strong_components.hpp"

#include <algorithm>
#include <limits>

namespace nika {

std::vector<std::uint32_t> StrongComponents::find() {
  constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();
  const auto size = static_cast<std::uint32_t>(edges_.size());
  std::vector<std::uint32_t> component(size, kUnset), order(size, kUnset), low(size, 0), open, path;
  std::vector<std::size_t> next_edge(size, 0);
  std::uint32_t visited = 0;
  count_ = 0;
  for (std::uint32_t root = 0; root < size; ++root) {
    if (order[root] != kUnset) continue;
    path.push_back(root);
    while (!path.empty()) {
      const std::uint32_t node = path.back();
      if (order[node] == kUnset) {
        order[node] = low[node] = visited++;
        open.push_back(node);
      }
      if (next_edge[node] < edges_[node].size()) {
        const std::uint32_t child = edges_[node][next_edge[node]++];
        if (order[child] == kUnset) {
          path.push_back(child);
        } else if (component[child] == kUnset) {
          low[node] = std::min(low[node], order[child]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[node]);
      if (low[node] != order[node]) continue;
      while (component[node] == kUnset) {
        component[open.back()] = count_;
        open.pop_back();
      }
      ++count_;
    }
  }
  return component;
}

}  // namespace nika
