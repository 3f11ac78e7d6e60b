#include "nika/smt/reachability.hpp"

#include <gtest/gtest.h>

namespace nika::smt {
namespace {

const Linear kX = IntVariable{0};
const Linear kLimit = IntVariable{1};

// Counts up to a limit that never changes.
TransitionSystem counter(const Formula& bad) {
  TransitionSystem system;
  system.variables = 2;
  system.initial = equal(kX, 0) && kLimit >= 1;
  system.rules = {{kX < kLimit, {{0, kX + Linear(1)}}}};
  system.bad = bad;
  return system;
}

TEST(Reachability, AnInvariantProvesThatNothingBadIsReached) {
  const TransitionSystem system = counter(kX > kLimit);
  for (const Strategy strategy : {Strategy::depth_first, Strategy::breadth_first}) {
    const Reachability result = find_reachable(system, {strategy, 0}, {});
    ASSERT_EQ(result.answer, Answer::unsatisfiable);
    ASSERT_TRUE(result.invariant);
    for (const Backend backend : {Backend::z3, Backend::cvc5})
      EXPECT_EQ(check_invariant(system, *result.invariant, backend, {}), Answer::unsatisfiable);
  }
}

TEST(Reachability, ARunIsToldByItsConfigurations) {
  const Reachability result = find_reachable(counter(kX >= 3 && equal(kX, kLimit)), {}, {});
  ASSERT_EQ(result.answer, Answer::satisfiable);
  EXPECT_EQ(result.values, (std::vector<std::vector<std::int64_t>>{{0, 3}, {1, 3}, {2, 3}, {3, 3}}));
}

TEST(Reachability, AnInvariantThatIsNoneIsRefused) {
  const TransitionSystem system = counter(kX > kLimit);
  EXPECT_EQ(check_invariant(system, kX <= kLimit, Backend::z3, {}), Answer::unsatisfiable);
  EXPECT_EQ(check_invariant(system, kX <= 5, Backend::z3, {}), Answer::satisfiable) << "not kept by the rule";
  EXPECT_EQ(check_invariant(system, kX >= 0, Backend::z3, {}), Answer::satisfiable) << "true of something bad";
  EXPECT_EQ(check_invariant(system, kX >= 1, Backend::z3, {}), Answer::satisfiable) << "false at the start";
}

TEST(Reachability, ALimitOrASpentBudgetIsUnknown) {
  EXPECT_EQ(find_reachable(counter(kX >= 300), {Strategy::depth_first, 1'000}, {}).answer, Answer::unknown);
  Budget spent;
  spent.deadline = {};
  const Reachability result = find_reachable(counter(kX > kLimit), {}, spent);
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_EQ(result.reason, "out of time");
}

TEST(TransitionSystem, SubstitutionReachesEveryTerm) {
  const Formula formula = !(kX >= kLimit) || (equal(kX, 4) && kLimit >= 2);
  const std::unique_ptr<Solver> solver = make_z3_solver();
  solver->add(substituted(formula, {Linear(4), kX}));  // x is 4, and the limit is called x
  solver->add(kX <= 3);
  solver->add(kX >= 2);
  EXPECT_EQ(solver->check({}), Answer::satisfiable);
  solver->add(kX < 2);
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
}

}  // namespace
}  // namespace nika::smt
