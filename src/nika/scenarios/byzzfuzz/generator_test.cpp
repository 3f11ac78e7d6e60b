#include "nika/scenarios/byzzfuzz/generator.hpp"

#include <gtest/gtest.h>

namespace nika::byzzfuzz {
namespace {

Settings settings_of(unsigned lies, unsigned outages) {
  Settings settings;
  settings.protocol = "made-up";
  settings.lies = lies;
  settings.outages = outages;
  settings.protocol_rounds = 3;
  settings.runs = 1000;
  settings.leaves = {{{"block", LeafType::kValue, LeafType::kValue}, {"proof", LeafType::kAtomic, LeafType::kValue}},
                     {}};
  return settings;
}

TEST(ByzzFuzzGenerator, DrawsAsManyFaultsAsAskedWithinTheirBounds) {
  const FuzzGenerator generator(settings_of(2, 3));
  for (unsigned i = 0; i < 1000; ++i) {
    Draw draw;
    generator.draw(i, draw);
    ASSERT_EQ(draw.outages.size(), 3U);
    ASSERT_EQ(draw.lies.size(), 4U);  // one for each kind of message
    for (const Lie& lie : draw.lies) {
      ASSERT_TRUE(lie.protocol_round >= 1 && lie.protocol_round <= 8);
      ASSERT_EQ(lie.from, Seat{0});
      if (lie.kind == 1) {
        ASSERT_EQ(lie.twist, Twist::kOmit);  // nobody can lie about it
      }
      if (lie.twist != Twist::kOmit && lie.field == 1) {
        ASSERT_TRUE(lie.twist == Twist::kSeen || lie.twist == Twist::kLeaveOut);
      }
    }
    ASSERT_EQ(draw.lies[0].to, draw.lies[1].to);
    ASSERT_EQ(draw.lies[0].protocol_round, draw.lies[1].protocol_round);
  }
}

TEST(ByzzFuzzGenerator, AScheduleIsAFunctionOfSeedAndNumberAndTellsItsScenario) {
  Settings settings = settings_of(1, 1);
  const FuzzGenerator one(settings);
  settings.seed = 2;
  const FuzzGenerator other(settings);
  const auto schedule = one.schedule();
  schedule->seek(41);
  schedule->seek(17);
  const Scenario scenario = one.scenario(17);
  EXPECT_EQ(scenario, FuzzGenerator(settings_of(1, 1)).scenario(17));
  EXPECT_NE(scenario, other.scenario(17));
  const RoundAnswers& answers = schedule->round(Round(1));
  ASSERT_NE(answers.faults, nullptr);
  ASSERT_EQ(answers.faults->outages.size(), 1U);
  EXPECT_EQ(answers.faults->outages[0], scenario.outages[0]);
  for (unsigned r = 1; r <= scenario.rounds.size(); ++r)
    EXPECT_EQ(schedule->leaders()[r], scenario.rounds[r - 1].leaders);
  EXPECT_EQ(schedule->scheduled_rounds(), scenario.rounds.size());
  EXPECT_EQ(schedule->heal_rounds(), scenario.heal_rounds);
}

// Every node leads once in four rounds, liars too, unless four honest ones in a row are asked for.
TEST(ByzzFuzzGenerator, HealingGivesTheHonestTheirTurns) {
  Settings settings = settings_of(1, 1);
  settings.heal_turns = 12;
  EXPECT_EQ(FuzzGenerator(settings).heal_rounds(), 16U);
  EXPECT_EQ(FuzzGenerator(settings).scenario(0).heal_leaders.size(), 4U);
  settings.leaders_in_a_row = 4;
  EXPECT_EQ(FuzzGenerator(settings).heal_rounds(), 15U);
  EXPECT_EQ(FuzzGenerator(settings).scenario(0).heal_leaders.size(), 3U);
}

TEST(ByzzFuzzGenerator, OfThePaperAreOnlyItsLies) {
  Settings settings = settings_of(1, 0);
  settings.mutations = Mutations::kPaper;
  ASSERT_FALSE(check(settings));
  EXPECT_EQ(check(settings).error().message, "--mutations paper: the paper on ByzzFuzz did not test made-up");
  settings.leaves[0][0].paper_small = {Twist::kRaise};
  settings.leaves[0][0].paper_any = {Twist::kSet};
  for (const Scope scope : {Scope::kSmall, Scope::kAny, Scope::kBaseline}) {
    settings.scope = scope;
    const FuzzGenerator generator(settings);
    unsigned omitted = 0;
    for (unsigned i = 0; i < 1000; ++i) {
      Draw draw;
      generator.draw(i, draw);
      const Lie& lie = draw.lies[0];
      if (lie.twist == Twist::kOmit) {
        ++omitted;
      } else {
        ASSERT_EQ(lie.field, 0U);
        ASSERT_EQ(lie.twist, scope == Scope::kSmall ? Twist::kRaise : Twist::kSet);
      }
    }
    EXPECT_GT(omitted, 400U);
    EXPECT_LT(omitted, 600U);
  }
}

TEST(ByzzFuzzGenerator, RefusesAProtocolOfWhichNobodySaidWhatOthersSign) {
  Settings settings = settings_of(1, 1);
  settings.leaves.clear();
  ASSERT_FALSE(check(settings));
  EXPECT_EQ(check(settings).error().message,
            "made-up cannot be fuzzed: nobody has said which fields of its messages others sign (docs/fuzz.md)");
}

}  // namespace
}  // namespace nika::byzzfuzz
