#include "nika/scenarios/byzzfuzz/generator.hpp"

#include <gtest/gtest.h>

#include <map>

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
        ASSERT_TRUE(is_of_message(lie.twist));  // nobody can lie about it
      }
      if (!is_of_message(lie.twist) && lie.field == 1) {
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

// Of three ways the first is drawn in one of three cases, the others in one of six each: 1/3 of all lies are none.
TEST(ByzzFuzzGenerator, TheArtifactDrawsNothingForNegativeRemainders) {
  Settings settings = settings_of(1, 0);
  settings.leaves = {{{"view", LeafType::kRound, LeafType::kRound}}};
  settings.sampling = Sampling::kArtifact;
  const FuzzGenerator generator(settings);
  std::map<Twist, unsigned> whole;
  unsigned of_field = 0;
  unsigned none = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    Draw draw;
    generator.draw(i, draw);
    if (draw.lies.empty()) {
      ++none;
    } else if (is_of_message(draw.lies[0].twist)) {
      ++whole[draw.lies[0].twist];
    } else {
      ++of_field;
    }
  }
  EXPECT_NEAR(none, 2000, 150);
  EXPECT_NEAR(of_field, 2000, 150);
  EXPECT_NEAR(whole[Twist::kOmit], 1000, 120);
  EXPECT_NEAR(whole[Twist::kRepeat], 1000, 120);
}

// Seven nodes, of whom D lies; its lies go to nodes that somebody counts, and faults are in rounds 2 to 7.
TEST(ByzzFuzzGenerator, WhereTrustIsSubjectiveALieIsToldToNodesOfOneList) {
  Settings settings = settings_of(1, 1);
  settings.nodes = 7;
  settings.liars = {Identity{3}};
  settings.unls = parse_unls("A-D:A-E,E-G:C-G").value();
  settings.first_round = 2;
  settings.last_round = 7;
  const FuzzGenerator generator(settings);
  const auto first = SeatSet::first(5);
  const auto last = SeatSet::first(7) - SeatSet::first(2);
  std::array<unsigned, 8> in_round{};
  unsigned of_first = 0;
  unsigned of_last = 0;
  for (unsigned i = 0; i < 7000; ++i) {
    Draw draw;
    generator.draw(i, draw);
    for (const unsigned round : {draw.lies[0].protocol_round, draw.outages[0].protocol_round}) ++in_round.at(round);
    ASSERT_EQ(draw.lies[0].from, Seat{3});
    const SeatSet to = draw.lies[0].to;
    ASSERT_TRUE((to - first).empty() || (to - last).empty());
    of_first += (to - last).empty() ? 0 : 1;
    of_last += (to - first).empty() ? 0 : 1;
  }
  // Four of seven have the first list, and three of four subsets of it have a node that the other list has not.
  EXPECT_NEAR(of_first, 3000, 150);
  EXPECT_NEAR(of_last, 2250, 150);
  EXPECT_EQ(in_round[0] + in_round[1], 0U);
  for (unsigned round = 2; round <= 7; ++round) EXPECT_NEAR(in_round[round], 14000 / 6, 200);
  const Scenario scenario = generator.scenario(0);
  EXPECT_EQ(scenario.unls, settings.unls);
  EXPECT_EQ(scenario.liars, settings.liars);
  EXPECT_EQ(generator.cluster().unl_of[6], settings.unls[6]);
}

TEST(ByzzFuzzGenerator, ALiarThatIsNotTheFirstNodeHasATwinToo) {
  Settings settings = settings_of(1, 0);
  settings.liars = {Identity{2}};
  settings.has_twins = true;
  const FuzzGenerator generator(settings);
  ASSERT_EQ(generator.liar_count(), 2U);
  EXPECT_EQ(generator.liar_numbered(0), Seat{2});
  EXPECT_EQ(generator.liar_numbered(1), Seat{4});
  EXPECT_EQ(name_of(generator.cluster(), Seat{4}), "C'");
}

TEST(ByzzFuzzGenerator, LiarsMayLeadUntilTheNetworkHeals) {
  Settings settings = settings_of(1, 1);
  settings.nodes = 7;
  settings.faults = 2;
  settings.liars = {Identity{1}, Identity{3}};
  settings.liars_lead = true;
  const FuzzGenerator generator(settings);
  const auto schedule = generator.schedule();
  schedule->seek(5);
  const Scenario scenario = generator.scenario(5);
  ASSERT_EQ(scenario.rounds.size(), 4U);
  for (unsigned r = 1; r <= 4; ++r) {
    EXPECT_EQ(scenario.rounds[r - 1].leaders,
              IdentitySet::single(Identity{static_cast<std::uint8_t>(r % 2 == 1 ? 1 : 3)}));
    EXPECT_EQ(schedule->leaders()[r], scenario.rounds[r - 1].leaders);
  }
  EXPECT_EQ(scenario.heal_leaders.size(), 7U);
}

TEST(ByzzFuzzGenerator, RefusesLiarsAndListsThatDoNotFit) {
  const auto said = [](const auto& change) {
    Settings settings = settings_of(1, 1);
    change(settings);
    return check(settings).error().message;
  };
  EXPECT_EQ(said([](Settings& s) { s.liars = {Identity{1}, Identity{2}}; }),
            "read 2 liars, expected as many as --faults, 1");
  EXPECT_EQ(said([](Settings& s) { s.liars = {Identity{4}}; }), "E cannot lie: it is none of the 4 nodes");
  EXPECT_EQ(said([](Settings& s) { s.unls = {IdentitySet::first(5)}; }),
            "the unique node list of A names E, who is none of the 4 nodes");
  EXPECT_EQ(said([](Settings& s) { s.first_round = 9; }), "read -r 0, expected a number from 1 to 492");
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
