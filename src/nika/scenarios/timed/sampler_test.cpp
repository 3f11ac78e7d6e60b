#include "nika/scenarios/timed/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace nika::timed {
namespace {

Scenario base() {
  Scenario scenario;
  scenario.node_count = 5;
  scenario.fault_count = 2;
  scenario.copies = {2, 2};
  scenario.timing = Timing{};
  scenario.rounds.resize(2);
  return scenario;
}

TEST(TimedSampler, DrawsWhichLiarsTimersGoFirstInEveryOtherScenario) {
  unsigned with_early_timers = 0;
  SeatSet seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Scenario drawn = sample(base(), {.kinds = 4}, random);
    with_early_timers += drawn.timing->timers_first.empty() ? 0 : 1;
    seen |= drawn.timing->timers_first;
  }
  EXPECT_EQ(with_early_timers, 483U);
  EXPECT_EQ(seen, (SeatSet{Seat{0}, Seat{1}, Seat{5}, Seat{6}}));
}

TEST(TimedSampler, KeepsWhatSynchronyPromisesToHonestSeats) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const auto sound = check_synchrony(sample(base(), {.kinds = 4}, random));
    ASSERT_TRUE(sound.has_value()) << sound.error().message;
  }
}

// What it does in its last view it goes on doing, while honest nodes take turns.
TEST(TimedSampler, CanGoOnAsItEnds) {
  std::array<unsigned, 4> with_turns{};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Scenario drawn = sample(base(), {.goes_on = true, .kinds = 4}, random);
    ASSERT_TRUE(check_synchrony(drawn).has_value());
    for (const Rule& rule : drawn.rules)
      ASSERT_EQ(rule.last_round, rule.first_round == Round(2) ? Round(kMaxRound) : rule.first_round);
    ASSERT_LE(drawn.heal_leaders.size(), 3U);
    for (Identity id : drawn.heal_leaders) ASSERT_GE(index_of(id), 2U);  // A and B have twins
    ++with_turns[drawn.heal_leaders.size()];
  }
  EXPECT_EQ(with_turns, (std::array{0U, 106U, 101U, 93U}));
}

// Proposals take up to 3Δ and votes up to 2Δ, between honest seats both up to Δ, with Δ of two ticks.
TEST(TimedSampler, DelaysTheKindsThatItIsToldAndLosesNothing) {
  std::array<unsigned, 2> longest{};
  std::array<unsigned, 2> longest_between_honest{};
  const SeatSet honest{Seat{2}, Seat{3}, Seat{4}};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Scenario drawn = sample(base(), {.longest_of_kind = {6, 4}}, random);
    ASSERT_TRUE(check_synchrony(drawn).has_value());
    for (const Rule& rule : drawn.rules) {
      ASSERT_TRUE(rule.action == Action::kDeliver || rule.action == Action::kDelay);
      ASSERT_TRUE(rule.kinds == 1 || rule.kinds == 2);
      const std::size_t kind = rule.kinds - 1;
      longest[kind] = std::max<unsigned>(longest[kind], rule.delay_ticks);
      if ((rule.from & honest).empty() || (rule.to & honest).empty()) continue;
      longest_between_honest[kind] = std::max<unsigned>(longest_between_honest[kind], rule.delay_ticks);
    }
  }
  EXPECT_EQ(longest, (std::array{6U, 4U}));
  EXPECT_EQ(longest_between_honest, (std::array{2U, 2U}));
}

}  // namespace
}  // namespace nika::timed
