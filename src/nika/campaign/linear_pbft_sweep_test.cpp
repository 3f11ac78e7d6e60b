// PBFT with linear leader replacement under twins: whole spaces, scenario by scenario and by exhaustive search.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

const Runner& linear_pbft() { return built_in_protocol("linear-pbft"); }
const Runner& third_phase() { return built_in_protocol("linear-pbft-third-phase"); }

std::vector<Event> commits_of(const Runner& runner, const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(runner, scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds);
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

Scenario whole_network(unsigned rounds) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (unsigned r = 0; r < rounds; ++r) scenario.rounds[r].leaders = {static_cast<Identity>(r % 4)};
  return scenario;
}

TEST(LinearPbftUnderTwins, AWholeNetworkDecidesOnceAView) {
  EXPECT_EQ(commits_of(linear_pbft(), whole_network(5)).size(), 4U * 5U);
  EXPECT_EQ(commits_of(third_phase(), whole_network(5)).size(), 4U * 5U);
}

// A, the leader of view 1, is cut off; then everybody is there, and A has to catch up.
void expect_a_view_change(const Runner& runner) {
  Scenario scenario = whole_network(3);
  scenario.rounds[0].partition.block_of = {0, 1, 1, 1};
  scenario.rounds[1].partition.block_of = {0, 1, 1, 1};
  const std::vector<Event> commits = commits_of(runner, scenario);
  ASSERT_EQ(commits.size(), 3U + 4U + 1U);
  EXPECT_EQ(commits[0].value, ValueId(Round(2), Seat{1}, 0));
}

TEST(LinearPbftUnderTwins, ASilentLeaderIsReplacedAndWhoWasCutOffCatchesUp) {
  expect_a_view_change(linear_pbft());
  expect_a_view_change(third_phase());
}

// Covers the space, and runs every seventh scenario by itself.
void expect_agreement(const Runner& runner, std::vector<std::string> bugs, unsigned rounds) {
  twins::Settings settings;
  settings.bugs = std::move(bugs);
  settings.rounds = rounds;
  const twins::Space space = checks::space_of(settings);
  const SearchResult searched = checks::searched(runner, space, only(kAgreement));
  EXPECT_EQ(searched.verdict, Verdict::kHolds);
  EXPECT_EQ(to_string(searched.tally.scenarios), to_string(*space.size()));
  const auto session = runner.open(checks::setup_of(space, only(kAgreement))).value();
  const auto schedule = twins::TwinsGenerator(space).schedule();
  Wide unsafe = 0;
  for (Wide i = 0; i < *space.size(); i += 7) {
    schedule->seek(i);
    if (session->run(*schedule).verdict() != Verdict::kHolds) ++unsafe;
  }
  EXPECT_EQ(to_string(unsafe), "0");
}

// The flaw costs termination, never agreement.
TEST(LinearPbftUnderTwins, AgreementHoldsInWholeSpaces) {
  expect_agreement(linear_pbft(), {}, 4);
  expect_agreement(linear_pbft(), {"responsive-two-phase"}, 4);
  expect_agreement(third_phase(), {}, 4);
}

Rule lost(unsigned round, std::string_view kind, SeatSet from, SeatSet to) {
  const auto kinds = linear_pbft().kinds();
  const auto position = std::ranges::find(kinds, kind) - kinds.begin();
  return {.first_round = Round(round), .last_round = Round(round), .kinds = 1U << position, .from = from, .to = to};
}

// D alone hears of its decision and is a view ahead. Without a pacemaker it stayed ahead for ever: B and C were two in
// every view, and the liar kept its commit votes to itself.
void expect_that_the_one_ahead_is_caught_up(const Runner& runner) {
  Scenario scenario;
  scenario.copies = {2};
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{3}};
  scenario.heal_rounds = 4;
  scenario.heal_leaders = {Identity{1}, Identity{2}, Identity{3}};
  const SeatSet liar{Seat{0}, Seat{4}};
  const SeatSet others{Seat{0}, Seat{1}, Seat{2}, Seat{4}};
  scenario.rules = {lost(1, "decision", SeatSet{Seat{3}}, others)};
  for (unsigned round = 2; round <= 5; ++round) {
    scenario.rules.push_back(lost(round, "commit", liar, SeatSet{Seat{1}, Seat{2}, Seat{3}}));
  }
  const auto outcome = run_scenario(runner, scenario, only(kTermination));
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds) << runner.name();
}

TEST(LinearPbftUnderTwins, OneThatIsAheadIsCaughtUp) {
  expect_that_the_one_ahead_is_caught_up(linear_pbft());
  expect_that_the_one_ahead_is_caught_up(third_phase());
}

struct Drawn {
  unsigned holds = 0;
  std::uint32_t most_delivered = 0;
};

// As `nika reproduce attacks` draws them: three rounds of phases, then five of healing. Agreement is settled only at
// the end, so that no run is cut short.
Drawn run_drawn(const Runner& runner, unsigned count) {
  twins::Settings settings{.at_most = true, .rounds = 3, .heal_rounds = 5};
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, count};
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
  const Properties both = parse_properties("agreement,termination", built_in_properties()).value();
  const auto session = runner.open({sampler.cluster(), {}, both}).value();
  const auto schedule = sampler.schedule();
  Drawn drawn;
  for (unsigned i = 0; i < count; ++i) {
    schedule->seek(i);
    const Outcome& outcome = session->run(*schedule);
    drawn.holds += outcome.verdict() == Verdict::kHolds ? 1 : 0;
    drawn.most_delivered = std::max(drawn.most_delivered, outcome.delivered);
  }
  return drawn;
}

// Once a lost answer was asked for again and again, up to 65,536 messages in a round.
TEST(LinearPbftUnderTwins, DrawnSchedulesAllDecideWithFewMessages) {
  const Drawn waiting = run_drawn(linear_pbft(), 5'000);
  EXPECT_EQ(waiting.holds, 5'000U);
  EXPECT_EQ(waiting.most_delivered, 308U);
  const Drawn in_three = run_drawn(third_phase(), 5'000);
  EXPECT_EQ(in_three.holds, 5'000U);
  EXPECT_EQ(in_three.most_delivered, 379U);
}

}  // namespace
}  // namespace nika
