#include "nika/campaign/attack_search.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

// Bracha's broadcast with quorums of 2f: two rounds, and the sender has a twin.
store::Attack attack_on_bracha() {
  store::Attack attack;
  attack.name = "two-values";
  attack.property = kAgreement.name;
  attack.flawed.protocol = "bracha";
  attack.flawed.bugs = {"quorum-2f"};
  attack.flawed.copies = {2};
  attack.flawed.rounds.resize(2);
  attack.repaired = attack.flawed;
  attack.repaired.bugs.clear();
  return attack;
}

SearchBudget quick(unsigned threads) {
  SearchBudget budget;
  budget.threads = threads;
  budget.least_repaired = 500;
  budget.takes_hints = true;
  return budget;
}

TEST(AttackSearch, OneSettingServesAllAttacks) {
  store::Attack attack = attack_on_bracha();
  attack.search.granularity = "round";  // hints are not taken
  attack.search.rounds = 3;
  attack.flawed.crashes = {{Seat{1}, Round(1), Round(2), true}};
  SearchBudget budget;
  budget.seed = 7;
  const Runner& bracha = built_in_protocol("bracha");
  const auto agreement = search_settings(attack, attack.flawed, bracha, budget);
  ASSERT_TRUE(agreement.has_value());
  twins::Settings expected{.protocol = "bracha", .bugs = {"quorum-2f"}, .at_most = true, .rounds = 7, .heal_rounds = 1};
  expected.faults = 1;
  expected.leaders.kind = twins::LeaderChoice::Kind::kAll;
  expected.order = twins::OrderChoice::kSampled;
  expected.step3 = {twins::Selection::Kind::kRandom, Wide{1} << 63U};
  expected.seed = 7;
  expected.granularity = twins::Granularity::kPhase;
  expected.one_way = true;
  expected.disturbances.crashes = 1;
  EXPECT_EQ(*agreement, expected);
  attack.property = "termination";
  expected.heal_leaders = twins::HealLeaders::kAlternating;
  expected.heal_rounds = 2 * bracha.heal_rounds();
  EXPECT_EQ(search_settings(attack, attack.flawed, bracha, budget).value(), expected);
}

TEST(AttackSearch, TakesHintsWhereTheyAreAskedFor) {
  store::Attack attack = attack_on_bracha();
  SearchBudget budget = quick(1);
  budget.seed = 7;
  const auto settings = [&] { return search_settings(attack, attack.flawed, built_in_protocol("bracha"), budget); };
  const auto plain = settings();
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->granularity, twins::Granularity::kRound);
  EXPECT_EQ(plain->twins, 1U);
  EXPECT_EQ(plain->rounds, 2U);
  EXPECT_EQ(plain->seed, 7U);
  attack.search.granularity = "phase";
  attack.search.rounds = 3;
  EXPECT_EQ(settings()->granularity, twins::Granularity::kPhase);
  EXPECT_EQ(settings()->rounds, 3U);
  attack.search.leaders = "nobody";
  EXPECT_TRUE(settings().error().message.starts_with("two-values: search: "));
}

TEST(AttackSearch, FindsTheSameWithAnyNumberOfThreadsAndTriesTheRepair) {
  store::Attack attack = attack_on_bracha();
  for (const std::string granularity : {"round", "phase"}) {
    attack.search.granularity = granularity;
    const auto one = search_for(built_in_protocols(), attack, quick(1));
    const auto three = search_for(built_in_protocols(), attack, quick(3));
    ASSERT_TRUE(one.has_value() && three.has_value());
    EXPECT_TRUE(one->found) << granularity;
    EXPECT_EQ(one->tried, three->tried);
    EXPECT_EQ(one->smallest, three->smallest);
    EXPECT_LE(one->smallest.rounds.size(), 2U);
    EXPECT_GE(one->repaired_tried, 250U);  // there are 256 of rounds
    EXPECT_EQ(one->repaired_found, 0U);
  }
}

// DiemBFT with quorums of 2f, without hints: the first schedule that breaks it shrinks to seven rounds, a later one to
// five.
store::Attack attack_on_diembft(unsigned script_rounds) {
  store::Attack attack = attack_on_bracha();
  attack.flawed.protocol = "diembft";
  attack.flawed.rounds.resize(script_rounds);
  attack.repaired = attack.flawed;
  attack.repaired.bugs.clear();
  return attack;
}

SearchBudget without_hints() {
  SearchBudget budget = quick(1);
  budget.takes_hints = false;
  return budget;
}

// A search that knows the script's length may stop at the first that is no longer.
TEST(AttackSearch, TheLengthOfTheScriptChangesNothing) {
  for (const unsigned script_rounds : {1U, 7U, 20U}) {
    const auto result = search_for(built_in_protocols(), attack_on_diembft(script_rounds), without_hints());
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->tried, 641U);
    EXPECT_EQ(result->smallest.rounds.size(), 5U) << script_rounds;
  }
}

TEST(AttackSearch, TimeThatIsOverChangesNothingOfWhatWasFound) {
  SearchBudget budget = without_hints();
  budget.seconds = 2;
  const Watch watch;
  budget.progress = [&](Wide tried) {
    while (tried >= 641 && watch.seconds() < budget.seconds) {
    }
  };
  const auto result = search_for(built_in_protocols(), attack_on_diembft(1), budget);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->tried, 641U);
  EXPECT_EQ(result->smallest.rounds.size(), 5U);
}

TEST(AttackSearch, FindsItWithAndWithoutAGuide) {
  store::Attack attack = attack_on_bracha();
  attack.search.granularity = "kind";
  for (const GuideChoice guide : {GuideChoice::kNone, GuideChoice::kCoverage}) {
    SearchBudget budget = quick(2);
    budget.guide = guide;
    const auto result = search_for(built_in_protocols(), attack, budget);
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->found);
    EXPECT_GE(result->repaired_tried, 500U);
    EXPECT_EQ(result->repaired_found, 0U);
  }
}

TEST(AttackSearch, WhatBreaksTheRepairTooIsNotTheAttack) {
  store::Attack attack = attack_on_bracha();
  attack.search.granularity = "round";
  attack.repaired.bugs = attack.flawed.bugs;  // a repair that repairs nothing
  const auto result = search_for(built_in_protocols(), attack, quick(1));
  ASSERT_TRUE(result.has_value());
  EXPECT_FALSE(result->found);
  EXPECT_GT(result->common, 0U);
  EXPECT_GT(result->repaired_found, 0U);
}

// A repair may be another protocol with the same messages. With two compromised nodes of four it forks as well, though
// not in every schedule in which the flawed one does.
TEST(AttackSearch, ARepairThatIsAnotherProtocolIsComparedToo) {
  const Registry registry = built_in_protocols();
  store::Attack attack;
  attack.name = "over-threshold";
  attack.property = kAgreement.name;
  attack.search.granularity = "round";
  attack.flawed.protocol = "two-phase-hotstuff";
  attack.flawed.copies = {2, 2};
  attack.flawed.rounds.resize(2);
  attack.repaired = attack.flawed;
  attack.repaired.protocol = "hotstuff";
  Wide common = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SearchBudget budget = quick(1);
    budget.seed = seed;
    const auto result = search_for(registry, attack, budget);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_TRUE(result->found);
    EXPECT_GT(result->repaired_found, 0U);
    common += result->common;
    const auto flawed = run_scenario(built_in_protocol("two-phase-hotstuff"), result->smallest, only(kAgreement));
    EXPECT_EQ(flawed->verdict(), Verdict::kViolated);
    const auto repaired = run_scenario(built_in_protocol("hotstuff"), result->smallest, only(kAgreement));
    EXPECT_NE(repaired->verdict(), Verdict::kViolated);
  }
  EXPECT_GT(common, 0U);
}

TEST(AttackSearch, ATimedAttackIsFoundByItsDelaysAndItsRepairIsNot) {
  const Registry registry = built_in_protocols();
  store::Attack attack;
  attack.name = "force-lock";
  attack.property = kAgreement.name;
  attack.flawed.protocol = "sync-hotstuff";
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

TEST(AttackSearch, AnAttackThatLiesIsFoundByFaultConfigurations) {
  store::Attack attack;
  attack.name = "old-certificate";
  attack.property = kAgreement.name;
  attack.flawed.protocol = "hotstuff";
  attack.flawed.liars = {Identity{1}};
  attack.flawed.lies.resize(1);
  attack.repaired = attack.flawed;
  attack.flawed.bugs = {"no-lock"};
  const auto result = search_for(built_in_protocols(), attack, quick(1));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->found);
  EXPECT_EQ(result->smallest.lies.size(), 1U);
  EXPECT_GE(result->repaired_tried, 500U);
  EXPECT_EQ(result->repaired_found, 0U);
}

// Faults of protocol rounds do not come again with the rounds of a loop, so that many are found and none is proved.
TEST(AttackSearch, AStandstillByOutagesIsFoundWithoutALoop) {
  store::Attack attack;
  attack.name = "first-slot";
  attack.property = kTermination.name;
  attack.flawed.protocol = "pbft";
  attack.flawed.client_count = 2;
  attack.flawed.outages.resize(1);
  attack.repaired = attack.flawed;
  attack.flawed.bugs = {"slot-zero-uncertified"};
  const auto result = search_for(built_in_protocols(), attack, quick(1));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->found);
  EXPECT_EQ(result->smallest.outages.size() + result->smallest.lies.size(), 1U);
  EXPECT_EQ(result->repaired_found, 0U);
}

// A scenario that was found may have fewer nodes than the file, and other lists: they are the repair's only where the
// repair is one of lists.
TEST(AttackSearch, ARepairThatLeavesTheListsAloneHasThoseOfTheScenario) {
  const Registry registry = built_in_protocols();
  store::Attack attack;
  attack.flawed.protocol = "xrp-lcp";
  attack.flawed.unls = parse_unls("A-D:A-E,E-G:C-G").value();
  attack.repaired = attack.flawed;
  attack.flawed.bugs = {"unchecked-sequence"};
  Scenario found = attack.flawed;
  found.unls = parse_unls("A-C:A-D,D-F:B-F").value();
  const auto same = repaired_side_of(registry, attack, found);
  ASSERT_TRUE(same && *same);
  EXPECT_EQ((*same)->scenario.unls, found.unls);
  EXPECT_TRUE((*same)->scenario.bugs.empty());
  attack.repaired.unls.clear();
  const auto other = repaired_side_of(registry, attack, found);
  ASSERT_TRUE(other && *other);
  EXPECT_TRUE((*other)->scenario.unls.empty());
}

// The liars do for ever what they did in the last view that was drawn.
TEST(AttackSearch, ATimedStandstillIsFoundWithItsLoop) {
  store::Attack attack;
  attack.name = "force-lock-liveness";
  attack.property = "responsiveness";
  attack.flawed.protocol = "sync-hotstuff";
  attack.flawed.node_count = 3;
  attack.flawed.copies = {2};
  attack.flawed.timing = Timing{};
  attack.repaired = attack.flawed;
  attack.flawed.bugs = {"early-version"};
  const auto result = search_for(built_in_protocols(), attack, without_hints());
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->tried, 898U);
  EXPECT_EQ(result->smallest.rounds.size(), 1U);
  ASSERT_TRUE(result->loop && result->loop->proved && result->loop->repaired);
  EXPECT_TRUE(result->loop->assumptions.healed);
  EXPECT_GT(result->loop->repaired->decides_in, 0U);
  EXPECT_EQ(result->repaired_found, 0U);
}

// Neither its length nor its delays, crashes, inputs and leaders.
TEST(AttackSearch, NothingOfATimedScriptIsUsedWithoutHints) {
  store::Attack attack = attack_on_bracha();
  attack.flawed.protocol = "sync-hotstuff";
  attack.flawed.bugs = {"early-version"};
  attack.flawed.node_count = 5;
  attack.flawed.fault_count = 2;
  attack.flawed.copies = {2, 2};
  attack.flawed.rounds.resize(3);
  attack.flawed.timing = Timing{2, 32, 2};
  attack.repaired = attack.flawed;
  attack.repaired.bugs.clear();
  store::Attack other = attack;
  other.flawed.rounds.resize(1);
  other.flawed.timing = Timing{4, 60, 1};
  other.flawed.heal_rounds = 3;
  other.flawed.inputs = {"v", "v", "v", "v", "v", "v", "v"};
  const auto one = search_for(built_in_protocols(), attack, without_hints());
  const auto two = search_for(built_in_protocols(), other, without_hints());
  ASSERT_TRUE(one.has_value() && two.has_value());
  EXPECT_TRUE(one->found);
  EXPECT_EQ(one->tried, two->tried);
  EXPECT_EQ(one->smallest, two->smallest);
}

}  // namespace
}  // namespace nika
