#include "nika/protocols/xrp_lcp/validations.hpp"

#include <gtest/gtest.h>

namespace nika::xrp_lcp {
namespace {

TxSet one(unsigned number) {
  TxSet set;
  set.set(number, 1);
  return set;
}

// A tree of ledgers:  base - left - left_next
//                         \- right
const Ledger kBase = Ledger{}.child({});
const Ledger kLeft = kBase.child(one(1));
const Ledger kLeftNext = kLeft.child({});
const Ledger kRight = kBase.child({});

class Heard {
 public:
  Heard& from(std::initializer_list<unsigned> nodes, const Ledger& ledger, Round now = Round(1)) {
    for (const unsigned node : nodes) {
      list.insert(static_cast<Identity>(node));
      EXPECT_TRUE(validations.add(static_cast<Identity>(node), {ledger, ledger.sequence, 0}, now));
    }
    return *this;
  }
  Ledger preferred(const Ledger& current, Round largest_issued = {}, Round now = Round(1)) const {
    return validations.preferred({current, {}, largest_issued, now, list});
  }
  Validations validations;
  IdentitySet list;
};

TEST(XrpValidations, ANodeValidatesOneLedgerOfASequence) {
  Validations validations;
  const Identity a{0};
  EXPECT_TRUE(validations.add(a, {kLeft, Round(2), 0}, Round(1)));
  EXPECT_FALSE(validations.add(a, {kRight, Round(2), 0}, Round(1)));
  EXPECT_FALSE(validations.add(a, {kBase, Round(1), 0}, Round(1)));
  EXPECT_TRUE(validations.add(a, {kLeftNext, Round(3), 0}, Round(1)));
  EXPECT_EQ(validations.validators_of(kLeft), IdentitySet{a});
  EXPECT_EQ(validations.validators_of(kLeftNext), IdentitySet{a});
  EXPECT_TRUE(validations.validators_of(kRight).empty());
}

TEST(XrpValidations, WithoutAnyTheOwnLedgerIsPreferred) { EXPECT_EQ(Heard().preferred(kLeft), kLeft); }

TEST(XrpValidations, TheBranchWithMoreSupportIsPreferred) {
  const Heard heard = Heard().from({0, 1, 2}, kLeft).from({3, 4}, kRight);
  EXPECT_EQ(heard.preferred(kRight), kLeft);
  EXPECT_EQ(heard.preferred(kLeft), kLeft);
}

TEST(XrpValidations, ADescendantSupportsItsBranch) {
  const Heard heard = Heard().from({0}, kLeft).from({1, 2}, kLeftNext).from({3, 4}, kRight);
  EXPECT_EQ(heard.preferred(kRight), kLeft);  // C&M: one of three could yet validate another child of it
}

TEST(XrpValidations, WhoIsUncommittedCouldSupportAnyBranch) {
  // Two for the one and one for the other; two have not come so far, and could turn the scale.
  const Heard heard = Heard().from({0, 1}, kLeft).from({2}, kRight).from({3, 4}, kBase);
  EXPECT_EQ(heard.preferred(kRight), kRight);
  EXPECT_EQ(Heard().from({0, 1, 3, 4}, kLeft).from({2}, kRight).preferred(kRight), kLeft);
}

TEST(XrpValidations, WhoHasIssuedMoreTakesThoseBehindForUncommitted) {
  const Heard heard = Heard().from({0, 1, 2}, kLeft).from({3}, kRight);
  EXPECT_EQ(heard.preferred(kRight, Round(2)), kLeft);
  EXPECT_EQ(heard.preferred(kRight, Round(3)), kRight);
}

TEST(XrpValidations, TiesAreBrokenByTheNameOfTheLedger) {
  const Heard heard = Heard().from({0, 1}, kLeft).from({2, 3}, kRight);
  const Ledger winner = kLeft.outranks(kRight) ? kLeft : kRight;
  EXPECT_NE(kLeft.outranks(kRight), kRight.outranks(kLeft));
  EXPECT_EQ(heard.preferred(kLeft), winner);
  EXPECT_EQ(heard.preferred(kRight), winner);
}

TEST(XrpValidations, TheParentOfThePreferredLedgerStays) {
  const Heard heard = Heard().from({0, 1, 2, 3}, kLeft);
  EXPECT_EQ(heard.preferred(kBase), kBase);  // it is about to make that ledger itself
  EXPECT_EQ(Heard().from({0, 1, 2, 3}, kLeftNext).preferred(kBase), kLeftNext);
}

TEST(XrpValidations, WhoWasNotHeardOfIsUncommitted) {
  Heard heard = Heard().from({0, 1, 2}, kLeft).from({3}, kRight);
  EXPECT_EQ(heard.preferred(kRight), kLeft);
  for (const unsigned node : {4U, 5U, 6U}) heard.list.insert(static_cast<Identity>(node));
  EXPECT_EQ(heard.preferred(kRight), kRight);
  EXPECT_EQ(heard.preferred(kRight, {}, Round(Validations::kCurrentRounds + 1)), kLeft);
}

TEST(XrpValidations, WhoWasNotHeardOfForLongIsNotReckonedWith) {
  const Heard heard = Heard().from({0, 1, 2}, kLeft, Round(1)).from({3, 4}, kRight, Round(4));
  EXPECT_EQ(heard.preferred(kRight, {}, Round(Validations::kCurrentRounds + 1)), kLeft);
  EXPECT_EQ(heard.preferred(kLeft, {}, Round(Validations::kCurrentRounds + 2)), kRight);
}

TEST(XrpValidations, OfTooManyLedgersTheOldestAreNotCounted) {
  Validations validations;
  Ledger ledger;
  for (unsigned i = 1; i <= Validations::kMostTallies + 2; ++i) {
    ledger = ledger.child({});
    EXPECT_TRUE(validations.add(Identity{0}, {ledger, ledger.sequence, 0}, Round(1)));
  }
  EXPECT_FALSE(validations.validators_of(ledger).empty());
  EXPECT_FALSE(validations.validators_of(ledger.ancestor(Round(3))).empty());
  EXPECT_TRUE(validations.validators_of(ledger.ancestor(Round(2))).empty());
}

TEST(XrpValidations, NothingBelowTheFullyValidatedLedgerIsPreferred) {
  const Heard heard = Heard().from({0, 1, 2}, kRight);
  EXPECT_EQ(heard.validations.preferred({kLeftNext, kLeftNext, Round(0), Round(1), heard.list}), kLeftNext);
  EXPECT_EQ(heard.validations.preferred({kLeftNext, kBase, Round(0), Round(1), heard.list}), kRight);
}

}  // namespace
}  // namespace nika::xrp_lcp
