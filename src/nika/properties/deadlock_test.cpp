#include "nika/properties/deadlock.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

// Three rounds, after the second of which nothing is left to happen.
PlantedRun dead() {
  PlantedRun run(kDeadlock);
  run.pass(1);
  run.is_at_rest = true;
  run.pass(2);
  return run;
}

TEST(Deadlock, ARestInWhichSomebodyIsUndecidedIsFound) {
  PlantedRun run = dead();
  run.promises.is_single_shot = true;
  run.commit(Seat{1}, 1, kFirst);
  const Judgement found = run.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "nothing can ever happen");
  EXPECT_EQ(found.evidence.since, Round(2));
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{2}, Seat{3}}));
}

TEST(Deadlock, HoldsWhereAllHaveDecided) {
  PlantedRun run = dead();
  run.promises.is_single_shot = true;
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Deadlock, ALogIsNeverDone) {
  PlantedRun run = dead();
  run.commit_all(1);
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
}

TEST(Deadlock, HoldsWhileSomethingCanHappen) {
  PlantedRun run = dead();
  run.is_at_rest = false;
  run.pass(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.is_at_rest = true;
  run.pass(1);
  EXPECT_EQ(run.judged().evidence.since, Round(5));  // it is the last rest that lasts
}

TEST(Deadlock, ABroadcastMayRestIfItsSenderIsFaultyAndNobodyHasDelivered) {
  PlantedRun run = dead();
  run.promises.is_single_shot = run.promises.is_broadcast = true;
  run.leaders[1] = {Identity{0}};
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{2}, 1, kFirst);
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{1}, Seat{3}}));
  PlantedRun honest = dead();
  honest.promises = run.promises;
  EXPECT_EQ(honest.judged().evidence.seats, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
}

TEST(Deadlock, WhoIsDownOwesNothingAndCountsAgainstTheThreshold) {
  PlantedRun run = dead();
  run.down = {Seat{3}};
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  run.cluster = *make_cluster(4, {});
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{0}, Seat{1}, Seat{2}}));
}

TEST(Deadlock, IsUnknownWhereNobodyAsksOrSoFewTolerateNoF) {
  PlantedRun run = dead();
  const std::array<std::uint8_t, 1> copies{2};
  run.cluster = *make_cluster(4, copies, 1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.down = {Seat{5}};
  EXPECT_EQ(run.unjudged(), Unjudged::kNobodyAsks);
  PlantedRun few = dead();
  few.cluster.fault_count = 2;
  EXPECT_EQ(few.unjudged(), Unjudged::kNoSuchThreshold);
}

}  // namespace
}  // namespace nika
