#include "nika/explore/explorer.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/explore/side_by_side.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

using diembft::DiemBft;

static_assert(Foldable<DiemBft> && Forgetful<DiemBft>);

struct Case {
  twins::Space space;
  Cluster cluster;
};

Case case_of(const twins::Settings& settings) {
  auto space = twins::Space::make(settings);
  EXPECT_TRUE(space.has_value());
  Case setup{*space, space->cluster()};
  const auto bugs = bug_bits(settings.bugs, DiemBft::kBugs, DiemBft::kName);
  EXPECT_TRUE(bugs.has_value());
  setup.cluster.bugs = *bugs;
  return setup;
}

std::vector<std::string> no_bug_and_each_bug() {
  std::vector<std::string> names{""};
  for (const std::string_view bug : DiemBft::kBugs) names.emplace_back(bug);
  return names;
}

twins::Settings settings_with(const std::string& bug, unsigned rounds) {
  twins::Settings settings{.protocol = "diembft", .rounds = rounds};
  if (!bug.empty()) settings.bugs = {bug};
  return settings;
}

using BothWays = SideBySide<DiemBft>;
BothWays both_ways(const Case& setup) { return {setup.space, setup.cluster, only(kAgreement)}; }

Result<SearchResult> explored(const Case& setup, const SearchOptions& options = {}) {
  return explore<DiemBft>(setup.space, setup.cluster, only(kAgreement), options);
}

// A partition stays for a few rounds, or nobody would fall behind.
void draw(Random& random, std::size_t configurations, std::span<std::uint32_t> scenario) {
  for (std::size_t r = 0; r < scenario.size(); ++r) {
    const bool stays = r > 0 && random.below(8) != 0;
    scenario[r] = stays ? scenario[r - 1] : static_cast<std::uint32_t>(random.below(configurations));
  }
}

class EachBug : public testing::TestWithParam<std::string> {};

// The set of violating indices, not only its size: every scenario of the space, run both ways.
TEST_P(EachBug, ReducedWorldsGiveEveryScenarioItsOwnVerdict) {
  const Case setup = case_of(settings_with(GetParam(), 5));
  BothWays both = both_ways(setup);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  Wide violating = 0;
  for (Wide index = 0; index < *setup.space.size(); ++index) {
    setup.space.unrank(index, scenario);
    const Verdict plain = both.run(scenario, Reduction::kNone).verdict();
    ASSERT_EQ(plain, both.run(scenario, Reduction::kFoldAndRename).verdict()) << "scenario " << to_string(index);
    violating += plain == Verdict::kViolated ? 1U : 0U;
  }
  const auto found = explored(setup);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(to_string(found->tally.violating), to_string(violating));
  EXPECT_EQ(to_string(found->tally.scenarios), to_string(*setup.space.size()));
  EXPECT_EQ(found->tally.unknown, Wide{0});
}

// Not only the verdict: whenever a world is folded, it goes on to the same worlds as before.
void expect_exact(const twins::Settings& settings, int scenarios) {
  const Case setup = case_of(settings);
  BothWays both = both_ways(setup);
  Random random(settings.partitions);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  for (int i = 0; i < scenarios; ++i) {
    draw(random, setup.space.configurations().size(), scenario);
    ASSERT_EQ(both.folding_fault(scenario), "") << "scenario " << i;
  }
}

TEST_P(EachBug, FoldingIsExact) {
  for (const unsigned partitions : {2U, 3U}) {
    twins::Settings settings = settings_with(GetParam(), 20);
    settings.partitions = partitions;
    expect_exact(settings, 1000);
  }
}

// Who begins again begins at genesis, however much of the history the others have folded.
TEST_P(EachBug, FoldingIsExactWhereReplicasLoseTheirMemory) {
  twins::Settings settings = settings_with(GetParam(), 20);
  settings.crashes = {{Seat{4}, Round(4), Round(6), false},
                      {Seat{0}, Round(9), Round(10), false},
                      {Seat{2}, Round(12), Round(15), false}};
  expect_exact(settings, 1000);
}

// What an unbounded search rests on: random scenarios that are long enough for replicas to fall far behind.
TEST_P(EachBug, RoundsThatNothingMentionsMakeNoDifference) {
  const Case setup = case_of(settings_with(GetParam(), 20));
  BothWays both = both_ways(setup);
  Random random(11);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  for (int i = 0; i < 10'000; ++i) {
    draw(random, setup.space.configurations().size(), scenario);
    const Verdict plain = both.run(scenario, Reduction::kNone).verdict();
    ASSERT_EQ(plain, both.run(scenario, Reduction::kRelativeRounds).verdict()) << "scenario " << i;
  }
  EXPECT_GT(both.rounds_left_out(), 0U);
}

TEST_P(EachBug, SearchWithoutAnyReductionFindsTheSameNumber) {
  const Case setup = case_of(settings_with(GetParam(), 3));
  SearchOptions plain;
  plain.folds = plain.renames = false;
  const auto reduced = explored(setup);
  const auto unreduced = explored(setup, plain);
  ASSERT_TRUE(reduced.has_value() && unreduced.has_value());
  EXPECT_EQ(to_string(reduced->tally.violating), to_string(unreduced->tally.violating));
  EXPECT_EQ(to_string(reduced->tally.scenarios), to_string(unreduced->tally.scenarios));
  EXPECT_LT(reduced->worlds, unreduced->worlds);
}

INSTANTIATE_TEST_SUITE_P(DiemBft, EachBug, testing::ValuesIn(no_bug_and_each_bug()), [](const auto& bug) {
  std::string name = bug.param.empty() ? "correct" : bug.param;
  std::erase(name, '-');
  return name;
});

// What the search finds by itself, and when: the exact numbers are those of this model.
TEST(Explorer, ForksAreFoundInTheFirstRoundThatShowsThem) {
  const auto rounds_to_fork = [](const std::string& bug, unsigned rounds) -> std::size_t {
    const Case setup = case_of(settings_with(bug, rounds));
    const auto found = explored(setup);
    return found->broken.empty() ? 0 : found->broken[0].configurations.size();
  };
  EXPECT_EQ(rounds_to_fork("quorum-2f", 4), 4U);
  EXPECT_EQ(rounds_to_fork("conflicting-votes", 4), 4U);
}

TEST(Explorer, ThreadsDoNotChangeTheResult) {
  const Case setup = case_of(settings_with("quorum-2f", 4));
  SearchOptions options;
  options.threads = 1;
  const auto one = explored(setup, options);
  for (const unsigned threads : {2U, 4U}) {
    options.threads = threads;
    const auto many = explored(setup, options);
    EXPECT_EQ(one->worlds_by_round, many->worlds_by_round);
    EXPECT_EQ(one->executions, many->executions);
    ASSERT_EQ(one->broken.size(), many->broken.size());
    for (std::size_t i = 0; i < one->broken.size(); ++i)
      EXPECT_EQ(one->broken[i].configurations, many->broken[i].configurations);
  }
}

TEST(Explorer, WhatIsThrownOnAThreadComesBackToTheCaller) {
  const Case setup = case_of(settings_with("quorum-2f", 5));
  SearchOptions options;
  options.threads = 4;
  options.progress = [](const SearchProgress&) { throw std::bad_alloc(); };
  EXPECT_THROW(explored(setup, options).has_value(), std::bad_alloc);
}

TEST(Explorer, WithoutMemoryItSearchesOnAndSaysSo) {
  const Case setup = case_of(settings_with("quorum-2f", 3));
  SearchOptions options;
  const auto all = explored(setup, options);
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{20'000}, std::uint64_t{60'000}}) {
    options.memory_bytes = bytes;
    const auto little = explored(setup, options);
    EXPECT_TRUE(little->memory_was_full);
    EXPECT_EQ(to_string(little->tally.scenarios), to_string(all->tally.scenarios));
    EXPECT_EQ(to_string(little->tally.violating), to_string(all->tally.violating));
  }
}

TEST(Explorer, EveryAssignmentAndOrderIsCountedLikeTheSweep) {
  for (const auto assignment :
       {twins::Assignment::kReplacement, twins::Assignment::kNoReplacement, twins::Assignment::kStatic}) {
    for (const auto order : {twins::OrderChoice::kFifo, twins::OrderChoice::kReversed, twins::OrderChoice::kAll}) {
      twins::Settings settings = settings_with("quorum-2f", 4);
      settings.assignment = assignment;
      settings.order = order;
      settings.rounds = order == twins::OrderChoice::kAll ? 2 : 3;
      settings.heal_rounds = 4;
      const Case setup = case_of(settings);
      RoundNetwork<DiemBft> network(setup.cluster, only(kAgreement));
      const auto schedule = twins::TwinsGenerator(setup.space).schedule();
      auto world = std::make_unique<World<DiemBft>>();
      Outcome outcome;
      Wide violating = 0;
      for (Wide index = 0; index < *setup.space.size(); ++index) {
        schedule->seek(index);
        run(network, *world, *schedule, outcome);
        violating += outcome.verdict() == Verdict::kViolated ? 1U : 0U;
      }
      const auto found = explored(setup);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(to_string(found->tally.violating), to_string(violating))
          << name_of(assignment) << " " << name_of(order);
      EXPECT_EQ(to_string(found->tally.scenarios), to_string(*setup.space.size()));
    }
  }
}

// The ground under merging by renaming: a renamed scenario runs to the renamed world, whatever the bug.
TEST_P(EachBug, RenamingHonestNodesRenamesTheRun) {
  const Case setup = case_of(settings_with(GetParam(), 7));
  BothWays both = both_ways(setup);
  Random random(7);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  for (int i = 0; i < 500; ++i) {
    for (std::uint32_t& c : scenario) c = static_cast<std::uint32_t>(random.below(setup.space.configurations().size()));
    ASSERT_EQ(both.renaming_fault(scenario, random.below(both.renaming_count())), "") << "run " << i;
  }
}

TEST(Explorer, SpacesThatCannotBeCoveredAreRefusedInOneLine) {
  twins::Settings settings = settings_with("", 3);
  settings.order = twins::OrderChoice::kSampled;
  const Case sampled = case_of(settings);
  EXPECT_FALSE(explored(sampled).has_value());
  const Case two_leaders = case_of({.protocol = "diembft", .twins = 2, .rounds = 3});
  SearchOptions unbounded;
  unbounded.unbounded = true;
  EXPECT_FALSE(explored(two_leaders, unbounded).has_value());
}

}  // namespace
}  // namespace nika
