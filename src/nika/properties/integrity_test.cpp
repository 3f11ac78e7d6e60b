#include "nika/properties/integrity.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

TEST(Integrity, OneValueAtTwoHeightsIsFound) {
  PlantedRun run(kIntegrity);
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 2, kFirst);  // another seat, which agrees with nobody but decides once
  EXPECT_FALSE(run.is_settled());
  run.commit(Seat{1}, 3, kFirst);
  EXPECT_TRUE(run.is_settled());
  const Judgement found = run.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "one value at two heights");
  EXPECT_EQ(found.evidence.height, Height(3));
  EXPECT_EQ(found.evidence.seats, SeatSet{Seat{1}});
}

TEST(Integrity, TwoValuesAtOneHeightAreFound) {
  PlantedRun run(kIntegrity);
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kFirst);
  run.commit(Seat{2}, 1, kSecond);
  const Judgement found = run.judged();
  EXPECT_EQ(found.evidence.kind, "two values at one height");
  EXPECT_EQ(found.evidence.seats, SeatSet{Seat{2}});
  ASSERT_EQ(found.evidence.claims.size(), 1U);
  EXPECT_EQ(found.evidence.claims[0].value, kSecond);
}

TEST(Integrity, HoldsForALogThatGrowsAndForWhatIsToldAgain) {
  PlantedRun run(kIntegrity);
  for (unsigned height = 1; height <= 100; ++height) run.commit_all(height, ValueId(Round(height), Seat{1}, 0));
  run.commit(Seat{1}, 100, ValueId(Round(100), Seat{1}, 0));
  run.commit(Seat{1}, 101, ValueId::nameless(Round(0), 0));
  run.commit(Seat{1}, 102, ValueId::nameless(Round(0), 0));  // null requests are all alike
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Integrity, OneValueAtTwoHeightsIsFineWhereLeadersProposeItAgain) {
  PlantedRun run(kIntegrity);
  run.promises.repeats_values = true;
  run.commit_all(1, kFirst);
  run.commit_all(2, kFirst);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{1}, 2, kSecond);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// Two seats that differ break agreement, and each has decided once.
TEST(Integrity, IsNotAgreement) {
  PlantedRun run(kIntegrity);
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kSecond);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Integrity, OrderOfHeightsDoesNotMatter) {
  PlantedRun run(kIntegrity);
  run.commit(Seat{1}, 5, kFirst);
  run.commit(Seat{1}, 2, kSecond);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{1}, 2, kFirst);
  EXPECT_EQ(run.judged().evidence.kind, "two values at one height");
}

}  // namespace
}  // namespace nika
