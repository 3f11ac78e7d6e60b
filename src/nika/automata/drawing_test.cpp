#include "nika/automata/drawing.hpp"

#include <gtest/gtest.h>

#include <random>

#include "nika/automata/layered_layout.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {
namespace {

constexpr const char* kText = R"(
skel P { shared x; parameters n; assumptions { n >= 2; } locations { a; b; c; }
  inits { a == n; b == 0; c == 0; x == 0; }
  rules {
    1: a -> b when (true) do { x' == x + 1; };
    2: b -> c when (x >= 2 && x < 9) do {};
    3: b -> c when (x > 5) do {};
    4: a -> a when (true) do {};
    5: b -> b when (true) do {};
    6: c -> c when (true) do {};
  }
  specifications { never: [](c == 0); for_ever: <>(a == 0); } })";

Automaton automaton() { return *parse_automaton({"p.ta", kText}); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Every tag is closed, in order: enough to tell a broken file from a picture.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.back() == '/') continue;
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" \n") - (tag[0] == '/' ? 1 : 0));
    if (tag[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

TEST(Drawing, AStepMarksTheRuleThatItTakes) {
  const Automaton a = automaton();
  const Counterexample run{{2, 0, 2, 0, 0}, {{0, 2}, {1, 1}}, {{5, 1}}};
  const auto marks = marks_of(a, &run);
  EXPECT_EQ(marks[0], (std::vector<Mark>{{1, 2, false}}));
  EXPECT_EQ(marks[1], (std::vector<Mark>{{2, 1, false}}));
  EXPECT_TRUE(marks[2].empty());
  EXPECT_EQ(marks[5], (std::vector<Mark>{{3, 1, true}}));
  EXPECT_EQ(text_of(marks[0]), "step 1 ×2");
  EXPECT_EQ(text_of({{3, 1, false}, {5, 4, false}}), "steps 3, 5 ×4");
}

TEST(Drawing, GraphvizGetsThePathInRedAndNoRuleThatDoesNothing) {
  const Automaton a = automaton();
  EXPECT_EQ(dot_graph(a),
            "digraph P {\n  rankdir=LR;\n  node [shape=circle, fontsize=11];\n  a;\n  b;\n  c;\n"
            "  a -> b [label=\"1: true\\nx := x + 1\", fontsize=9];\n"
            "  b -> c [label=\"2: x >= 2 && x < 9\", fontsize=9];\n"
            "  b -> c [label=\"3: x > 5\", fontsize=9];\n}\n");
  const Counterexample run{{2, 0, 2, 0, 0}, {{0, 2}, {1, 1}}, {{5, 1}}};
  const std::string drawn = dot_graph(a, {{"a \"claim\""}, &run});
  EXPECT_NE(drawn.find("  label=\"a \\\"claim\\\"\\l\";\n"), std::string::npos);
  EXPECT_NE(drawn.find("  a [label=\"a\\n2\", color=red];\n"), std::string::npos);
  EXPECT_NE(
      drawn.find(
          "  b -> c [label=\"2: x >= 2 && x < 9\\nstep 2\", fontsize=9, color=red, fontcolor=red, penwidth=2];\n"),
      std::string::npos);
  EXPECT_NE(drawn.find("  c -> c [label=\"6: true\\nstep 3\""), std::string::npos);
}

TEST(Drawing, SvgHasABoxForEachLocationAndOneCurveForRulesBetweenTheSameTwo) {
  const std::string svg = svg_drawing(automaton());
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "class=\"box"), 3U);
  EXPECT_EQ(count(svg, "class=\"rule\""), 2U);
  EXPECT_EQ(count(svg, ">2, 3</text>"), 1U);
  EXPECT_EQ(count(svg, "2: b → c when x &gt;= 2 &amp;&amp; x &lt; 9</text>"), 1U);
  EXPECT_EQ(count(svg, "step"), 0U);
}

TEST(Drawing, SvgShowsTheRunOfAViolatedProperty) {
  const Automaton a = automaton();
  const Counterexample run{{2, 0, 2, 0, 0}, {{0, 2}, {1, 1}}, {}};
  ASSERT_EQ(objection_to(a, *a.specifications[0].formula, run), std::nullopt);
  const std::string svg = svg_drawing(a, {{"never is violated"}, &run});
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "class=\"rule taken\""), 2U);
  EXPECT_EQ(count(svg, ">1: step 1 ×2</text>"), 1U);
  EXPECT_EQ(count(svg, ">2: step 2</text>"), 1U);
  EXPECT_EQ(count(svg, ">3</text>"), 1U);  // the other rule of the same curve
  EXPECT_EQ(count(svg, ">2 → 0</text>"), 1U);
  EXPECT_EQ(count(svg, ">0 → 1</text>"), 2U);
}

TEST(Drawing, ARunThatStaysForEverShowsWhere) {
  const Automaton a = automaton();
  const System system = prepare(a, {});
  const Outcome outcome = verify_property(system, *a.specifications[1].formula, {});
  ASSERT_TRUE(outcome.counterexample);
  const std::string svg = svg_drawing(a, {{"for_ever is violated"}, &*outcome.counterexample});
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, ">4: step 1</text>"), 1U);
  EXPECT_EQ(count(svg, "and then for ever:</text>"), 1U);
}

bool overlap(const Layout& layout, const Graph& graph, std::size_t one, std::size_t other) {
  const double dx = std::abs(layout.centres[one].x - layout.centres[other].x);
  const double dy = std::abs(layout.centres[one].y - layout.centres[other].y);
  return dx < (graph.nodes[one].width + graph.nodes[other].width) / 2 &&
         dy < (graph.nodes[one].height + graph.nodes[other].height) / 2;
}

// Whatever the graph, cycles, loops and unconnected nodes included.
TEST(LayeredLayout, NodesNeverOverlapAndEdgesGoFromBorderToBorder) {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (unsigned round = 0; round < 300; ++round) {
    Graph graph;
    const std::uint32_t nodes = 1 + random() % 12;
    for (std::uint32_t i = 0; i < nodes; ++i) graph.nodes.push_back({30.0 + random() % 90, 30.0 + random() % 20});
    const std::uint32_t edges = random() % (3 * nodes);
    for (std::uint32_t i = 0; i < edges; ++i) {
      graph.edges.push_back({random() % nodes, random() % nodes, 10.0 * (random() % 8)});
    }
    const Layout layout = layout_of(graph);
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto [x, y] = layout.centres[i];
      EXPECT_GE(x - graph.nodes[i].width / 2, 0);
      EXPECT_LE(y + graph.nodes[i].height / 2, layout.size.height);
      for (std::size_t other = 0; other < i; ++other) ASSERT_FALSE(overlap(layout, graph, i, other));
    }
    for (std::size_t i = 0; i < edges; ++i) {
      const GraphEdge& edge = graph.edges[i];
      if (edge.from == edge.to) {
        EXPECT_TRUE(layout.paths[i].empty());
        continue;
      }
      EXPECT_NE(layout.layers[edge.from], layout.layers[edge.to]);
      EXPECT_NEAR(std::abs(layout.paths[i].front().x - layout.centres[edge.from].x), graph.nodes[edge.from].width / 2,
                  1e-6);
      EXPECT_NEAR(std::abs(layout.paths[i].back().x - layout.centres[edge.to].x), graph.nodes[edge.to].width / 2, 1e-6);
      EXPECT_LE(std::abs(layout.paths[i].back().y - layout.centres[edge.to].y), graph.nodes[edge.to].height / 2);
    }
  }
}

TEST(LayeredLayout, AChainRunsFromLeftToRightAndADiamondHasNoCrossing) {
  const Layout layout = layout_of({{{40, 30}, {40, 30}, {40, 30}, {40, 30}}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 0}}});
  EXPECT_EQ(layout.layers, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  EXPECT_LT(layout.centres[0].x, layout.centres[1].x);
  EXPECT_EQ(layout.centres[1].x, layout.centres[2].x);
  EXPECT_LT(layout.centres[1].y, layout.centres[2].y);
  EXPECT_GT(layout.paths[4].front().x, layout.paths[4].back().x);  // the way back
}

}  // namespace
}  // namespace nika::automata
