#include "nika/properties/totality.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_checks_test.hpp"

namespace nika {
namespace {

// B commits something in the first of two rounds; then the network heals for two.
PlantedRun left_behind() {
  PlantedRun run(kTotality);
  run.all_lead();
  run.commit(Seat{1}, 1, kFirst);
  run.pass(2);
  run.heal(2);
  return run;
}

TEST(Totality, APlantedLaggardIsFound) {
  PlantedRun run = left_behind();
  run.commit(Seat{2}, 1, kFirst);
  const Judgement found = run.judged();
  EXPECT_EQ(found.property, &kTotality);
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "a node never catches up");
  EXPECT_EQ(found.evidence.since, Round(3));
  EXPECT_EQ(found.evidence.height, Height(1));
  EXPECT_EQ(found.evidence.seats, SeatSet{Seat{3}});
  ASSERT_EQ(found.evidence.claims.size(), 1U);
  EXPECT_EQ(found.evidence.claims[0].seat, Seat{1});
  EXPECT_EQ(found.evidence.claims[0].value, kFirst);
}

TEST(Totality, HoldsWhereAllCatchUpAndIsSettledThen) {
  PlantedRun run = left_behind();
  EXPECT_FALSE(run.is_settled());
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_TRUE(run.is_settled());
  run.commit(Seat{1}, 2, kSecond);  // newer than the healing: nobody owes it yet
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Totality, HoldsWhereNothingWasCommitted) {
  PlantedRun run(kTotality);
  run.pass(2);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Totality, NothingIsPromisedWithoutHealingOrBeforeTheProtocolHadItsTime) {
  PlantedRun run(kTotality);
  run.all_lead();
  run.commit(Seat{1}, 1, kFirst);
  run.pass(7);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  expect_broken_in_the_second_healing_round(run);
}

TEST(Totality, NothingIsPromisedWithoutAnHonestLeader) {
  PlantedRun run(kTotality);
  run.leaders.fill(IdentitySet{Identity{0}});
  run.commit(Seat{1}, 1, kFirst);
  run.pass(1);
  run.heal(9);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHonestLeader);
}

TEST(Totality, NothingIsPromisedWhereSomeHonestNodeNeverLeads) {
  PlantedRun run(kTotality);
  run.commit(Seat{1}, 1, kFirst);
  run.pass(1);
  run.heal(50);
  EXPECT_EQ(run.unjudged(), Unjudged::kUnfair);
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

// Unlike termination: what one honest node delivers all do, whoever the sender was.
TEST(Totality, ABroadcastPromisesItWhoeverItsSenderIs) {
  PlantedRun run(kTotality);
  run.leaders.fill(IdentitySet{Identity{0}});
  run.promises.is_broadcast = run.promises.is_single_shot = true;
  run.commit(Seat{1}, 1, kFirst);
  run.pass(1);
  expect_broken_in_the_second_healing_round(run);
}

TEST(Totality, NothingIsPromisedBeyondTheThreshold) {
  PlantedRun crashed = left_behind();
  crashed.down = {Seat{3}};
  crashed.heal(1);
  EXPECT_EQ(crashed.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun amnesiac = left_behind();
  amnesiac.amnesiac = {Seat{3}};
  EXPECT_EQ(amnesiac.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun compromised = left_behind();
  compromised.cluster = *make_cluster(4, std::array<std::uint8_t, 2>{2, 2});
  EXPECT_EQ(compromised.unjudged(), Unjudged::kTooManyFaulty);
}

TEST(Totality, WhoIsDownWhileTheNetworkHealsOwesNothing) {
  PlantedRun run(kTotality);
  run.cluster = *make_cluster(4, {});
  run.leaders.fill(IdentitySet::first(3));
  run.commit(Seat{1}, 1, kFirst);
  run.pass(1);
  run.down = {Seat{3}};
  run.heal(2);
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{0}, Seat{2}}));
}

TEST(Totality, AnAsynchronousRunOwesAllThatWasEverCommittedWhenAllHasArrived) {
  PlantedRun run(kTotality);
  run.commit(Seat{1}, 1, kFirst);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  run.is_quiet = true;
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.height, Height(1));
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Totality, AFullBufferShowsNothing) {
  PlantedRun run = left_behind();
  run.commit_all(1);
  run.overflowed = true;
  EXPECT_EQ(run.unjudged(), Unjudged::kOverflow);
}

}  // namespace
}  // namespace nika
