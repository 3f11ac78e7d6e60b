// Places the nodes of a small directed graph in layers from left to right and leads its edges between them, as
// Sugiyama, Tagawa and Toda do: layers by longest paths, order by barycentres, heights by least squares. It knows
// nothing of automata and draws nothing. The same graph gives the same picture everywhere.
#pragma once

#include <cstdint>
#include <vector>

namespace nika::automata {

struct Point {
  double x = 0;
  double y = 0;
};

struct Extent {
  double width = 0;
  double height = 0;
};

struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double label_width = 0;  // room that it wants between two layers
};

struct Graph {
  std::vector<Extent> nodes;
  std::vector<GraphEdge> edges;  // those from a node to itself are not laid out: their path is empty
};

struct Layout {
  std::vector<std::uint32_t> layers;      // by node
  std::vector<Point> centres;             // by node
  std::vector<std::vector<Point>> paths;  // by edge: from the border of its first node to that of its last
  Extent size;
};

Layout layout_of(const Graph& graph);

}  // namespace nika::automata
