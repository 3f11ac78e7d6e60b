#include "nika/properties/agreement.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

TEST(Agreement, APlantedConflictIsFound) {
  PlantedRun run(kAgreement);
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kFirst);
  EXPECT_FALSE(run.is_settled());
  run.commit(Seat{3}, 1, kSecond);
  EXPECT_TRUE(run.is_settled());
  const Judgement found = run.judged();
  EXPECT_EQ(found.property, &kAgreement);
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "two values of one round");
  EXPECT_EQ(found.evidence.height, Height(1));
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{1}, Seat{3}}));
  ASSERT_EQ(found.evidence.claims.size(), 2U);
  EXPECT_EQ(found.evidence.claims[0].value, kFirst);
  EXPECT_EQ(found.evidence.claims[1].value, kSecond);
}

TEST(Agreement, ConflictsAcrossRoundsAreAnotherKind) {
  PlantedRun run(kAgreement);
  run.commit(Seat{1}, 3, kFirst);
  run.commit(Seat{2}, 3, ValueId(Round(2), Seat{0}, 0));
  EXPECT_EQ(run.judged().evidence.kind, "values of different rounds");
}

TEST(Agreement, HoldsWhereAllCommitTheSame) {
  PlantedRun run(kAgreement);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit_all(1);
  run.commit(Seat{1}, 2, kSecond);  // the others are behind
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_FALSE(run.is_settled());
}

TEST(Agreement, WithMoreThanFCompromisedNothingIsShownUnlessThereIsAConflict) {
  PlantedRun run(kAgreement);
  run.cluster = *make_cluster(4, std::array<std::uint8_t, 2>{2, 2});
  run.commit(Seat{2}, 1, kFirst);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  run.commit(Seat{3}, 1, kSecond);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// Whoever lost its memory is as free as a liar: beyond f of both a conflict is no finding.
TEST(Agreement, WithMoreThanFAmnesiacNothingIsShownByAConflictEither) {
  PlantedRun run(kAgreement);
  run.amnesiac = {Seat{3}};
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kSecond);
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
  run.amnesiac = {Seat{0}, Seat{4}};  // both of A, which counts once and anyway
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// Then quorums need not share an honest node: a conflict shows nothing.
TEST(Agreement, IsNotPromisedWhereSoFewNodesTolerateNoSuchF) {
  PlantedRun run(kAgreement);
  run.cluster.fault_count = 2;
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchThreshold);
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kSecond);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchThreshold);
}

// Crashed seats make no difference to what the others may commit.
TEST(Agreement, WhoIsDownDoesNotCount) {
  PlantedRun run(kAgreement);
  run.down = {Seat{1}, Seat{2}, Seat{3}};
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Agreement, AFullBufferLeavesNothingButAConflict) {
  PlantedRun run(kAgreement);
  run.overflowed = true;
  EXPECT_EQ(run.unjudged(), Unjudged::kOverflow);
  EXPECT_TRUE(run.is_settled());
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kSecond);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

}  // namespace
}  // namespace nika
