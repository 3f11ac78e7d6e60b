// The inner loop allocates nothing: this program counts every call of the global operator new.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "nika/campaign/allocations.hpp"
#include "nika/properties/all.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

Properties all() { return parse_properties("all", built_in_properties()).value(); }

struct Ran {
  std::uint64_t delivered = 0;
  unsigned overflowed = 0;

  bool operator==(const Ran&) const = default;
};

// Runs the first `count` schedules.
Ran run_first(Session& session, IndexedSchedule& schedule, Wide count) {
  Ran ran;
  for (Wide i = 0; i < count; ++i) {
    schedule.seek(i);
    const Outcome& outcome = session.run(schedule);
    ran.delivered += outcome.delivered;
    ran.overflowed += outcome.overflowed ? 1 : 0;
  }
  return ran;
}

TEST(RoundsOfTwins, NothingIsAllocatedInARun) {
  twins::Settings settings{.at_most = true, .rounds = 10, .heal_rounds = 0};
  settings.step3 = {twins::Selection::Kind::kRandom, 1000};
  const auto space = twins::Space::make(settings).value();
  const auto session = built_in_protocol("diembft").open({space.cluster(), {}, all()}).value();
  const auto schedule = twins::TwinsGenerator(space).schedule();
  const std::uint64_t before = allocation_count();
  const Ran ran = run_first(*session, *schedule, 1000);
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_GT(ran.delivered, 100'000U);
  EXPECT_EQ(ran.overflowed, 0U);
}

TEST(TimedRuns, NothingIsAllocatedInARun) {
  Scenario scenario;
  scenario.node_count = 5;
  scenario.fault_count = 2;
  scenario.copies = {2, 2};
  scenario.rounds.resize(2);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.rounds[1].leaders = {Identity{1}};
  scenario.heal_leaders = {Identity{2}};
  scenario.timing = Timing{2, 60, 1};
  scenario.rules.resize(1);
  scenario.rules[0].from = {Seat{0}, Seat{5}};
  scenario.rules[0].to = {Seat{3}};
  const Runner& runner = built_in_protocol("sync-hotstuff");
  Trace trace;
  ASSERT_TRUE(run_scenario(runner, scenario, all(), &trace).has_value());
  EXPECT_TRUE(std::ranges::any_of(
      trace, [](const Event& event) { return event.kind == EventKind::kCommitted && event.height > Height(1); }));
  const Cluster cluster = cluster_of(scenario, runner.bugs()).value();
  const auto session = runner.open({cluster, {}, all(), NetworkModel::kTicks}).value();
  RecordedSchedule schedule(scenario);
  (void)session->run(schedule);  // makes room for the rules
  const std::uint64_t before = allocation_count();
  for (unsigned run = 0; run < 100; ++run) {
    const Outcome& outcome = session->run(schedule);
    ASSERT_FALSE(outcome.overflowed);
    ASSERT_TRUE(outcome.has_committed);
  }
  EXPECT_EQ(allocation_count() - before, 0U);
}

twins::Settings by_phases() {
  twins::Settings settings{.protocol = "diembft", .at_most = true, .order = twins::OrderChoice::kSampled};
  settings.granularity = twins::Granularity::kPhase;
  settings.one_way = true;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.step3 = {twins::Selection::Kind::kRandom, 1000};
  return settings;
}

TEST(RunsByPhases, NothingIsAllocatedInARun) {
  const Runner& runner = built_in_protocol("diembft");
  const auto sampler = phases::Sampler::make(by_phases(), static_cast<unsigned>(runner.kinds().size())).value();
  const auto session = runner.open({sampler.cluster(), {}, all()}).value();
  const auto schedule = sampler.schedule();
  const std::uint64_t before = allocation_count();
  const Ran ran = run_first(*session, *schedule, 1000);
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_GT(ran.delivered, 10'000U);
  EXPECT_EQ(ran.overflowed, 0U);
}

// What a schedule remembers of disturbances grows to what the largest round needs, and never after.
TEST(RunsByPhases, NothingIsAllocatedForDisturbancesThatWereSeenBefore) {
  twins::Settings settings = by_phases();
  settings.disturbances = {2, true, true, true, 1};
  const Runner& runner = built_in_protocol("diembft");
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
  const auto session = runner.open({sampler.cluster(), {}, all()}).value();
  const auto schedule = sampler.schedule();
  const Ran first = run_first(*session, *schedule, 1000);
  EXPECT_GT(first.delivered, 10'000U);
  const std::uint64_t before = allocation_count();
  EXPECT_EQ(run_first(*session, *schedule, 1000), first);
  EXPECT_EQ(allocation_count() - before, 0U);
}

TEST(Allocations, AreCounted) {
  const std::uint64_t before = allocation_count();
  const auto memory = std::make_unique<int>(1);
  EXPECT_EQ(*memory, 1);
  EXPECT_EQ(allocation_count() - before, 1U);
}

}  // namespace
}  // namespace nika
