#include "nika/protocols/xrp_lcp/ledger.hpp"

#include <gtest/gtest.h>

#include <set>

namespace nika::xrp_lcp {
namespace {

TxSet one(unsigned number, unsigned amount = 1) {
  TxSet set;
  set.set(number, amount);
  return set;
}

TEST(XrpLedger, TheNameBindsParentAndTransactions) {
  const Ledger first = Ledger{}.child(one(1));
  const Ledger empty = Ledger{}.child({});
  EXPECT_NE(first, empty);
  EXPECT_NE(first.child(one(2)), empty.child(one(2)));  // the same transactions on two parents
  EXPECT_NE(first.child(one(2)), first.child(one(2, 2)));
  EXPECT_NE(first.child({}), empty.child(one(1)));  // the same payments, applied at other times
  EXPECT_EQ(empty.child(one(2)).transactions(), one(2));
  EXPECT_TRUE(empty.child(one(2)).child({}).transactions().empty());
}

TEST(XrpLedger, APaymentIsAppliedOnceAndInOneVersion) {
  const Ledger first = Ledger{}.child(one(1));
  EXPECT_EQ(first.child(one(1, 2)), first.child({}));
  EXPECT_EQ(first.child(one(1)), first.child({}));
}

TEST(XrpLedger, KnowsItsAncestors) {
  const Ledger first = Ledger{}.child({});
  const Ledger second = first.child(one(3));
  const Ledger third = second.child(one(1));
  EXPECT_EQ(third.ancestor(Round(0)), Ledger{});
  EXPECT_EQ(third.ancestor(Round(1)), first);
  EXPECT_EQ(third.ancestor(Round(2)), second);
  EXPECT_EQ(third.ancestor(Round(3)), third);
  EXPECT_TRUE(third.descends_from(second));
  EXPECT_FALSE(second.descends_from(third));
  EXPECT_FALSE(first.child(one(1)).child({}).descends_from(second));
}

TEST(XrpLedger, TwoHaveTheirHistoryInCommonUpToTheFork) {
  const Ledger base = Ledger{}.child(one(1));
  const Ledger left = base.child(one(2)).child({});
  const Ledger right = base.child({}).child(one(2)).child({});
  EXPECT_EQ(left.common_with(right), Round(1));
  EXPECT_EQ(right.common_with(left), Round(1));
  EXPECT_EQ(left.common_with(base), Round(1));
  EXPECT_EQ(left.common_with(left.child({})), Round(3));
  EXPECT_EQ(base.child(one(2)).common_with(base.child(one(2, 3))), Round(1));
}

TEST(XrpLedger, TransactionsAreValuesOfNobodyAndAllDiffer) {
  std::set<std::uint16_t> values;
  for (unsigned code = 0; code < 1U << 14U; ++code) {
    const ValueId value = value_of({static_cast<std::uint16_t>(code)});
    EXPECT_TRUE(value.is_nameless() && !value.is_genesis());
    values.insert(value.packed);
  }
  EXPECT_EQ(values.size(), 1U << 14U);
}

}  // namespace
}  // namespace nika::xrp_lcp
