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

}  // namespace
}  // namespace nika
