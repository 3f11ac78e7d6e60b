// The experiment of the paper with few scenarios: exact counts, whatever the threads; and its tables.
#include "nika/campaign/liveness_experiment.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nika/campaign/liveness_methods.hpp"
#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/campaign/liveness_tables.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika::liveness {
namespace {

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

using Counts = std::vector<std::uint64_t>;

// Temperature 5, lasso, and the three bounds.
TEST(LivenessExperiment, HotStuffIsNeverHotAndBoundsCryWolf) {
  const Experiment experiment = experiment_of("hotstuff", 10, {.scenarios = 10'000});
  EXPECT_EQ(reported_by(experiment), (Counts{0, 0, 5411, 4004, 2528}));
  EXPECT_EQ(experiment.forked, 0U);
  EXPECT_EQ(experiment.unknown, 0U);
  EXPECT_EQ(experiment.hot_states, 0U);
  for (const Row& row : experiment.rows) EXPECT_EQ(row.false_positives, row.reported) << row.method;
}

TEST(LivenessExperiment, TwoPhaseHotStuffIsStuckAndSafe) {
  const Experiment experiment = experiment_of("two-phase-hotstuff", 20, {.scenarios = 10'000});
  EXPECT_EQ(reported_by(experiment), (Counts{19, 0, 0, 73, 4135, 1301, 549}));
  EXPECT_EQ(experiment.forked, 0U);
  EXPECT_EQ(experiment.hot_transitions, 165U);
  EXPECT_EQ(experiment.cyclic_transitions, 41U);
  EXPECT_EQ(experiment.rows[0].false_positives, 12U);
  EXPECT_EQ(experiment.rows[3].false_positives, 55U);
}

TEST(LivenessExperiment, TheEarlySyncHotStuffIsNeither) {
  const Experiment experiment = experiment_of("sync-hotstuff", 10, {.scenarios = 10'000});
  EXPECT_TRUE(experiment.is_timed);
  EXPECT_EQ(experiment.forked, 65U);
  EXPECT_EQ(experiment.unknown, 0U);
  EXPECT_EQ(reported_by(experiment), (Counts{4, 9, 3150, 1091, 568}));
}

TEST(LivenessExperiment, ThreadsDoNotCount) {
  for (const std::string_view protocol : kProtocols) {
    const Experiment one = experiment_of(protocol, 20, {.scenarios = 2000, .seed = 5, .threads = 1});
    const Experiment three = experiment_of(protocol, 20, {.scenarios = 2000, .seed = 5, .threads = 3});
    EXPECT_EQ(reported_by(one), reported_by(three));
    EXPECT_EQ(one.hot_transitions, three.hot_transitions);
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
      EXPECT_EQ(one.rows[i].trace_length, three.rows[i].trace_length);
      EXPECT_EQ(one.rows[i].false_positives, three.rows[i].false_positives);
    }
  }
}

// Only what some method reports is asked about, and a lasso that is confirmed is no false positive.
TEST(LivenessExperiment, WhoConfirmsIsAskedAboutWhatWasReported) {
  std::atomic<unsigned> asked{0};
  Options options{.scenarios = 2000, .seed = 1};
  options.is_confirmed = [&](const Scenario& scenario) {
    EXPECT_EQ(scenario.rounds.size(), 20U);
    return asked++ % 2 == 0;
  };
  const Experiment experiment = experiment_of("two-phase-hotstuff", 20, options);
  const auto row = [&](std::string_view method) { return *std::ranges::find(experiment.rows, method, &Row::method); };
  EXPECT_GE(asked, row("small-timeout").reported);
  EXPECT_LT(asked, 2000U);
  EXPECT_EQ(row(kConfirmedLasso).false_positives, 0U);
  EXPECT_EQ(row(kConfirmedLasso).reported, row(kLasso).reported - row(kLasso).false_positives);
  EXPECT_GT(row(kLasso).reported, 0U);
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
