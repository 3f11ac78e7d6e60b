#include "nika/campaign/lasso.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace nika {
namespace {

using Trail = std::vector<PartialSystemState>;

constexpr PartialSystemState hot(std::uint64_t name) { return {name, true}; }
constexpr PartialSystemState cold(std::uint64_t name) { return {name, false}; }

unsigned lasso_of(const std::vector<Trail>& executions, const Trail& trail) {
  TransitionGraph graph;
  for (const Trail& execution : executions) graph.add(execution);
  return HotCycles(graph).rounds_until_lasso(trail);
}

// Figure 4 of the paper: neither execution goes through the cycle, both together do.
TEST(Lasso, ACycleIsMadeOfSeveralExecutions) {
  const Trail first{hot(0), hot(1), hot(2)};
  const Trail second{hot(0), hot(2), hot(1)};
  EXPECT_EQ(lasso_of({first}, first), 0U);
  EXPECT_EQ(lasso_of({second}, second), 0U);
  EXPECT_EQ(lasso_of({first, second}, first), 3U);
  EXPECT_EQ(lasso_of({first, second}, second), 3U);
}

TEST(Lasso, AStateThatStaysIsACycle) {
  const Trail trail{cold(0), cold(0), hot(1), hot(2), hot(2), hot(2)};
  EXPECT_EQ(lasso_of({trail}, trail), 5U);
}

TEST(Lasso, ACycleThroughAColdStateIsNone) {
  const Trail trail{hot(1), cold(2), hot(1), cold(2), hot(1), cold(3), cold(3)};
  EXPECT_EQ(lasso_of({trail}, trail), 0U);
}

TEST(Lasso, TheWayIntoACycleAndOutOfItIsNotOnIt) {
  const Trail cycle{hot(1), hot(2), hot(1)};
  const Trail into{hot(0), hot(1)};
  const Trail out{hot(2), hot(3)};
  EXPECT_EQ(lasso_of({cycle, into, out}, into), 0U);
  EXPECT_EQ(lasso_of({cycle, into, out}, out), 0U);
  EXPECT_EQ(lasso_of({cycle, into, out}, {hot(0), hot(1), hot(2)}), 3U);
}

TEST(Lasso, AGraphThatIsFullSaysSoHoweverItWasDivided) {
  const Trail three{hot(0), hot(1), hot(2), hot(3)};
  TransitionGraph whole(2);
  whole.add(three);
  EXPECT_TRUE(whole.is_full());
  TransitionGraph left(2), right(2);
  left.add(std::span(three).first(3));
  right.add(std::span(three).subspan(2));
  EXPECT_FALSE(left.is_full() || right.is_full());
  left.add(right);
  EXPECT_TRUE(left.is_full());
  TransitionGraph enough(3);
  enough.add(three);
  enough.add(three);
  EXPECT_FALSE(enough.is_full());
}

// Whether one state reaches another, by every path that there is.
template <std::size_t N>
std::array<std::array<bool, N>, N> closure_of(std::array<std::array<bool, N>, N> edges) {
  for (std::size_t via = 0; via < N; ++via) {
    for (std::size_t from = 0; from < N; ++from) {
      for (std::size_t to = 0; to < N; ++to) edges[from][to] |= edges[from][via] && edges[via][to];
    }
  }
  return edges;
}

TEST(Lasso, FindsTheTransitionsOnCyclesThatBruteForceFinds) {
  constexpr std::size_t kStates = 9;
  std::size_t on_cycles = 0;
  std::size_t total = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    TransitionGraph graph;
    std::array<std::array<bool, kStates>, kStates> edges{};
    const std::uint64_t count = 1 + random.below(2 * kStates);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t from = random.below(kStates);
      const std::uint64_t to = random.below(kStates);
      edges[from][to] = true;
      graph.add(Trail{hot(mix64(from)), hot(mix64(to))});
    }
    const HotCycles cycles(graph);
    const auto reaches = closure_of(edges);
    std::size_t expected = 0;
    for (std::size_t from = 0; from < kStates; ++from) {
      for (std::size_t to = 0; to < kStates; ++to) {
        if (!edges[from][to]) continue;
        const bool is_on_cycle = from == to || reaches[to][from];
        ASSERT_EQ(cycles.has({mix64(from), mix64(to)}), is_on_cycle) << seed << ": " << from << " to " << to;
        expected += is_on_cycle ? 1 : 0;
        ++total;
      }
    }
    ASSERT_EQ(cycles.transition_count(), expected);
    on_cycles += expected;
  }
  EXPECT_GT(on_cycles, total / 10);
  EXPECT_LT(on_cycles, total - total / 10);
}

// As long a path as no recursion would survive.
TEST(Lasso, ACycleMayBeLong) {
  Trail trail;
  for (std::uint64_t i = 0; i < 200'000; ++i) trail.push_back(hot(i));
  TransitionGraph graph;
  graph.add(trail);
  EXPECT_EQ(HotCycles(graph).transition_count(), 0U);
  graph.add(Trail{trail.back(), trail.front()});
  EXPECT_EQ(HotCycles(graph).transition_count(), 200'000U);
}

}  // namespace
}  // namespace nika
