#include "nika/properties/partial_state.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

constexpr ValueId value(unsigned round, unsigned seat) { return {Round(round), static_cast<Seat>(seat), 0}; }

struct Replica {
  ValueId locked{};
  ValueId prepared{};
  Round view{1};
  IdentitySet voters{};
  BoundedVector<ValueId, 4> history{};

  static constexpr auto fields() {
    return std::tuple{field("locked", &Replica::locked), field("prepared", &Replica::prepared),
                      field("view", &Replica::view), field("voters", &Replica::voters),
                      field("history", &Replica::history)};
  }
};

PartialState state_of(const std::vector<Replica>& replicas, const std::vector<unsigned>& kinds = {0, 0, 0, 0}) {
  ClusterSummary summary;
  for (std::size_t s = 0; s < replicas.size(); ++s) summary.add(replicas[s], kinds[s]);
  return summary.finish(1);
}

TEST(PartialState, NamesOfValuesAndSeatsDoNotMatter) {
  const Replica a{.locked = value(1, 0)};
  const Replica b{.locked = value(1, 1)};
  const PartialState split = state_of({a, a, b, {}});
  EXPECT_EQ(split.digest, state_of({b, b, a, {}}).digest);
  EXPECT_EQ(split.digest, state_of({{}, a, b, b}).digest);
  EXPECT_NE(split.digest, state_of({a, a, a, {}}).digest);
  EXPECT_NE(split.digest, state_of({a, b, {}, {}}).digest);
  EXPECT_EQ(split.disagreement, 1U);
  EXPECT_EQ(state_of({a, a, a, {}}).disagreement, 0U);
}

TEST(PartialState, WhoHoldsTheSameValueInAnotherFieldMatters) {
  const Replica holder{.locked = value(1, 0)};
  const Replica same{.prepared = value(1, 0)};
  const Replica other{.prepared = value(2, 3)};
  EXPECT_NE(state_of({holder, same, {}, {}}).digest, state_of({holder, other, {}, {}}).digest);
  EXPECT_EQ(state_of({holder, other, {}, {}}).disagreement, 0U);  // it is counted field by field
}

TEST(PartialState, RoundsAndKindsOfSeatsMatterAndCollectedVotesDoNot) {
  const Replica later{.view = Round(2)};
  const Replica voted{.voters = IdentitySet::first(2)};
  EXPECT_NE(state_of({later, {}, {}, {}}).digest, state_of({{}, {}, {}, {}}).digest);
  EXPECT_EQ(state_of({voted, {}, {}, {}}).digest, state_of({{}, {}, {}, {}}).digest);
  EXPECT_NE(state_of({later, {}, {}, {}}, {1, 0, 0, 0}).digest, state_of({later, {}, {}, {}}, {0, 1, 0, 0}).digest);
  EXPECT_EQ(state_of({later, {}, {}, {}}, {0, 1, 0, 0}).digest, state_of({{}, later, {}, {}}, {1, 0, 0, 0}).digest);
}

TEST(PartialState, OfAListOfValuesTheLastCounts) {
  Replica one;
  ASSERT_TRUE(one.history.push_back(value(1, 0)));
  Replica two;
  ASSERT_TRUE(two.history.push_back(value(1, 1)) && two.history.push_back(value(1, 0)));
  EXPECT_EQ(state_of({one, one, {}, {}}).digest, state_of({one, two, {}, {}}).digest);
  EXPECT_EQ(state_of({one, two, {}, {}}).disagreement, 0U);
}

}  // namespace
}  // namespace nika
