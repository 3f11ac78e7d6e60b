// The HotStuff family under twins: single runs, and whole spaces scenario by scenario and by exhaustive search.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

constexpr std::string_view kHotStuff = "hotstuff";
constexpr std::string_view kTwoPhaseHotStuff = "two-phase-hotstuff";
constexpr std::string_view kFastHotStuff = "fast-hotstuff";

constexpr twins::LeaderChoice kEverybodyLeads{twins::LeaderChoice::Kind::kAll, {}};

// Sweeping takes long in the larger spaces, which are only searched.
void expect_searched(std::string_view protocol, const twins::Settings& settings, Wide violating) {
  const twins::Space space = checks::space_of(settings);
  const SearchResult found = checks::searched(built_in_protocol(protocol), space, only(kAgreement));
  checks::expect_agreement_broken_in(found.tally, space, violating);
}

void expect_violating(std::string_view protocol, const twins::Settings& settings, Wide violating) {
  checks::expect_violating(built_in_protocol(protocol), settings, violating);
}

// A, B, C, D lead in turn and everybody hears everybody.
Scenario healthy(unsigned rounds) {
  Scenario scenario;
  for (unsigned r = 0; r < rounds; ++r) scenario.rounds.push_back({IdentitySet{static_cast<Identity>(r % 4)}, {}, {}});
  scenario.heal_leaders = {Identity{0}};
  return scenario;
}

std::vector<ValueId> commits_of(std::string_view protocol, const Scenario& scenario, Seat seat) {
  Trace trace;
  const auto outcome = run_scenario(built_in_protocol(protocol), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds);
  std::vector<ValueId> values;
  for (const Event& event : trace) {
    if (event.kind == EventKind::kCommitted && event.seat == seat) values.push_back(event.value);
  }
  return values;
}

constexpr ValueId value(unsigned round, unsigned seat) { return {Round(round), static_cast<Seat>(seat), 0}; }

TEST(HotStuffFamily, EveryViewOfAnHonestLeaderDecides) {
  const std::vector<ValueId> five{value(1, 0), value(2, 1), value(3, 2), value(4, 3), value(5, 0)};
  EXPECT_EQ(commits_of(kHotStuff, healthy(5), Seat{2}), five);
  EXPECT_EQ(commits_of(kTwoPhaseHotStuff, healthy(5), Seat{2}), five);
  // A block is committed when the certificate for the next one arrives, with the proposal after that.
  EXPECT_EQ(commits_of(kFastHotStuff, healthy(7), Seat{2}), five);
}

// The leader of view 2 is down: its view fails, the others time out, and view 3 goes on from the block of view 1.
TEST(HotStuffFamily, ASilentLeaderCostsItsView) {
  Scenario scenario = healthy(6);
  scenario.crashes = {{Seat{1}, Round(1), Round(6), true}};
  scenario.rounds[5].leaders = IdentitySet{Identity{2}};
  const std::vector<ValueId> decided{value(1, 0), value(3, 2), value(4, 3), value(5, 0), value(6, 2)};
  EXPECT_EQ(commits_of(kHotStuff, scenario, Seat{3}), decided);
  EXPECT_EQ(commits_of(kTwoPhaseHotStuff, scenario, Seat{3}), decided);
  EXPECT_EQ(commits_of(kHotStuff, scenario, Seat{1}), decided) << "B fetches what it missed";
  // The votes for round 1 were for the silent leader to count, so that block is lost.
  const std::vector<ValueId> chained{value(3, 2), value(4, 3)};
  EXPECT_EQ(commits_of(kFastHotStuff, scenario, Seat{3}), chained);
}

TEST(HotStuffFamily, ThoseThatWereTornApartForLongDecideSoonAfterTheyMeet) {
  Scenario scenario = healthy(9);
  for (std::size_t r = 0; r < 6; ++r) scenario.rounds[r].partition.block_of = {0, 0, 1, 1};
  EXPECT_FALSE(commits_of(kHotStuff, scenario, Seat{0}).empty());
  EXPECT_FALSE(commits_of(kTwoPhaseHotStuff, scenario, Seat{0}).empty());
  scenario.heal_rounds = 2;
  EXPECT_FALSE(commits_of(kFastHotStuff, scenario, Seat{0}).empty());
}

// D hears nothing of view 1 while B gets ahead by it; the pacemaker brings them together again, without A.
TEST(HotStuffFamily, OneThatIsAheadWaitsForTheOthers) {
  Scenario scenario = healthy(1);
  scenario.copies = {2};
  scenario.heal_rounds = 8;
  scenario.heal_leaders = {Identity{1}, Identity{2}, Identity{3}};
  const SeatSet compromised{Seat{0}, Seat{4}};
  const SeatSet behind{Seat{2}, Seat{3}};
  const std::uint32_t decide = 1U << 7U;
  scenario.rules = {{.first_round = Round(1), .last_round = Round(1), .kinds = decide, .to = behind},
                    {.first_round = Round(2), .from = compromised}};
  EXPECT_GE(commits_of(kHotStuff, scenario, Seat{2}).size(), 6U);
  EXPECT_GE(commits_of(kTwoPhaseHotStuff, scenario, Seat{2}).size(), 6U);
}

TEST(HotStuffFamily, WithinTheThresholdNothingForks) {
  expect_violating(kFastHotStuff, {.rounds = 3}, 0);  // 15^3
  expect_violating(kHotStuff, {.rounds = 3}, 0);
  expect_violating(kTwoPhaseHotStuff, {.rounds = 3}, 0);
  expect_violating(kFastHotStuff, {.rounds = 2, .leaders = kEverybodyLeads}, 0);  // 60^2
  expect_violating(kHotStuff, {.rounds = 2, .leaders = kEverybodyLeads}, 0);
  expect_searched(kFastHotStuff, {.rounds = 5}, 0);
  expect_searched(kHotStuff, {.rounds = 5}, 0);
  expect_searched(kTwoPhaseHotStuff, {.rounds = 5}, 0);
}

// Two compromised nodes of four. The counts are those of this model; sweep and search must agree on them.
TEST(HotStuffFamily, BeyondTheThresholdForksAreFound) {
  expect_violating(kFastHotStuff, {.twins = 2, .rounds = 2}, 64);
  expect_violating(kHotStuff, {.twins = 2, .rounds = 2}, 928);
  expect_violating(kTwoPhaseHotStuff, {.twins = 2, .rounds = 2}, 950);
}

// Partitions only. Among all schedules with two leaders this takes seven rounds, and only 5 of 14^7 fork.
TEST(FastHotStuffUnderPartitions, ATwoChainWithAGapForksWithoutAnyFault) {
  const auto round = [](unsigned leader, std::array<std::uint8_t, kMaxSeats> blocks) {
    return RoundPlan{IdentitySet{static_cast<Identity>(leader)}, {blocks}, {}};
  };
  Scenario scenario;
  scenario.bugs = {"nonconsecutive-commit"};
  scenario.rounds = {round(1, {0, 0, 0, 0}), round(1, {0, 1, 0, 0}), round(0, {0, 0, 0, 0}), round(0, {0, 1, 1, 1}),
                     round(1, {0, 1, 1, 1}), round(1, {0, 1, 0, 0}), round(1, {0, 0, 0, 0})};
  scenario.heal_leaders = {Identity{0}};
  const auto flawed = run_scenario(built_in_protocol(kFastHotStuff), scenario, only(kAgreement));
  ASSERT_TRUE(flawed.has_value());
  ASSERT_EQ(flawed->verdict(), Verdict::kViolated);
  EXPECT_EQ(flawed->violation()->evidence.claims[0].value, value(1, 1));
  EXPECT_EQ(flawed->violation()->evidence.claims[1].value, value(3, 0));
  scenario.bugs.clear();
  EXPECT_EQ(commits_of(kFastHotStuff, scenario, Seat{1}), std::vector<ValueId>{});
}

TEST(FastHotStuffUnderPartitions, AGapNeedsMoreThanFiveRounds) {
  twins::Settings settings{.bugs = {"nonconsecutive-commit"}, .twins = 0, .rounds = 5, .heal_rounds = 0};
  settings.leaders = {twins::LeaderChoice::Kind::kList, {IdentitySet{Identity{0}}, IdentitySet{Identity{1}}}};
  expect_searched(kFastHotStuff, settings, 0);
}

}  // namespace
}  // namespace nika
