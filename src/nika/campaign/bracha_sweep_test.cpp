// Bracha's broadcast under twins: whole spaces, scenario by scenario and by exhaustive search.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

const Runner& bracha() { return built_in_protocol("bracha"); }

void expect_violating(const twins::Settings& settings, Wide violating) {
  checks::expect_violating(bracha(), settings, violating);
}

std::vector<Event> commits_of(const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(bracha(), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

Scenario healthy(std::vector<std::uint8_t> copies) {
  Scenario scenario;
  scenario.copies = std::move(copies);
  scenario.rounds = {RoundPlan{IdentitySet{Identity{0}}, {}, {}}};
  return scenario;
}

TEST(BrachaUnderTwins, AllAcceptTheValueOfAnHonestSender) {
  const std::vector<Event> commits = commits_of(healthy({1}));
  ASSERT_EQ(commits.size(), 4U);
  for (const Event& commit : commits) EXPECT_EQ(commit.value, ValueId(Round(1), Seat{0}, 0));
}

// Everybody hears A before A', so A' too ends up accepting A's value: n - f echoes outweigh its own.
TEST(BrachaUnderTwins, AllAcceptOneValueOfAnEquivocatingSender) {
  const std::vector<Event> commits = commits_of(healthy({2}));
  ASSERT_EQ(commits.size(), 5U);
  for (const Event& commit : commits) EXPECT_EQ(commit.value, ValueId(Round(1), Seat{0}, 0));
}

// Nobody can accept in round 1; the timers of round 2 send everything again.
TEST(BrachaUnderTwins, AStuckBroadcastEndsWhenTheNetworkHeals) {
  Scenario scenario = healthy({1});
  scenario.rounds[0].partition.block_of = {0, 0, 1, 1};
  EXPECT_EQ(commits_of(scenario).size(), 0U);
  scenario.heal_rounds = 1;
  EXPECT_EQ(commits_of(scenario).size(), 4U);
}

// A broadcast promises a delivery only if its sender is honest: A and its twin stay silent for ever, and B does not.
TEST(BrachaUnderTwins, ASilentSenderIsNoViolationAndAnHonestOneIsHeard) {
  Scenario scenario = healthy({2});
  scenario.heal_rounds = static_cast<std::uint8_t>(bracha().heal_rounds());
  scenario.heal_leaders = {Identity{1}};
  scenario.rules = {{.last_round = Round(scenario.horizon()), .from = {Seat{0}, Seat{4}}}};
  const Outcome silent = run_scenario(bracha(), scenario, only(kTermination)).value();
  EXPECT_EQ(silent.verdict(), Verdict::kUnknown);
  EXPECT_EQ(silent.judgements[0].unjudged, Unjudged::kNoHonestSender);
  scenario.rounds[0].leaders = {Identity{1}};
  EXPECT_EQ(run_scenario(bracha(), scenario, only(kTermination))->verdict(), Verdict::kHolds);
}

TEST(BrachaUnderTwins, TheCorrectOneHoldsInEveryScenario) {
  expect_violating({.rounds = 3}, 0);                                                    // 15^3
  expect_violating({.nodes = 5, .rounds = 2}, 0);                                        // 31^2
  expect_violating({.rounds = 2, .leaders = {twins::LeaderChoice::Kind::kAll, {}}}, 0);  // 60^2
}

// In one round: A on one side, A' on the other, and B, C, D spread over both, which can be done in 2^3 - 2 ways.
TEST(BrachaUnderTwins, AQuorumOf2FForksAClusterOfFour) {
  expect_violating({.bugs = {"quorum-2f"}, .rounds = 1}, 6);
  expect_violating({.bugs = {"quorum-2f"}, .rounds = 3}, 1497);
  expect_violating({.bugs = {"quorum-2f"}, .partitions = 3, .rounds = 2}, 270);
}

// In one round: two of B, C, D, E with A and the other two with A'.
TEST(BrachaUnderTwins, AMajorityOfEchoesForksAClusterOfFive) {
  expect_violating({.bugs = {"echo-majority"}, .nodes = 5, .rounds = 1}, 6);
  expect_violating({.bugs = {"echo-majority"}, .nodes = 5, .rounds = 3}, 6366);
}

// n = 3f + 1: any two sets of 2f + 1 readies share an honest node, and an honest node is ready for one value only. So
// the number of echoes protects agreement only in larger clusters; in this one it protects that everybody accepts in
// the end.
TEST(BrachaUnderTwins, AMajorityOfEchoesDoesNotForkAClusterOfFour) {
  expect_violating({.bugs = {"echo-majority"}, .rounds = 3}, 0);
}

// The twins of both pairs apart, C and D apart: 4 partitions, each with two senders to choose from.
TEST(BrachaUnderTwins, TwoCompromisedNodesOfFourAreTooMany) { expect_violating({.twins = 2, .rounds = 1}, 8); }

TEST(BrachaUnderTwins, EveryAssignmentAndOrderIsSearchedExactly) {
  expect_violating({.bugs = {"quorum-2f"}, .rounds = 2, .assignment = twins::Assignment::kNoReplacement}, 93);
  expect_violating({.bugs = {"quorum-2f"}, .rounds = 3, .assignment = twins::Assignment::kStatic}, 6);
  expect_violating({.bugs = {"quorum-2f"}, .rounds = 2, .order = twins::OrderChoice::kAll}, 1584);
  expect_violating({.bugs = {"quorum-2f"}, .rounds = 2, .leaders = {twins::LeaderChoice::Kind::kAll, {}}}, 396);
}

}  // namespace
}  // namespace nika
