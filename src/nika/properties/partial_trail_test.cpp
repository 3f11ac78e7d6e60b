#include "nika/properties/partial_trail.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

// Replicas that are what they say of themselves; the blocks of one seat are one branch.
constexpr Insight planted_insight() {
  Insight insight;
  insight.progress = [](const void* states, const Context*, unsigned seat) {
    return static_cast<const Progress*>(states)[seat];
  };
  insight.extends = [](const void*, unsigned, Held block, Held ancestor) {
    return block.value.seat() == ancestor.value.seat() && block.value.round() >= ancestor.value.round();
  };
  insight.certificate_votes = [](const Context*) { return 3; };
  return insight;
}
constexpr Insight kPlanted = planted_insight();

// Four nodes, A with a twin: B, C and D are correct.
struct PlantedLocks {
  PartialSystemState state(unsigned now) {
    run.now = Round(now);
    Sight sight = run.sight();
    sight.show(kPlanted, replicas.data(), nullptr);
    return partial_system_state(sight);
  }
  bool any_conflict() {
    Sight sight = run.sight();
    sight.show(kPlanted, replicas.data(), nullptr);
    return any_locks_conflict(sight);
  }

  PlantedRun run{kAgreement};
  std::array<Progress, kMaxSeats> replicas{};
};

Held block(unsigned round, unsigned seat) { return {ValueId(Round(round), static_cast<Seat>(seat), 0), {}}; }

// B is locked on a block of `round`, D on a conflicting one of the round after it.
PlantedLocks stuck_since(unsigned round) {
  PlantedLocks locks;
  locks.replicas[1] = {block(round, 0), block(round, 0), {}};
  locks.replicas[2] = {block(round + 1, 1), {}, {}};
  locks.replicas[3] = {block(round + 1, 1), block(round + 1, 1), {}};
  return locks;
}

TEST(PartialTrail, NamesOfBlocksAndNumbersOfViewsDoNotCount) {
  PlantedLocks other_makers = stuck_since(1);
  for (Seat seat : {Seat{2}, Seat{3}}) other_makers.replicas[index_of(seat)].prepared = block(2, 3);
  other_makers.replicas[3].locked = block(2, 3);
  const PartialSystemState state = stuck_since(1).state(2);
  EXPECT_EQ(state, stuck_since(7).state(8));
  EXPECT_EQ(state, other_makers.state(2));
}

TEST(PartialTrail, WhoHoldsWhatCounts) {
  PlantedLocks other = stuck_since(1);
  std::swap(other.replicas[1], other.replicas[3]);
  EXPECT_NE(other.state(2), stuck_since(1).state(2));
  other = stuck_since(1);
  other.replicas[2].locked = other.replicas[2].prepared;
  EXPECT_NE(other.state(2), stuck_since(1).state(2));
  other = stuck_since(1);
  other.replicas[1].executed = other.replicas[1].locked;
  EXPECT_NE(other.state(2), stuck_since(1).state(2));
}

TEST(PartialTrail, WhetherABlockExtendsAnotherCounts) {
  PlantedLocks other = stuck_since(1);
  other.replicas[2].prepared = other.replicas[3].prepared = other.replicas[3].locked = block(2, 0);
  EXPECT_NE(other.state(2), stuck_since(1).state(2));
}

TEST(PartialTrail, BlocksAgeForThreeViewsAndNoLonger) {
  PlantedLocks locks = stuck_since(1);
  const PartialSystemState oldest = locks.state(5);
  EXPECT_NE(locks.state(2), locks.state(3));
  EXPECT_NE(locks.state(3), locks.state(4));
  EXPECT_NE(locks.state(4), oldest);
  for (unsigned now = 6; now < 20; ++now) EXPECT_EQ(locks.state(now), oldest);
}

// A certificate takes the votes of all three correct seats, and B and D never vote for one block.
TEST(PartialTrail, StatesAreHotByDefinition3) {
  PlantedLocks locks = stuck_since(1);
  EXPECT_TRUE(locks.any_conflict());
  EXPECT_TRUE(locks.state(2).is_hot);
  locks.replicas[3] = locks.replicas[1];
  EXPECT_FALSE(locks.any_conflict());
  EXPECT_FALSE(locks.state(2).is_hot);
}

TEST(PartialTrail, ATemperatureIsReachedByHotRoundsInARow) {
  const auto trail_of = [](std::string_view marks) {
    std::vector<PartialSystemState> trail;
    for (const char mark : marks) trail.push_back({0, mark == 'h'});
    return trail;
  };
  EXPECT_EQ(rounds_until_temperature(trail_of("chhchhh"), 3), 7U);
  EXPECT_EQ(rounds_until_temperature(trail_of("chhchhh"), 2), 3U);
  EXPECT_EQ(rounds_until_temperature(trail_of("chhchhh"), 4), 0U);
  EXPECT_EQ(rounds_until_temperature({}, 1), 0U);
}

TEST(PartialTrail, AStateIsTakenOnceForEachRoundAndTheFirstViewOfATimedRunIsNotOver) {
  PlantedLocks locks = stuck_since(1);
  for (const bool is_timed : {false, true}) {
    PartialTrail trail;
    trail.begin(is_timed);
    for (const unsigned now : {1U, 1U, 2U, 2U, 2U, 4U}) {
      locks.run.now = Round(now);
      Sight sight = locks.run.sight();
      sight.show(kPlanted, locks.replicas.data(), nullptr);
      trail.see(sight);
    }
    EXPECT_EQ(trail.states().size(), is_timed ? 2U : 3U);
    EXPECT_EQ(trail.states().back(), locks.state(4));
  }
}

}  // namespace
}  // namespace nika
