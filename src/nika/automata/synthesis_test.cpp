// Synthesis against brute force over all assignments, and the solutions of every sketch that comes with the project.
#include "nika/automata/synthesis.hpp"

#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"
#include "nika/automata/random_sketch.hpp"
#include "nika/automata/replay_condition.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::automata {
namespace {

using Assignments = std::vector<Assignment>;

Automaton sketch_of(const std::string& text) {
  const Result<Automaton> sketch = parse_automaton({"sketch", text}, {DivisionMeaning::exact, true});
  EXPECT_TRUE(sketch) << sketch.error().message << "\n" << text;
  return sketch ? *sketch : Automaton{};
}

Assignments values_of(const SynthesisResult& result) {
  Assignments values;
  for (const Solution& solution : result.solutions) values.push_back(solution.values);
  return values;
}

// Every assignment of the box, in order.
Assignments box(std::size_t unknowns, const Interval& bounds) {
  Assignments all{{}};
  for (std::size_t i = 0; i < unknowns; ++i) {
    Assignments longer;
    for (const Assignment& prefix : all) {
      for (std::int64_t value = bounds.least; value <= bounds.most; ++value) {
        longer.push_back(prefix);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

struct BruteForce {
  Assignments solutions;
  Assignments undecided;
};

// Verifies each assignment by itself; nothing is learned.
BruteForce brute_force(const Automaton& sketch, const Interval& bounds, const VerifyOptions& options) {
  BruteForce result;
  for (const Assignment& values : box(sketch.unknowns.size(), bounds)) {
    const Automaton automaton = completed(sketch, values);
    const System system = prepare(automaton, options.budget);
    bool is_violated = false;
    bool is_unknown = false;
    for (const Specification& specification : automaton.specifications) {
      if (!system.can_start) continue;
      const Verdict verdict = verify_property(system, *specification.formula, options).verdict;
      is_violated = is_violated || verdict == Verdict::violated;
      is_unknown = is_unknown || verdict == Verdict::unknown;
    }
    if (!is_violated) (is_unknown ? result.undecided : result.solutions).push_back(values);
  }
  return result;
}

TEST(Synthesis, AgreesWithBruteForceOnRandomSketches) {
  const Interval bounds{-1, 1};
  std::size_t solutions = 0;
  std::uint64_t tried = 0;
  std::size_t undecided = 0;
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 5 : 15); ++seed) {
    const std::string text = random_sketch_text(seed, 2);
    const Automaton sketch = sketch_of(text);
    const Automaton example = completed(sketch, {1, 1});
    const bool is_outside = prepare(example, {}).relaxed.has_value();
    if (is_outside && seed % 5 != 0) continue;  // most of the time would go into searching
    SynthesisOptions options;
    options.bounds = bounds;
    options.verify.minimise = false;
    options.verify.deepest_search = 2;
    const BruteForce expected = brute_force(sketch, bounds, options.verify);
    const SynthesisResult result = synthesize(sketch, options);
    EXPECT_TRUE(result.complete) << seed;
    EXPECT_FALSE(result.solver_is_wrong) << seed << result.reason;
    EXPECT_EQ(values_of(result), expected.solutions) << seed << "\n" << text;
    // What a run for other numbers excludes need not be searched for.
    EXPECT_LE(result.undecided.size(), expected.undecided.size()) << seed << "\n" << text;
    EXPECT_EQ(result.tried, result.learned + result.solutions.size() + result.undecided.size()) << seed;
    solutions += result.solutions.size();
    undecided += result.undecided.size();
    tried += result.tried;
  }
  if (kSanitized) return;
  EXPECT_EQ(solutions, 24U);
  EXPECT_EQ(undecided, 0U);
  EXPECT_EQ(tried, 41U);
}

// The condition is exact: true of precisely those numbers for which the interpreter accepts the run.
TEST(ReplayCondition, SaysWhatTheInterpreterSays) {
  const Assignments all = box(2, {-2, 3});
  std::size_t runs = 0;
  std::size_t excluded = 0;
  for (std::uint64_t seed = 1'000; seed < (kSanitized ? 1'010 : 1'080); ++seed) {
    const Automaton sketch = sketch_of(random_sketch_text(seed, 1));
    const Assignment& values = all[seed % all.size()];
    const Automaton automaton = completed(sketch, values);
    const System system = prepare(automaton, {});
    if (!system.can_start) continue;
    const Outcome outcome = verify_property(system, *automaton.specifications[0].formula, {});
    if (!outcome.counterexample) continue;
    ++runs;
    const auto condition = replay_condition(sketch, *sketch.specifications[0].formula, *outcome.counterexample);
    ASSERT_TRUE(condition);
    for (const Assignment& other : all) {
      const Automaton changed = completed(sketch, other);
      const auto objection = objection_to(changed, *changed.specifications[0].formula, *outcome.counterexample);
      EXPECT_EQ(is_true_of(*condition, other), !objection) << seed << " " << objection.value_or("replays");
      if (!objection) ++excluded;
    }
  }
  if (kSanitized) return;
  EXPECT_EQ(runs, 42U);
  EXPECT_EQ(excluded, 1'378U);
}

// a is where one stops waiting; it must be reachable and not below t + 1.
constexpr const char* kSmall = R"(
skel P { shared x; parameters n, t; unknowns a, b; assumptions { n > 2 * t; t >= 1; MORE } locations { l; m; done; }
  inits { l == n; m == 0; done == 0; x == 0; }
  rules { 1: l -> m when (true) do { x' == x + 1; }; 2: m -> done when (x >= a * t + b) do {}; }
  specifications {
    safe: [](done == 0 || x >= t + 1);
    live: <>[](l == 0 && (m == 0 || x < a * t + b)) -> <>(done == n); } })";

std::string small(const std::string& more) {
  std::string text = kSmall;
  return text.replace(text.find("MORE"), 4, more);
}

TEST(Synthesis, FindsAllSolutionsWithinTheBounds) {
  SynthesisOptions options;
  options.bounds = Interval{0, 3};
  const SynthesisResult result = synthesize(sketch_of(small("")), options);
  EXPECT_TRUE(result.complete);
  // t + 1 is safe and at most n; 2t + 1 is what n > 2t allows at most; 0t + b is not above t for all t.
  EXPECT_EQ(values_of(result), (Assignments{{1, 1}, {1, 2}, {2, 0}, {2, 1}}));
  EXPECT_EQ(result.bounds.size(), 2U);
  EXPECT_EQ(result.bounds[0].least, 0);
  EXPECT_EQ(result.bounds[1].most, 3);
}

TEST(Synthesis, LearnsMoreThanOnePointFromACounterexample) {
  SynthesisOptions options;
  options.bounds = Interval{-10, 10};
  const SynthesisResult learned = synthesize(sketch_of(small("")), options);
  options.generalise = false;
  options.bounds = Interval{0, 3};
  const SynthesisResult blocked = synthesize(sketch_of(small("")), options);
  EXPECT_EQ(blocked.tried, 16U);
  EXPECT_LT(learned.tried, 30U);  // of 441
  EXPECT_EQ(learned.solutions.size(), 4U);
}

TEST(Synthesis, AssumptionsBoundUnknownsAndRelateThem) {
  const SynthesisResult result = synthesize(sketch_of(small("0 <= a; a <= 3; b == a - 1 || b == 7;")), {});
  EXPECT_EQ(values_of(result), (Assignments{{2, 1}}));
  ASSERT_EQ(result.bounds.size(), 2U);
  EXPECT_EQ(result.bounds[0].most, 3);
  EXPECT_EQ(result.bounds[1].least, -1);
  EXPECT_EQ(result.bounds[1].most, 7);
}

TEST(Synthesis, SaysThatThereIsNone) {
  const SynthesisResult result = synthesize(sketch_of(small("a == 0; 0 <= b; b <= 9;")), {});
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.solutions.empty());
  EXPECT_GE(result.learned, 1U);
  const SynthesisResult nothing = synthesize(sketch_of(small("a > b; b > a;")), {});
  EXPECT_TRUE(nothing.complete);
  EXPECT_EQ(nothing.tried, 0U);
  EXPECT_TRUE(nothing.bounds.empty());
}

TEST(Synthesis, StopsWhenItsTimeIsOver) {
  SynthesisOptions options;
  options.verify.budget.deadline = std::chrono::steady_clock::now();
  const SynthesisResult result = synthesize(sketch_of(small("")), options);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.reason, "out of time");
}

TEST(Synthesis, TellsWhatHoldsOnlyVacuously) {
  const Automaton sketch = sketch_of(R"(
    skel P { shared x; parameters n; unknowns a; assumptions { n >= 1; 0 <= a; a <= 2; } locations { l; m; done; }
      inits { l == n; m == 0; done == 0; x == 0; }
      rules { 1: l -> m when (true) do { x' == x + 1; }; 2: m -> done when (x >= a * n) do {}; }
      specifications { late: [](done > 0 -> x >= n); } })");
  const SynthesisResult result = synthesize(sketch, {});
  EXPECT_EQ(values_of(result), (Assignments{{1}, {2}}));
  EXPECT_TRUE(result.solutions[0].vacuous.empty());
  EXPECT_EQ(result.solutions[1].vacuous, std::vector<std::string>{"late"});
}

}  // namespace
}  // namespace nika::automata
