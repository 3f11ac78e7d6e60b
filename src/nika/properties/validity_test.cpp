#include "nika/properties/validity.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

constexpr ValueId kOfC{Round(3), Seat{2}, 0};

PlantedRun without_liars() {
  PlantedRun run(kValidity);
  run.cluster.compromised = {};
  return run;
}

TEST(Validity, AValueOfAViewThatItsMakerNeverSawIsFound) {
  PlantedRun run = without_liars();
  run.seats[2].view = Round(2);
  run.commit(Seat{1}, 1, kFirst);
  EXPECT_FALSE(run.is_settled());
  run.commit(Seat{1}, 2, kOfC);
  EXPECT_TRUE(run.is_settled());
  const Judgement found = run.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "a value that nobody proposed");
  EXPECT_EQ(found.evidence.height, Height(2));
  EXPECT_EQ(found.evidence.seats, SeatSet{Seat{1}});
  ASSERT_EQ(found.evidence.claims.size(), 1U);
  EXPECT_EQ(found.evidence.claims[0].value, kOfC);
}

TEST(Validity, HoldsForWhatAnHonestNodeMayHaveProposed) {
  PlantedRun run = without_liars();
  run.seats[2].view = Round(3);
  run.commit(Seat{1}, 1, kOfC);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{1}, 2, ValueId(Round(1), Seat{9}, 0));  // nobody sits there
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// It can propose what looks like a value of others, and a correct protocol decides that.
TEST(Validity, ALiarWhoseMessagesChangeMayProposeWhateverItLikes) {
  PlantedRun run(kValidity);
  run.cluster.are_lies_told = true;
  run.commit(Seat{1}, 1, kOfC);
  run.commit(Seat{1}, 2, ValueId(Round(9), Seat{9}, 0));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

// Both copies are correct: A and A', of whatever view, but neither makes up values of others.
TEST(Validity, ATwinMakesOnlyValuesOfItsOwn) {
  PlantedRun run(kValidity);
  run.seats[2].view = Round(2);
  run.commit(Seat{1}, 1, ValueId(Round(9), Seat{0}, 0));
  run.commit(Seat{1}, 2, ValueId(Round(9), Seat{4}, 0));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{1}, 3, kOfC);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// Tendermint's rounds begin anew at each height, and its values are counted.
TEST(Validity, AValueIsCountedWhereItsMakerCounts) {
  PlantedRun run = without_liars();
  run.insight = &kCountingInsight;
  run.seats[2].view = Round(1);
  run.seats[2].requests = 3;
  run.commit(Seat{1}, 1, kOfC);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{1}, 2, ValueId(Round(4), Seat{2}, 0));
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// Whoever has the same input may have proposed it.
TEST(Validity, AnInputThatIsSharedHasSeveralMakers) {
  PlantedRun run = without_liars();
  run.cluster.input_of[3] = Seat{2};
  run.seats[3].view = Round(3);
  run.commit(Seat{1}, 1, kOfC);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.seats[3].view = Round(4);
  run.commit(Seat{1}, 2, ValueId(Round(4), Seat{3}, 0));  // chains name a block after whoever proposed it first
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Validity, ABroadcastHasOneSender) {
  PlantedRun run(kValidity);
  run.promises.is_broadcast = true;  // of B
  run.commit(Seat{2}, 1, ValueId(Round(1), Seat{1}, 0));
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{3}, 1, kFirst);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(Validity, WhereClientsAskOnlyTheirRequestsAreValid) {
  PlantedRun run(kValidity);
  const std::array<std::uint8_t, 1> copies{2};
  run.cluster = *make_cluster(4, copies, 1);
  run.insight = &kCountingInsight;
  run.seats[5].requests = 2;
  run.commit(Seat{1}, 1, ValueId(Round(1), Seat{5}, 0));
  run.commit(Seat{1}, 2, ValueId(Round(2), Seat{5}, 0));
  run.commit(Seat{1}, 3, ValueId::nameless(Round(0), 0));  // a null request
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  PlantedRun invented = run;
  run.commit(Seat{1}, 4, kFirst);
  EXPECT_EQ(run.judged().evidence.kind, "a request that no client made");
  invented.commit(Seat{1}, 4, ValueId(Round(3), Seat{5}, 0));
  EXPECT_EQ(invented.verdict(), Verdict::kViolated);
}

TEST(Validity, IsUnknownWithMoreThanFLiars) {
  PlantedRun run(kValidity);
  run.cluster.fault_count = 0;
  EXPECT_EQ(run.unjudged(), Unjudged::kTooManyFaulty);
}

}  // namespace
}  // namespace nika
