#include "nika/campaign/attack_search.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

namespace nika {
namespace {

// Bracha's broadcast with quorums of 2f: two rounds, and the sender has a twin.
store::Attack attack_on_bracha() {
  store::Attack attack;
  attack.name = "two-values";
  attack.property = Property::kAgreement;
  attack.flawed.protocol = bracha::Bracha::kName;
  attack.flawed.bugs = {"quorum-2f"};
  attack.flawed.copies = {2};
  attack.flawed.rounds.resize(2);
  attack.repaired = attack.flawed;
  attack.repaired.bugs.clear();
  return attack;
}

Registry only_bracha() {
  Registry registry;
  registry.add(runner_for<bracha::Bracha>());
  return registry;
}

SearchBudget quick(unsigned threads) {
  SearchBudget budget;
  budget.threads = threads;
  budget.least_repaired = 500;
  return budget;
}

TEST(AttackSearch, TakesFromTheScenarioOnlyItsKind) {
  store::Attack attack = attack_on_bracha();
  const auto plain = search_settings(attack, attack.flawed, 7);
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->granularity, twins::Granularity::kRound);
  EXPECT_EQ(plain->twins, 1U);
  EXPECT_EQ(plain->rounds, 2U);
  EXPECT_EQ(plain->seed, 7U);
  attack.search.granularity = "phase";
  attack.search.rounds = 3;
  EXPECT_EQ(search_settings(attack, attack.flawed, 7)->granularity, twins::Granularity::kPhase);
  EXPECT_EQ(search_settings(attack, attack.flawed, 7)->rounds, 3U);
  attack.search.leaders = "nobody";
  EXPECT_TRUE(search_settings(attack, attack.flawed, 7).error().message.starts_with("two-values: search: "));
}

TEST(AttackSearch, FindsTheSameWithAnyNumberOfThreadsAndTriesTheRepair) {
  store::Attack attack = attack_on_bracha();
  for (const std::string granularity : {"round", "phase"}) {
    attack.search.granularity = granularity;
    const auto one = search_for(only_bracha(), attack, quick(1));
    const auto three = search_for(only_bracha(), attack, quick(3));
    ASSERT_TRUE(one.has_value() && three.has_value());
    EXPECT_TRUE(one->found) << granularity;
    EXPECT_EQ(one->tried, three->tried);
    EXPECT_EQ(one->smallest, three->smallest);
    EXPECT_LE(one->smallest.rounds.size(), 2U);
    EXPECT_GE(one->repaired_tried, 250U);  // there are 256 of rounds
    EXPECT_EQ(one->repaired_found, 0U);
  }
}

TEST(AttackSearch, FindsItWithAndWithoutAGuide) {
  store::Attack attack = attack_on_bracha();
  attack.search.granularity = "phase";
  for (const std::string_view word : {"none", "coverage"}) {
    SearchBudget budget = quick(2);
    budget.guide = parse_guide(word).value();
    EXPECT_EQ(name_of(budget.guide), word);
    const auto result = search_for(only_bracha(), attack, budget);
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->found);
    EXPECT_GE(result->repaired_tried, 500U);
    EXPECT_EQ(result->repaired_found, 0U);
  }
  EXPECT_EQ(parse_guide("luck").error().message, "read \"luck\", expected coverage or none");
}

TEST(AttackSearch, WhatBreaksTheRepairTooIsNotTheAttack) {
  store::Attack attack = attack_on_bracha();
  attack.search.granularity = "round";
  attack.repaired.bugs = attack.flawed.bugs;  // a repair that repairs nothing
  const auto result = search_for(only_bracha(), attack, quick(1));
  ASSERT_TRUE(result.has_value());
  EXPECT_FALSE(result->found);
  EXPECT_GT(result->common, 0U);
  EXPECT_GT(result->repaired_found, 0U);
}

// A repair may be another protocol with the same messages. One round of healing is too short for it as well.
TEST(AttackSearch, ARepairThatIsAnotherProtocolIsComparedToo) {
  Registry registry;
  registry.add(runner_for<hotstuff::HotStuff>());
  registry.add(runner_for<hotstuff::TwoPhaseHotStuff>());
  store::Attack attack;
  attack.name = "livelock";
  attack.property = Property::kTermination;
  attack.search.granularity = "phase";
  attack.search.leaders = "all";
  attack.flawed.protocol = hotstuff::TwoPhaseHotStuff::kName;
  attack.flawed.copies = {2};
  attack.flawed.rounds.resize(2);
  attack.flawed.heal_rounds = 1;
  attack.repaired = attack.flawed;
  attack.repaired.protocol = hotstuff::HotStuff::kName;
  Wide common = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SearchBudget budget = quick(1);
    budget.seed = seed;
    const auto result = search_for(registry, attack, budget);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_TRUE(result->found);
    common += result->common;
    Scenario same = result->smallest;
    same.protocol = hotstuff::HotStuff::kName;
    const auto repaired = (*registry.find(same.protocol))->run(same, nullptr, only(Property::kTermination));
    EXPECT_EQ(repaired->verdict, Verdict::kHolds);
  }
  EXPECT_GT(common, 0U);
}

TEST(AttackSearch, ATimedAttackIsFoundByItsDelaysAndItsRepairIsNot) {
  Registry registry;
  registry.add(runner_for<sync_hotstuff::SyncHotStuff>());
  store::Attack attack;
  attack.name = "force-lock";
  attack.flawed.protocol = sync_hotstuff::SyncHotStuff::kName;
  attack.flawed.node_count = 5;
  attack.flawed.fault_count = 2;
  attack.flawed.copies = {2, 2};
  attack.flawed.rounds.resize(3);
  for (unsigned v = 0; v < 3; ++v) attack.flawed.rounds[v].leaders = {static_cast<Identity>(v)};
  attack.flawed.heal_leaders = {Identity{3}};
  attack.flawed.timing = Timing{2, 32, 2};
  attack.repaired = attack.flawed;
  attack.flawed.bugs = {"early-version"};
  const auto result = search_for(registry, attack, quick(1));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->found);
  EXPECT_LE(result->smallest.rounds.size(), 3U);
  EXPECT_GE(result->repaired_tried, 250U);
  EXPECT_EQ(result->repaired_found, 0U);
}

}  // namespace
}  // namespace nika
