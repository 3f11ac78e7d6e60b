// Hot loops: of planted runs, one that stays hot for ever, one that cools down, and one that was never hot.
#include "nika/campaign/hot_loops.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

class HotLoops : public testing::Test {
 protected:
  // A drawn execution of 20 rounds of 2-Phase HotStuff, which is known to be hot in some of them.
  std::optional<HotLoop> loop_of(std::uint64_t number, Looping* repaired = nullptr) {
    schedule_->seek(number);
    trail_.begin(false);
    (void)session_->watch(*schedule_, [&](const Sight& sight, std::uint32_t) { trail_.see(sight); });
    if (repaired == nullptr) return find_hot_loop(*session_->looping(), *schedule_, trail_.states());
    return find_hot_loop(*session_->looping(), *schedule_, trail_.states(), [&](HotLoop& hot) {
      return hot.repaired_decides = decides_on_and_on(*repaired, *schedule_, hot);
    });
  }

  const Runner& runner_ = built_in_protocol("two-phase-hotstuff");
  liveness::Scenarios drawn_ = liveness::draw_scenarios(runner_, {.rounds = 20}).value();
  std::unique_ptr<Session> session_ = runner_.open(drawn_.setup).value();
  std::unique_ptr<IndexedSchedule> schedule_ = drawn_.generator->schedule();
  PartialTrail trail_;
};

// Under the same four rounds HotStuff decides for ever, and every honest node leads one of them.
TEST_F(HotLoops, AreProvedWhereTheRepairedProtocolDecides) {
  const auto hotstuff = built_in_protocol("hotstuff").open(drawn_.setup).value();
  const auto hot = loop_of(2495, hotstuff->looping());
  ASSERT_TRUE(hot);
  EXPECT_TRUE(hot->loop.proved);
  EXPECT_TRUE(hot->repaired_decides);
  EXPECT_EQ(hot->part.last, 14U);
  EXPECT_EQ(hot->part.period, 4U);
  EXPECT_EQ(hot->loop.first_round, 21U);
  EXPECT_EQ(hot->loop.length, 4U);
  EXPECT_FALSE(hot->loop.assumptions.healed);
  EXPECT_TRUE(hot->loop.assumptions.fair);
  EXPECT_EQ(repeat_hot_loop(*session_->looping(), *schedule_, *hot, 1000), 1000U);
}

TEST_F(HotLoops, AreNoneWhereNothingWasEverHot) {
  EXPECT_EQ(loop_of(0), std::nullopt);
  const auto is_hot = [](const PartialSystemState& state) { return state.is_hot; };
  EXPECT_TRUE(std::ranges::none_of(trail_.states(), is_hot));
}

// Its last round, repeated, brings half of these executions back to the same world for ever, but cold.
TEST_F(HotLoops, AreHotAllTheWay) {
  const LoopPart part{20, 20, 1};
  const std::vector<PartialSystemState> planted(20, PartialSystemState{0, true});
  unsigned cold = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    schedule_->seek(number);
    const auto loop = session_->looping()->find_loop(*schedule_, part, {});
    if (!loop || !loop->proved) continue;
    ++cold;
    EXPECT_EQ(find_hot_loop(*session_->looping(), *schedule_, planted), std::nullopt);
    EXPECT_EQ(repeat_hot_loop(*session_->looping(), *schedule_, {part, *loop}, 10), 0U);
  }
  EXPECT_EQ(cold, 10U);
}

}  // namespace
}  // namespace nika
