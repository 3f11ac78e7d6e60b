// The experiment of the paper with few scenarios: exact counts, whatever the threads; and its tables.
#include "nika/campaign/liveness_experiment.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nika/campaign/hot_loops.hpp"
#include "nika/campaign/liveness_methods.hpp"
#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/campaign/liveness_tables.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika::liveness {
namespace {

constexpr std::uint64_t kScenarios = 10'000;
constexpr unsigned kTimes = 1000;

const Registry& registry() {
  static const Registry built_in = built_in_protocols();
  return built_in;
}

Experiment experiment_of(std::string_view protocol, unsigned rounds, const Options& options) {
  return run_experiment(registry(), protocol, rounds, options).value();
}

std::vector<std::uint64_t> reported_by(const Experiment& experiment) {
  std::vector<std::uint64_t> counts;
  for (const Row& row : experiment.rows) counts.push_back(row.reported);
  return counts;
}

std::vector<std::uint64_t> false_positives_of(const Experiment& experiment) {
  std::vector<std::uint64_t> counts;
  for (const Row& row : experiment.rows) counts.push_back(row.false_positives);
  return counts;
}

using Counts = std::vector<std::uint64_t>;

// Temperature 5, lasso, confirmed lasso, and the three bounds.
TEST(LivenessExperiment, HotStuffIsNeverHotAndBoundsCryWolf) {
  const Experiment experiment = experiment_of("hotstuff", 10, {.scenarios = 10'000});
  EXPECT_EQ(reported_by(experiment), (Counts{0, 0, 0, 5411, 4004, 2528}));
  EXPECT_EQ(experiment.forked, 0U);
  EXPECT_EQ(experiment.unknown, 0U);
  EXPECT_EQ(experiment.hot_states, 0U);
  for (const Row& row : experiment.rows) EXPECT_EQ(row.false_positives, row.reported) << row.method;
}

TEST(LivenessExperiment, TwoPhaseHotStuffIsStuckAndSafe) {
  const Experiment experiment = experiment_of("two-phase-hotstuff", 20, {.scenarios = 10'000});
  EXPECT_EQ(reported_by(experiment), (Counts{19, 0, 0, 73, 72, 4135, 1301, 549}));
  EXPECT_EQ(experiment.forked, 0U);
  EXPECT_EQ(experiment.hot_transitions, 165U);
  EXPECT_EQ(experiment.cyclic_transitions, 41U);
  EXPECT_EQ(false_positives_of(experiment), (Counts{0, 0, 0, 1, 0, 4046, 1275, 534}));
  EXPECT_EQ(experiment.rows[0].false_positives_by_locks, 12U);
  EXPECT_EQ(experiment.rows[3].false_positives_by_locks, 55U);
  EXPECT_EQ(experiment.loops.candidates, 73U);
  EXPECT_EQ(experiment.loops.healed, 0U);
  EXPECT_EQ(experiment.loops.fair, 1U);
  EXPECT_EQ(experiment.repaired, "hotstuff");
  EXPECT_EQ(experiment.loops.repaired_decides, 2U);
}

TEST(LivenessExperiment, TheEarlySyncHotStuffIsNeither) {
  const Experiment experiment = experiment_of("sync-hotstuff", 10, {.scenarios = 10'000});
  EXPECT_TRUE(experiment.is_timed);
  EXPECT_EQ(experiment.forked, 65U);
  EXPECT_EQ(experiment.unknown, 0U);
  EXPECT_EQ(reported_by(experiment), (Counts{4, 9, 2, 3150, 1091, 568}));
  EXPECT_EQ(false_positives_of(experiment), (Counts{3, 7, 0, 3070, 1046, 545}));
  EXPECT_EQ(experiment.loops.healed, 2U);  // as every timed loop
  EXPECT_EQ(experiment.loops.fair, 0U);
}

TEST(LivenessExperiment, ThreadsDoNotCount) {
  for (const std::string_view protocol : kProtocols) {
    const Experiment one = experiment_of(protocol, 20, {.scenarios = 2000, .seed = 5, .threads = 1});
    const Experiment three = experiment_of(protocol, 20, {.scenarios = 2000, .seed = 5, .threads = 3});
    EXPECT_EQ(reported_by(one), reported_by(three));
    EXPECT_EQ(one.hot_transitions, three.hot_transitions);
    EXPECT_EQ(one.loops.confirmed, three.loops.confirmed);
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
      EXPECT_EQ(one.rows[i].trace_length, three.rows[i].trace_length);
      EXPECT_EQ(one.rows[i].false_positives, three.rows[i].false_positives);
    }
  }
}

// How often the loop of an execution comes back and stays hot, of 1,000 times.
unsigned times_of(const Scenarios& drawn, Session& session, std::uint64_t number) {
  const auto schedule = drawn.generator->schedule();
  schedule->seek(number);
  PartialTrail trail;
  trail.begin(drawn.setup.network == NetworkModel::kTicks);
  (void)session.watch(*schedule, [&](const Sight& sight, std::uint32_t) { trail.see(sight); });
  const auto rounds = std::min<std::size_t>(trail.states().size(), kRounds.back());
  const auto hot = find_hot_loop(*session.looping(), *schedule, trail.states().first(rounds));
  return hot ? repeat_hot_loop(*session.looping(), *schedule, *hot, kTimes) : 0;
}

TEST(LivenessExperiment, NoConfirmedLassoIsFalse) {
  unsigned loops = 0;
  for (const std::string_view protocol : kProtocols) {
    for (const unsigned rounds : kRounds) {
      const Experiment experiment = experiment_of(protocol, rounds, {.scenarios = kScenarios, .threads = 2});
      const Runner& runner = built_in_protocol(protocol);
      const auto drawn = draw_scenarios(runner, {.rounds = rounds, .scenarios = kScenarios}).value();
      const auto session = runner.open(drawn.setup).value();
      const Row row = *std::ranges::find(experiment.rows, kConfirmedLasso, &Row::method);
      EXPECT_EQ(row.reported, experiment.loops.confirmed.size());
      EXPECT_EQ(row.false_positives, 0U);
      for (const std::uint64_t number : experiment.loops.confirmed)
        EXPECT_EQ(times_of(drawn, *session, number), kTimes) << protocol << " " << rounds << " " << number;
      loops += static_cast<unsigned>(experiment.loops.confirmed.size());
    }
  }
  EXPECT_EQ(loops, 6U + 72U + 2U + 1U);
}

TEST(LivenessExperiment, AnInterruptLeavesNoRows) {
  const std::atomic<bool> stop{true};
  const Experiment experiment = experiment_of("hotstuff", 10, {.scenarios = 1000, .stop = &stop});
  EXPECT_TRUE(experiment.was_stopped);
  EXPECT_TRUE(experiment.rows.empty());
}

TEST(LivenessExperiment, SynchronyIsKeptAndNothingIsLost) {
  const auto drawn = draw_scenarios(built_in_protocol("sync-hotstuff"), {.rounds = 10, .scenarios = 200}).value();
  for (Wide i = 0; i < 200; ++i) {
    const Scenario scenario = drawn.generator->scenario(i);
    ASSERT_TRUE(check_synchrony(scenario).has_value());
    for (const Rule& rule : scenario.rules) {
      ASSERT_TRUE(rule.kinds == 1 || rule.kinds == 2);
      ASSERT_NE(rule.action, Action::kDrop);
      ASSERT_LE(rule.delay_ticks, rule.kinds == 1 ? 6 : 4);
    }
  }
}

TEST(LivenessTables, HaveARowForEachMethodOfThePaper) {
  EXPECT_EQ(paper_rows().size(), 34U);
  const PaperRow* row = paper_row({"two-phase-hotstuff", 20, "temperature", 10});
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->seconds, 53 * 60 + 30);
  EXPECT_EQ(row->trace_length, 17);
  EXPECT_EQ(row->liveness_percent, 0.74);
  EXPECT_EQ(paper_row({"sync-hotstuff", 20, "lasso"})->safety_percent, 2.1);
  EXPECT_EQ(paper_row({"hotstuff", 20, "temperature", 10}), nullptr);
  EXPECT_EQ(paper_row({"hotstuff", 20, "confirmed-lasso"}), nullptr);
}

}  // namespace
}  // namespace nika::liveness
