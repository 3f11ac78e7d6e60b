// Sync HotStuff on the clock: correct runs, and an adversary that delays what it may at random.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/campaign/runner.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/scenarios/timed/timed_generator.hpp"

namespace nika {
namespace {

const Runner& runner() { return built_in_protocol("sync-hotstuff"); }

Scenario scenario_of(unsigned nodes, std::vector<std::uint8_t> copies, unsigned ticks) {
  Scenario scenario;
  scenario.protocol = runner().name();
  scenario.node_count = static_cast<std::uint8_t>(nodes);
  scenario.fault_count = static_cast<std::uint8_t>((nodes - 1) / 2);
  scenario.copies = std::move(copies);
  scenario.rounds.resize(3);
  for (unsigned v = 0; v < 3; ++v) scenario.rounds[v].leaders = {static_cast<Identity>(v)};
  scenario.heal_leaders = {static_cast<Identity>(nodes - 1)};
  scenario.timing = Timing{2, static_cast<std::uint8_t>(ticks), 2};
  return scenario;
}

std::vector<Event> events_of(const Scenario& scenario, EventKind kind) {
  Trace trace;
  const auto outcome = run_scenario(runner(), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  std::erase_if(trace, [&](const Event& event) { return event.kind != kind; });
  return trace;
}

TEST(SyncHotStuffOnTheClock, BlocksAreCommittedTwoDeltaAfterTheVote) {
  for (const unsigned delay : {0U, 1U, 2U}) {
    Scenario scenario = scenario_of(5, {}, 16);
    scenario.timing->delay_ticks = static_cast<std::uint8_t>(delay);
    EXPECT_TRUE(events_of(scenario, EventKind::kTimedOut).empty());
    const auto commits = events_of(scenario, EventKind::kCommitted);
    // The leader votes at 0, 4, 8, 12 and commits 4 ticks later, the others when messages have come.
    const auto of_leader = std::ranges::count(commits, Seat{0}, &Event::seat);
    EXPECT_EQ(of_leader, 4);
    const auto first = std::ranges::find(commits, Seat{1}, &Event::seat);
    ASSERT_NE(first, commits.end());
    EXPECT_EQ(first->time, 4U + delay);
  }
}

TEST(SyncHotStuffOnTheClock, ASilentLeaderIsReplaced) {
  Scenario scenario = scenario_of(3, {2}, 40);
  scenario.rules.push_back({});
  scenario.rules[0].from = {Seat{0}, Seat{3}};  // A and its twin say nothing
  const auto blames = events_of(scenario, EventKind::kTimedOut);
  ASSERT_FALSE(blames.empty());
  EXPECT_EQ(blames[0].time, 6U);  // 3Δ
  const auto commits = events_of(scenario, EventKind::kCommitted);
  const auto by_b = std::ranges::find(commits, Seat{1}, &Event::seat);
  ASSERT_NE(by_b, commits.end());
  EXPECT_EQ(by_b->value, ValueId(Round(2), Seat{1}, 0));
}

TEST(SyncHotStuffOnTheClock, PartitionsAndNetworkRoundsAreRefused) {
  Scenario scenario = scenario_of(5, {}, 16);
  scenario.timing.reset();
  EXPECT_FALSE(run_scenario(runner(), scenario, only(kAgreement)).has_value());
  scenario = scenario_of(5, {}, 16);
  scenario.rounds[0].partition.block_of = {0, 0, 0, 1, 1};
  EXPECT_FALSE(run_scenario(runner(), scenario, only(kAgreement)).has_value());
  const Cluster cluster = *make_cluster(5, {});
  for (const NetworkModel network : {NetworkModel::kRounds, NetworkModel::kSteps}) {
    EXPECT_FALSE(runner().open({cluster, {}, only(kAgreement), network}).has_value());
  }
  EXPECT_TRUE(runner().open({cluster, {}, only(kAgreement), NetworkModel::kTicks}).has_value());
}

struct Sampled {
  unsigned violated = 0;
  unsigned unknown = 0;
  unsigned committed = 0;  // runs in which an honest seat committed something
};

// Leaders are compromised in views 1 and 2; the adversary acts in views 1 to 3.
Sampled sample(Scenario base, unsigned count, std::uint64_t seed) {
  const Cluster cluster = cluster_of(base, runner().bugs()).value();
  const timed::Adversary adversary{.views = 3, .kinds = 6, .longest_ticks = 14};
  Random random(seed);
  const auto session = runner().open({cluster, base.bugs, only(kAgreement), NetworkModel::kTicks}).value();
  Sampled sampled;
  for (unsigned i = 0; i < count; ++i) {
    const Scenario scenario = timed::sample(base, adversary, random);
    EXPECT_TRUE(check_synchrony(scenario).has_value());
    RecordedSchedule schedule(scenario);
    const Outcome& outcome = session->run(schedule);
    const Verdict verdict = outcome.verdict();
    sampled.violated += verdict == Verdict::kViolated ? 1U : 0U;
    sampled.unknown += verdict == Verdict::kUnknown ? 1U : 0U;
    sampled.committed += outcome.has_committed ? 1U : 0U;
  }
  return sampled;
}

// The same adversary finds the force-locking attack by itself.
TEST(SyncHotStuffOnTheClock, TheEarlyVersionDoesNotWithstandIt) {
  Scenario scenario = scenario_of(5, {2, 2}, 40);
  scenario.bugs = {"early-version"};
  const Sampled sampled = sample(scenario, 1000, 3);
  EXPECT_EQ(sampled.unknown, 0U);
  EXPECT_EQ(sampled.violated, 7U);
}

TEST(SyncHotStuffOnTheClock, ThePublishedVersionWithstandsAnAdversaryOfRandomDelays) {
  const Sampled three = sample(scenario_of(3, {2}, 60), 3000, 1);
  EXPECT_EQ(three.violated, 0U);
  EXPECT_EQ(three.unknown, 0U);
  EXPECT_GT(three.committed, 2900U);
  const Sampled five = sample(scenario_of(5, {2, 2}, 60), 1000, 2);
  EXPECT_EQ(five.violated, 0U);
  EXPECT_EQ(five.unknown, 0U);
  EXPECT_GT(five.committed, 900U);
}

// Progress is judged on the clock too: an honest leader decides in time, whatever liars do, and is never replaced.
TEST(SyncHotStuffOnTheClock, ProgressIsJudgedAndThePublishedVersionMakesIt) {
  const auto counts_of = [](std::vector<std::string> bugs, unsigned count) {
    Scenario base = scenario_of(5, {2, 2}, 80);
    base.bugs = std::move(bugs);
    timed::Adversary adversary{.views = 3, .kinds = 6, .longest_ticks = 12};
    adversary.leaders = timed::anybody(5);
    const timed::TimedGenerator generator(base, adversary, 5, count);
    const Properties properties = *parse_properties("termination,totality,responsiveness", built_in_properties());
    RangeWork work({0, count});
    const nika::Setup setup{generator.cluster(), base.bugs, properties, NetworkModel::kTicks};
    return sweep(runner(), setup, generator, work, {}).value().tally;
  };
  const Tally published = counts_of({}, 2000);
  for (const PropertyTally& tally : published.properties) {
    EXPECT_EQ(tally.violating, 0U);
    EXPECT_EQ(static_cast<unsigned>(tally.unknown), 141U);  // liars alone lead for too long
  }
  const Tally early = counts_of({"early-version"}, 2000);
  EXPECT_EQ(static_cast<unsigned>(early.properties[2].violating), 1U);  // an honest leader is replaced
}

}  // namespace
}  // namespace nika
