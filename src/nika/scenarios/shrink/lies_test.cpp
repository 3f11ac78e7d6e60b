// Outages and lies become fewer and smaller, and follow seats that get other names.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/scenarios/shrink/candidates.hpp"
#include "nika/scenarios/shrink/canonical.hpp"
#include "nika/scenarios/shrink/reseat.hpp"

namespace nika::shrink {
namespace {

// Seven nodes of which A and B lie, each about something else.
Scenario lying_scenario() {
  Scenario scenario;
  scenario.node_count = 7;
  scenario.fault_count = 2;
  scenario.liars = {Identity{0}, Identity{1}};
  for (unsigned r = 0; r < 3; ++r) scenario.rounds.push_back({IdentitySet{Identity{0}}, {}, Order::fifo()});
  Outage outage;
  outage.protocol_round = 4;
  outage.partition.block_of = {0, 0, 1, 1, 2, 2, 2};
  scenario.outages = {outage};
  scenario.lies = {{3, Seat{0}, 1, {Seat{2}, Seat{3}}, 0, Twist::kSet, 77},
                   {5, Seat{1}, 0, {Seat{4}}, 1, Twist::kSeen, 2}};
  return scenario;
}

bool proposes(const Scenario& scenario, const Scenario& smaller) {
  return std::ranges::count(candidates(scenario), smaller) == 1;
}

template <class Change>
Scenario with(const Change& change) {
  Scenario scenario = lying_scenario();
  change(scenario);
  return scenario;
}

TEST(ShrinkLies, FewerFaultsReceiversBlocksAndSmallerLies) {
  const Scenario scenario = lying_scenario();
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) { s.outages.clear(); })));
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) { s.lies.pop_back(); })));
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) { s.lies[0].to = {Seat{3}}; })));
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) { s.outages[0].partition.block_of = {0, 0, 1, 1, 1, 1, 1}; })));
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) { s.lies[1].argument = 1; })));
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) {
                         s.lies[0].twist = Twist::kLeaveOut;
                         s.lies[0].argument = 0;
                       })));
  EXPECT_TRUE(proposes(scenario, with([](Scenario& s) {
                         s.liars = {Identity{0}};
                         s.lies.pop_back();
                       })));
}

TEST(ShrinkLies, NobodyHonestLiesInACandidate) {
  for (const Scenario& smaller : candidates(lying_scenario()))
    EXPECT_TRUE(check_lies(smaller, sound_cluster_of(smaller)));
}

TEST(ShrinkLies, TheNamesOfLiarsTellNothingApart) {
  Scenario renamed = lying_scenario();
  for (Lie& lie : renamed.lies) lie.from = lie.from == Seat{0} ? Seat{1} : Seat{0};
  for (RoundPlan& plan : renamed.rounds) plan.leaders = IdentitySet{Identity{1}};
  EXPECT_EQ(canonical_form(renamed), canonical_form(lying_scenario()));
  Scenario other = lying_scenario();
  other.liars = {Identity{0}, Identity{2}};
  other.lies.pop_back();
  EXPECT_EQ(canonical_form(other).liars.size(), 2);
}

}  // namespace
}  // namespace nika::shrink
