#include "nika/properties/temperature.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

void tear(PlantedRun& run) {
  run.seats[1].progress.locked = {kFirst, Height(1)};
  run.seats[3].progress.locked = {kSecond, Height(1)};
}

// Cool for two rounds, and hot from the third.
PlantedRun heated(unsigned hot_rounds, const Property& property = kTemperature) {
  PlantedRun run(property);
  run.pass(2);
  tear(run);
  run.pass(hot_rounds);
  return run;
}

TEST(Temperature, FiveHotRoundsInARowAreSuspicious) {
  const PlantedRun run = heated(5);
  EXPECT_FALSE(run.is_settled());
  const Judgement found = run.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "hot for 5 rounds");
  EXPECT_EQ(found.evidence.why, "it is a suspicion, not a proof");
  EXPECT_EQ(found.evidence.since, Round(3));
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{1}, Seat{3}}));
  ASSERT_EQ(found.evidence.claims.size(), 2U);
  EXPECT_EQ(found.evidence.claims[0].seat, Seat{1});
  EXPECT_EQ(found.evidence.claims[0].value, kFirst);
  EXPECT_EQ(found.evidence.claims[1].seat, Seat{3});
  EXPECT_EQ(found.evidence.claims[1].value, kSecond);
}

TEST(Temperature, FourAreNot) {
  EXPECT_EQ(heated(4).verdict(), Verdict::kHolds);
  EXPECT_FALSE(heated(4).is_settled());
}

TEST(Temperature, ACoolRoundBetweenThemBeginsAnew) {
  PlantedRun run = heated(4);
  run.seats[3].progress.locked = {kFirst, Height(2)};
  run.pass(1);
  tear(run);
  run.pass(4);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.pass(1);
  EXPECT_EQ(run.judged().evidence.since, Round(8));
}

TEST(Temperature, HealingRoundsCountToo) {
  PlantedRun run = heated(3);
  run.heal(2);
  EXPECT_EQ(run.judged().evidence.since, Round(3));
}

TEST(Temperature, ASuspicionThatCoolsDownIsUnknown) {
  PlantedRun run = heated(5);
  run.pass(9);
  EXPECT_EQ(run.judged().evidence.since, Round(3));
  EXPECT_EQ(run.judged().evidence.kind, "hot for 5 rounds");
  run.seats[3].progress.locked = {};
  run.pass(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kCooledDown);
  tear(run);
  run.pass(4);
  EXPECT_EQ(run.unjudged(), Unjudged::kCooledDown);
  run.pass(1);
  EXPECT_EQ(run.judged().evidence.since, Round(18));
}

TEST(Temperature, WhoWasDownAfterItBoiledIsNoExcuse) {
  PlantedRun run = heated(5);
  run.down = {Seat{2}};
  run.pass(1);
  run.down = {};
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(Temperature, HasALimitOfItsOwn) {
  const Property& two = limited_to(kTemperature, 2);
  EXPECT_EQ(heated(1, two).verdict(), Verdict::kHolds);
  EXPECT_EQ(heated(2, two).judged().evidence.kind, "hot for 2 rounds");
  EXPECT_EQ(heated(1, limited_to(kTemperature, 1)).judged().evidence.kind, "hot for 1 round");
  EXPECT_EQ(heated(105, limited_to(kTemperature, 105)).judged().evidence.kind, "hot for 105 rounds");
}

// In a timed run many ticks pass in one view.
TEST(Temperature, TicksOfOneViewCountOnce) {
  PlantedRun run(limited_to(kTemperature, 2));
  run.pass(1);
  tear(run);
  for (unsigned tick = 0; tick < 9; ++tick) run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.pass(1);
  for (unsigned tick = 0; tick < 9; ++tick) run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.pass(1);
  EXPECT_EQ(run.judged().evidence.since, Round(2));
  run.delta_ticks = 2;
  EXPECT_EQ(run.judged().evidence.kind, "hot for 2 views");
}

TEST(Temperature, NothingCanBeSaidOfAProtocolThatDoesNotTell) {
  PlantedRun run = heated(0);
  run.insight = nullptr;
  run.pass(9);
  EXPECT_EQ(run.unjudged(), Unjudged::kTellsNoProgress);
}

TEST(Temperature, NothingCanBeSaidWithoutRoundsOrBeyondTheThreshold) {
  PlantedRun steps = heated(0);
  steps.is_asynchronous = true;
  steps.pass(9);
  EXPECT_EQ(steps.unjudged(), Unjudged::kNoRounds);
  PlantedRun run = heated(5);
  run.amnesiac = {Seat{2}};
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
}

TEST(Temperature, IsUnknownWhereMoreThanFAreDownOrSoFewTolerateNoF) {
  PlantedRun run(kTemperature);
  run.down = {Seat{2}};
  run.pass(3);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun few = heated(5);
  few.cluster.fault_count = 2;
  EXPECT_EQ(few.unjudged(), Unjudged::kNoSuchThreshold);
}

}  // namespace
}  // namespace nika
