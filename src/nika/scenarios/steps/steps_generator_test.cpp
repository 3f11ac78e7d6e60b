#include "nika/scenarios/steps/steps_generator.hpp"

#include <gtest/gtest.h>

#include <map>

#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika::steps {
namespace {

Scenario base() {
  Scenario scenario;
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  return scenario;
}

// Two messages on each link of three seats, numbered in the order of sending, and a timer for each seat.
std::vector<StepChoice> two_on_each_link() {
  std::vector<StepChoice> choices;
  std::uint32_t number = 0;
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned from = 0; from < 3; ++from) {
      ++number;
      for (unsigned to = 0; to < 3; ++to)
        choices.push_back({number, static_cast<Seat>(from), static_cast<Seat>(to), 0});
    }
  }
  for (unsigned seat = 0; seat < 3; ++seat) choices.push_back({0, static_cast<Seat>(seat), static_cast<Seat>(seat), 0});
  return choices;
}

// Takes what the schedule picks until it picks nothing; timers stay.
std::vector<StepChoice> played(Schedule& schedule) {
  std::vector<StepChoice> left = two_on_each_link();
  std::vector<StepChoice> taken;
  for (std::size_t at = schedule.next(left); at < left.size(); at = schedule.next(left)) {
    taken.push_back(left[at]);
    if (left[at].message != 0) left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return taken;
}

StepsGenerator generator(const Drawing& drawing, std::uint64_t seed = 1) {
  return {base(), drawing, seed, 1000, [](Schedule& schedule) { (void)played(schedule); }};
}

TEST(StepsGenerator, AScheduleIsAFunctionOfSeedAndIndex) {
  for (const Draw draw : {Draw::kUniform, Draw::kPriorities}) {
    const StepsGenerator one = generator({.draw = draw});
    const StepsGenerator other = generator({.draw = draw}, 2);
    const auto schedule = one.schedule();
    unsigned different = 0;
    for (const Wide index : {Wide{5}, Wide{0}, Wide{5}, Wide{999}}) {
      schedule->seek(index);
      const std::vector<StepChoice> taken = played(*schedule);
      EXPECT_EQ(taken.size(), 18U);  // every message, and no timer
      const Scenario scenario = one.scenario(index);
      ASSERT_EQ(scenario.steps->size(), taken.size());
      for (std::size_t i = 0; i < taken.size(); ++i)
        EXPECT_EQ((*scenario.steps)[i], (Step{(taken[i].message + 2) / 3, taken[i].to, taken[i].from}));
      RecordedSchedule recorded(scenario);
      EXPECT_EQ(played(recorded), taken);
      different += scenario != other.scenario(index) ? 1U : 0U;
    }
    EXPECT_EQ(different, 4U);
    EXPECT_EQ(schedule->leaders()[1], IdentitySet{Identity{0}});
  }
}

// Coins have a stream of their own: the order is the same with and without them.
TEST(StepsGenerator, CoinsAreDrawnBesideTheOrder) {
  const StepsGenerator without = generator({});
  const StepsGenerator with = generator({.tosses_coins = true});
  const auto schedule = with.schedule();
  unsigned ones = 0;
  for (unsigned index = 0; index < 100; ++index) {
    const Scenario scenario = with.scenario(index);
    EXPECT_EQ(scenario.steps, without.scenario(index).steps);
    EXPECT_TRUE(without.scenario(index).coins.empty());
    ASSERT_EQ(scenario.coins.size(), 24U);
    ones += static_cast<unsigned>(std::ranges::count(scenario.coins, 1));
    schedule->seek(index);
    EXPECT_EQ(schedule->coins(), RecordedSchedule(scenario).coins());
  }
  EXPECT_NEAR(ones, 1200, 100);
}

TEST(StepsGenerator, UniformDrawsBeginWithEveryMessageAboutAsOften) {
  const StepsGenerator drawn = generator({});
  const auto schedule = drawn.schedule();
  const std::vector<StepChoice> choices = two_on_each_link();
  std::map<std::size_t, unsigned> times;
  for (unsigned i = 0; i < 18'000; ++i) {
    schedule->seek(i);
    ++times[schedule->next(choices)];
  }
  ASSERT_EQ(times.size(), 18U);
  for (const auto& [at, count] : times) EXPECT_NEAR(count, 1000, 150) << at;
}

// Without change points one link is emptied after the other, each in the order of sending.
TEST(StepsGenerator, PrioritiesKeepLinksInOrderAndTogether) {
  const StepsGenerator drawn = generator({.draw = Draw::kPriorities, .change_points = 0});
  const auto schedule = drawn.schedule();
  for (unsigned index = 0; index < 50; ++index) {
    schedule->seek(index);
    const std::vector<StepChoice> taken = played(*schedule);
    ASSERT_EQ(taken.size(), 18U);
    for (std::size_t i = 0; i < taken.size(); i += 2) {
      EXPECT_EQ(taken[i].from, taken[i + 1].from);
      EXPECT_EQ(taken[i].to, taken[i + 1].to);
      EXPECT_LT(taken[i].message, taken[i + 1].message);
    }
  }
}

// A change point puts the link that is next behind all others, so that its second message may come last.
TEST(StepsGenerator, AChangePointPutsALinkLast) {
  const StepsGenerator drawn = generator({.draw = Draw::kPriorities, .change_points = 1, .expected_steps = 18});
  const auto schedule = drawn.schedule();
  unsigned parted = 0;
  for (unsigned index = 0; index < 200; ++index) {
    schedule->seek(index);
    const std::vector<StepChoice> taken = played(*schedule);
    unsigned apart = 0;
    for (std::size_t i = 1; i < taken.size(); ++i) {
      const bool is_same = taken[i].from == taken[i - 1].from && taken[i].to == taken[i - 1].to;
      apart += is_same ? 0U : 1U;
    }
    EXPECT_GE(apart, 8U);  // nine links, one after the other
    EXPECT_LE(apart, 9U);  // or one of them in two parts
    parted += apart == 9 ? 1U : 0U;
    if (apart == 9) {
      EXPECT_GT(taken.back().message, 3U);
    }
  }
  EXPECT_GT(parted, 60U);
  EXPECT_LT(parted, 140U);
}

TEST(Drawing, IsReadAndWrittenInWords) {
  for (const char* text : {"uniform", "priorities:1", "priorities:1000"})
    EXPECT_EQ(schedule_text(parse_schedule(text).value()), text);
  EXPECT_EQ(parse_schedule("priorities:3"), (Drawing{.draw = Draw::kPriorities, .change_points = 2}));
  for (const char* text : {"", "priorities", "priorities:", "priorities:0", "priorities:1001", "priorities:x", "fair"})
    EXPECT_EQ(parse_schedule(text).error().message,
              std::string("read --schedule \"") + text + "\", expected uniform or priorities:D with D from 1 to 1000");
}

TEST(StepsGenerator, TimersRunOutAsOftenAsAllowedAndRunsEnd) {
  for (const Draw draw : {Draw::kUniform, Draw::kPriorities}) {
    const auto schedule = generator({.draw = draw, .timers = 3}).schedule();
    schedule->seek(7);
    EXPECT_EQ(played(*schedule).size(), 21U);
    const auto shorter = generator({.draw = draw, .timers = 100, .max_steps = 10}).schedule();
    shorter->seek(7);
    EXPECT_EQ(played(*shorter).size(), 10U);
  }
}

}  // namespace
}  // namespace nika::steps
