// What a liar can say in a proposal: a value belongs to the round of its polka, so that a lie may change both.
#include <gtest/gtest.h>

#include "nika/model/twist.hpp"
#include "nika/protocols/tendermint/process_test.hpp"

namespace nika::tendermint {
namespace {

constexpr unsigned kBoth = 4;  // the leaf behind the four fields

Proposal lied_about(Proposal message, const Lie& lie, std::initializer_list<Proposal> before = {}) {
  visit_leaf(message, lie.field, [&]<class Leaf>(Leaf& leaf, LeafType type) {
    const auto seen = [&](unsigned which) -> std::optional<Leaf> {
      if (which >= before.size()) return std::nullopt;
      std::optional<Leaf> found;
      visit_leaf(*(before.begin() + which), lie.field, [&](const auto& other, LeafType) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(other)>, Leaf>) found = other;
      });
      return found;
    };
    twist(leaf, type, lie, {Seat{3}, 4}, seen);
  });
  return message;
}

TEST(TendermintLies, AreAboutFieldsAndAboutTheValueWithTheRoundOfItsPolka) {
  const KindLeaves proposal = leaves_of<Tendermint>().front();
  ASSERT_EQ(proposal.size(), 5U);
  EXPECT_EQ(proposal[kBoth].name, "value+valid_round");
  EXPECT_EQ(proposal[kBoth].type, LeafType::kTogether);
  EXPECT_EQ(proposal[kBoth].shown, LeafType::kValue);
  EXPECT_TRUE(proposal[kBoth].paper_small.empty() && proposal[kBoth].paper_any.empty());
}

TEST(TendermintLies, AValueOfItsOwnIsProposedAsIfNoPolkaWereKnown) {
  const Lie lie{.field = kBoth, .twist = Twist::kOwn};
  const Proposal told = lied_about(proposal(kOne, 4, 2), lie);
  EXPECT_EQ(told, proposal(ValueId(Round(1), Seat{3}, 1), 4, 0));
}

TEST(TendermintLies, WhatWasProposedBeforeKeepsTheRoundOfItsPolka) {
  const Lie lie{.field = kBoth, .twist = Twist::kSeen, .argument = 1};
  const Proposal told = lied_about(proposal(kTwo, 4, 3), lie, {proposal(kTwo, 3, 0), proposal(kOne, 2, 1)});
  EXPECT_EQ(told, proposal(kOne, 4, 1));
  EXPECT_EQ(lied_about(proposal(kTwo, 4, 3), lie), proposal(kTwo, 4, 3));
}

}  // namespace
}  // namespace nika::tendermint
