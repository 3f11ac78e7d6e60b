// IBFT under twins: whole spaces, scenario by scenario and by exhaustive search, drawn schedules, and a validator that
// stops.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

const Runner& ibft() { return built_in_protocol("ibft"); }

Properties all_of_them() {
  return parse_properties("agreement,termination,totality,deadlock,responsiveness", built_in_properties()).value();
}

// Leaders take turns, beginning with A.
Scenario whole_network(unsigned rounds) {
  Scenario scenario;
  scenario.protocol = "ibft";
  scenario.rounds.resize(rounds);
  for (unsigned r = 0; r < rounds; ++r) scenario.rounds[r].leaders = {static_cast<Identity>(r % 4)};
  return scenario;
}

std::vector<Event> commits_of(const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(ibft(), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds);
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

TEST(IbftUnderTwins, AWholeNetworkDecidesAHeightInEachRound) {
  const std::vector<Event> commits = commits_of(whole_network(5));
  ASSERT_EQ(commits.size(), 4U * 5U);
  for (std::size_t i = 0; i < commits.size(); ++i) {
    EXPECT_EQ(commits[i].time, i / 4 + 1);
    EXPECT_EQ(commits[i].height, Height(static_cast<unsigned>(i) / 4 + 1));
  }
}

TEST(IbftUnderTwins, WhoWasCutOffGetsTheBlocks) {
  Scenario scenario = whole_network(7);
  for (unsigned r = 0; r < 5; ++r) scenario.rounds[r].partition.block_of = {0, 0, 0, 1};
  const std::vector<Event> commits = commits_of(scenario);
  const auto of_d = std::ranges::count(commits, Seat{3}, &Event::seat);
  EXPECT_EQ(of_d, std::ranges::count(commits, Seat{0}, &Event::seat));
  EXPECT_EQ(std::ranges::find(commits, Seat{3}, &Event::seat)->time, 6U);
}

TEST(IbftUnderTwins, WholeSpacesAreCountedAlikeBothWays) {
  checks::expect_violating(ibft(), {.rounds = 3}, 0);
  checks::expect_violating(ibft(), {.bugs = {"locked"}, .rounds = 3}, 0);
  checks::expect_violating(ibft(), {.nodes = 5, .rounds = 2}, 0);
  checks::expect_violating(ibft(), {.bugs = {"small-quorum"}, .nodes = 5, .rounds = 2}, 336);
}

// Schedules by kinds of messages, as `nika twins --granularity kind --one-way --at-most --leaders all --order sampled`
// draws them, half of them with late and repeated messages, early timeouts and a crash.
TEST(IbftUnderTwins, DrawnSchedulesBreakNothing) {
  for (const unsigned nodes : {4U, 5U, 6U}) {
    for (const bool disturbed : {false, true}) {
      twins::Settings settings{.nodes = nodes, .at_most = true, .rounds = 7, .heal_rounds = 8};
      settings.heal_leaders = twins::HealLeaders::kHonest;
      settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
      settings.granularity = twins::Granularity::kPhase;
      settings.order = twins::OrderChoice::kSampled;
      settings.one_way = true;
      settings.step3 = {twins::Selection::Kind::kRandom, 200'000};
      if (disturbed) {
        settings.disturbances = {
            .late_rounds = 2, .repeats = true, .early_timeouts = true, .receiver_orders = true, .crashes = 1};
      }
      const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(ibft().kinds().size())).value();
      const auto session = ibft().open({sampler.cluster(), {}, all_of_them()}).value();
      const auto schedule = sampler.schedule();
      for (unsigned i = 0; i < 1'000; ++i) {
        schedule->seek(i);
        EXPECT_NE(session->run(*schedule).verdict(), Verdict::kViolated) << nodes << " nodes, schedule " << i;
      }
    }
  }
}

// Issue 305 of Quorum with a validator that crashes: A is locked on A1 and B on B2 when D stops for good.
Scenario two_locks(std::vector<std::string> bugs, bool stops) {
  Scenario scenario = whole_network(2);
  scenario.bugs = std::move(bugs);
  scenario.heal_rounds = 16;
  scenario.heal_leaders = {Identity{2}, Identity{0}, Identity{1}, Identity{3}};
  for (const unsigned round : {1U, 2U}) {
    const auto alone = SeatSet::single(static_cast<Seat>(round - 1));
    const unsigned prepares = 1U << 2U;
    scenario.rules.push_back({.first_round = Round(round),
                              .last_round = Round(round),
                              .kinds = prepares,
                              .from = SeatSet::first(4),
                              .to = SeatSet::first(4) - alone,
                              .action = Action::kDrop});
  }
  if (stops) scenario.crashes.push_back({Seat{3}, Round(3), Round(60), true});
  return scenario;
}

TEST(IbftUnderTwins, TwoLocksLastForEverOnceAThirdValidatorStops) {
  const auto verdict_of = [](const Scenario& scenario) {
    return run_scenario(ibft(), scenario, parse_properties("termination", built_in_properties()).value())->verdict();
  };
  EXPECT_EQ(verdict_of(two_locks({"locked"}, true)), Verdict::kViolated);
  EXPECT_EQ(verdict_of(two_locks({"locked"}, false)), Verdict::kHolds);  // D helps whoever is locked last
  EXPECT_EQ(verdict_of(two_locks({}, true)), Verdict::kHolds);
}

}  // namespace
}  // namespace nika
