#include "nika/properties/tally.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

Outcome outcome_of(std::initializer_list<Judgement> judgements, bool has_committed = false) {
  Outcome outcome;
  for (const Judgement& judgement : judgements) EXPECT_TRUE(outcome.judgements.push_back(judgement));
  outcome.has_committed = has_committed;
  return outcome;
}

std::size_t place(Unjudged why) { return static_cast<std::size_t>(why); }

TEST(Tally, CountsEachPropertyByItself) {
  Tally tally(2);
  tally.add(outcome_of({Judgement::holds(), Judgement::holds()}, true), 3);
  tally.add(outcome_of({Judgement::violated({}), Judgement::unknown(Unjudged::kNoHealing)}, true), 5);
  tally.add(outcome_of({Judgement::unknown(Unjudged::kOverflow), Judgement::violated({})}), 7);
  tally.add(outcome_of({Judgement::holds(), Judgement::unknown(Unjudged::kHealingTooShort)}), 11);
  EXPECT_EQ(tally.executed, Wide{4});
  EXPECT_EQ(tally.scenarios, Wide{26});
  EXPECT_EQ(tally.committed, Wide{8});
  EXPECT_EQ(tally.violating, Wide{12});
  EXPECT_EQ(tally.violating_runs, Wide{2});
  EXPECT_EQ(tally.unknown, Wide{11});  // a scenario that breaks something is not unknown as well
  EXPECT_EQ(tally.properties[0].violating, Wide{5});
  EXPECT_EQ(tally.properties[0].unknown, Wide{7});
  EXPECT_EQ(tally.properties[0].unknown_because[place(Unjudged::kOverflow)], Wide{7});
  EXPECT_EQ(tally.properties[1].violating, Wide{7});
  EXPECT_EQ(tally.properties[1].unknown, Wide{16});
  EXPECT_EQ(tally.properties[1].unknown_because[place(Unjudged::kNoHealing)], Wide{5});
  EXPECT_EQ(tally.properties[1].unknown_because[place(Unjudged::kHealingTooShort)], Wide{11});
}

TEST(Tally, HasRoomForEveryReason) {
  EXPECT_EQ(PropertyTally{}.unknown_because.size(), place(Unjudged::kLiarsGoOn) + 1);
}

TEST(Tally, PartsAddUpToTheWhole) {
  const std::array outcomes{outcome_of({Judgement::violated({})}, true),
                            outcome_of({Judgement::unknown(Unjudged::kNoHonestLeader)}),
                            outcome_of({Judgement::holds()})};
  Tally whole(1);
  for (const Outcome& outcome : outcomes) whole.add(outcome, 2);
  Tally one(1);
  one.add(outcomes[1], 2);
  Tally other(1);
  other.add(outcomes[2], 2);
  other.add(outcomes[0], 2);
  one.add(other);
  EXPECT_EQ(one, whole);
}

TEST(Sightings, TheFirstOfEachPropertyAndKindAreKept) {
  std::vector<Sighting> sightings{
      {0, "fork", 9, 90}, {1, "fork", 8, 80}, {0, "fork", 2, 20}, {0, "stuck", 7, 70}, {0, "fork", 5, 50}};
  const auto positions = [&] {
    std::vector<int> result;
    for (const Sighting& sighting : sightings) result.push_back(static_cast<int>(sighting.position));
    return result;
  };
  keep_first(sightings, 2);
  EXPECT_EQ(positions(), (std::vector{2, 5, 7, 8}));
  keep_first(sightings, 1);
  EXPECT_EQ(positions(), (std::vector{2, 7, 8}));
}

}  // namespace
}  // namespace nika
