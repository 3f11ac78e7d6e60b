// What is claimed of all rounds against all runs of three rounds and small parameters, on random rounds; and that the
// comparison notices what the reduction refuses.
#include "nika/automata/rounds_cross_check.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::automata {
namespace {

RandomRound random_round(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::uint8_t>(random.next()));
  Choices choices(bytes);
  return RandomRounds(choices).next();
}

TEST(RoundsCrossCheck, NoRunOfThreeRoundsRefutesWhatIsClaimedOfAll) {
  RoundsCrossCheck sum;
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 2 : 40); ++seed) {
    cross_check_rounds(random_round(seed), sum);
    ASSERT_EQ(sum.disagreements, std::vector<std::string>{}) << seed << "\n" << random_round(seed).text;
  }
  if (kSanitized) return;
  EXPECT_EQ(
      fmt::format("{} refused; {} of every round, {} comparisons after fair ones, {} inherited, {} triggered; "
                  "{} violated",
                  sum.refused, sum.every, sum.if_fair, sum.inherited, sum.triggered, sum.violated),
      "4 refused; 125 of every round, 2133 comparisons after fair ones, 407 inherited, 206 triggered; 125 violated");
}

constexpr const char* kRound = R"(
skel R {{ shared x; parameters n; assumptions {{ n >= 1; }} locations {{ v0; v1; d; e; }}
  inits {{ v0 + v1 == n; d == 0; e == 0; x == 0; }}
  rules {{ 1: v0 -> d when (true) do {{ x' == x + 1; }}; 2: v1 -> e when ({}) do {{}}; 3: v1 -> d when (true)
          do {{}}; }}
  specifications {{ {} }} }})";

std::vector<std::string> disagreements(const std::string& guard, const std::string& property,
                                       const std::string& switched) {
  const auto automaton = parse_automaton({"p.ta", fmt::format(fmt::runtime(kRound), guard, property)});
  EXPECT_TRUE(automaton) << automaton.error().message;
  RoundsCrossCheck sum;
  const RoundSwitch round_switch = *parse_round_switch(*automaton, switched);
  RoundsComparison(*automaton, round_switch, sum).compare();
  return sum.disagreements;
}

// After x = 1 somebody is in d for ever, as one round has it; but whoever goes on is gone.
TEST(RoundsCrossCheck, WhoGoesOnIsMissedByGuardsThatReadWhereItWas) {
  const std::string guard = "x >= 1 && d == 0";
  const auto found = disagreements(guard, "never: [](e == 0);", "d -> v0; e -> v1");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "never in every round: violated in round 1 from 2 0 1 1 0 0");
  const Automaton automaton = *parse_automaton({"p.ta", fmt::format(fmt::runtime(kRound), guard, "p: [](e == 0);")});
  EXPECT_EQ(objection_to_rounds(automaton, *parse_round_switch(automaton, "d -> v0; e -> v1"), {}),
            "rule 2 reads 'd', which processes leave for the next round while this one goes on");
}

// A switch that leads to where a round cannot start.
TEST(RoundsCrossCheck, RoundsThatDoNotStartAsTheFirstDoAreNoticed) {
  EXPECT_EQ(disagreements("x >= 1", "either: v1 == 0 -> [](e == 0);", "d -> v0; e -> v1"), std::vector<std::string>{});
  const auto automaton = parse_automaton(
      {"p.ta",
       "skel R { shared x; parameters n; assumptions { n >= 1; } locations { v0; v1; d; e; } "
       "inits { v0 == n; v1 == 0; d == 0; e == 0; x == 0; } "
       "rules { 1: v0 -> d when (true) do {}; 2: v1 -> e when (true) do {}; } specifications { p: [](e == 0); } }"});
  const RoundSwitch round_switch = *parse_round_switch(*automaton, "d -> v1; e -> v1");
  RoundsCrossCheck sum;
  RoundsComparison(*automaton, round_switch, sum).compare();
  ASSERT_FALSE(sum.disagreements.empty());
  EXPECT_EQ(sum.disagreements.front(), "p in every round: violated in round 2 from 1 0 1 0 0 0");
  EXPECT_TRUE(objection_to_rounds(*automaton, round_switch, {}));
}

}  // namespace
}  // namespace nika::automata
