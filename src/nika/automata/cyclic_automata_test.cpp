// Small automata with cycles on which the order of steps between two cuts matters.
#include <gtest/gtest.h>

#include "nika/automata/explicit_search.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {
namespace {

// Seven rules. That the second property holds rests on what cannot fire while its negation is true: whoever gets to a
// refutes it. Ordered blocks never prove that, since nothing bounds the rounds of a cyclic automaton.
constexpr const char* kSeven =
    "skel Seven { shared x; parameters N, T; assumptions { N >= 1; T <= 1; } locations { a; b; c; d; }\n"
    "inits { a + b == N; c == 0; d == 0; x == 0; } rules {\n"
    "0: b -> c when (x < N) do { x' == x + 1; };\n"
    "1: a -> d when (4 * x >= N - T) do { x' == x + 1; };\n"
    "2: a -> d when (x >= T + 1) do { x' == x + 2; };\n"
    "3: c -> a when (true) do {};\n"
    "4: d -> b when (x < 2 * T + 1) do { x' == x + 1; };\n"
    "5: c -> d when (2 * x < N) do {};\n"
    "6: a -> a when (true) do {}; }\n"
    "specifications { stays: <>[](a > 0); passes: <>(c + a > 0 && 2 * a != T); lone: <>(a > 0 && c > 0);\n"
    "  refuted: <>(c + a > 1 && 2 * a != T); } }";

TEST(CyclicAutomata, WhatCannotFireUnderAnInvariantDoesNot) {
  const Result<Automaton> automaton = parse_automaton({"seven", kSeven});
  ASSERT_TRUE(automaton) << automaton.error().message;
  const System system = prepare(*automaton, {});
  const std::vector<Verdict> expected = {Verdict::violated, Verdict::holds, Verdict::violated, Verdict::violated};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Specification& specification = automaton->specifications[i];
    const Outcome outcome = verify_property(system, *specification.formula, {});
    EXPECT_EQ(outcome.verdict, expected[i]) << specification.name << " " << outcome.reason;
    const ExplicitResult search = search_explicitly(*automaton, *specification.formula, {3, 3, 3'000, {}});
    EXPECT_EQ(search.answer, expected[i] == Verdict::holds ? ExplicitAnswer::satisfied : ExplicitAnswer::violated);
  }
}

}  // namespace
}  // namespace nika::automata
