#include "nika/automata/layered_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nika::automata {
namespace {

constexpr double kMargin = 24;
constexpr double kGapBetweenNodes = 34;
constexpr double kGapBetweenEdges = 20;
constexpr double kLeastGapBetweenLayers = 64;
constexpr unsigned kSweeps = 24;

// A node of the graph, or a place where a long edge crosses a layer.
struct Vertex {
  std::uint32_t layer = 0;
  Extent extent;
  bool is_node = false;
  std::vector<std::uint32_t> left, right;  // neighbours in the layers beside it
  double y = 0;
};

class Layered {
 public:
  explicit Layered(const Graph& graph) : graph_(graph), is_turned_(graph.edges.size(), false) {}

  Layout layout() {
    turn_back_edges();
    assign_layers();
    add_vertices();
    order_layers();
    place_heights();
    place_columns();
    return result();
  }

 private:
  using Order = std::vector<std::vector<std::uint32_t>>;

  bool is_loop(std::size_t edge) const { return graph_.edges[edge].from == graph_.edges[edge].to; }
  std::uint32_t left_of(std::size_t edge) const {
    return is_turned_[edge] ? graph_.edges[edge].to : graph_.edges[edge].from;
  }
  std::uint32_t right_of(std::size_t edge) const {
    return is_turned_[edge] ? graph_.edges[edge].from : graph_.edges[edge].to;
  }

  // Edges that lead back on a depth-first walk are drawn from right to left.
  void turn_back_edges() {
    enum class Colour { white, grey, black };
    std::vector<Colour> colours(graph_.nodes.size(), Colour::white);
    std::vector<std::vector<std::size_t>> out(graph_.nodes.size());
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      if (!is_loop(i)) out[graph_.edges[i].from].push_back(i);
    }
    for (std::uint32_t root = 0; root < graph_.nodes.size(); ++root) {
      if (colours[root] != Colour::white) continue;
      std::vector<std::pair<std::uint32_t, std::size_t>> stack = {{root, 0}};
      colours[root] = Colour::grey;
      while (!stack.empty()) {
        auto& [node, next] = stack.back();
        if (next == out[node].size()) {
          colours[node] = Colour::black;
          stack.pop_back();
          continue;
        }
        const std::size_t edge = out[node][next++];
        const std::uint32_t to = graph_.edges[edge].to;
        if (colours[to] == Colour::grey) is_turned_[edge] = true;
        if (colours[to] == Colour::white) {
          colours[to] = Colour::grey;
          stack.emplace_back(to, 0);
        }
      }
    }
  }

  // The longest path from the left; what has nothing on its left stands close to what it leads to.
  void assign_layers() {
    layers_.assign(graph_.nodes.size(), 0);
    for (std::size_t round = 0; round < graph_.nodes.size(); ++round) {
      for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
        if (is_loop(i)) continue;
        std::uint32_t& layer = layers_[right_of(i)];
        layer = std::max(layer, layers_[left_of(i)] + 1);
      }
    }
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<bool> has_left(graph_.nodes.size(), false);
    std::vector<std::uint32_t> nearest(graph_.nodes.size(), kNone);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      if (is_loop(i)) continue;
      has_left[right_of(i)] = true;
      nearest[left_of(i)] = std::min(nearest[left_of(i)], layers_[right_of(i)]);
    }
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (!has_left[node] && nearest[node] != kNone) layers_[node] = nearest[node] - 1;
    }
  }

  void connect(std::uint32_t left, std::uint32_t right) {
    vertices_[left].right.push_back(right);
    vertices_[right].left.push_back(left);
  }

  void add_vertices() {
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      vertices_.push_back({layers_[node], graph_.nodes[node], true, {}, {}, 0});
    }
    chains_.resize(graph_.edges.size());
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      if (is_loop(i)) continue;
      std::uint32_t last = left_of(i);
      chains_[i] = {last};
      for (std::uint32_t layer = layers_[left_of(i)] + 1; layer < layers_[right_of(i)]; ++layer) {
        vertices_.push_back({layer, {}, false, {}, {}, 0});
        const auto bend = static_cast<std::uint32_t>(vertices_.size() - 1);
        connect(last, bend);
        chains_[i].push_back(bend);
        last = bend;
      }
      connect(last, right_of(i));
      chains_[i].push_back(right_of(i));
    }
    for (std::uint32_t vertex = 0; vertex < vertices_.size(); ++vertex) {
      if (order_.size() <= vertices_[vertex].layer) order_.resize(vertices_[vertex].layer + 1);
      order_[vertices_[vertex].layer].push_back(vertex);
    }
  }

  std::vector<std::size_t> positions(const Order& order) const {
    std::vector<std::size_t> result(vertices_.size(), 0);
    for (const auto& layer : order) {
      for (std::size_t i = 0; i < layer.size(); ++i) result[layer[i]] = i;
    }
    return result;
  }

  std::size_t crossings(const Order& order) const {
    const std::vector<std::size_t> position = positions(order);
    std::size_t count = 0;
    for (const auto& layer : order) {
      std::vector<std::size_t> ends;  // in the order of their beginnings
      for (const std::uint32_t vertex : layer) {
        std::vector<std::size_t> own;
        for (const std::uint32_t right : vertices_[vertex].right) own.push_back(position[right]);
        std::sort(own.begin(), own.end());
        for (const std::size_t end : own) {
          count += static_cast<std::size_t>(
              std::count_if(ends.begin(), ends.end(), [&](std::size_t other) { return other > end; }));
        }
        ends.insert(ends.end(), own.begin(), own.end());
      }
    }
    return count;
  }

  // Barycentres, to the right and to the left in turn; the best order that was seen is kept.
  void order_layers() {
    Order order = order_;
    std::size_t fewest = crossings(order);
    for (unsigned sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
      const bool rightwards = sweep % 2 == 0;
      for (std::size_t step = 1; step < order.size(); ++step) {
        auto& layer = order[rightwards ? step : order.size() - 1 - step];
        const std::vector<std::size_t> position = positions(order);
        std::vector<double> key(vertices_.size(), 0);
        for (const std::uint32_t vertex : layer) {
          const auto& beside = rightwards ? vertices_[vertex].left : vertices_[vertex].right;
          double sum = 0;
          for (const std::uint32_t other : beside) sum += static_cast<double>(position[other]);
          key[vertex] =
              beside.empty() ? static_cast<double>(position[vertex]) : sum / static_cast<double>(beside.size());
        }
        std::stable_sort(layer.begin(), layer.end(),
                         [&](std::uint32_t one, std::uint32_t other) { return key[one] < key[other]; });
      }
      const std::size_t now = crossings(order);
      if (now >= fewest) continue;
      fewest = now;
      order_ = order;
    }
  }

  double distance(std::uint32_t upper, std::uint32_t lower) const {
    const Vertex& one = vertices_[upper];
    const Vertex& other = vertices_[lower];
    const double gap = one.is_node || other.is_node ? kGapBetweenNodes : kGapBetweenEdges;
    return (one.extent.height + other.extent.height) / 2 + gap;
  }

  // The heights nearest to the wanted ones, in the sense of least squares, that keep order and distances: blocks of
  // neighbours that would come too close are moved together.
  void settle(const std::vector<std::uint32_t>& layer, const std::vector<double>& wanted) {
    struct Together {
      double sum;
      std::size_t count;
      double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<double> offsets(layer.size(), 0);
    for (std::size_t i = 1; i < layer.size(); ++i) offsets[i] = offsets[i - 1] + distance(layer[i - 1], layer[i]);
    std::vector<Together> blocks;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      blocks.push_back({wanted[i] - offsets[i], 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
        const Together last = blocks.back();
        blocks.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().count += last.count;
      }
    }
    std::size_t i = 0;
    for (const Together& block : blocks) {
      for (std::size_t k = 0; k < block.count; ++k, ++i) vertices_[layer[i]].y = block.mean() + offsets[i];
    }
  }

  void place_heights() {
    for (const auto& layer : order_) settle(layer, std::vector<double>(layer.size(), 0));
    for (unsigned sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t step = 0; step < order_.size(); ++step) {
        const auto& layer = order_[sweep % 2 == 0 ? step : order_.size() - 1 - step];
        std::vector<double> wanted;
        for (const std::uint32_t vertex : layer) {
          double sum = 0;
          double weight = 0;
          for (const auto* side : {&vertices_[vertex].left, &vertices_[vertex].right}) {
            for (const std::uint32_t other : *side) {
              const double pull = vertices_[other].is_node ? 1 : 2;  // long edges are kept straight
              sum += pull * vertices_[other].y;
              weight += pull;
            }
          }
          wanted.push_back(weight > 0 ? sum / weight : vertices_[vertex].y);
        }
        settle(layer, wanted);
      }
    }
    double top = 0;
    for (const Vertex& vertex : vertices_) top = std::min(top, vertex.y - vertex.extent.height / 2);
    for (Vertex& vertex : vertices_) vertex.y += kMargin - top;
  }

  void place_columns() {
    std::vector<double> gaps(order_.size(), kLeastGapBetweenLayers);
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (is_loop(i)) continue;
      double& gap = gaps[layers_[left_of(i)]];
      gap = std::max(gap, graph_.edges[i].label_width + kLeastGapBetweenLayers);
    }
    double x = kMargin;
    for (std::size_t layer = 0; layer < order_.size(); ++layer) {
      double width = 0;
      for (const std::uint32_t vertex : order_[layer]) width = std::max(width, vertices_[vertex].extent.width);
      columns_.push_back(x + width / 2);
      x += width + gaps[layer];
    }
  }

  // Edges that meet at one side of a node touch it at different heights, in the order of where they come from.
  std::vector<double> heights_at(std::uint32_t node, bool at_right, const std::vector<std::size_t>& edges) const {
    std::vector<double> result(edges.size(), vertices_[node].y);
    if (edges.size() < 2) return result;
    std::vector<std::size_t> order(edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto towards = [&](std::size_t i) {
      const auto& chain = chains_[edges[i]];
      return vertices_[at_right ? chain[1] : chain[chain.size() - 2]].y;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t one, std::size_t other) { return towards(one) < towards(other); });
    const double room = vertices_[node].extent.height * 0.7;
    const double step = std::min(10.0, room / static_cast<double>(edges.size() - 1));
    for (std::size_t i = 0; i < order.size(); ++i) {
      result[order[i]] += step * (static_cast<double>(i) - static_cast<double>(edges.size() - 1) / 2);
    }
    return result;
  }

  void touch_nodes(Layout& layout) const {
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      for (const bool at_right : {false, true}) {
        std::vector<std::size_t> edges;
        for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
          if (!is_loop(i) && (at_right ? left_of(i) : right_of(i)) == node) edges.push_back(i);
        }
        const std::vector<double> heights = heights_at(node, at_right, edges);
        const double half = vertices_[node].extent.width / 2;
        for (std::size_t i = 0; i < edges.size(); ++i) {
          Point& end = at_right ? layout.paths[edges[i]].front() : layout.paths[edges[i]].back();
          end = {layout.centres[node].x + (at_right ? half : -half), heights[i]};
        }
      }
    }
  }

  Layout result() {
    Layout layout;
    layout.layers = layers_;
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      layout.centres.push_back({columns_[layers_[node]], vertices_[node].y});
    }
    layout.paths.resize(graph_.edges.size());
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      for (const std::uint32_t vertex : chains_[i]) {
        layout.paths[i].push_back({columns_[vertices_[vertex].layer], vertices_[vertex].y});
      }
    }
    touch_nodes(layout);
    for (std::size_t i = 0; i < layout.paths.size(); ++i) {
      if (is_turned_[i]) std::reverse(layout.paths[i].begin(), layout.paths[i].end());
    }
    for (const Vertex& vertex : vertices_) {
      layout.size.width = std::max(layout.size.width, columns_[vertex.layer] + vertex.extent.width / 2 + kMargin);
      layout.size.height = std::max(layout.size.height, vertex.y + vertex.extent.height / 2 + kMargin);
    }
    return layout;
  }

  const Graph& graph_;
  std::vector<bool> is_turned_;
  std::vector<std::uint32_t> layers_;
  std::vector<Vertex> vertices_;                    // the graph's nodes come first
  std::vector<std::vector<std::uint32_t>> chains_;  // by edge: its vertices from left to right
  Order order_;
  std::vector<double> columns_;
};

}  // namespace

Layout layout_of(const Graph& graph) { return Layered(graph).layout(); }

}  // namespace nika::automata
