#include "nika/properties/healing_watch.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"
#include "nika/properties/termination.hpp"

namespace nika {
namespace {

TEST(HealingWatch, RemembersHowFarTheFirstWasWhenTheNetworkBeganToHeal) {
  PlantedRun run(kTermination);
  HealingWatch watch;
  run.commit(Seat{2}, 4, kFirst);
  run.now = Round(1);
  watch.passed(run.sight());
  EXPECT_EQ(watch.top_before, Height(4));
  run.now = run.healing_since = Round(2);
  run.commit(Seat{2}, 5, kFirst);
  watch.passed(run.sight());
  EXPECT_EQ(watch.top_before, Height(4));
}

TEST(HealingWatch, CountsHealingRoundsThatNobodyButHonestNodesLead) {
  PlantedRun run(kTermination);
  HealingWatch watch;
  run.now = Round(1);
  watch.passed(run.sight());
  EXPECT_EQ(watch.honest_turns, 0);  // not yet healing
  run.healing_since = Round(2);
  for (const auto& [leaders, turns] : {std::pair(IdentitySet{Identity{1}}, 1),
                                       {IdentitySet{Identity{0}}, 1},
                                       {IdentitySet{}, 1},
                                       {IdentitySet({Identity{0}, Identity{3}}), 1},
                                       {IdentitySet{Identity{3}}, 2}}) {
    run.now = run.now.next();
    run.leaders[run.now.number] = leaders;
    watch.passed(run.sight());
    EXPECT_EQ(watch.honest_turns, turns);
  }
}

TEST(HealingWatch, KeepsWhoWasDownAtAnyTimeWhileTheNetworkHealed) {
  PlantedRun run(kTermination);
  HealingWatch watch;
  run.down = {Seat{1}};
  run.now = Round(1);
  watch.passed(run.sight());
  EXPECT_EQ(watch.down, SeatSet{});
  run.down = {Seat{2}};
  run.now = run.healing_since = Round(2);
  watch.passed(run.sight());
  run.down = {};
  run.now = Round(3);
  watch.passed(run.sight());
  EXPECT_EQ(watch.down, SeatSet{Seat{2}});
  EXPECT_EQ(watch.faulty(run.sight()), (IdentitySet{Identity{0}, Identity{2}}));
  EXPECT_EQ(watch.obliged(run.sight()), (SeatSet{Seat{1}, Seat{3}}));
  EXPECT_EQ(watch.obstacle(run.sight()), Unjudged::kTooManyFaulty);
}

TEST(HealingWatch, BothSeatsOfACompromisedNodeOweNothing) {
  PlantedRun run(kTermination);
  EXPECT_EQ(HealingWatch{}.obliged(run.sight()), (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
  run.amnesiac = {Seat{3}};
  EXPECT_EQ(HealingWatch{}.obliged(run.sight()), (SeatSet{Seat{1}, Seat{2}}));
}

TEST(HealingWatch, CountsHowOftenEveryHonestNodeHasLed) {
  PlantedRun run(kTermination);
  HealingWatch watch;
  run.healing_since = Round(1);
  for (const auto& [leader, turns] : {std::pair(1, 0), {2, 0}, {1, 0}, {0, 0}, {3, 1}, {3, 1}, {2, 1}, {1, 2}}) {
    run.now = run.now.next();
    run.leaders[run.now.number] = {static_cast<Identity>(leader)};
    watch.passed(run.sight());
    EXPECT_EQ(watch.fair_turns, turns);
  }
}

// D is faulty from the moment it is down: the others are all that have to lead.
TEST(HealingWatch, WhoIsDownNeedNotLead) {
  PlantedRun run(kTermination);
  run.cluster = *make_cluster(4, {});
  HealingWatch watch;
  run.healing_since = Round(1);
  for (const unsigned leader : {0U, 1U, 2U}) {
    run.now = run.now.next();
    run.down = leader == 2 ? SeatSet{Seat{3}} : SeatSet{};
    run.leaders[run.now.number] = {static_cast<Identity>(leader)};
    EXPECT_EQ(watch.fair_turns, 0);
    watch.passed(run.sight());
  }
  EXPECT_EQ(watch.fair_turns, 1);
}

// Two hundred and fifty rounds are all that there are, so turns are never too many to count.
TEST(HealingWatch, CountsAllTurnsOfTheLongestRun) {
  PlantedRun run(kTermination);
  HealingWatch watch;
  run.healing_since = Round(1);
  for (unsigned r = 1; r <= kMaxRound; ++r) {
    run.now = Round(r);
    watch.passed(run.sight());
  }
  EXPECT_EQ(watch.honest_turns, kMaxRound);
}

}  // namespace
}  // namespace nika
