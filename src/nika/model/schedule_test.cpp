#include "nika/model/schedule.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

// Two rounds with one partition, then three of healing, with crashes.
class Example : public Schedule {
 public:
  explicit Example(std::span<const Crash> crashes) {
    begin(4, 2, 3);
    set_crashes(crashes);
    const std::array turns{Identity{1}, Identity{2}};
    set_heal_leaders(leaders_, 2, turns);
    heal_order_ = Order::reversed(4);
  }

 private:
  void choose(Round, RoundAnswers& answers) override {
    answers.links = &links_;
    answers.gives_up = {Seat{3}};
  }

  Links links_ = links_of({{0, 0, 1, 1}}, 4);
};

TEST(Schedule, AsksForScheduledRoundsAndHealsTheOthers) {
  Example schedule({});
  EXPECT_EQ(schedule.last_round(), Round(5));
  const RoundAnswers second = schedule.round(Round(2));
  EXPECT_FALSE(second.heals);
  EXPECT_EQ(second.links->component_count, 2U);
  EXPECT_EQ(second.gives_up, SeatSet{Seat{3}});
  const RoundAnswers third = schedule.round(Round(3));
  EXPECT_TRUE(third.heals);
  EXPECT_EQ(third.links->component_count, 1U);
  EXPECT_EQ(third.links->reach[0], SeatSet::first(4));
  EXPECT_EQ(*third.order, Order::reversed(4));
  EXPECT_TRUE(third.gives_up.empty());
}

TEST(Schedule, HealLeadersTakeTurns) {
  const Example schedule({});
  EXPECT_TRUE(schedule.leaders()[2].empty());
  EXPECT_EQ(schedule.leaders()[3], IdentitySet{Identity{1}});
  EXPECT_EQ(schedule.leaders()[4], IdentitySet{Identity{2}});
  EXPECT_EQ(schedule.leaders()[5], IdentitySet{Identity{1}});
}

TEST(Schedule, CrashesBeginAndEndWithTheirRounds) {
  const std::array crashes{Crash{Seat{0}, Round(1), Round(3), false}, Crash{Seat{1}, Round(1), Round(2), true}};
  Example schedule(crashes);
  EXPECT_EQ(schedule.round(Round(1)).crashes, (SeatSet{Seat{0}, Seat{1}}));
  const RoundAnswers second = schedule.round(Round(2));
  EXPECT_TRUE(second.crashes.empty());
  EXPECT_EQ(second.recovers, SeatSet{Seat{1}});
  EXPECT_TRUE(second.forgets.empty());
  const RoundAnswers third = schedule.round(Round(3));
  EXPECT_EQ(third.recovers, SeatSet{Seat{0}});
  EXPECT_EQ(third.forgets, SeatSet{Seat{0}});
}

TEST(Schedule, NobodyLeadsWithoutTurns) {
  LeaderTable leaders{};
  leaders.fill(IdentitySet{Identity{3}});
  set_heal_leaders(leaders, 2, {});
  EXPECT_EQ(leaders[2], IdentitySet{Identity{3}});
  EXPECT_TRUE(leaders[3].empty());
  EXPECT_TRUE(leaders[255].empty());
}

}  // namespace
}  // namespace nika
