// PBFT with linear leader replacement under twins: whole spaces, scenario by scenario and by exhaustive search.
#include <gtest/gtest.h>

#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"

namespace nika {
namespace {

using linear_pbft::LinearPbft;
using linear_pbft::LinearPbftThirdPhase;

template <class P>
std::vector<Event> commits_of(Scenario scenario) {
  scenario.protocol = P::kName;
  Trace trace;
  const auto outcome = RunnerFor<P>().run(scenario, &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict, Verdict::kHolds);
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

Scenario whole_network(unsigned rounds) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (unsigned r = 0; r < rounds; ++r) scenario.rounds[r].leaders = {static_cast<Identity>(r % 4)};
  return scenario;
}

template <class P>
void expect_one_decision_a_view() {
  EXPECT_EQ(commits_of<P>(whole_network(5)).size(), 4U * 5U);
}

TEST(LinearPbftUnderTwins, AWholeNetworkDecidesOnceAView) {
  expect_one_decision_a_view<LinearPbft>();
  expect_one_decision_a_view<LinearPbftThirdPhase>();
}

// A, the leader of view 1, is cut off; then everybody is there, and A has to catch up.
template <class P>
void expect_a_view_change() {
  Scenario scenario = whole_network(3);
  scenario.rounds[0].partition.block_of = {0, 1, 1, 1};
  scenario.rounds[1].partition.block_of = {0, 1, 1, 1};
  const std::vector<Event> commits = commits_of<P>(scenario);
  ASSERT_EQ(commits.size(), 3U + 4U + 1U);
  EXPECT_EQ(commits[0].value, ValueId(Round(2), Seat{1}, 0));
}

TEST(LinearPbftUnderTwins, ASilentLeaderIsReplacedAndWhoWasCutOffCatchesUp) {
  expect_a_view_change<LinearPbft>();
  expect_a_view_change<LinearPbftThirdPhase>();
}

template <class P>
void expect_agreement(std::vector<std::string> bugs, unsigned rounds) {
  twins::Settings settings;
  settings.protocol = P::kName;
  settings.bugs = std::move(bugs);
  settings.rounds = rounds;
  const auto space = twins::Space::make(settings);
  ASSERT_TRUE(space.has_value()) << space.error().message;
  const auto searched = RunnerFor<P>().search(*space, {});
  ASSERT_TRUE(searched.has_value()) << searched.error().message;
  EXPECT_EQ(searched->verdict, Verdict::kHolds);
  EXPECT_EQ(searched->covered, space->size().value());
  auto sweeper = RunnerFor<P>().sweeper(*space);
  ASSERT_TRUE(sweeper.has_value()) << sweeper.error().message;
  std::vector<std::uint32_t> configurations(space->rounds());
  Wide unsafe = 0;
  for (Wide i = 0; i < space->size().value(); i += 7) {
    space->unrank(i, configurations);
    if ((*sweeper)->run(configurations, i).verdict != Verdict::kHolds) ++unsafe;
  }
  EXPECT_EQ(to_string(unsafe), "0");
}

// The flaw costs termination, never agreement.
TEST(LinearPbftUnderTwins, AgreementHoldsInWholeSpaces) {
  expect_agreement<LinearPbft>({}, 4);
  expect_agreement<LinearPbft>({"responsive-two-phase"}, 4);
  expect_agreement<LinearPbftThirdPhase>({}, 4);
}

constexpr Properties kTermination{false, true};

Rule lost(unsigned round, std::string_view kind, SeatSet from, SeatSet to) {
  const auto& kinds = KindNames<linear_pbft::Message>::value;
  const auto position = std::ranges::find(kinds, kind) - kinds.begin();
  return {.first_round = Round(round), .last_round = Round(round), .kinds = 1U << position, .from = from, .to = to};
}

// D alone hears of its decision and is a view ahead. Without a pacemaker it stayed ahead for ever: B and C were two in
// every view, and the liar kept its commit votes to itself.
template <class P>
void expect_that_the_one_ahead_is_caught_up() {
  Scenario scenario;
  scenario.protocol = P::kName;
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
  const auto outcome = RunnerFor<P>().run(scenario, nullptr, kTermination);
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict, Verdict::kHolds) << P::kName;
}

TEST(LinearPbftUnderTwins, OneThatIsAheadIsCaughtUp) {
  expect_that_the_one_ahead_is_caught_up<LinearPbft>();
  expect_that_the_one_ahead_is_caught_up<LinearPbftThirdPhase>();
}

struct Drawn {
  unsigned holds = 0;
  std::uint32_t most_delivered = 0;
};

// As `nika reproduce attacks` draws them: three rounds of phases, then five of healing.
template <class P>
Drawn run_drawn(unsigned count) {
  twins::Settings settings{.protocol = std::string(P::kName), .at_most = true, .rounds = 3, .heal_rounds = 5};
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, count};
  const RunnerFor<P> runner;
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
  const auto sweeper = runner.sweeper(sampler, kTermination).value();
  Drawn drawn;
  for (unsigned i = 0; i < count; ++i) {
    const Outcome outcome = sweeper->run({}, i);
    drawn.holds += outcome.verdict == Verdict::kHolds ? 1 : 0;
    drawn.most_delivered = std::max(drawn.most_delivered, outcome.delivered);
  }
  return drawn;
}

// Once a lost answer was asked for again and again, up to 65,536 messages in a round.
TEST(LinearPbftUnderTwins, DrawnSchedulesAllDecideWithFewMessages) {
  const Drawn waiting = run_drawn<LinearPbft>(5'000);
  EXPECT_EQ(waiting.holds, 5'000U);
  EXPECT_EQ(waiting.most_delivered, 306U);
  const Drawn third_phase = run_drawn<LinearPbftThirdPhase>(5'000);
  EXPECT_EQ(third_phase.holds, 5'000U);
  EXPECT_EQ(third_phase.most_delivered, 379U);
}

}  // namespace
}  // namespace nika
