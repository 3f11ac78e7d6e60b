#include "nika/model/commit_log.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

const ValueId kOne(Round(1), Seat{0}, 0);
const ValueId kTwo(Round(2), Seat{1}, 0);

TEST(CommitLog, RemembersTheFirstConflictOnly) {
  CommitLog log;
  log.record(Seat{1}, {Height(1), kOne});
  log.record(Seat{2}, {Height(1), kOne});
  EXPECT_FALSE(log.conflict().found);
  log.record(Seat{3}, {Height(1), kTwo});
  log.record(Seat{0}, {Height(2), kOne});
  log.record(Seat{1}, {Height(2), kTwo});
  const Conflict& conflict = log.conflict();
  ASSERT_TRUE(conflict.found);
  EXPECT_EQ(conflict.height, Height(1));
  EXPECT_EQ(conflict.first_seat, Seat{1});
  EXPECT_EQ(conflict.first_value, kOne);
  EXPECT_EQ(conflict.second_seat, Seat{3});
  EXPECT_EQ(conflict.second_value, kTwo);
  EXPECT_EQ(log.at(Height(1)), kOne);
  EXPECT_EQ(log.seat_at(Height(2)), Seat{0});
}

TEST(CommitLog, ASeatCanContradictItself) {
  CommitLog log;
  log.record(Seat{1}, {Height(1), kOne});
  log.record(Seat{1}, {Height(1), kTwo});
  EXPECT_TRUE(log.conflict().found);
  EXPECT_EQ(log.conflict().first_seat, log.conflict().second_seat);
}

TEST(CommitLog, KnowsHowFarEachSeatIs) {
  CommitLog log;
  log.record(Seat{1}, {Height(3), kOne});
  log.record(Seat{1}, {Height(1), kTwo});
  log.record(Seat{2}, {Height(1), kTwo});
  EXPECT_EQ(log.top(), Height(3));
  EXPECT_EQ(log.top_of(Seat{1}), Height(3));
  EXPECT_EQ(log.top_of(Seat{2}), Height(1));
  EXPECT_EQ(log.top_of(Seat{3}), Height{});
  EXPECT_EQ(log.seats(), (SeatSet{Seat{1}, Seat{2}}));
}

TEST(CommitLog, WhoIsAssumedToBeNowhereHasCommittedNothing) {
  CommitLog log;
  log.record(Seat{1}, {Height(1), ValueId(Round(1), Seat{0}, 0)});
  log.assume_top_of(Seat{1}, Height(0));
  log.assume_top_of(Seat{2}, Height(1));
  EXPECT_EQ(log.seats(), SeatSet{Seat{2}});
}

TEST(CommitLog, ACopyIsTheSameAndAClearedOneIsEmpty) {
  CommitLog log;
  log.record(Seat{1}, {Height(1), kOne});
  log.record(Seat{2}, {Height(1), kTwo});
  CommitLog copy;
  copy.record(Seat{3}, {Height(9), kOne});
  copy.copy_from(log);
  EXPECT_EQ(copy.top(), Height(1));
  EXPECT_EQ(copy.at(Height(9)), kGenesis);
  EXPECT_EQ(copy.top_of(Seat{3}), Height{});
  EXPECT_TRUE(copy.conflict().found);
  copy.clear();
  EXPECT_EQ(copy.top(), Height{});
  EXPECT_EQ(copy.at(Height(1)), kGenesis);
  EXPECT_TRUE(copy.seats().empty());
  EXPECT_FALSE(copy.conflict().found);
}

}  // namespace
}  // namespace nika
