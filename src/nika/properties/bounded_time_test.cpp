#include "nika/properties/bounded_time.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

const Property& four() { return limited_to(kBoundedTime, 4); }

TEST(BoundedTime, NoDecisionWithinTheBoundIsFound) {
  PlantedRun run(four());
  run.pass(3);
  EXPECT_FALSE(run.is_settled());
  EXPECT_EQ(run.unjudged(), Unjudged::kCutShort);
  run.pass(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.kind, "no decision in time");
  EXPECT_TRUE(run.is_settled());
  run.commit_all(1);
  run.pass(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(BoundedTime, OneDecisionInTimeIsEnough) {
  PlantedRun run(four());
  run.pass(3);
  run.commit(Seat{2}, 1, kFirst);
  run.pass(1);
  EXPECT_TRUE(run.is_settled());
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.pass(9);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

// The next tick in which something happens may be far beyond the bound.
TEST(BoundedTime, ADecisionInALaterTickIsTooLate) {
  PlantedRun run(four());
  run.pass(1);
  run.time = 8;
  run.commit_all(1);
  run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(BoundedTime, NothingCanBeSaidWithoutABoundWithoutRoundsOrBeyondTheThreshold) {
  PlantedRun run(kBoundedTime);
  run.pass(9);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoLimit);
  PlantedRun steps(four());
  steps.is_asynchronous = true;
  steps.pass(9);
  EXPECT_EQ(steps.unjudged(), Unjudged::kNoRounds);
  PlantedRun faulty(four());
  faulty.amnesiac = {Seat{2}};
  faulty.pass(9);
  EXPECT_EQ(faulty.unjudged(), Unjudged::kTooManyFaulty);
}

TEST(BoundedTime, IsUnknownWhereMoreThanFAreDownOrSoFewTolerateNoF) {
  PlantedRun run(four());
  run.cluster.compromised = {};
  run.down = {Seat{2}, Seat{3}};
  run.pass(2);
  run.down = {};
  run.pass(9);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun few(four());
  few.cluster.fault_count = 2;
  few.pass(9);
  EXPECT_EQ(few.unjudged(), Unjudged::kNoSuchThreshold);
}

}  // namespace
}  // namespace nika
