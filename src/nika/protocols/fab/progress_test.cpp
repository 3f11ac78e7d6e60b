#include "nika/protocols/fab/progress.hpp"

#include <gtest/gtest.h>

namespace nika::fab {
namespace {

constexpr int kFaults = 1;
constexpr Rules kAsRepaired{};
constexpr Rules kAsPublished{.later_views_and_proofs_take_precedence = false};
constexpr ValueId kOne{Round(1), Seat{3}, 0};
constexpr ValueId kTwo{Round(1), Seat{4}, 0};
constexpr Vote kNone{};

Vote vote(ValueId value, unsigned view) { return {value, Round(view)}; }

Vouched vouched(std::initializer_list<Told> all, const Rules& rules) {
  Reports reports;
  unsigned identity = 0;
  for (const Told& told : all) EXPECT_TRUE(add_report(reports, static_cast<Identity>(identity++), told, 0));
  return vouched_by(reports, kFaults, rules);
}

void expect_any(std::initializer_list<Told> all, const Rules& rules) {
  EXPECT_EQ(vouched(all, rules).vouches, Vouches::kForAnyValue);
}
void expect_one(std::initializer_list<Told> all, const Rules& rules, ValueId value) {
  const Vouched result = vouched(all, rules);
  EXPECT_EQ(result.vouches, Vouches::kForOneValue);
  EXPECT_EQ(result.value, value);
}

TEST(FabProgress, WithoutEvidenceEveryValueIsValid) {
  for (const Rules& rules : {kAsRepaired, kAsPublished}) {
    expect_any({{kNone, kNone}, {kNone, kNone}, {kNone, kNone}}, rules);
    expect_any({{vote(kOne, 1), kNone}, {vote(kTwo, 1), kNone}, {kNone, kNone}}, rules);
    // With the reports of all four, two votes cannot be what is left of four.
    expect_any({{vote(kOne, 1), kNone}, {vote(kOne, 1), kNone}, {vote(kTwo, 1), kNone}, {vote(kTwo, 1), kNone}}, rules);
  }
}

TEST(FabProgress, FPlus1VotesOrAProofBind) {
  for (const Rules& rules : {kAsRepaired, kAsPublished}) {
    expect_one({{vote(kOne, 1), kNone}, {vote(kOne, 1), kNone}, {vote(kTwo, 1), kNone}}, rules, kOne);
    expect_one({{vote(kOne, 1), vote(kOne, 1)}, {vote(kTwo, 1), kNone}, {kNone, kNone}}, rules, kOne);
    expect_one({{vote(kOne, 1), vote(kOne, 1)}, {vote(kOne, 1), kNone}, {kNone, kNone}}, rules, kOne);
  }
}

// The flaw: A has a proof for v1, C and D' have accepted v2.
TEST(FabProgress, AProofWinsOverVotesOfItsViewExceptAsPublished) {
  const auto told = {Told{vote(kOne, 1), vote(kOne, 1)}, Told{vote(kTwo, 1), kNone}, Told{vote(kTwo, 1), kNone}};
  expect_one(told, kAsRepaired, kOne);
  EXPECT_EQ(vouched(told, kAsPublished).vouches, Vouches::kForNoValue);
}

TEST(FabProgress, VotesOfALaterViewWinOverAProofExceptAsPublished) {
  const auto told = {Told{vote(kOne, 1), vote(kOne, 1)}, Told{vote(kTwo, 2), kNone}, Told{vote(kTwo, 2), kNone}};
  expect_one(told, kAsRepaired, kTwo);
  EXPECT_EQ(vouched(told, kAsPublished).vouches, Vouches::kForNoValue);
}

TEST(FabProgress, OfTwoProofsTheLaterOneWinsExceptAsPublished) {
  const auto told = {Told{vote(kOne, 1), vote(kOne, 1)}, Told{vote(kTwo, 2), vote(kTwo, 2)}, Told{kNone, kNone}};
  expect_one(told, kAsRepaired, kTwo);
  EXPECT_EQ(vouched(told, kAsPublished).vouches, Vouches::kForNoValue);
}

// All four accepted v1 in view 1; one of them did so again in view 2.
TEST(FabProgress, AVoteInALaterViewIsAVoteInTheEarlierOnesToo) {
  for (const Rules& rules : {kAsRepaired, kAsPublished}) {
    expect_one({{vote(kOne, 2), kNone}, {vote(kOne, 1), kNone}, {kNone, kNone}}, rules, kOne);
  }
}

TEST(FabProgress, AnIdentityReportsOnceAndOrderInsideAWaveLeavesNoTrace) {
  Reports one;
  Reports other;
  const Told with_proof{vote(kOne, 1), vote(kOne, 1)};
  const Told without{vote(kOne, 1), kNone};
  ASSERT_TRUE(add_report(one, Identity{1}, with_proof, 1));
  ASSERT_TRUE(add_report(one, Identity{2}, without, 1));
  ASSERT_TRUE(add_report(one, Identity{1}, without, 2));
  ASSERT_TRUE(add_report(other, Identity{2}, without, 1));
  ASSERT_TRUE(add_report(other, Identity{1}, with_proof, 1));
  EXPECT_EQ(one, other);
  EXPECT_EQ(identities_in(one), 2);
}

TEST(FabProgress, AReportTooManyIsNotDroppedInSilence) {
  Reports reports;
  for (unsigned i = 0; i < Reports::capacity(); ++i) {
    EXPECT_TRUE(add_report(reports, static_cast<Identity>(i), {vote(kOne, 1 + i), kNone}, 1));
  }
  EXPECT_FALSE(add_report(reports, Identity{15}, {vote(kOne, 15), kNone}, 1));
}

}  // namespace
}  // namespace nika::fab
