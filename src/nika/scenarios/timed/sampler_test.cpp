#include "nika/scenarios/timed/sampler.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace nika::timed
