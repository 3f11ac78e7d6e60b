#include "nika/properties/lasso.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

// Two locks that exclude each other, of round 1; from round 4 on both are as old as a state tells.
PlantedRun heated(unsigned hot_rounds, const Property& property = kConfirmedLasso) {
  PlantedRun run(property);
  run.pass(2);
  run.seats[1].progress.locked = {kFirst, Height(1)};
  run.seats[3].progress.locked = {kSecond, Height(1)};
  run.pass(hot_rounds);
  return run;
}

TEST(Lasso, AHotStateThatComesBackIsACandidateAndNoViolation) {
  for (const Property* property : {&kLasso, &kConfirmedLasso}) {
    const PlantedRun run = heated(3, *property);
    EXPECT_TRUE(run.is_settled());
    EXPECT_EQ(run.verdict(), Verdict::kUnknown);
    EXPECT_EQ(run.unjudged(), Unjudged::kUnconfirmed);
  }
}

TEST(Lasso, HotStatesThatDifferAreNone) {
  EXPECT_EQ(heated(2).verdict(), Verdict::kHolds);
  EXPECT_FALSE(heated(2).is_settled());
}

TEST(Lasso, AColdStateBetweenThemBeginsAnew) {
  PlantedRun run = heated(2);
  run.seats[3].progress.locked = {kFirst, Height(2)};
  run.pass(1);
  run.seats[3].progress.locked = {kSecond, Height(1)};
  run.pass(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.pass(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kUnconfirmed);
}

TEST(Lasso, TicksOfOneViewAreOneState) {
  PlantedRun run = heated(2);
  run.tick(5);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Lasso, IsUnknownWhereNothingCanBeSaid) {
  PlantedRun many = heated(3);
  many.cluster.fault_count = 0;
  EXPECT_EQ(many.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun steps = heated(3);
  steps.is_asynchronous = true;
  EXPECT_EQ(steps.unjudged(), Unjudged::kNoRounds);
  PlantedRun silent = heated(3);
  silent.insight = nullptr;
  EXPECT_EQ(silent.unjudged(), Unjudged::kTellsNoProgress);
}

}  // namespace
}  // namespace nika
