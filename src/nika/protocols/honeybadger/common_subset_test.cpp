#include "nika/protocols/honeybadger/common_subset.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"
#include "nika/protocols/honeybadger/acs.hpp"

namespace nika::honeybadger {
namespace {

constexpr Seat kB{1};
constexpr Seat kC{2};
const ValueId kNothing = ValueId::nameless(Round(0), 0);

// A has a twin, the fifth seat; B, C and D are honest.
PlantedRun acs_run() {
  PlantedRun run(kCommonSubset);
  run.insight = &kInsight<Acs>;
  return run;
}

ValueId of_seat(unsigned seat) { return {Round(1), static_cast<Seat>(seat), 0}; }

TEST(CommonSubset, HoldsOfThreeValuesOfFourNodes) {
  PlantedRun run = acs_run();
  run.commit(kB, 1, kNothing);
  for (unsigned height = 2; height <= 4; ++height) run.commit(kB, height, of_seat(height - 1));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_FALSE(run.is_settled());
  run.commit(kC, 1, of_seat(4));  // of A's twin
  for (unsigned height = 2; height <= 4; ++height) run.commit(kC, height, of_seat(height - 1));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(CommonSubset, IsBrokenByFewerThanNMinusFValues) {
  PlantedRun run = acs_run();
  run.commit(kB, 1, kNothing);
  run.commit(kB, 2, of_seat(1));
  run.commit(kB, 3, kNothing);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);  // the set is not complete
  run.commit(kB, 4, of_seat(3));
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.kind, "fewer than n - f values");
  EXPECT_EQ(run.judged().evidence.seats, SeatSet::single(kB));
  EXPECT_TRUE(run.is_settled());
}

TEST(CommonSubset, IsBrokenByAValueThatAnHonestNodeHasNotBroadcast) {
  PlantedRun run = acs_run();
  run.commit(kC, 2, of_seat(3));
  EXPECT_EQ(run.judged().evidence.kind, "not the value of its node");
  PlantedRun of_liar = acs_run();
  of_liar.commit(kC, 1, of_seat(3));  // a liar may broadcast what it likes
  EXPECT_EQ(of_liar.verdict(), Verdict::kHolds);
  PlantedRun shared = acs_run();
  shared.cluster.input_of[1] = Seat{3};
  shared.commit(kC, 2, of_seat(3));
  EXPECT_EQ(shared.verdict(), Verdict::kHolds);
}

TEST(CommonSubset, IsNotJudgedOfOtherProtocolsAndBeyondF) {
  EXPECT_EQ(PlantedRun(kCommonSubset).unjudged(), Unjudged::kNotPromised);
  PlantedRun run = acs_run();
  run.amnesiac = SeatSet::single(kB);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
}

}  // namespace
}  // namespace nika::honeybadger
