#include "nika/scenarios/guided/guide.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"

namespace nika::guided {
namespace {

constexpr unsigned kGenes = 5;

TEST(Genome, ADrawIsTakenWhole) {
  const Genome genome = drawn(kGenes, 7);
  ASSERT_EQ(genome.rounds.size(), 5U);
  for (const RoundGene& gene : genome.rounds) EXPECT_EQ(gene, (RoundGene{7, 7}));
}

TEST(Genome, WhatIsKeptKeepsTheLeadersOfTheNextRound) {
  Genome genome = drawn(kGenes, 7);
  redraw_after(genome, 2, 9);
  EXPECT_EQ(genome.rounds[1], (RoundGene{7, 7}));
  EXPECT_EQ(genome.rounds[2], (RoundGene{7, 9}));
  EXPECT_EQ(genome.rounds[3], (RoundGene{9, 9}));
  redraw_after(genome, 4, 11);  // all scheduled rounds are kept, and who leads while the network heals
  EXPECT_EQ(genome.rounds[3], (RoundGene{9, 9}));
  EXPECT_EQ(genome.rounds[4], (RoundGene{9, 11}));
  redraw_after(genome, 0, 13);
  EXPECT_EQ(genome, drawn(kGenes, 13));
}

TEST(Guide, ProposesBlindDrawsUntilItHasLearnt) {
  const Guide guide(kGenes, 1);
  for (unsigned i = 0; i < Guide::kGeneration; ++i) EXPECT_EQ(guide.propose(i), drawn(kGenes, i));
}

TEST(Guide, ContinuesFromTheStateThatWasReached) {
  Guide guide(kGenes, 1);
  std::vector<std::vector<Reached>> reached(Guide::kGeneration);
  reached[42] = {{1234, 0, 2}};
  guide.learn(0, reached);
  EXPECT_EQ(guide.state_count(), 1U);
  EXPECT_EQ(guide.state_count_after(2), 1U);
  unsigned continued = 0;
  for (unsigned i = 256; i < 512; ++i) {
    Genome expected = drawn(kGenes, 42);
    redraw_after(expected, 2, i);
    const Genome genome = guide.propose(i);
    continued += genome == expected ? 1 : 0;
    EXPECT_TRUE(genome == expected || genome == drawn(kGenes, i));
  }
  EXPECT_GT(continued, 200U);
  EXPECT_LT(continued, 256U);  // one in ten starts from nothing
}

TEST(Guide, NothingIsContinuedAfterTheLastRound) {
  Guide guide(kGenes, 1);
  std::vector<std::vector<Reached>> reached(Guide::kGeneration, {{7, 0, 5}});
  guide.learn(0, reached);
  EXPECT_EQ(guide.state_count(), 0U);
  EXPECT_EQ(guide.propose(300), drawn(kGenes, 300));
}

// How often each of two states after round 2 is continued; the first is that of draw 0, the second that of draw 1.
std::pair<unsigned, unsigned> continued(const std::vector<std::vector<Reached>>& reached) {
  Guide guide(kGenes, 1);
  guide.learn(0, reached);
  std::pair<unsigned, unsigned> counts;
  for (unsigned i = 256; i < 1256; ++i) {
    const Wide origin = guide.propose(i).rounds[0].network;
    counts.first += origin == 0 ? 1 : 0;
    counts.second += origin == 1 ? 1 : 0;
  }
  return counts;
}

TEST(Guide, PrefersDisagreementAndWhatIsRare) {
  std::vector<std::vector<Reached>> reached(Guide::kGeneration);
  reached[0] = {{1, 0, 2}};
  reached[1] = {{2, 2, 2}};
  const auto [agreeing, disagreeing] = continued(reached);
  EXPECT_GT(disagreeing, 8 * agreeing);
  reached[1] = {{2, 0, 2}};
  for (unsigned i = 2; i < 100; ++i) reached[i] = {{1, 0, 2}};
  const auto [common, rare] = continued(reached);
  EXPECT_GT(rare, 20 * common);
}

// A game with one way through: in each of twelve rounds one digit of 20 of the draw must be right, and a wrong one
// leads to a state from which there is no way on. Blind draws would take 20^12 tries.
TEST(Guide, ReachesWhatBlindDrawsNeverWould) {
  constexpr unsigned kLong = 12;
  const auto is_right = [](Wide draw, unsigned round) {
    return Random(mix64(static_cast<std::uint64_t>(draw)) ^ mix64(round)).below(20) == 0;
  };
  const auto depth_of = [&](const Genome& genome) {
    std::uint32_t depth = 0;
    while (depth < 12 && is_right(genome.rounds[depth].network, depth)) ++depth;
    return depth;
  };
  Guide guide(kLong, 5);
  std::uint32_t guided = 0;
  std::uint32_t blind = 0;
  std::vector<std::vector<Reached>> reached(Guide::kGeneration);
  for (unsigned first = 0; first < 100 * Guide::kGeneration; first += Guide::kGeneration) {
    for (unsigned i = 0; i < Guide::kGeneration; ++i) {
      const std::uint32_t depth = depth_of(guide.propose(first + i));
      reached[i].clear();
      for (std::uint32_t d = 1; d <= depth; ++d) reached[i].push_back({d, 0, d});
      if (depth < 11) reached[i].push_back({100 + depth, 0, depth + 1});
      guided = std::max(guided, depth);
      blind = std::max(blind, depth_of(drawn(kLong, first + i)));
    }
    guide.learn(first, reached);
  }
  EXPECT_EQ(guided, 12U);
  EXPECT_LE(blind, 5U);
}

}  // namespace
}  // namespace nika::guided
