#include "nika/protocols/xrp_lcp/validations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "nika/base/random.hpp"

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

// The definition, word by word: from the genesis ledger along the children, each a ledger that is made anew.
Ledger preferred_by_definition(const std::vector<Ledger>& tips, unsigned unheard, const Ledger& current,
                               Round largest_issued) {
  const auto support = [&](const Ledger& branch) {
    return std::ranges::count_if(tips, [&](const Ledger& tip) { return tip.descends_from(branch); });
  };
  Ledger at;
  for (;;) {
    const Round next = at.sequence.next();
    std::vector<Ledger> children;
    for (const Ledger& tip : tips) {
      if (tip.sequence < next || !tip.descends_from(at)) continue;
      if (std::ranges::find(children, tip.ancestor(next)) == children.end()) children.push_back(tip.ancestor(next));
    }
    if (children.empty()) break;
    std::ranges::sort(children, [&](const Ledger& a, const Ledger& b) {
      return support(a) != support(b) ? support(a) > support(b) : a.outranks(b);
    });
    auto margin = support(children[0]);
    if (children.size() > 1) margin += (children[0].outranks(children[1]) ? 1 : 0) - support(children[1]);
    const Round least = std::max(next, largest_issued);
    const auto uncommitted =
        unheard + std::ranges::count_if(tips, [&](const Ledger& tip) { return tip.sequence < least; });
    if (uncommitted != 0 && margin <= uncommitted) break;
    at = children[0];
  }
  if (at.sequence == current.sequence.next() && at.descends_from(current)) return current;
  if (at.sequence > current.sequence) return at;
  return current.descends_from(at) ? current : at;
}

TEST(XrpValidations, ThePreferredLedgerIsThatOfTheDefinition) {
  Random random(1);
  const auto below = [&](std::size_t bound) { return static_cast<unsigned>(random.below(bound)); };
  unsigned elsewhere = 0;
  for (unsigned trial = 0; trial < 20'000; ++trial) {
    std::vector<Ledger> tree{Ledger{}};
    const unsigned size = 2 + below(12);
    while (tree.size() < size) {
      TxSet transactions;
      if (below(2) == 0) transactions.set(1 + below(kPayments), 1 + below(kMostAmount));
      // Mostly long branches.
      const std::size_t parent = below(3) == 0 ? below(tree.size()) : tree.size() - 1;
      tree.push_back(tree[parent].child(transactions));
    }
    const unsigned nodes = 1 + below(7);
    Heard heard;
    std::vector<Ledger> tips;
    for (unsigned node = 0; node < nodes; ++node) {
      tips.push_back(tree[1 + below(tree.size() - 1)]);
      heard.from({node}, tips.back());
    }
    const unsigned unheard = below(3);
    for (unsigned i = 0; i < unheard; ++i) heard.list.insert(static_cast<Identity>(nodes + i));
    const Ledger current = tree[below(tree.size())];
    const Round largest_issued(below(8));
    const Ledger preferred = heard.preferred(current, largest_issued);
    ASSERT_EQ(preferred, preferred_by_definition(tips, unheard, current, largest_issued)) << trial;
    if (preferred != current) ++elsewhere;
  }
  EXPECT_GT(elsewhere, 2'000U);
}

}  // namespace
}  // namespace nika::xrp_lcp
