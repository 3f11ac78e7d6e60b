// Safety of automata that reset, decrease and copy shared variables, or whose guards read locations.
#include "nika/automata/safety_check.hpp"

#include <gtest/gtest.h>

#include "nika/automata/coverability.hpp"
#include "nika/automata/cross_check.hpp"
#include "nika/automata/random_automaton.hpp"
#include "nika/automata/safety_system.hpp"
#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::automata {
namespace {

Automaton build(const std::string& rules, const std::string& property) {
  const std::string text =
      "skel P { shared x, y; parameters N, T; assumptions { N > 2 * T; T >= 1; } locations { a; b; c; }\n"
      "inits { a == N; b == 0; c == 0; x == 0; y == 0; } rules { " +
      rules + " }\n specifications { p: " + property + "; } }";
  const Result<Automaton> automaton = parse_automaton({"model", text});
  EXPECT_TRUE(automaton) << automaton.error().message;
  return automaton ? *automaton : Automaton{};
}

std::string verdict_of(const std::string& rules, const std::string& property) {
  const Automaton automaton = build(rules, property);
  const Outcome outcome = verify_property(prepare(automaton, {}), *automaton.specifications.front().formula, {});
  return to_string(outcome.verdict);
}

Coverability covered(const std::string& rules, const std::string& property) {
  const Automaton automaton = build(rules, property);
  return prove_by_coverability(automaton, *automaton.specifications.front().formula, {});
}

constexpr const char* kRounds =
    "1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= N - T) do { x' == 0; };"
    "3: c -> c when (x >= N) do { y' == y + 1; };";

TEST(SafetyCheck, AResetStartsTheCountAgain) {
  EXPECT_EQ(verdict_of(kRounds, "[](x <= N)"), "holds");
  EXPECT_EQ(verdict_of(kRounds, "[](c == 0)"), "violated");
  EXPECT_EQ(verdict_of(kRounds, "[](c == 0 || a <= T)"), "holds");
  EXPECT_EQ(verdict_of(kRounds, "[](c == 0 || y == 0)"), "holds");
}

TEST(SafetyCheck, DecrementsDoNotGoBelowZero) {
  const std::string rules =
      "1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (true) do { x' == x - 1; };"
      "3: c -> c when (true) do { x' == x - 1; };";
  EXPECT_EQ(verdict_of(rules, "[](x <= b)"), "holds");
  EXPECT_EQ(verdict_of(rules, "[](x == b)"), "violated");
  EXPECT_EQ(verdict_of(rules, "[](x + c >= 1 || a + b >= 1)"), "holds");
}

TEST(SafetyCheck, CopiesAndGuardsOverLocations) {
  const std::string rules =
      "1: a -> b when (b == 0) do { x' == x + 1; }; 2: b -> c when (true) do { y' == x; x' == 0; };";
  EXPECT_EQ(verdict_of(rules, "[](b <= 1)"), "holds");
  EXPECT_EQ(verdict_of(rules, "[](y <= 1)"), "holds");
  EXPECT_EQ(verdict_of(rules, "[](y == 0)"), "violated");
}

TEST(SafetyCheck, PropertiesOfSeveralSteps) {
  EXPECT_EQ(verdict_of(kRounds, "[](c != 0 -> [](c != 0))"), "holds");
  EXPECT_EQ(verdict_of(kRounds, "[](x >= N - T -> [](x >= 1))"), "violated");
  EXPECT_EQ(verdict_of(kRounds, "[](c == 0) || [](x < N)"), "violated");
  EXPECT_EQ(verdict_of(kRounds, "[](c == 0) || [](x <= N)"), "holds");
}

TEST(SafetyCheck, OnlyWhatFinitelyManyStepsRefuteIsSafety) {
  const auto is_one = [](const std::string& property) {
    return is_safety(*build(kRounds, property).specifications.front().formula);
  };
  EXPECT_TRUE(is_one("(a == N) -> [](c == 0 && x <= N)"));
  EXPECT_TRUE(is_one("[](x >= 1 -> [](c == 0))"));
  EXPECT_FALSE(is_one("<>(c != 0)"));
  EXPECT_FALSE(is_one("[](x >= 1 -> <>(c != 0))"));
}

// What the abstraction proves is much faster than an invariant; it must never prove what is violated.
TEST(Coverability, ProvesWhatNeedsNoCounting) {
  const std::string rounds =
      "1: a -> b when (y >= 1) do { x' == x + 1; }; 2: b -> c when (x >= N - T) do { x' == 0; y' == 0; };"
      "3: c -> a when (x < 1) do { y' == y + 1; };";
  EXPECT_EQ(covered(rounds, "[](c == 0)"), Coverability::proved);
  EXPECT_EQ(covered(rounds, "(y == 0) -> [](x < T && b <= 1)"), Coverability::proved);
  EXPECT_EQ(covered(kRounds, "[](c == 0)"), Coverability::not_proved);
  EXPECT_EQ(covered(kRounds, "[](c == 0 || a <= T)"), Coverability::not_proved) << "true, but it needs counting";
  EXPECT_EQ(covered("1: a -> b when (x < 1) do { x' == x + 1; }; 2: b -> a when (true) do { x' == x - 1; };",
                    "[](c == 0 && x >= 0)"),
            Coverability::proved);
}

TEST(Coverability, ALimitIsNoProof) {
  const Automaton automaton = build(kRounds, "[](c < 3 || y < 2)");
  CoverabilityLimits limits;
  limits.budget.deadline = {};
  EXPECT_NE(prove_by_coverability(automaton, *automaton.specifications.front().formula, limits), Coverability::proved);
}

class RandomResets : public testing::TestWithParam<std::uint64_t> {};

// bench_verify_cross_check --resets does so with ten thousand.
TEST_P(RandomResets, AgreeWithBruteForce) {
  CrossCheck sum;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + (kSanitized ? 4 : 40); ++seed) {
    Random random(seed);
    std::vector<std::uint8_t> bytes(300);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    Choices choices(bytes);
    VerifyOptions options;
    options.minimise = false;
    const std::string text = RandomAutomaton(choices, RandomKind::safety_with_resets).text(1);
    const CrossCheck result = cross_check(text, PlantedError::none, options);
    for (const std::string& disagreement : result.disagreements) ADD_FAILURE() << seed << ": " << disagreement;
    for (const std::string& reason : result.unknown) ADD_FAILURE() << seed << ": " << reason;
    sum.holds += result.holds;
    sum.violated += result.violated;
  }
  EXPECT_EQ(sum.holds + sum.violated, kSanitized ? 4U : 40U);
  if (kSanitized) return;  // of four there need not be both
  EXPECT_GE(sum.holds, 1U);
  EXPECT_GE(sum.violated, 1U);
}

INSTANTIATE_TEST_SUITE_P(SafetyCheck, RandomResets, testing::Values(1, 41, 81, 121, 161));

}  // namespace
}  // namespace nika::automata
