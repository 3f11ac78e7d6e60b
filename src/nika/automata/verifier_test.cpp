#include "nika/automata/verifier.hpp"

#include <gtest/gtest.h>

#include "nika/automata/explicit_search.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/trace.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::automata {
namespace {

struct Model {
  std::string rules;
  std::string start = "a == N; b == 0; c == 0; x == 0;";
};

Automaton build(const Model& model, const std::string& property) {
  const std::string text =
      "skel P { shared x; parameters N, T; assumptions { N > 2 * T; T >= 1; } locations { a; b; c; }\n inits { " +
      model.start + " }\n rules { " + model.rules + " }\n specifications { p: " + property + "; } }";
  const Result<Automaton> automaton = parse_automaton({"model", text});
  EXPECT_TRUE(automaton) << automaton.error().message;
  return automaton ? *automaton : Automaton{};
}

Outcome decide(const Automaton& automaton, VerifyOptions options = {}) {
  const System system = prepare(automaton, {});
  return verify_property(system, *automaton.specifications.front().formula, options);
}

std::string verdict_of(const Model& model, const std::string& property) {
  const Automaton automaton = build(model, property);
  const Outcome outcome = decide(automaton);
  // Brute force has the same opinion, as far as it can see.
  const ExplicitResult search =
      search_explicitly(automaton, *automaton.specifications.front().formula, {5, 5, kSanitized ? 500U : 5'000U, {}});
  const ExplicitAnswer opposite =
      outcome.verdict == Verdict::holds ? ExplicitAnswer::violated : ExplicitAnswer::satisfied;
  EXPECT_NE(search.answer, opposite) << property;
  return to_string(outcome.verdict);
}

const Model kThreshold{"1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= N - T) do {};"};

TEST(Verifier, SafetyOfALowerThreshold) {
  EXPECT_EQ(verdict_of(kThreshold, "[](c == 0 || x >= N - T)"), "holds");
  EXPECT_EQ(verdict_of(kThreshold, "[](c == 0 || x >= N - T + 1)"), "violated");
  EXPECT_EQ(verdict_of(kThreshold, "[](c == 0)"), "violated");
}

TEST(Verifier, LivenessNeedsFairness) {
  const std::string fair = "<>[](a == 0 && (b == 0 || x < N - T))";
  EXPECT_EQ(verdict_of(kThreshold, "<>(c == N)"), "violated");
  EXPECT_EQ(verdict_of(kThreshold, fair + " -> <>(c == N)"), "holds");
}

TEST(Verifier, WithoutSelfLoopsEverybodyMayStayEverywhere) {
  EXPECT_EQ(verdict_of(kThreshold, "<>(b != 0)"), "violated");
}

TEST(Verifier, SelfLoopsSayWhereOneMayStay) {
  const Model waits{kThreshold.rules + " 3: b -> b when (true) do {};"};
  EXPECT_EQ(verdict_of(waits, "<>(b != 0)"), "holds");
  EXPECT_EQ(verdict_of(waits, "<>(c != 0)"), "violated");
  EXPECT_EQ(verdict_of(waits, "[](c == 0)"), "violated");
  // One that stays lets all others wait as well.
  EXPECT_EQ(verdict_of(waits, "<>(a == 0)"), "violated");
  const Automaton automaton = build(waits, "<>(c != 0)");
  EXPECT_EQ(decide(automaton).counterexample->loop, (std::vector<Step>{{2, 1}}));
  EXPECT_EQ(decide(build(waits, "<>(c != 0) || <>(b != 0)")).note.empty(), false);
  EXPECT_EQ(decide(build(waits, "[](c == 0 || x >= N - T)")).note.empty(), true);
}

TEST(Verifier, ARunMayEndWhereNothingCanMove) {
  // c is left out of the self-loops, but nothing leads out of it.
  const Model done{kThreshold.rules + " 3: a -> a when (x < 1) do {};"};
  EXPECT_EQ(verdict_of(done, "<>(c == 0)"), "holds");
  EXPECT_EQ(verdict_of(done, "<>[](c != N)"), "violated");
  EXPECT_EQ(verdict_of(done, "<>(x >= 1) -> <>(c == N)"), "holds");
  EXPECT_EQ(verdict_of(done, "<>(c == N)"), "violated");
}

TEST(Verifier, AnUpperThresholdStopsAtTheStepThatReachesIt) {
  const Model crash{"1: a -> b when (x < T) do { x' == x + 1; };"};
  EXPECT_EQ(verdict_of(crash, "[](b <= T)"), "holds");
  EXPECT_EQ(verdict_of(crash, "[](b < T)"), "violated");
  EXPECT_EQ(verdict_of(crash, "[](x == b)"), "holds");
}

TEST(Verifier, UpperAndLowerThresholdsOfOneVariable) {
  const Model both{"1: a -> b when (x < T) do { x' == x + 1; }; 2: a -> c when (x >= 1 && x < 2) do { x' == x + 1; };"};
  EXPECT_EQ(verdict_of(both, "[](c <= 1)"), "holds");
  EXPECT_EQ(verdict_of(both, "[](c == 0)"), "violated");
}

TEST(Verifier, InvariantsAreCheckedBetweenTheCutsToo) {
  // Every process passes through b: at the end b is empty again, but the invariant fails on the way.
  const Model pass{"1: a -> b when (true) do {}; 2: b -> c when (true) do {};"};
  EXPECT_EQ(verdict_of(pass, "[](b == 0) -> [](c == 0)"), "holds");
  EXPECT_EQ(verdict_of(pass, "[](a != 0 || c != 0) -> [](c == 0)"), "violated");
  EXPECT_EQ(verdict_of(pass, "[](b <= 1) -> <>(c == 0)"), "holds");
  EXPECT_EQ(verdict_of(pass, "[](b <= 1) -> [](c < N)"), "violated");
  EXPECT_EQ(verdict_of(pass, "[](a == N || b != 0) -> [](c < N)"), "holds");
}

TEST(Verifier, NestedTemporalOperators) {
  EXPECT_EQ(verdict_of(kThreshold, "[](x >= N - T -> []( x >= N - T))"), "holds");
  EXPECT_EQ(verdict_of(kThreshold, "[](c != 0 -> <>(b == 0))"), "violated");
  EXPECT_EQ(verdict_of(kThreshold, "[](<>(c != 0) || [](c == 0))"), "holds");
  EXPECT_EQ(verdict_of(kThreshold, "<>([](c == 0) || [](c != 0))"), "holds");
  EXPECT_EQ(verdict_of(kThreshold, "[](b == 0 -> <>(b != 0 && <>(c != 0)))"), "violated");
}

const Model kCircle{"1: a -> b when (true) do {}; 2: b -> a when (true) do {}; 3: b -> c when (x >= 1) do {};"};

TEST(Verifier, LassosOfCyclicAutomataAreMoreThanStuttering) {
  EXPECT_EQ(verdict_of(kCircle, "[]<>(a == N) -> <>[](b == 0)"), "violated");
  EXPECT_EQ(verdict_of(kCircle, "[](c == 0)"), "holds");
  EXPECT_EQ(verdict_of(kCircle, "([]<>(a == N) && []<>(b == N)) -> <>(a == 1 && b == 1)"), "violated");
  EXPECT_EQ(verdict_of(kCircle, "([]<>(a == N) && []<>(b == N)) -> <>[](a != 0)"), "violated");
  EXPECT_EQ(verdict_of(kCircle, "<>(c != 0) || [](a + b == N)"), "holds");
}

TEST(Verifier, ALoopIsReportedAsSteps) {
  const Automaton automaton = build(kCircle, "[]<>(b != 0) -> <>[](b != 0)");
  const Outcome outcome = decide(automaton);
  ASSERT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_GE(outcome.counterexample->loop.size(), 2U);
}

TEST(Verifier, CyclesOfEmptyLocationsDoNotFeedThemselves) {
  const Model island{"1: b -> c when (true) do { x' == x + 1; }; 2: c -> b when (true) do {};"};
  EXPECT_EQ(verdict_of(island, "[](x == 0)"), "holds");
}

TEST(Verifier, LoopsMayAddToSharedVariablesForEver) {
  const Model counter{
      "1: a -> b when (true) do { x' == x + 1; }; 2: b -> a when (true) do {}; 3: a -> c when (x >= 5) do {};"};
  EXPECT_EQ(verdict_of(counter, "[](c == 0)"), "violated");
  EXPECT_EQ(verdict_of(counter, "[]<>(b != 0) -> <>(b == 0)"), "holds");
  EXPECT_EQ(verdict_of(counter, "([]<>(b != 0) && []<>(b == 0)) -> <>[](x < N)"), "violated");
}

TEST(Verifier, GuardsThatAreAlwaysTrueDoNotDisturbLoops) {
  // Found by the cross-check: the loop adds to a variable that a part of the guard reads, though not the whole.
  const Model loop{"1: a -> b when (x < N || x >= N) do { x' == x + 1; }; 2: b -> a when (true) do {};"};
  const Outcome outcome = decide(build(loop, "<>[](b == 0) || <>[](b != 0)"));
  EXPECT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_FALSE(outcome.solver_is_wrong);
}

TEST(Verifier, CounterexamplesHaveSmallParametersAndFewSteps) {
  const Automaton automaton = build(kThreshold, "[](c == 0)");
  const Trace trace = trace_of(automaton, *decide(automaton).counterexample);
  EXPECT_EQ(printed(trace),
            "  with N = 3, T = 1\n  start: a = 3\n"
            "       2 × rule 1: a → b                         x = 2, a = 1, b = 2\n"
            "           line 3; unlocks x >= N - T\n"
            "       1 × rule 2: b → c                         b = 1, c = 1\n"
            "           line 3, when x >= N - T\n"
            "  and then nothing more need happen\n");
}

TEST(Verifier, ViolationsOutsideTheFragmentAreSearchedFor) {
  const Model resets{"1: a -> b when (true) do { x' == x + 1 }; 2: b -> c when (x >= 2) do { x' == 0 };"};
  EXPECT_EQ(verdict_of(resets, "[](c == 0)"), "violated");
  EXPECT_EQ(verdict_of(resets, "<>(c == N)"), "violated");
  EXPECT_EQ(verdict_of({"1: a -> b when (true) do { x' == x + 1 }; 2: b -> a when (true) do { x' == x - 1 };"},
                       "[]<>(b != 0) -> <>[](b != 0)"),
            "violated");
  EXPECT_EQ(verdict_of({"1: a -> b when (true) do {}; 2: b -> c when (b >= T + 1) do {};"}, "[](c == 0)"), "violated");
}

TEST(Verifier, WhatHoldsWithoutTheRulesOutsideTheFragmentHolds) {
  const Model resets{"1: a -> b when (true) do { x' == 0 }; 2: b -> c when (T >= N) do { x' == x + 1 };"};
  EXPECT_EQ(verdict_of(resets, "[](c == 0)"), "holds");
  EXPECT_EQ(verdict_of({"1: a -> b when (a >= 2) do {};"}, "[](a + b == N)"), "holds");
}

TEST(Verifier, WhatIsOutsideTheFragmentIsUnknownWithAReason) {
  const auto reason_of = [](const std::string& rules) {
    const Outcome outcome = decide(build({rules}, "<>[](x <= N)"));
    EXPECT_EQ(outcome.verdict, Verdict::unknown);
    return outcome.reason;
  };
  EXPECT_EQ(reason_of("1: a -> b when (true) do { x' == 0 };"),
            "outside the fragment: rule 1 does not only add to 'x'; nothing was found with parameters up to 5");
  EXPECT_EQ(
      reason_of("1: a -> b when (true) do { x' == x + 1 }; 4: b -> a when (b >= N + 1) do {};"),
      "outside the fragment: the guard of rule 4 reads the location 'b'; nothing was found with parameters up to 5");
}

TEST(Verifier, ASpentBudgetIsUnknown) {
  const std::atomic<bool> cancelled = true;
  const Automaton automaton = build(kThreshold, "[](c == 0)");
  VerifyOptions options;
  options.budget.cancelled = &cancelled;
  const Outcome outcome = decide(automaton, options);
  EXPECT_EQ(outcome.verdict, Verdict::unknown);
  EXPECT_EQ(outcome.reason, "interrupted");
}

TEST(Verifier, ARunThatIsTooLongToReplayIsNoProof) {
  const std::string text =
      "ta Huge { shared x; parameters n, t; assume { n > 1000000000 * t; t > 999999999; } locations { a; b; c; }\n"
      "inits { a == n; b == 0; c == 0; x == 0; } rules { 0: a -> b when (true) do { x' == x + 1; };\n"
      "1: b -> c when (999999999 * x >= 999999999 * n - t) do {}; } spec { p: [](c == 0); q: [](x <= n); } }";
  const Result<Automaton> automaton = parse_automaton({"model", text});
  ASSERT_TRUE(automaton) << automaton.error().message;
  const System system = prepare(*automaton, {});
  const Outcome reached = verify_property(system, *automaton->specifications[0].formula, {});
  EXPECT_EQ(reached.verdict, Verdict::unknown);
  EXPECT_EQ(reached.reason, "the run found is too long to be replayed");
  EXPECT_EQ(verify_property(system, *automaton->specifications[1].formula, {}).verdict, Verdict::holds);
}

TEST(Verifier, FormulasThatAreNeverTrueAreViolatedByWholeRuns) {
  const Model waits{kThreshold.rules + " 3: c -> c when (true) do {};"};
  EXPECT_EQ(verdict_of(waits, "<>(a < a)"), "violated");
  EXPECT_EQ(verdict_of({"1: a -> b when (true) do {}; 2: b -> a when (true) do {}; 3: c -> c when (true) do {};"},
                       "[](a >= 1 -> <>(b < 0))"),
            "violated");
}

TEST(Verifier, ThereIsAtLeastOneProcess) {
  const std::string text =
      "skel P { parameters N; locations { a; b; } inits { a == N; b == 0; } rules { 1: a -> b when (true) do {};\n"
      "2: b -> b when (true) do {}; } specifications { p: <>(b != 0); q: [](a + b >= 2); } }";
  const Result<Automaton> automaton = parse_automaton({"model", text});
  ASSERT_TRUE(automaton) << automaton.error().message;
  const System system = prepare(*automaton, {});
  EXPECT_EQ(verify_property(system, *automaton->specifications[0].formula, {}).verdict, Verdict::holds);
  const Outcome outcome = verify_property(system, *automaton->specifications[1].formula, {});
  ASSERT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_EQ(outcome.counterexample->initial, (Configuration{1, 1, 0}));
}

TEST(Verifier, AssumptionsAboutVariablesSpeakOfTheStart) {
  const std::string text =
      "skel P { shared x; parameters N; assumptions { N >= 2; x == 0; a == N; b == 0; } locations { a; b; c; }\n"
      "inits { c == 0; } rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= 1) do {}; }\n"
      "specifications { p: [](c == 0); } }";
  const Result<Automaton> automaton = parse_automaton({"model", text});
  ASSERT_TRUE(automaton) << automaton.error().message;
  EXPECT_EQ(decide(*automaton).verdict, Verdict::violated);
}

TEST(Verifier, AllSolversAgree) {
  for (const smt::Backend backend : {smt::Backend::z3, smt::Backend::cvc5, smt::Backend::both}) {
    VerifyOptions options;
    options.backend = backend;
    EXPECT_EQ(decide(build(kThreshold, "[](c == 0 || x >= N - T)"), options).verdict, Verdict::holds);
    EXPECT_EQ(decide(build(kThreshold, "[](c == 0)"), options).verdict, Verdict::violated);
  }
}

// A go that has no time at all, then one with as much as it takes.
TEST(Verifier, WhatRanOutOfTimeGoesOn) {
  for (const auto& [name, expected] : {std::pair("bv-broadcast", Verdict::holds), {"dbft-broken", Verdict::violated}}) {
    const Result<Automaton> automaton = read_automaton(std::string(NIKA_SOURCE_DIR) + "/models/" + name + ".ta");
    ASSERT_TRUE(automaton);
    const System system = prepare(*automaton, {});
    const Formula& property = *automaton->specifications.back().formula;
    Verification verification(system, property, {});
    smt::Budget spent;
    spent.deadline = {};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(verification.go_on(spent, spent).reason, "out of time");
    const Outcome outcome = verification.go_on({}, {});
    EXPECT_EQ(outcome.verdict, expected);
    EXPECT_EQ(outcome.reason, "");
    EXPECT_EQ(outcome.queries, verify_property(system, property, {}).queries + 3);
  }
}

// The second rule has a threshold on the way, and the third may fire only a while.
TEST(Verifier, MillionsOfFiringsAreReplayed) {
  const Result<Automaton> automaton = parse_automaton(
      {"test",
       "skel P { shared x; parameters n; locations { a; b; c; d; } inits { a == n; b == 0; c == 0; d == 0; x == 0; }\n"
       "rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= 3000000) do {};\n"
       "3: b -> d when (x < 2000000) do { x' == x + 3; }; }\n"
       "specifications { p: [](x <= 200000); q: [](x <= 20000000); r: [](c <= 1000000 || d <= 400000); } }"});
  ASSERT_TRUE(automaton) << automaton.error().message;
  const System system = prepare(*automaton, {});
  const std::vector<std::int64_t> expected = {50'001, 18'500'001, 1'500'001};
  for (std::size_t i = 0; i < 3; ++i) {
    const Outcome outcome = verify_property(system, *automaton->specifications[i].formula, {});
    ASSERT_EQ(outcome.verdict, Verdict::violated) << outcome.reason;
    EXPECT_EQ(outcome.counterexample->initial.front(), expected[i]);
  }
}

}  // namespace
}  // namespace nika::automata
