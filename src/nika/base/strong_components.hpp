// Strongly connected components of a directed graph, by Tarjan's algorithm without recursion.
#pragma once

#include <cstdint>
#include <vector>

namespace nika {

class StrongComponents {
 public:
  explicit StrongComponents(std::uint32_t node_count) : edges_(node_count) {}

  void add_edge(std::uint32_t from, std::uint32_t to) { edges_[from].push_back(to); }

  // The component of each node. Components are numbered so that every edge between two of them goes to the lower
  // number.
  std::vector<std::uint32_t> find();
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::vector<std::uint32_t>> edges_;
  std::uint32_t count_ = 0;
};

}  // namespace nika
