#include <gtest/gtest.h>

#include <algorithm>

#include "nika/scenarios/shrink/candidates.hpp"
#include "nika/scenarios/shrink/canonical.hpp"
#include "nika/scenarios/shrink/reseat.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika::shrink {
namespace {

Scenario scenario_of(const twins::Settings& settings, Wide index) {
  return twins::Space::make(settings).value().scenario(index);
}

bool proposes(const Scenario& scenario, const Scenario& smaller) {
  const auto all = candidates(scenario);
  return std::ranges::find(all, smaller) != all.end();
}

TEST(Candidates, AreAllSmallerAndDifferent) {
  const Scenario scenario = scenario_of({.nodes = 7, .twins = 2, .partitions = 3, .rounds = 5}, 123'456'789);
  const auto all = candidates(scenario);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_LT(size_of(all[i]), size_of(scenario));
    EXPECT_EQ(std::ranges::count(all, all[i]), 1);
  }
}

TEST(Candidates, NeverGoBeyondAThresholdThatWasKept) {
  for (const unsigned nodes : {4U, 5U, 7U, 8U}) {
    const Scenario scenario = scenario_of({.nodes = nodes, .twins = 1, .rounds = 2}, 3);
    for (const Scenario& smaller : candidates(scenario)) {
      const auto compromised = std::ranges::count_if(smaller.copies, [](std::uint8_t copies) { return copies > 1; });
      EXPECT_LE(compromised, smaller.fault_count);
      EXPECT_GT(smaller.node_count, 3 * smaller.fault_count);
      EXPECT_GE(smaller.fault_count, 1);
    }
  }
}

TEST(Candidates, RemoveANodeAndRenameTheRest) {
  Scenario scenario = scenario_of({.nodes = 5, .twins = 1, .rounds = 1}, 0);
  scenario.rounds[0].partition.block_of = {0, 1, 0, 1, 0, 1};  // A C E | B D A'
  Scenario smaller = scenario;
  smaller.node_count = 4;
  smaller.rounds[0].partition.block_of = {0, 0, 1, 0, 1};  // without B: A C E | D A', renamed A B D | C A'
  EXPECT_TRUE(proposes(scenario, smaller));
}

TEST(Candidates, RemoveASeatFromLinksAndInputs) {
  Scenario scenario = scenario_of({.nodes = 5, .twins = 1, .rounds = 1}, 0);
  scenario.inputs = {"v1", "v2", "v1", "", "", "v2"};
  Rule links{.action = Action::kLinks};
  links.reach = {SeatSet{Seat{0}, Seat{1}, Seat{5}}, {Seat{1}}, {Seat{0}, Seat{2}}, {Seat{3}}, {Seat{4}}, {Seat{5}}};
  scenario.rules = {links};
  Reseating reseating;
  reseating.copies = {2, 1, 1, 1};
  reseating.node_count = 4;
  reseating.fault_count = 1;
  const std::array<int, 6> moves{0, -1, 1, 2, 3, 4};  // without B
  for (unsigned s = 0; s < moves.size(); ++s) {
    if (moves[s] >= 0) reseating.seat[s] = static_cast<Seat>(moves[s]);
    if (moves[s] >= 0 && s < 5) reseating.identity[s] = static_cast<Identity>(moves[s]);
  }
  const Scenario moved = reseated(scenario, reseating);
  EXPECT_EQ(moved.inputs, (std::vector<std::string>{"v1", "v1", "", "", "v2"}));
  EXPECT_EQ(links_text(sound_cluster_of(moved), moved.rules[0].reach), "A -> A', B -> A");
}

TEST(Candidates, DropARoundAndMoveWhatFollows) {
  Scenario scenario = scenario_of({.rounds = 3}, 77);
  scenario.crashes = {{Seat{1}, Round(2), Round(3), false}, {Seat{2}, Round(3), Round(5), true}};
  Scenario smaller = scenario;
  smaller.rounds.erase(smaller.rounds.begin() + 1);
  smaller.crashes = {{Seat{2}, Round(2), Round(4), true}};  // the other crash was over before it began
  EXPECT_TRUE(proposes(scenario, smaller));
}

TEST(Candidates, MergeBlocksAndForgetCrashesRulesAndOrders) {
  Scenario scenario = scenario_of({.rounds = 2, .order = twins::OrderChoice::kReversed}, 5);
  scenario.rules = {Rule{}};
  scenario.crashes = {{Seat{1}, Round(1), Round(2), false}};
  for (int change = 0; change < 4; ++change) {
    Scenario smaller = scenario;
    if (change == 0) smaller.rounds[1].partition = {};
    if (change == 1) smaller.rules.clear();
    if (change == 2) smaller.crashes.clear();
    if (change == 3) smaller.rounds[0].order = Order::fifo();
    EXPECT_TRUE(proposes(scenario, smaller)) << change;
  }
}

TEST(Candidates, MakeRulesTouchLess) {
  Scenario scenario = scenario_of({.rounds = 3}, 5);
  Rule late{.kinds = 0b11, .from = {Seat{0}, Seat{1}}, .action = Action::kDelay, .delay_ticks = 4};
  Rule blocks{.last_round = Round(1), .action = Action::kLinks};
  blocks.reach = reach_of({{0, 0, 1, 1, 2}}, 5);
  Rule one_way{.first_round = Round(3), .action = Action::kLinks};
  one_way.reach = {SeatSet{Seat{0}, Seat{1}}, {Seat{1}}, {Seat{2}}, {Seat{3}}, {Seat{4}}};
  scenario.rules = {late, blocks, one_way};
  for (int change = 0; change < 7; ++change) {
    Scenario smaller = scenario;
    if (change == 0) smaller.rules[0].first_round = Round(2);
    if (change == 1) smaller.rules[0].last_round = Round(2);
    if (change == 2) smaller.rules[0].kinds = 0b01;
    if (change == 3) smaller.rules[0].from = {Seat{1}};
    if (change == 4) smaller.rules[0].delay_ticks = 1;
    if (change == 5) smaller.rules[1].reach = reach_of({{0, 0, 1, 1, 0}}, 5);
    if (change == 6) smaller.rules[2].reach[3].insert(Seat{4});
    EXPECT_TRUE(proposes(scenario, smaller)) << change;
  }
  for (const Scenario& smaller : candidates(scenario)) EXPECT_LT(size_of(smaller), size_of(scenario));
}

TEST(Candidates, ForgetInputsAndTheOrderWhileHealing) {
  Scenario scenario = scenario_of({.rounds = 1}, 5);
  scenario.inputs = {"v1", "v1", "", "", ""};
  scenario.heal_order.own_first = false;
  for (int change = 0; change < 3; ++change) {
    Scenario smaller = scenario;
    if (change == 0) smaller.inputs.clear();
    if (change == 1) smaller.inputs[0].clear();
    if (change == 2) smaller.heal_order = Order::fifo();
    EXPECT_TRUE(proposes(scenario, smaller)) << change;
  }
}

TEST(Candidates, KeepTheHealingRoundsOfAStandstill) {
  const Scenario scenario = scenario_of({.rounds = 2}, 5);
  for (const Scenario& smaller : candidates(scenario, true)) {
    EXPECT_EQ(smaller.heal_rounds, scenario.heal_rounds);
  }
  EXPECT_NE(candidates(scenario).front().heal_rounds, scenario.heal_rounds);
}

TEST(Candidates, NeverLetARuleKeepHonestSeatsApartAfterHealing) {
  Scenario scenario = scenario_of({.rounds = 2}, 5);
  const Rule silent{.first_round = Round(3), .last_round = Round(4), .from = {Seat{0}, Seat{4}}};
  scenario.rules = {silent};
  for (const Scenario& smaller : candidates(scenario)) EXPECT_TRUE(check_healing(smaller).has_value());
}

TEST(Candidates, OfTheSmallestScenarioAreNone) {
  Scenario scenario;
  scenario.node_count = 1;
  scenario.fault_count = 0;
  scenario.rounds = {{IdentitySet::single(Identity{0}), {}, Order::fifo()}};
  EXPECT_EQ(candidates(scenario).size(), 0U);
}

TEST(CanonicalForm, IsTheSameForAllNamesOfHonestNodesAndTwins) {
  Scenario one = scenario_of({.rounds = 2}, 0);
  one.rounds[0].partition.block_of = {0, 0, 1, 1, 1};  // A B | C D A'
  one.rounds[1].partition.block_of = {0, 1, 0, 1, 1};  // A C | B D A'
  Scenario other = one;
  other.rounds[0].partition.block_of = {0, 0, 1, 0, 1};  // A' C, then A' D against the rest
  other.rounds[1].partition.block_of = {0, 0, 0, 1, 1};
  EXPECT_EQ(canonical_form(one), canonical_form(other));
  Scenario different = one;
  different.rounds[1] = different.rounds[0];
  EXPECT_NE(canonical_form(one), canonical_form(different));
  EXPECT_EQ(canonical_form(canonical_form(one)), canonical_form(one));
}

TEST(CanonicalForm, KnowsInputsByWhoSharesThem) {
  Scenario one = scenario_of({.rounds = 2}, 0);
  one.rounds[0].partition = one.rounds[1].partition = {};
  one.rounds[0].note = "a note";
  Scenario other = one;
  one.inputs = {"", "yes", "yes", "", ""};
  other.inputs = {"", "", "1", "1", ""};
  EXPECT_EQ(canonical_form(one), canonical_form(other));
  other.inputs = {"1", "", "", "1", ""};
  EXPECT_NE(canonical_form(one), canonical_form(other));
}

TEST(CanonicalForm, TellsCrashesApart) {
  Scenario one = scenario_of({.rounds = 2}, 0);
  one.rounds[0].partition = one.rounds[1].partition = {};
  one.crashes = {{Seat{1}, Round(1), Round(2), false}};
  Scenario other = one;
  other.crashes[0].seat = Seat{3};
  EXPECT_EQ(canonical_form(one), canonical_form(other));
  other.crashes[0].seat = Seat{4};
  EXPECT_NE(canonical_form(one), canonical_form(other));
}

}  // namespace
}  // namespace nika::shrink
