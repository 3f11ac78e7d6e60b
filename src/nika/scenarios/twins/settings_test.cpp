#include "nika/scenarios/twins/settings.hpp"

#include <gtest/gtest.h>

namespace nika::twins {
namespace {

std::string complaint(const Settings& settings) {
  const auto result = check(settings);
  return result ? "" : result.error().message;
}

TEST(TwinsSettings, WordsAreReadAsTheyAreWritten) {
  for (const std::string text : {"all", "first:7", "random:340282366920938463463374607431768211455"}) {
    EXPECT_EQ(to_text(parse_selection(text).value()), text);
  }
  for (const std::string text : {"compromised", "all", "A", "A,B+C", "B+C,A,P"}) {
    EXPECT_EQ(to_text(parse_leaders(text).value()), text);
  }
  for (const std::string text : {"replacement", "no-replacement", "static"}) {
    EXPECT_EQ(name_of(parse_assignment(text).value()), text);
  }
  for (const std::string text : {"fifo", "reversed", "sampled", "all"})
    EXPECT_EQ(name_of(parse_order(text).value()), text);
}

TEST(TwinsSettings, WordsThatMeanNothingAreNamed) {
  EXPECT_EQ(parse_selection("some").error().message, "read selection \"some\", expected all, first:X or random:X");
  EXPECT_EQ(parse_selection("first:0").error().message,
            "read selection \"first:0\", expected a number from 1 to 2^128 - 1 after the colon");
  EXPECT_EQ(parse_leaders("A,,B").error().message, "read leader \"\", expected a node from A to P");
  EXPECT_EQ(parse_leaders("A+A").error().message, "leader A is named twice in \"A+A\"");
  EXPECT_EQ(parse_assignment("dynamic").error().message,
            "read assignment \"dynamic\", expected one of replacement, no-replacement, static");
  EXPECT_FALSE(parse_order("").has_value());
}

TEST(TwinsSettings, ContradictionsAreOneClearLine) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.nodes = 0}), "read 0 nodes, expected 1 to 16");
  EXPECT_EQ(complaint({.twins = 5}), "read 5 twins, expected at most one for each of the 4 nodes");
  EXPECT_EQ(complaint({.copies = 1}), "read 1 seats for a compromised node, expected 2 to 16");
  EXPECT_EQ(complaint({.nodes = 12, .twins = 5}), "12 nodes and 5 twins need 17 seats; at most 16 are supported");
  EXPECT_EQ(complaint({.partitions = 6}), "read 6 partitions, expected 1 to 5, the number of seats");
  EXPECT_EQ(complaint({.partitions = 0}), "read 0 partitions, expected 1 to 5, the number of seats");
  EXPECT_EQ(complaint({.rounds = 0}), "read 0 rounds, expected at least 1");
  EXPECT_EQ(complaint({.rounds = 248}), "read 248 rounds and 3 of healing, expected at most 250 together");
  EXPECT_EQ(complaint({.rounds = 4'000'000'000U}),
            "read 4000000000 rounds and 3 of healing, expected at most 250 together");
  EXPECT_EQ(complaint({.faults = 5}), "read 5 faults, expected at most 4, the number of nodes");
  EXPECT_EQ(complaint({.twins = 0}),
            "no node is compromised, so nobody can lead: use --leaders all, or a list, or --twins 1");
  EXPECT_EQ(complaint({.step2 = {Selection::Kind::kFirst, 0}}),
            "selection \"first:0\" keeps nothing, expected at least 1");
  EXPECT_EQ(complaint({.leaders = parse_leaders("A,E").value()}), "leader E is not one of the 4 nodes");
  EXPECT_EQ(complaint({.leaders = parse_leaders("A+B,B+A").value()}),
            "the list of leaders names the same choice twice: its scenarios would be generated twice");
  EXPECT_EQ(complaint({.crashes = {{Seat{4}, Round(3), Round(3), false}}}),
            "A' crashes in round 3 and is up again in round 3: expected 1 <= down < up");
}

TEST(TwinsSettings, WhoCountsWhomFitsTheCluster) {
  EXPECT_EQ(complaint({.nodes = 7, .unls = parse_unls("A-D:A-E,E-G:C-G").value()}), "");
  EXPECT_EQ(complaint({.unls = parse_unls("A:A-E").value()}),
            "the unique node list of A names E, who is none of the 4 nodes");
  EXPECT_EQ(complaint({.unls = parse_unls("E:A-E").value()}),
            "read 5 unique node lists, expected at most one for each of the 4 nodes");
  EXPECT_EQ(complaint({.unls = parse_unls("B:A").value()}),
            "the unique node list of B leaves out B, expected one with itself in it");
}

TEST(TwinsSettings, PhaseIsAnOlderWordForKind) {
  EXPECT_EQ(parse_granularity("kind").value(), Granularity::kPhase);
  EXPECT_EQ(parse_granularity("phase").value(), Granularity::kPhase);
  EXPECT_EQ(name_of(Granularity::kPhase), "kind");
  EXPECT_FALSE(parse_granularity("phases").has_value());
}

}  // namespace
}  // namespace nika::twins
