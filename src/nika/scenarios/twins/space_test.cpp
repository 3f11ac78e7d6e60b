#include "nika/scenarios/twins/space.hpp"

#include <gtest/gtest.h>

#include <set>

namespace nika::twins {
namespace {

Space space_of(const Settings& settings) {
  auto space = Space::make(settings);
  EXPECT_TRUE(space.has_value()) << space.error().message;
  return *std::move(space);
}

// Every index gives another sequence, and every sequence leads back to its index.
void expect_numbering(const Space& space) {
  std::set<std::vector<std::uint32_t>> seen;
  std::vector<std::uint32_t> sequence(space.rounds());
  for (Wide i = 0; i < space.size().value(); ++i) {
    space.unrank(i, sequence);
    ASSERT_EQ(space.rank(sequence), i);
    if (space.settings().step3.kind != Selection::Kind::kRandom && !seen.empty()) {
      ASSERT_LT(*seen.rbegin(), sequence);
    }
    ASSERT_TRUE(seen.insert(sequence).second);
  }
}

TEST(Twins, IndicesFollowTheOrderOfTheSequences) {
  for (const auto assignment : {Assignment::kReplacement, Assignment::kNoReplacement, Assignment::kStatic}) {
    const Space space = space_of({.rounds = 3, .assignment = assignment});
    EXPECT_EQ(space.size(), assignment == Assignment::kReplacement     ? 3375U
                            : assignment == Assignment::kNoReplacement ? 2730U
                                                                       : 15U);
    expect_numbering(space);
  }
}

TEST(Twins, TheStaticSpaceOfTwoTwinsHas62Scenarios) {
  const Space space = space_of({.twins = 2, .assignment = Assignment::kStatic});
  EXPECT_EQ(space.partitions().size(), 31U);
  EXPECT_EQ(space.size(), 62U);
}

TEST(Twins, AScenarioSaysWhatItsRoundsAre) {
  const Space space = space_of({.protocol = "diembft", .bugs = {"quorum-2f"}, .rounds = 2, .heal_rounds = 3});
  const Scenario scenario = space.scenario(17);  // 1 * 15 + 2
  EXPECT_EQ(scenario.protocol, "diembft");
  EXPECT_EQ(scenario.bugs, std::vector<std::string>{"quorum-2f"});
  EXPECT_EQ(scenario.node_count, 4);
  EXPECT_EQ(scenario.fault_count, 1);
  EXPECT_EQ(scenario.copies, std::vector<std::uint8_t>{2});
  EXPECT_EQ(scenario.heal_leaders, std::vector<Identity>{Identity{0}});
  EXPECT_EQ(scenario.horizon(), 5U);
  ASSERT_EQ(scenario.rounds.size(), 2U);
  EXPECT_EQ(to_text(space.cluster(), scenario.rounds[0]), "{A* B C A'* | D}");
  EXPECT_EQ(to_text(space.cluster(), scenario.rounds[1]), "{A* B C | D A'*}");
  EXPECT_EQ(scenario.rounds[0].order, Order::fifo());
}

TEST(Twins, EveryScenarioRanksBackToItsIndex) {
  const std::vector<Settings> all{
      {.rounds = 2},
      {.twins = 2, .rounds = 2, .order = OrderChoice::kReversed},
      {.rounds = 2, .order = OrderChoice::kSampled},
      {.rounds = 2, .order = OrderChoice::kAll},
      {.rounds = 2, .leaders = {LeaderChoice::Kind::kAll, {}}, .assignment = Assignment::kNoReplacement},
      {.rounds = 3, .leaders = {LeaderChoice::Kind::kList, {{Identity{2}, Identity{1}}, {Identity{0}}}}},
      {.nodes = 3, .copies = 3, .at_most = true, .rounds = 2},
      {.rounds = 3, .step1 = {Selection::Kind::kRandom, 6}, .step2 = {Selection::Kind::kRandom, 4}},
      {.rounds = 3, .step3 = {Selection::Kind::kRandom, 500}},
      {.rounds = 3, .step3 = {Selection::Kind::kFirst, 500}},
  };
  for (const Settings& settings : all) {
    const Space space = space_of(settings);
    expect_numbering(space);
    for (Wide i = 0; i < space.size().value(); i += 7) {
      const auto back = space.rank(space.scenario(i));
      ASSERT_TRUE(back.has_value()) << back.error().message;
      ASSERT_EQ(*back, i);
    }
  }
}

TEST(Twins, AForeignScenarioHasNoIndex) {
  const Space space = space_of({.rounds = 2});
  Scenario scenario = space.scenario(3);
  scenario.rounds[1].leaders = {Identity{1}};
  EXPECT_EQ(space.rank(scenario).error().message,
            "round 2 is {A B* D A' | C}: its choice of leaders is not in this space");
  scenario = space.scenario(3);
  scenario.rounds[0].partition = {};
  EXPECT_EQ(space.rank(scenario).error().message, "round 1 is {A* B C D A'*}: its partition is not in this space");
  scenario = space.scenario(3);
  scenario.rounds.pop_back();
  EXPECT_EQ(space.rank(scenario).error().message, "the scenario has 1 rounds, those of this space have 2");
  scenario = space.scenario(3);
  scenario.heal_rounds = 9;
  EXPECT_EQ(space.rank(scenario).error().message,
            "the scenario differs from this space in its cluster, crashes, healing, rules or orders");
}

TEST(Twins, FirstAndRandomSelectionsKeepWhatTheySay) {
  const Space all = space_of({.nodes = 7, .twins = 2, .rounds = 2});
  const Space first = space_of({.nodes = 7, .twins = 2, .rounds = 2, .step1 = {Selection::Kind::kFirst, 10}});
  EXPECT_TRUE(std::equal(first.partitions().begin(), first.partitions().end(), all.partitions().begin()));
  EXPECT_EQ(first.configurations().size(), 20U);
  const Selection sample{Selection::Kind::kRandom, 10};
  const Space one = space_of({.nodes = 7, .twins = 2, .rounds = 2, .step1 = sample});
  const Space same = space_of({.nodes = 7, .twins = 2, .rounds = 2, .step1 = sample});
  const Space other = space_of({.nodes = 7, .twins = 2, .rounds = 2, .step1 = sample, .seed = 2});
  EXPECT_EQ(one.partitions(), same.partitions());
  EXPECT_NE(one.partitions(), other.partitions());
  EXPECT_EQ(one.partitions().size(), 10U);
  EXPECT_EQ(space_of({.step2 = {Selection::Kind::kRandom, 99}}).configurations().size(), 15U);
}

TEST(Twins, ASampledOrderDependsOnSeedIndexAndRoundOnly) {
  const Settings settings{.nodes = 7, .twins = 2, .rounds = 4, .order = OrderChoice::kSampled};
  const Space space = space_of(settings);
  EXPECT_EQ(space.configurations().size(), 510U);
  std::set<std::pair<std::array<std::uint8_t, kMaxSeats>, bool>> orders;
  for (unsigned i = 0; i < 1000; ++i) {
    const Scenario scenario = space.scenario(i);
    EXPECT_EQ(scenario, space_of(settings).scenario(i));
    for (const RoundPlan& plan : scenario.rounds) orders.insert({plan.order.rank, plan.order.own_first});
  }
  EXPECT_EQ(orders.size(), 48U);  // 4 leading seats in 24 orders, own proposals first or not
}

TEST(Twins, EveryOrderOfTheLeadingSeatsIsAChoice) {
  const Space space = space_of({.rounds = 1, .order = OrderChoice::kAll});
  ASSERT_EQ(space.orders().size(), 4U);
  EXPECT_EQ(space.orders()[0].rank[0], 0);
  EXPECT_EQ(space.orders()[0].rank[4], 1);
  EXPECT_EQ(space.orders()[3].rank[0], 1);
  EXPECT_EQ(space.orders()[3].rank[4], 0);
  EXPECT_EQ(space.orders()[3].rank[1], 2);
  EXPECT_FALSE(space.orders()[3].own_first);
}

TEST(Twins, ClientsAreInEveryBlockAndAddNoPartitions) {
  const auto space = Space::make({.clients = 2, .rounds = 2, .order = OrderChoice::kAll});
  ASSERT_TRUE(space.has_value());
  EXPECT_EQ(space->cluster().seat_count, 7);
  EXPECT_EQ(space->cluster().identities(), IdentitySet::first(4));
  ASSERT_EQ(space->partitions().size(), 15U);
  for (const Partition& partition : space->partitions()) {
    EXPECT_EQ(partition.everywhere(7), (SeatSet{Seat{5}, Seat{6}}));
    EXPECT_EQ(partition.block_count(7), 2U);
  }
  EXPECT_EQ(space->orders().size(), 4U);  // of two clients, whose requests all messages are about
  EXPECT_EQ(to_text(space->cluster(), space->plan(space->configurations()[0])), "{A* B C D | A'*}");
  EXPECT_EQ(space->rank(space->scenario(7)).value(), Wide{7});
}

TEST(Twins, ASpaceBeyond128BitsCanBeCountedAndItsFirstScenariosMade) {
  const Space space = space_of({.nodes = 7, .twins = 2, .rounds = 50});
  EXPECT_EQ(space.size(), std::nullopt);
  std::vector<std::uint32_t> sequence(50);
  space.unrank(kMaxWide, sequence);
  EXPECT_EQ(space.rank(sequence), kMaxWide);
  sequence[0] = 1;
  EXPECT_EQ(space.rank(sequence), std::nullopt);
}

TEST(Twins, SpacesThatCannotBeHeldOrFilledAreRefused) {
  EXPECT_EQ(
      Space::make({.nodes = 14, .twins = 2, .partitions = 8}).error().message,
      "step 2 gives 4283528106 configurations (step 1 2141764053), expected at most 16777216: select fewer in step 1 "
      "or 2");
  EXPECT_TRUE(
      Space::make({.nodes = 14, .twins = 2, .partitions = 8, .step1 = {Selection::Kind::kRandom, 100}}).has_value());
  EXPECT_EQ(Space::make({.rounds = 16, .assignment = Assignment::kNoReplacement}).error().message,
            "15 configurations cannot fill 16 rounds without replacement");
}

// 15^60 is far above 2^128; such a selection was refused.
TEST(Space, BeyondAllIndicesARandomSelectionIsDrawnRoundByRound) {
  Settings settings{.rounds = 60};
  settings.step3 = {Selection::Kind::kRandom, 1000};
  const auto space = Space::make(settings);
  ASSERT_TRUE(space.has_value()) << space.error().message;
  EXPECT_EQ(space->size(), Wide{1000});
  std::vector<std::uint32_t> one(60);
  std::vector<std::uint32_t> again(60);
  std::vector<std::uint32_t> other(60);
  space->unrank(7, one);
  space->unrank(7, again);
  space->unrank(8, other);
  EXPECT_EQ(one, again);
  EXPECT_NE(one, other);
  settings.assignment = Assignment::kNoReplacement;
  EXPECT_FALSE(Space::make(settings).has_value());
}

}  // namespace
}  // namespace nika::twins
