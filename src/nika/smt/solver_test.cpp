#include "nika/smt/solver.hpp"

#include <gtest/gtest.h>

namespace nika::smt {
namespace {

class EverySolver : public testing::TestWithParam<Backend> {
 protected:
  std::unique_ptr<Solver> solver = make_solver(GetParam());
  Linear x = IntVariable{0};
  Linear y = IntVariable{1};
};

TEST_P(EverySolver, FindsValuesOfLinearConstraints) {
  solver->add(equal(x + y, 7));
  solver->add(2 * x - y >= 2);
  solver->add(y >= 4);
  ASSERT_EQ(solver->check({}), Answer::satisfiable);
  EXPECT_EQ(solver->value(IntVariable{0}), 3);
  EXPECT_EQ(solver->value(IntVariable{1}), 4);
}

TEST_P(EverySolver, WorksOverIntegersAndNotRationals) {
  solver->add(equal(2 * x, 2 * y + Linear(1)));
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
}

TEST_P(EverySolver, PopForgetsWhatWasAddedSincePush) {
  solver->add(x >= 1);
  solver->push();
  solver->add(x < 1);
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
  solver->pop();
  EXPECT_EQ(solver->check({}), Answer::satisfiable);
}

TEST_P(EverySolver, BooleanVariablesSelectDisjuncts) {
  const Formula left = BoolVariable{0};
  solver->add(implies(left, equal(x, 5)));
  solver->add(implies(!left, equal(x, 6)));
  solver->add(!equal(x, 5));
  ASSERT_EQ(solver->check({}), Answer::satisfiable);
  EXPECT_EQ(solver->value(IntVariable{0}), 6);
}

TEST_P(EverySolver, NumbersThatDoNotFitAreRefusedAndNotCut) {
  solver->add(equal(x, 4'000'000'000'000'000'000));
  solver->add(equal(y, 4 * x));
  ASSERT_EQ(solver->check({}), Answer::satisfiable);
  EXPECT_EQ(solver->value(IntVariable{0}), 4'000'000'000'000'000'000);
  EXPECT_THROW(solver->value(IntVariable{1}), HugeValue);
}

TEST_P(EverySolver, ASpentBudgetIsUnknownAndNeverAnAnswer) {
  solver->add(x >= 1 && x < 1);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(solver->check({.cancelled = &cancelled}), Answer::unknown);
  EXPECT_EQ(solver->reason(), "interrupted");
}

INSTANTIATE_TEST_SUITE_P(Backends, EverySolver, testing::Values(Backend::z3, Backend::cvc5, Backend::both));

TEST(Formula, ConstantsVanishWhileBuilding) {
  EXPECT_TRUE((Formula(true) && Linear(3) >= Linear(2)).is_true());
  EXPECT_TRUE((Formula(false) || Linear(1) >= Linear(2)).is_false());
  EXPECT_TRUE((Linear(IntVariable{3}) - Linear(IntVariable{3})).is_constant());
}

}  // namespace
}  // namespace nika::smt
