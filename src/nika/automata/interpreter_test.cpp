#include "nika/automata/interpreter.hpp"

#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"

namespace nika::automata {
namespace {

// Variables: N, x, a, b.
Automaton build(const std::string& property) {
  const Result<Automaton> automaton = parse_automaton(
      {"model",
       "skel P { shared x; parameters N; assumptions { N > 1; } locations { a; b; } inits { a == N; b == 0; x == 0; }\n"
       "rules { 1: a -> b when (x < 2) do { x' == x + 1; }; 2: b -> a when (true) do {}; }\n"
       "specifications { p: " +
           property + "; } }"});
  EXPECT_TRUE(automaton) << automaton.error().message;
  return *automaton;
}

std::string objection(const std::string& property, const Counterexample& run) {
  const Automaton automaton = build(property);
  return objection_to(automaton, *automaton.specifications.front().formula, run).value_or("none");
}

TEST(Interpreter, AcceptsARunThatViolatesTheFormula) {
  EXPECT_EQ(objection("[](b == 0)", {{2, 0, 2, 0}, {{0, 1}}, {}}), "none");
  EXPECT_EQ(objection("<>(b == 0) -> [](x < 2)", {{2, 0, 2, 0}, {{0, 2}}, {}}), "none");
}

TEST(Interpreter, RejectsWhatIsNoRun) {
  EXPECT_EQ(objection("[](b == 0)", {{1, 0, 1, 0}, {{0, 1}}, {}}), "an assumption fails");
  EXPECT_EQ(objection("[](b == 0)", {{2, 0, 1, 1}, {{0, 1}}, {}}), "an initial condition fails");
  EXPECT_EQ(objection("[](b == 0)", {{3, 0, 3, 0}, {{0, 3}}, {}}), "rule 1 is not enabled after 2 steps");
  EXPECT_EQ(objection("[](b == 0)", {{2, 0, 2, 0}, {{1, 1}}, {}}), "rule 2 is not enabled after 0 steps");
  EXPECT_EQ(objection("[](b == 0)", {{2, 0, 2}, {}, {}}), "the start does not name every variable");
  EXPECT_EQ(objection("[](b == 0)", {{2, 0, 2, 0}, {{7, 1}}, {}}), "a step names no rule of the automaton");
}

TEST(Interpreter, RejectsARunThatSatisfiesTheFormula) {
  EXPECT_EQ(objection("<>(b != 0)", {{2, 0, 2, 0}, {{0, 1}, {1, 1}}, {}}), "the run satisfies the formula");
  EXPECT_EQ(objection("<>[](b == 0)", {{2, 0, 2, 0}, {{0, 1}, {1, 1}}, {}}), "the run satisfies the formula");
}

// Variables: N, a, b, c.
std::string objection_with_stays(const std::string& property, const Counterexample& run) {
  const Result<Automaton> automaton = parse_automaton(
      {"model",
       "skel P { parameters N; locations { a; b; c; } inits { a == N; b == 0; c == 0; }\n"
       "rules { 1: a -> b when (true) do {}; 2: b -> c when (true) do {}; 3: b -> b when (N >= 2) do {}; }\n"
       "specifications { p: " +
           property + "; } }"});
  EXPECT_TRUE(automaton) << automaton.error().message;
  return objection_to(*automaton, *automaton->specifications.front().formula, run).value_or("none");
}

TEST(Interpreter, ARunGoesOnUntilNothingCanMove) {
  EXPECT_EQ(objection_with_stays("<>(b != 0)", {{1, 1, 0, 0}, {}, {}}), kStopsTooEarly);
  EXPECT_EQ(objection_with_stays("<>(c != 0)", {{1, 1, 0, 0}, {{0, 1}}, {}}), kStopsTooEarly);
  EXPECT_EQ(objection_with_stays("<>(c != 0)", {{1, 1, 0, 0}, {{0, 1}}, {{2, 1}}}),
            "rule 3 is not enabled after 1 steps");
  EXPECT_EQ(objection_with_stays("<>(c != 0)", {{2, 2, 0, 0}, {{0, 1}}, {{2, 1}}}), "none");
  EXPECT_EQ(objection_with_stays("<>[](c == 0)", {{1, 1, 0, 0}, {{0, 1}, {1, 1}}, {}}), "none");
}

TEST(Interpreter, StepsThatRefuteTheFormulaNeedNoContinuation) {
  EXPECT_EQ(objection_with_stays("[](b == 0)", {{1, 1, 0, 0}, {{0, 1}}, {}}), "none");
  EXPECT_EQ(objection_with_stays("<>(b != 0) -> !<>(a == 0)", {{1, 1, 0, 0}, {{0, 1}}, {}}), "none");
  EXPECT_EQ(objection_with_stays("[](b == 0) || [](a != 0)", {{1, 1, 0, 0}, {{0, 1}}, {}}), "none");
  EXPECT_EQ(objection_with_stays("[](b != 0 -> <>(c != 0))", {{1, 1, 0, 0}, {{0, 1}}, {}}), kStopsTooEarly);
}

TEST(Interpreter, RejectsLoopsThatDoNotReturnOrThatAreNoticed) {
  EXPECT_EQ(objection("<>(b == 2)", {{2, 0, 2, 0}, {}, {{0, 1}}}), "the loop does not return to where it began");
  EXPECT_EQ(objection("<>(b == 2)", {{2, 0, 2, 0}, {}, {{0, 1}, {1, 1}}}),
            "the loop changes shared variables that a guard or the formula still watches");
}

TEST(Interpreter, TemporalFormulasOnALasso) {
  const Automaton automaton = build("[]<>(b == 0) && []<>(b != 0)");
  const std::vector<Configuration> run = {{2, 0, 2, 0}, {2, 1, 1, 1}, {2, 1, 2, 0}};
  EXPECT_TRUE(satisfies_on_lasso(*automaton.specifications.front().formula, run, 0));
  EXPECT_TRUE(satisfies_on_lasso(*automaton.specifications.front().formula, run, 1));
  EXPECT_FALSE(satisfies_on_lasso(*automaton.specifications.front().formula, run, 2));
}

// Variables: N, x, a, b. Most configurations of a long step are not looked at; what matters happens in the middle of
// it.
TEST(Interpreter, LongStepsAreJudgedAsShortOnes) {
  const auto judged = [](const std::string& guard, const std::string& property, std::int64_t count) {
    const Result<Automaton> automaton =
        parse_automaton({"model",
                         "skel P { shared x; parameters N; locations { a; b; } inits { a == N; b == 0; x == 0; }\n"
                         "rules { 1: a -> b when (" +
                             guard + ") do { x' == x + 2; }; } specifications { p: " + property + "; } }"});
    EXPECT_TRUE(automaton) << automaton.error().message;
    return objection_to(*automaton, *automaton->specifications.front().formula,
                        {{9'000, 0, 9'000, 0}, {{0, count}}, {}})
        .value_or("none");
  };
  EXPECT_EQ(judged("true", "[](x != 7000)", 9'000), "none");
  EXPECT_EQ(judged("true", "[](x != 7001)", 9'000), "the run satisfies the formula");
  EXPECT_EQ(judged("true", "[](a + b == 9000 && b != 4321)", 9'000), "none");
  EXPECT_EQ(judged("x < 8000", "[](b < 3999)", 4'000), "none");
  EXPECT_EQ(judged("x < 8000", "[](b < 3999)", 4'001), "rule 1 is not enabled after 4000 of 4001 firings");
  EXPECT_EQ(judged("x != 5000", "[](b < 10)", 6'000), "rule 1 is not enabled after 2500 of 6000 firings");
  EXPECT_EQ(judged("true", "[](b < 10)", 9'001), "rule 1 is not enabled after 9000 of 9001 firings");
}

}  // namespace
}  // namespace nika::automata
