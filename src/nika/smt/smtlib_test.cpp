#include "nika/smt/smtlib.hpp"

#include <gtest/gtest.h>
#include <z3++.h>

#include "nika/base/random.hpp"
#include "nika/smt/recording_solver.hpp"

namespace nika::smt {
namespace {

// Z3 reads the standard itself.
Answer answer_of_z3(const std::string& text) {
  z3::context context;
  z3::solver solver(context);
  solver.from_string(text.c_str());
  const z3::check_result result = solver.check();
  return result == z3::sat ? Answer::satisfiable : result == z3::unsat ? Answer::unsatisfiable : Answer::unknown;
}

Answer answer_of(const std::vector<Formula>& formulas, Backend backend) {
  const auto solver = make_solver(backend);
  for (const Formula& formula : formulas) solver->add(formula);
  return solver->check({});
}

class RandomFormula {
 public:
  explicit RandomFormula(std::uint64_t seed) : random_(seed) {}

  Formula formula(int depth) {
    if (!known_.empty() && below(4) == 0) return known_[below(known_.size())];
    Formula made = fresh(depth);
    known_.push_back(made);
    return made;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.next() % bound); }

  Formula fresh(int depth) {
    if (depth == 0 || below(5) == 0) {
      if (below(4) == 0) return BoolVariable{static_cast<std::uint32_t>(below(3))};
      Linear sum(static_cast<std::int64_t>(below(9)) - 4);
      for (std::uint32_t i = 0; i < 3; ++i) sum.add_scaled(IntVariable{i}, static_cast<std::int64_t>(below(7)) - 3);
      return below(3) == 0 ? equals_zero(sum) : at_least_zero(sum);
    }
    if (below(4) == 0) return !formula(depth - 1);
    std::vector<Formula> children;
    for (std::size_t i = 0; i < 2 + below(2); ++i) children.push_back(formula(depth - 1));
    return below(2) == 0 ? all_of(std::move(children)) : any_of(std::move(children));
  }

  Random random_;
  std::vector<Formula> known_;
};

TEST(SmtLib, WrittenAndReadAgainItIsTheSameQuestion) {
  int unsatisfiable = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomFormula random(seed);
    std::vector<Formula> formulas;
    for (int i = 0; i < 7; ++i) formulas.push_back(random.formula(3));
    const std::string text = smtlib_text(formulas, "seed " + std::to_string(seed));
    const auto again = parse_smtlib("q.smt2", text);
    ASSERT_TRUE(again) << again.error().message << "\n" << text;
    const Answer expected = answer_of(formulas, Backend::z3);
    EXPECT_EQ(answer_of(*again, Backend::cvc5), expected) << text;
    EXPECT_EQ(answer_of_z3(text), expected) << text;
    if (expected == Answer::unsatisfiable) ++unsatisfiable;
  }
  EXPECT_EQ(unsatisfiable, 9);
}

TEST(SmtLib, SharedPartsAreWrittenOnce) {
  Formula big = BoolVariable{0} || Linear(IntVariable{0}) >= 1;
  for (int i = 1; i < 40; ++i) {
    const Formula other = Formula(BoolVariable{static_cast<std::uint32_t>(i)});
    big = (big && other) || (!other && !big);
  }
  const std::string text = smtlib_text({big}, "");
  EXPECT_LT(text.size(), 20'000U);
  EXPECT_EQ(answer_of_z3(text), Answer::satisfiable);
  EXPECT_TRUE(parse_smtlib("q", text));
}

TEST(SmtLib, NegativeNumbersAndRemarks) {
  const Linear x = IntVariable{0};
  EXPECT_EQ(
      smtlib_text({-3 * x + Linear(IntVariable{2}) >= -7, equal(x, 2)}, "one\ntwo"),
      "; one\n; two\n(set-logic QF_LIA)\n(set-info :status unsat)\n(declare-fun i0 () Int)\n"
      "(declare-fun i2 () Int)\n(assert (>= (+ (* (- 3) i0) i2) (- 7)))\n(assert (= i0 2))\n(check-sat)\n(exit)\n");
}

TEST(SmtLib, WhatIsWrongIsToldWithItsLine) {
  const auto error_of = [](const std::string& text) {
    const auto result = parse_smtlib("q.smt2", text);
    return result ? "no error" : result.error().message;
  };
  EXPECT_EQ(error_of("(set-logic QF_LIA)\n(assert (>= i0 0))\n(check-sat)\n"),
            "q.smt2:2: read '0))\\n(check-sat)\\n', expected a declared variable before this");
  EXPECT_EQ(error_of("(assert true)\n"), "q.smt2:2: read the end, expected (check-sat)");
  EXPECT_EQ(error_of("(check-sat)\n(assert false)"),
            "q.smt2:2: read 'false)', expected nothing after (check-sat) but (exit)");
  EXPECT_EQ(
      error_of("(push 1)(check-sat)"),
      "q.smt2:1: read '1)(check-sat)', expected set-logic, set-info, declare-fun, define-fun, assert, check-sat or "
      "exit");
  EXPECT_EQ(error_of("(declare-fun x () Int)(declare-fun x () Bool)(check-sat)"),
            "q.smt2:1: read '() Bool)(check-sat)', expected a name that is not declared yet");
  EXPECT_NE(error_of(std::string(10'000, '(')), "no error");
  EXPECT_NE(error_of("(assert " + std::string(5'000, '(') + "(check-sat)"), "no error");
  std::string deep = "(assert ";
  for (int i = 0; i < 5'000; ++i) deep += "(not ";
  EXPECT_NE(error_of(deep).find("expected at most 2000 nested parts"), std::string::npos);
}

TEST(RecordingSolver, KeepsTheQuestionThatHasNoAnswer) {
  const Linear x = IntVariable{0};
  RecordingSolver solver(Backend::z3);
  solver.add(x >= 1);
  EXPECT_EQ(solver.check({}), Answer::satisfiable);
  EXPECT_TRUE(solver.last_refutation().formulas.empty());
  solver.push();
  solver.add(x <= 0);
  EXPECT_EQ(solver.check({}), Answer::unsatisfiable);
  solver.pop();
  solver.add(x <= 5);
  EXPECT_EQ(solver.check({}), Answer::satisfiable);
  EXPECT_EQ(solver.value(IntVariable{0}) >= 1, true);
  ASSERT_EQ(solver.last_refutation().formulas.size(), 2U);
  EXPECT_EQ(answer_of(solver.last_refutation().formulas, Backend::cvc5), Answer::unsatisfiable);
}

}  // namespace
}  // namespace nika::smt
