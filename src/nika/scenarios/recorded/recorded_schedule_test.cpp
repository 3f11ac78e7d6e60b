#include "nika/scenarios/recorded/recorded_schedule.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

// A B C D A', two rounds and two of healing.
Scenario scenario_of_two_rounds() {
  Scenario scenario;
  scenario.copies = {2};
  RoundPlan first{.leaders = {Identity{0}}, .partition = {{0, 0, 1, 1, 1}}, .order = Order::reversed(5)};
  first.receiver_orders = {{Seat{2}, Order::fifo()}};
  first.gives_up = {Seat{3}};
  const RoundPlan second{.leaders = {Identity{1}, Identity{2}}, .partition = {}, .order = Order::fifo()};
  scenario.rounds = {first, second};
  scenario.heal_rounds = 2;
  scenario.heal_leaders = {Identity{3}, Identity{1}};
  scenario.heal_order = Order::reversed(5);
  return scenario;
}

TEST(RecordedSchedule, TellsWhoLeadsEveryRoundThatAReplicaMayAskFor) {
  const Scenario scenario = scenario_of_two_rounds();
  const RecordedSchedule schedule(scenario);
  EXPECT_EQ(schedule.last_round(), Round(4));
  EXPECT_EQ(schedule.leaders()[1], IdentitySet{Identity{0}});
  EXPECT_EQ(schedule.leaders()[2], (IdentitySet{Identity{1}, Identity{2}}));
  for (unsigned r = 3; r < 256; ++r) {
    EXPECT_EQ(schedule.leaders()[r], IdentitySet{r % 2 == 1 ? Identity{3} : Identity{1}});
  }
}

TEST(RecordedSchedule, AnswersARoundAsItsPlanSays) {
  const Scenario scenario = scenario_of_two_rounds();
  RecordedSchedule schedule(scenario);
  const RoundAnswers& first = schedule.round(Round(1));
  EXPECT_EQ(first.links->reach, reach_of(scenario.rounds[0].partition, 5));
  EXPECT_EQ(first.links->component_count, 2U);
  EXPECT_EQ(first.kind_links, nullptr);
  EXPECT_EQ(*first.order, Order::reversed(5));
  ASSERT_EQ(first.receiver_orders.size(), 1U);
  EXPECT_EQ(first.receiver_orders[0], scenario.rounds[0].receiver_orders[0]);
  EXPECT_EQ(first.gives_up, SeatSet{Seat{3}});
  EXPECT_FALSE(first.heals);
  const RoundAnswers& second = schedule.round(Round(2));
  EXPECT_EQ(second.links->component_count, 1U);
  EXPECT_EQ(*second.order, Order::fifo());
  EXPECT_TRUE(second.receiver_orders.empty() && second.gives_up.empty());
}

TEST(RecordedSchedule, HealsAllLinksInItsOwnOrder) {
  const Scenario scenario = scenario_of_two_rounds();
  RecordedSchedule schedule(scenario);
  const RoundAnswers& healing = schedule.round(Round(3));
  EXPECT_TRUE(healing.heals);
  EXPECT_EQ(healing.links->reach, reach_of(Partition{}, 5));
  EXPECT_EQ(*healing.order, Order::reversed(5));
  EXPECT_TRUE(healing.receiver_orders.empty() && healing.gives_up.empty());
}

TEST(RecordedSchedule, GivesTheRulesOfTheRoundAndEndsOpenOnesWhenTheNetworkHeals) {
  Scenario scenario = scenario_of_two_rounds();
  const Rule open{.first_round = Round(2), .kinds = 1};
  const Rule liar{.first_round = Round(2), .last_round = Round(3), .kinds = 2, .from = {Seat{0}}};
  scenario.rules = {open, liar};
  RecordedSchedule schedule(scenario);
  const auto kinds_in = [&](unsigned round) {
    std::vector<std::uint32_t> kinds;
    for (const Rule& rule : schedule.round(Round(round)).rules) kinds.push_back(rule.kinds);
    return kinds;
  };
  EXPECT_EQ(kinds_in(1), std::vector<std::uint32_t>{});
  EXPECT_EQ(kinds_in(2), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(kinds_in(3), std::vector<std::uint32_t>{2});
  EXPECT_EQ(kinds_in(4), std::vector<std::uint32_t>{});
}

TEST(RecordedSchedule, TellsWhoCrashesRecoversAndForgetsInWhichRound) {
  Scenario scenario = scenario_of_two_rounds();
  scenario.crashes = {{Seat{1}, Round(1), Round(2), true},
                      {Seat{4}, Round(1), Round(3), false},
                      {Seat{1}, Round(2), Round(200), false}};
  RecordedSchedule schedule(scenario);
  const RoundAnswers first = schedule.round(Round(1));
  EXPECT_EQ(first.crashes, (SeatSet{Seat{1}, Seat{4}}));
  EXPECT_TRUE(first.recovers.empty() && first.forgets.empty());
  const RoundAnswers second = schedule.round(Round(2));
  EXPECT_EQ(second.crashes, SeatSet{Seat{1}});
  EXPECT_EQ(second.recovers, SeatSet{Seat{1}});
  EXPECT_TRUE(second.forgets.empty());
  const RoundAnswers third = schedule.round(Round(3));
  EXPECT_TRUE(third.crashes.empty());
  EXPECT_EQ(third.recovers, SeatSet{Seat{4}});
  EXPECT_EQ(third.forgets, SeatSet{Seat{4}});
}

TEST(RecordedSchedule, OfATimedScenarioHasItsTimingAndLeavesOpenRulesOpen) {
  Scenario scenario = scenario_of_two_rounds();
  EXPECT_EQ(RecordedSchedule(scenario).timing(), nullptr);
  scenario.timing = Timing{.delta_ticks = 3};
  scenario.rules = {Rule{.kinds = 1}};
  const RecordedSchedule schedule(scenario);
  EXPECT_EQ(*schedule.timing(), *scenario.timing);
  ASSERT_EQ(schedule.rules().size(), 1U);
  EXPECT_EQ(schedule.rules()[0], scenario.rules[0]);
}

TEST(RecordedSchedule, PicksTheStepsOneByOneAndEndsWithThemOrWhenOneIsNotThere) {
  Scenario scenario = scenario_of_two_rounds();
  const std::vector<StepChoice> choices{
      {1, Seat{0}, Seat{2}, 0}, {2, Seat{1}, Seat{2}, 0}, {2, Seat{1}, Seat{3}, 0}, {0, Seat{3}, Seat{3}, 0}};
  EXPECT_EQ(RecordedSchedule(scenario).next(choices), 4U);
  scenario.steps = std::vector<Step>{{1, Seat{3}, Seat{1}}, {0, Seat{3}}, {1, Seat{2}, Seat{0}}, {7, Seat{2}, Seat{0}}};
  RecordedSchedule schedule(scenario);
  EXPECT_EQ(schedule.next(choices), 2U);
  EXPECT_EQ(schedule.next(choices), 3U);
  EXPECT_EQ(schedule.next(choices), 0U);
  EXPECT_EQ(schedule.next(choices), 4U);  // A has not sent seven messages
  EXPECT_EQ(schedule.next(choices), 4U);
}

TEST(RecordedSchedule, CanPassOverStepsThatAreNotThere) {
  Scenario scenario = scenario_of_two_rounds();
  const std::vector<StepChoice> choices{{1, Seat{0}, Seat{2}, 0}, {0, Seat{3}, Seat{3}, 1}};
  const Step delivery{1, Seat{2}, Seat{0}};
  const Step timer{.to = Seat{3}, .timer = 1};
  scenario.steps = std::vector<Step>{{0, Seat{3}}, delivery, {2, Seat{2}, Seat{0}}, timer, {0, Seat{1}}};
  RecordedSchedule schedule(scenario, true);
  StepRecorder recorder(schedule, 4);
  EXPECT_EQ(recorder.next(choices), 0U);
  EXPECT_EQ(recorder.next(choices), 1U);
  EXPECT_EQ(recorder.next(choices), 2U);
  EXPECT_EQ(recorder.steps(), (std::vector<Step>{delivery, timer}));
  EXPECT_EQ(recorder.leaders(), schedule.leaders());
}

// A message is counted when it is first seen, and keeps its name when others have arrived.
TEST(StepNames, CountTheMessagesOfEachSender) {
  StepNames names;
  const std::vector<StepChoice> first{{1, Seat{0}, Seat{2}, 0}, {1, Seat{0}, Seat{3}, 0}, {2, Seat{1}, Seat{2}, 0}};
  names.learn(first);
  EXPECT_EQ(names(first[2]), (Step{1, Seat{2}, Seat{1}}));
  const std::vector<StepChoice> second{{1, Seat{0}, Seat{3}, 0}, {3, Seat{0}, Seat{1}, 0}, {4, Seat{1}, Seat{1}, 0}};
  names.learn(second);
  EXPECT_EQ(names(second[0]), (Step{1, Seat{3}, Seat{0}}));
  EXPECT_EQ(names(second[1]), (Step{2, Seat{1}, Seat{0}}));
  EXPECT_EQ(names(second[2]), (Step{2, Seat{1}, Seat{1}}));
}

}  // namespace
}  // namespace nika
