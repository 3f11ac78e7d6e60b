// Unknowns and divisions, as they are read.
#include "nika/automata/sketch.hpp"

#include <gtest/gtest.h>

#include "nika/automata/divisions.hpp"
#include "nika/automata/interpreter.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {
namespace {

std::string text_with(const std::string& guard, const std::string& more = "", const std::string& update = "") {
  return "skel P {\n  shared x;\n  parameters n, t;\n  unknowns a, b;\n  define HALF == (n + t) / 2;\n" + more +
         "  assumptions { n > 2 * t; t >= 1; }\n  locations { l; m; }\n  inits { l == n; m == 0; x == 0; }\n"
         "  rules { 1: l -> m when (" +
         guard + ") do { x' == x + 1" + update + "; }; }\n  specifications { p: [](m == 0 || " + guard + "); }\n}\n";
}

Result<Automaton> read(const std::string& text, DivisionMeaning division = DivisionMeaning::exact) {
  return parse_automaton({"t.ta", text}, {division, true});
}

std::string guard_of(const std::string& guard, DivisionMeaning division = DivisionMeaning::exact) {
  const Result<Automaton> sketch = read(text_with(guard), division);
  return sketch ? printed(*sketch, *sketch->rules[0].guard) : sketch.error().message;
}

TEST(Sketch, ProductsOfUnknownsAndVariablesAreTerms) {
  EXPECT_EQ(guard_of("x >= a * t + b"), "x >= b + a * t");
  EXPECT_EQ(guard_of("(n + 1) * a + 2 * (a - 1) >= x * b * 3"), "3 * a + a * n - 2 >= 3 * b * x");
  EXPECT_EQ(guard_of("x >= (a * n + b) / 2"), "2 * x >= b + a * n");
  EXPECT_EQ(guard_of("x >= (a + 2 * b) * (t - 3)"), "x >= -3 * a - 6 * b + a * t + 2 * b * t");
}

TEST(Sketch, WhatCannotBeReadIsOneLine) {
  EXPECT_EQ(guard_of("x >= a * b"), "t.ta:9:36: read a product of two variables, expected a number times a variable");
  EXPECT_EQ(guard_of("x >= (a + n) * t"),
            "t.ta:9:42: read a product of two variables, expected a number times a variable");
  const auto update = read(text_with("x >= a", "", " + a"));
  ASSERT_FALSE(update);
  EXPECT_EQ(update.error().message, "t.ta:9:46: read an unknown in an update, expected none there");
  const auto location = read("skel P { unknowns a; locations { l; } rules { 1: a -> l when (true) do {}; } }");
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().message, "t.ta:1:50: read 'a', expected the location where the rule starts");
}

TEST(Sketch, WithoutBeingAskedForUnknownsAreRefused) {
  const auto plain = parse_automaton({"t.ta", text_with("x >= a")});
  ASSERT_FALSE(plain);
  EXPECT_EQ(plain.error().message,
            "t.ta:4:3: read 'unknowns', expected no unknowns: give each its value, or --synthesize");
}

TEST(Sketch, IsPrintedAndReadAgain) {
  const auto sketch = read(text_with("x >= a * t + b && 2 * x < b * n"));
  ASSERT_TRUE(sketch);
  const std::string once = printed(*sketch);
  const auto again = read(once);
  ASSERT_TRUE(again) << again.error().message << once;
  EXPECT_EQ(printed(*again), once);
}

TEST(Sketch, CompletedIsWhatOneWouldHaveWritten) {
  const auto sketch = read(text_with("x >= a * t + b && b * x < 7", "  assumptions { a >= 0 && n >= a; b != 2; }\n"));
  ASSERT_TRUE(sketch);
  const Automaton automaton = completed(*sketch, {2, -1});
  EXPECT_EQ(printed(automaton, *automaton.rules[0].guard), "x >= 2 * t - 1 && -x < 7");
  ASSERT_EQ(automaton.assumptions.size(), 3U);
  EXPECT_EQ(printed(automaton, *automaton.assumptions[0]), "n >= 2");
  EXPECT_TRUE(automaton.unknowns.empty());
  EXPECT_EQ(conditions_on_unknowns(*sketch).size(), 2U);
}

TEST(Division, RoundsDownToAParameterOfItsOwn) {
  const auto exact = read(text_with("x >= HALF"));
  ASSERT_TRUE(exact);
  EXPECT_EQ(printed(*exact, *exact->rules[0].guard), "2 * x >= n + t");
  const auto floor = read(text_with("x >= HALF && x < HALF + 1"), DivisionMeaning::floor);
  ASSERT_TRUE(floor) << floor.error().message;
  EXPECT_EQ(floor->parameters, (std::vector<std::string>{"n", "t", "floor1"}));
  EXPECT_EQ(printed(*floor, *floor->rules[0].guard), "x >= floor1 && x < floor1 + 1");
  ASSERT_EQ(floor->assumptions.size(), 4U);
  EXPECT_EQ(printed(*floor, *floor->assumptions[2]), "2 * floor1 <= n + t");
  EXPECT_EQ(printed(*floor, *floor->assumptions[3]), "n + t < 2 * floor1 + 2");
}

// By hand for every small n and t, the numerator negative too.
TEST(Division, RoundsDownAsIntegersDo) {
  const std::vector<std::string> quotients = {"(n - 3 * t) / 2", "(5 * n - 7 * t - 4) / 3", "(t - n) / 4 * 2 + 1"};
  const auto floor_of = [](std::int64_t a, std::int64_t d) { return a / d - (a % d < 0 ? 1 : 0); };
  for (std::int64_t n = 0; n < 12; ++n) {
    for (std::int64_t t = 0; t < 12; ++t) {
      const std::vector<std::int64_t> expected = {floor_of(n - 3 * t, 2), floor_of(5 * n - 7 * t - 4, 3),
                                                  floor_of(t - n, 4) * 2 + 1};
      for (std::size_t i = 0; i < quotients.size(); ++i) {
        const auto automaton = parse_automaton(
            {"t", "skel P { parameters n, t; locations { l; } inits { l == n; } specifications { p: " + quotients[i] +
                      " == l; } }"},
            {DivisionMeaning::floor, false});
        ASSERT_TRUE(automaton) << automaton.error().message;
        // The quotient is the one value of the new parameter that its assumptions allow.
        std::vector<std::int64_t> found;
        for (std::int64_t quotient = 0; quotient < 40; ++quotient) {
          Configuration configuration = {n, t, quotient, 0};
          const auto holds = [&](const FormulaPtr& assumption) { return satisfies(*assumption, configuration); };
          if (!std::all_of(automaton->assumptions.begin(), automaton->assumptions.end(), holds)) continue;
          found.push_back(value_of(automaton->specifications[0].formula->left, configuration));
        }
        EXPECT_EQ(found, std::vector<std::int64_t>{expected[i]}) << n << " " << t << " " << quotients[i];
      }
    }
  }
}

TEST(Division, OfMoreThanParametersIsNotRounded) {
  EXPECT_EQ(guard_of("x / 2 >= t", DivisionMeaning::floor),
            "t.ta:9:27: read a division of more than parameters, expected none where it is rounded down");
  EXPECT_EQ(guard_of("x >= a / 2", DivisionMeaning::floor),
            "t.ta:9:32: read a division of more than parameters, expected none where it is rounded down");
  EXPECT_EQ(guard_of("4 * x / 2 >= 6 * t / 3", DivisionMeaning::floor), "2 * x >= 2 * t");
}

TEST(Division, IsToldWhereItIsUneven) {
  const auto uneven = read(text_with("x >= HALF && 3 * x >= (6 * n) / 4"));
  ASSERT_TRUE(uneven);
  const std::vector<UnevenDivision> found = uneven_divisions(*uneven, {});
  ASSERT_EQ(found.size(), 3U);  // the guard is written twice
  EXPECT_EQ(found[0].division.where, "t.ta:5:18: (n + t) / 2");
  ASSERT_EQ(found[0].example.size(), 2U);
  EXPECT_EQ((found[0].example[0].second + found[0].example[1].second) % 2, 1);
  EXPECT_EQ(found[1].division.where, "t.ta:9:49: (3 * n) / 2");
  const auto even = read(text_with("x >= HALF", "  assumptions { n == 3 * t; }\n"));
  ASSERT_TRUE(even);
  EXPECT_TRUE(uneven_divisions(*even, {}).empty());
}

// x >= (n + t) / 2 asks for one more message than x >= floor((n + t) / 2) if n + t is odd.
TEST(Division, MeaningsDecideDifferently) {
  const std::string text =
      "skel P { shared x; parameters n, t; assumptions { n > 2 * t; t >= 1; } locations { l; m; d; }\n"
      "  inits { l == n; m == 0; d == 0; x == 0; }\n"
      "  rules { 1: l -> m when (true) do { x' == x + 1; }; 2: m -> d when (x >= (n + t) / 2) do {}; }\n"
      "  specifications { majority: [](d == 0 || 2 * x >= n + t); near: [](d == 0 || 2 * x + 1 >= n + t); } }";
  const auto verdicts = [&](DivisionMeaning division) {
    const auto automaton = parse_automaton({"t", text}, {division, false});
    EXPECT_TRUE(automaton);
    const System system = prepare(*automaton, {});
    std::string words;
    for (const Specification& specification : automaton->specifications) {
      words += std::string(to_string(verify_property(system, *specification.formula, {}).verdict)) + " ";
    }
    return words;
  };
  EXPECT_EQ(verdicts(DivisionMeaning::exact), "holds holds ");
  EXPECT_EQ(verdicts(DivisionMeaning::floor), "violated holds ");
}

}  // namespace
}  // namespace nika::automata
