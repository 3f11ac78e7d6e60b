#include "nika/campaign/zoo.hpp"

#include <gtest/gtest.h>

#include "nika/runners/built_in_protocols.hpp"

namespace nika::zoo {
namespace {

Plan plan_for(const Choice& choice) {
  static const Registry registry = built_in_protocols();
  auto plan = plan_of(registry, choice);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *std::move(plan) : Plan{};
}

TEST(Zoo, HasEveryProtocolWithoutABugAndWithEachOfItsBugs) {
  const Registry registry = built_in_protocols();
  std::size_t expected = 0;
  for (const auto& runner : registry.runners()) expected += 1 + runner->bugs().size();
  const Plan plan = plan_for({});
  EXPECT_EQ(plan.subjects.size(), expected);
  EXPECT_EQ(plan.strategies, std::vector(kStrategies.begin(), kStrategies.end()));
  EXPECT_EQ(plan_for({.protocol = "pbft"}).subjects.size(), 12U);
  EXPECT_EQ(plan_for({.bug = "none"}).subjects.size(), registry.runners().size());
  EXPECT_EQ(plan_for({.bug = "quorum-2f"}).subjects.size(), 3U);  // of DiemBFT, Bracha and Tendermint
  EXPECT_EQ(plan_for({.protocol = "pbft", .bug = "none", .strategies = {"twins", "twins"}}).strategies.size(), 1U);
}

TEST(Zoo, RefusesWhatThereIsNot) {
  const Registry registry = built_in_protocols();
  EXPECT_FALSE(plan_of(registry, {.protocol = "raft"}));
  EXPECT_EQ(plan_of(registry, {.protocol = "pbft", .bug = "no-lock"}).error().message,
            "protocol pbft has no bug \"no-lock\"");
  EXPECT_EQ(plan_of(registry, {.bug = "nope"}).error().message, "no protocol has a bug \"nope\"");
  EXPECT_EQ(plan_of(registry, {.strategies = {"luck"}}).error().message,
            "read strategy \"luck\", expected one of twins, twins-exhaustive, twins-guided, fuzz-small, fuzz-any, "
            "fuzz-baseline, fuzz-exhaustive, fuzz-guided, fuzz-twins");
}

// What a protocol is judged by depends on the protocol, and on whether it is broken without a bug.
TEST(Zoo, JudgesABugByWhatTheProtocolKeepsWithoutIt) {
  const auto judged = [](const Choice& choice) { return names_of(plan_for(choice).subjects.at(0).properties); };
  EXPECT_EQ(judged({.protocol = "diembft"}), "agreement,validity,integrity,termination,totality");
  EXPECT_EQ(judged({.protocol = "hotstuff", .bug = "no-lock"}),
            "agreement,validity,integrity,termination,totality,responsiveness");
  EXPECT_EQ(judged({.protocol = "two-phase-hotstuff", .bug = "none"}),
            "agreement,validity,integrity,termination,totality,responsiveness");
  EXPECT_EQ(judged({.protocol = "two-phase-hotstuff", .bug = "no-lock"}), "agreement,validity,integrity,totality");
  EXPECT_EQ(judged({.protocol = "sync-hotstuff"}), "agreement,validity,integrity,termination,totality,responsiveness");
  EXPECT_EQ(judged({.protocol = "bv-broadcast"}),
            "agreement,validity,integrity,termination,totality,justification,obligation");
  EXPECT_EQ(judged({.protocol = "dbft"}), "agreement,validity,integrity,termination,totality,justification");
  EXPECT_EQ(judged({.protocol = "one-step"}),
            "agreement,validity,integrity,termination,totality,justification,handover");
  EXPECT_TRUE(plan_for({.protocol = "two-phase-hotstuff"}).subjects.at(0).is_flawed());
  EXPECT_FALSE(plan_for({.protocol = "hotstuff"}).subjects.at(0).is_flawed());
}

Attempt attempt_on(const Choice& choice, Strategy strategy, const Budget& budget) {
  const Plan plan = plan_for(choice);
  auto result = attempt(plan.subjects.at(0), strategy, budget, {});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Attempt{};
}

TEST(Zoo, TheFirstViolationIsTheSameOnAnyNumberOfThreads) {
  const Choice choice{.protocol = "tendermint", .bug = "quorum-2f"};
  for (const Strategy strategy : kStrategies) {
    const Attempt one = attempt_on(choice, strategy, {.executions = 3000, .threads = 1});
    const Attempt two = attempt_on(choice, strategy, {.executions = 3000, .threads = 2});
    EXPECT_EQ(one.found, two.found) << name_of(strategy);
    EXPECT_EQ(one.executions, two.executions) << name_of(strategy);
    EXPECT_EQ(one.property, two.property) << name_of(strategy);
  }
  const Attempt drawn = attempt_on(choice, Strategy::kTwins, {.executions = 3000});
  EXPECT_TRUE(drawn.found);
  EXPECT_EQ(drawn.property, "agreement");
  // Not a schedule sooner.
  const auto first = static_cast<std::uint64_t>(drawn.executions);
  EXPECT_FALSE(attempt_on(choice, Strategy::kTwins, {.executions = first - 1}).found);
  EXPECT_TRUE(attempt_on(choice, Strategy::kTwins, {.executions = first}).found);
}

TEST(Zoo, NobodyFindsAnythingInACorrectProtocolAndAllTheExecutionsAreMade) {
  for (const Strategy strategy : kStrategies) {
    const Attempt tried = attempt_on({.protocol = "diembft", .bug = "none"}, strategy, {.executions = 1000});
    EXPECT_FALSE(tried.found) << name_of(strategy);
    EXPECT_EQ(tried.inapplicable, "");
    if (strategy == Strategy::kTwinsExhaustive) {
      EXPECT_GT(tried.executions, 0U);
    } else {
      EXPECT_EQ(tried.executions, 1000U) << name_of(strategy);
    }
  }
}

TEST(Zoo, SaysWhyAStrategyCannotBeTried) {
  const Choice choice{.protocol = "sync-hotstuff", .bug = "none"};
  EXPECT_EQ(attempt_on(choice, Strategy::kTwinsExhaustive, {}).inapplicable,
            "it runs on a clock, and delays are drawn");
  EXPECT_NE(attempt_on(choice, Strategy::kFuzzSmall, {}).inapplicable, "");
  EXPECT_EQ(attempt_on(choice, Strategy::kTwins, {.executions = 500}).executions, 500U);
}

TEST(Zoo, TellsWhatThereIsWhenItIsStopped) {
  const Plan plan = plan_for({.protocol = "bracha"});
  std::atomic<bool> stop{false};
  Watch watch;
  watch.stop = &stop;
  std::size_t rows = 0;
  const auto done = run(plan, {.executions = 100}, watch, [&](const Row& row) {
    ++rows;
    EXPECT_EQ(row.attempts.size(), kStrategies.size());
    stop = true;
  });
  ASSERT_TRUE(done);
  EXPECT_FALSE(*done);
  EXPECT_EQ(rows, 1U);
}

}  // namespace
}  // namespace nika::zoo
