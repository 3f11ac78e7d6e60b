#include "nika/properties/hot_state.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

constexpr Held kOne{kFirst, Height(1)};
constexpr Held kOther{kSecond, Height(1)};

// B is locked on one block and C on another; D has no lock yet, and A has a twin, so that only B, C and D count.
PlantedRun torn() {
  PlantedRun run(kAgreement);
  run.seats[1].progress.locked = kOne;
  run.seats[2].progress.locked = kOther;
  return run;
}

TEST(HotState, ConflictingLocksThatNoQuorumOfCorrectSeatsCanFollowAreHot) {
  const PlantedRun run = torn();
  EXPECT_EQ(correct_seats(run.sight()), (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
  EXPECT_TRUE(locks_conflict(run.sight(), Seat{1}, Seat{2}));
  EXPECT_FALSE(locks_conflict(run.sight(), Seat{1}, Seat{3}));
  EXPECT_TRUE(is_hot(run.sight()));
}

TEST(HotState, LocksOnOneBranchAreNot) {
  PlantedRun run = torn();
  run.seats[2].progress.locked = {kFirst, Height(2)};
  EXPECT_FALSE(locks_conflict(run.sight(), Seat{1}, Seat{2}));
  EXPECT_FALSE(is_hot(run.sight()));
  EXPECT_FALSE(is_hot(PlantedRun(kAgreement).sight()));  // nobody is locked at all
}

// Seven nodes, one of them compromised, and certificates of three: four correct seats without a conflict are enough.
TEST(HotState, ALockThatEnoughCorrectSeatsCanFollowKeepsItCool) {
  PlantedRun run(kAgreement, 7);
  run.seats[1].progress.locked = kOne;
  run.seats[2].progress.locked = kOther;
  EXPECT_FALSE(is_hot(run.sight()));
  for (unsigned s = 3; s < 7; ++s) run.seats[s].progress.locked = s % 2 == 0 ? kOne : kOther;
  EXPECT_FALSE(is_hot(run.sight()));  // three seats each
  run.seats[6].progress.locked = {ValueId(Round(2), Seat{6}, 0), Height(1)};
  run.seats[5].progress.locked = {ValueId(Round(2), Seat{5}, 0), Height(1)};
  EXPECT_TRUE(is_hot(run.sight()));  // two, two, and two alone
}

TEST(HotState, IsCoolOnceEverybodyHasExecutedALock) {
  PlantedRun run = torn();
  for (unsigned s : {1U, 2U}) run.seats[s].progress.executed = kOne;
  EXPECT_TRUE(is_hot(run.sight()));  // D has not
  run.seats[3].progress.executed = kOne;
  EXPECT_FALSE(is_hot(run.sight()));
}

// What liars and who lost its memory are locked on does not count.
TEST(HotState, OnlyCorrectSeatsCount) {
  PlantedRun run = torn();
  run.amnesiac = {Seat{2}};
  EXPECT_FALSE(is_hot(run.sight()));
  run.amnesiac = {};
  run.seats[2].progress.locked = {};
  run.seats[0].progress.locked = kOther;
  EXPECT_FALSE(is_hot(run.sight()));
}

}  // namespace
}  // namespace nika
