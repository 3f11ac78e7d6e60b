#include "nika/automata/rounds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "nika/automata/parser.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {
namespace {

// One rule of a random round; rounds are written out as text, once or twice after each other.
struct RandomRule {
  std::string from, to, guard, add;
};

struct RandomRound {
  std::vector<RandomRule> rules;
};

RandomRound random_round(std::mt19937& engine) {
  const auto pick = [&](std::vector<std::string> words) { return words[engine() % words.size()]; };
  RandomRound round;
  const auto add = [&](const std::string& from, const std::string& to) {
    const std::string own = "x" + to.substr(1);
    const std::string guard =
        pick({"2 * (" + own + " + f) > n + t", "2 * (" + own + " + f) > n + t", own + " + f >= n - t",
              own + " + f >= t + 1", own + " < t + 1", "x0 + x1 + f >= n - t"});
    round.rules.push_back({from, to, guard, pick({"", "x0", "x1"})});
  };
  round.rules.push_back({"v0", "m", "true", "x0"});
  round.rules.push_back({"v1", "m", "true", "x1"});
  add("m", "d0");
  add("m", "d1");
  if (engine() % 2 == 0) {
    const std::string to = pick({"d0", "d1"});
    add(pick({"v0", "v1", "m"}), to);
  }
  return round;
}

// Names of the k-th round end in its number. Of two rounds the second follows the first at once, process by process: it
// is no round-rigid schedule that is asked for.
std::string text_of(const RandomRound& round, unsigned rounds, const std::string& specifications) {
  std::string shared, locations, inits, rules;
  for (unsigned k = 1; k <= rounds; ++k) {
    const auto own = [&](std::string text) {
      for (const std::string name : {"x0", "x1", "v0", "v1", "d0", "d1", "m"}) {
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + name.size() + 1))
          text.replace(at, name.size(),
                       fmt::format("{}{}{}", name.front(), name.substr(1), static_cast<char>('a' + k - 1)));
      }
      return text;
    };
    shared += own(fmt::format("{}x0, x1", k == 1 ? "" : ", "));
    locations += own("v0; v1; m; d0; d1; ");
    inits += own("x0 == 0; x1 == 0; m == 0; d0 == 0; d1 == 0; ");
    if (k > 1) inits += own("v0 == 0; v1 == 0; ");
    for (const auto& [from, to, guard, add] : round.rules) {
      rules += fmt::format("0: {} -> {} when ({}) do {{ {} }};\n", own(from), own(to), own(guard),
                           add.empty() ? "" : own(add) + "' == " + own(add) + " + 1;");
    }
  }
  if (rounds == 2) rules += "1: d0a -> v0b when (true) do {}; 1: d1a -> v1b when (true) do {};\n";
  return fmt::format(
      "skel P {{ shared {}; parameters n, t, f; assumptions {{ n > 3 * t; t >= f; t >= 1; }}\nlocations {{ {} }}\n"
      "inits {{ v0a + v1a == n - f; {} }}\nrules {{ {} }}\nspecifications {{ {} }} }}",
      shared, locations, inits, rules, specifications);
}

Automaton parsed(const std::string& text) {
  auto automaton = parse_automaton({"p.ta", text});
  EXPECT_TRUE(automaton) << (automaton ? "" : automaton.error().message) << "\n" << text;
  return *automaton;
}

std::vector<bool> held(const Automaton& automaton) {
  const System system = prepare(automaton, {});
  VerifyOptions options;
  options.minimise = false;
  std::vector<bool> result;
  for (const Specification& property : automaton.specifications)
    result.push_back(verify_property(system, *property.formula, options).verdict == Verdict::holds);
  return result;
}

// What is said of all rounds is true of two rounds that are written out, whatever the schedule.
TEST(Rounds, WhatIsSaidOfAllRoundsHoldsOfTwoThatAreWrittenOut) {
  std::mt19937 engine(11);
  unsigned inherited = 0;
  unsigned triggered = 0;
  unsigned refuted = 0;
  for (unsigned i = 0; i < 24; ++i) {
    const RandomRound round = random_round(engine);
    const Automaton one = parsed(text_of(round, 1,
                                         "valid: v1a == 0 -> [](d1a == 0); agree: [](d0a != 0 -> [](d1a == 0)); "
                                         "either: [](d0a == 0 || d1a == 0);"));
    const RoundSwitch round_switch = *parse_round_switch(one, "d0a -> v0a; d1a -> v1a");
    ASSERT_EQ(objection_to_rounds(one, round_switch, {}), std::nullopt);
    const std::vector<bool> every = held(round_with_absent(one, {}));
    const std::vector<bool> two = held(parsed(text_of(round, 2,
                                                      "valid: v1a == 0 -> [](d1a + d1b == 0); "
                                                      "agree: [](d0a != 0 -> [](d1a == 0 && d1b == 0)); "
                                                      "either: [](d0b == 0 || d1b == 0);")));
    const auto valid = inheritance_of(one, round_switch, *one.specifications[0].formula);
    const auto agree = trigger_of(one, *one.specifications[1].formula);
    ASSERT_TRUE(valid && agree && triggers(round_switch, *agree, *valid));
    EXPECT_TRUE(!every[0] || two[0]) << text_of(round, 1, "");
    EXPECT_TRUE(!every[0] || !every[1] || two[1]) << text_of(round, 1, "");
    EXPECT_TRUE(!every[2] || two[2]) << text_of(round, 1, "");
    inherited += every[0] ? 1 : 0;
    triggered += every[0] && every[1] ? 1 : 0;
    refuted += two[0] ? 0 : 1;
  }
  EXPECT_EQ(fmt::format("{} inherited, {} triggered, {} refuted", inherited, triggered, refuted),
            "12 inherited, 2 triggered, 12 refuted");
}

// A round that decides the opposite of what most start with: in each round all agree, and no two rounds do.
TEST(Rounds, AgreementInEachRoundIsNoAgreementBetweenRounds) {
  const RandomRound flips{{{"v0", "m", "true", "x0"},
                           {"v1", "m", "true", "x1"},
                           {"m", "d1", "2 * (x0 + f) > n + t", ""},
                           {"m", "d0", "2 * (x1 + f) > n + t", ""}}};
  const Automaton one =
      parsed(text_of(flips, 1, "agree: [](d0a != 0 -> [](d1a == 0)); valid: v1a == 0 -> [](d1a == 0);"));
  EXPECT_EQ(held(round_with_absent(one, {})), (std::vector<bool>{true, false}));
  EXPECT_EQ(held(parsed(text_of(flips, 2, "agree: [](d0a != 0 -> [](d1a == 0 && d1b == 0));"))),
            (std::vector<bool>{false}));
}

constexpr const char* kRound = R"(
skel P {{ shared x; parameters n; assumptions {{ n >= 1; }} locations {{ a; b; c; d; }}
  inits {{ {} }} rules {{ 1: a -> c when (true) do {{ x' == x + 1; }}; 2: b -> d when (true) do {{}}; {} }}
  specifications {{ end: <>[](a + b == 0) -> <>(a + b == 0); all: n == a + b; }} }})";
constexpr const char* kStart = "a + b == n; c == 0; d == 0; x == 0;";

std::string objection(const char* inits, const char* rules, const std::string& text) {
  const Automaton automaton = parsed(fmt::format(fmt::runtime(kRound), inits, rules));
  const auto round_switch = parse_round_switch(automaton, text);
  if (!round_switch) return round_switch.error().message;
  return objection_to_rounds(automaton, *round_switch, {}).value_or("none");
}

TEST(Rounds, WhatDoesNotFitIsRefusedInOneLine) {
  EXPECT_EQ(objection(kStart, "", "c -> a; d -> b"), "none");
  EXPECT_EQ(objection(kStart, "", "c, d -> a"), "none");
  EXPECT_EQ(objection(kStart, "", "c -> a; e -> b"), "round switch: read \"e\", expected a location");
  EXPECT_EQ(objection(kStart, "", "c - a"), "round switch: read \"c - a\", expected \"final, … -> start\"");
  EXPECT_EQ(objection(kStart, "", "c -> a; c -> b"), "round switch: 'c' goes on in two places, expected one");
  EXPECT_EQ(objection(kStart, "", "c -> a"),
            "no rule leads out of 'd', and the switch does not say where to go on from it");
  EXPECT_EQ(objection(kStart, "", "c -> a; b -> b; d -> b"), "'b' is not final: a rule leads out of it");
  EXPECT_EQ(objection(kStart, "", "c -> d; d -> a"), "'d' is no start location: a rule leads into it");
  EXPECT_EQ(objection(kStart, "3: a -> a when (true) do { x' == x + 1; };", "c -> b; d -> b"),
            "not one round: a process can come back to 'a'");
  EXPECT_EQ(objection("a + b == n; c == 0; d == 0;", "", "c -> a; d -> b"),
            "'x' may start above 0, and each round has variables of its own that start at 0");
  EXPECT_EQ(objection("a == n; b == 0; c == 0; d == 0; x == 0;", "3: a -> d when (x > 5) do {};", "c -> a; d -> b")
                .find("the next round cannot start where this one may end, with n = "),
            0U);
}

// Faulty processes that are locations of their own go on as such: numbers are kept in each part that rules connect.
TEST(Rounds, PartsThatNoRuleConnectsKeepTheirNumbers) {
  EXPECT_EQ(objection("a + b == n; b == 1; c == 0; d == 0; x == 0;", "", "c -> a; d -> b"), "none");
  EXPECT_NE(objection("a + b == n; b == 1; c == 0; d == 0; x == 0;", "3: a -> d when (x > 5) do {};", "c -> a; d -> b"),
            "none");
}

TEST(Rounds, WhoeverDoesNotFinishARoundIsMissingFromTheNext) {
  const Automaton automaton = parsed(fmt::format(fmt::runtime(kRound), kStart, ""));
  EXPECT_EQ(held(automaton), (std::vector<bool>{true, true}));
  EXPECT_EQ(held(round_with_all(automaton)), (std::vector<bool>{true, true}));
  EXPECT_EQ(held(round_with_absent(automaton, {})), (std::vector<bool>{true, false}));
}

TEST(Rounds, RoundTerminationSpeaksOfAllButFinalLocations) {
  const Automaton automaton = parsed(fmt::format(fmt::runtime(kRound), kStart, ""));
  const RoundSwitch round_switch = *parse_round_switch(automaton, "c, d -> a");
  EXPECT_TRUE(is_round_termination(automaton, round_switch, *automaton.specifications[0].formula));
  EXPECT_FALSE(is_round_termination(automaton, round_switch, *automaton.specifications[1].formula));
}

}  // namespace
}  // namespace nika::automata
