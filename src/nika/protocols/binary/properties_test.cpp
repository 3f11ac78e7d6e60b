#include "nika/protocols/binary/properties.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"
#include "nika/protocols/bv_broadcast/bv_broadcast.hpp"
#include "nika/protocols/dbft/dbft.hpp"

namespace nika::binary {
namespace {

constexpr Seat kB{1};
constexpr Seat kC{2};
constexpr Seat kD{3};
const ValueId kZero = value_of(Bits::of(false));
const ValueId kOne = value_of(Bits::of(true));

// A, with a twin, begins with 0 and A' with 1, or the other way round if A leads; B, C and D with 1 if they lead.
PlantedRun run_of(const Property& property, IdentitySet leaders,
                  const Insight& insight = kInsight<bv_broadcast::BvBroadcast>) {
  PlantedRun run(property);
  run.insight = &insight;
  run.leaders.fill(leaders);
  return run;
}

TEST(Justification, IsBrokenByAValueThatOnlyALiarBeganWith) {
  for (const Insight* insight : {&kInsight<bv_broadcast::BvBroadcast>, &kInsight<dbft::Dbft>}) {
    PlantedRun run = run_of(kJustification, {Identity{0}}, *insight);
    run.commit(kB, 1, kZero);
    EXPECT_EQ(run.verdict(), Verdict::kHolds);
    EXPECT_FALSE(run.is_settled());
    run.commit(kC, 3, value_of(Bits::both()));
    EXPECT_EQ(run.verdict(), Verdict::kViolated);
    EXPECT_EQ(run.judged().evidence.seats, SeatSet::single(kC));
    EXPECT_TRUE(run.is_settled());
  }
}

TEST(Justification, HoldsOfWhatOneHonestNodeBeganWith) {
  PlantedRun run = run_of(kJustification, {Identity{1}});
  run.commit(kC, 3, value_of(Bits::both()));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Justification, SharedInputsCountAsOnesOwn) {
  PlantedRun run = run_of(kJustification, {Identity{0}});
  run.cluster.input_of[3] = Seat{0};
  run.commit(kB, 2, kOne);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Justification, IsNotJudgedOfOtherProtocolsAndBeyondF) {
  EXPECT_EQ(PlantedRun(kJustification).unjudged(), Unjudged::kNotPromised);
  PlantedRun run = run_of(kJustification, {Identity{0}});
  run.amnesiac = SeatSet::single(kD);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
}

TEST(Obligation, WhatFPlus1HonestNodesBeganWithIsOwedByAll) {
  PlantedRun run = run_of(kObligation, {Identity{1}});  // C and D begin with 0
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  run.commit(kB, 1, kZero);
  run.commit(kC, 3, value_of(Bits::both()));
  run.commit(kD, 2, kOne);
  run.heal(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.seats, SeatSet::single(kD));
  run.commit(kD, 3, value_of(Bits::both()));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);  // 1 is of B alone
}

TEST(Obligation, IsDueInAnAsynchronousRunWhenAllHasArrived) {
  PlantedRun run = run_of(kObligation, {Identity{1}, Identity{2}});
  run.is_asynchronous = true;
  EXPECT_EQ(run.unjudged(), Unjudged::kCutShort);
  run.is_quiet = true;
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.commit_all(2, kOne);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Obligation, IsOwedByNobodyThatIsDownAndNotBeyondF) {
  PlantedRun run = run_of(kObligation, {Identity{1}});
  run.down = SeatSet::single(kD);
  run.heal(2);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  EXPECT_EQ(run_of(kObligation, {Identity{1}}, kInsight<dbft::Dbft>).unjudged(), Unjudged::kNotPromised);
}

}  // namespace
}  // namespace nika::binary
