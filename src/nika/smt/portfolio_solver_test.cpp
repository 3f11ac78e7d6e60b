// Hard questions get the answer that easy ones get, and the same model with any number of threads.
#include "nika/smt/portfolio_solver.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"
#include "nika/base/threads.hpp"

namespace nika::smt {
namespace {

constexpr std::uint32_t kVariables = 8;
constexpr std::uint32_t kNoEffort = 1;  // everything is too hard at first

class Threads final : public Crew {
 public:
  explicit Threads(unsigned count) : count_(count) {}
  void run(const std::function<void()>& work) override {
    run_on_threads(count_, [&](unsigned) { work(); });
  }

 private:
  unsigned count_;
};

using Question = std::vector<Formula>;

Linear random_sum(Random& random) {
  Linear sum = static_cast<std::int64_t>(random.below(21)) - 10;
  for (std::uint32_t i = 0; i < kVariables; ++i) {
    const auto factor = static_cast<std::int64_t>(random.below(7)) - 3;
    if (random.below(3) == 0) sum += factor * Linear(IntVariable{i});
  }
  return sum;
}

Question random_question(std::uint64_t seed) {
  Random random(seed);
  Question question;
  for (std::uint32_t i = 0; i < kVariables; ++i) {
    question.push_back(Linear(IntVariable{i}) >= 0);
    question.push_back(Linear(IntVariable{i}) <= Linear(12));
  }
  for (int i = 0; i < 14; ++i) {
    const Formula either = at_least_zero(random_sum(random)) || equals_zero(random_sum(random));
    question.push_back(either || at_least_zero(random_sum(random) - Linear(6)));
  }
  return question;
}

struct Answered {
  Answer answer = Answer::unknown;
  std::vector<std::int64_t> values;
  bool operator==(const Answered&) const = default;
};

Answered answered(Solver& solver) {
  Answered result{solver.check({}), {}};
  for (std::uint32_t i = 0; result.answer == Answer::satisfiable && i < kVariables; ++i)
    result.values.push_back(solver.value({i}));
  return result;
}

Answered raced(const Question& question, unsigned threads) {
  Threads crew(threads);
  const auto solver = make_portfolio_solver({threads == 0 ? nullptr : &crew, kNoEffort});
  for (const Formula& formula : question) solver->add(formula);
  return answered(*solver);
}

TEST(PortfolioSolver, AnswersAsOneSolverDoesAndTheSameOnAnyNumberOfThreads) {
  unsigned satisfiable = 0;
  const unsigned count = kSanitized ? 4 : 40;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const Question question = random_question(seed);
    const auto plain = make_z3_solver();
    for (const Formula& formula : question) plain->add(formula);
    const Answered expected = answered(*plain);
    const Answered alone = raced(question, 0);
    ASSERT_EQ(alone.answer, expected.answer) << seed;
    satisfiable += alone.answer == Answer::satisfiable ? 1 : 0;
    if (alone.answer == Answer::satisfiable) {
      for (std::uint32_t i = 0; i < kVariables; ++i) plain->add(equal(Linear(IntVariable{i}), alone.values[i]));
      EXPECT_EQ(plain->check({}), Answer::satisfiable) << "values that satisfy nothing: " << seed;
    }
    for (const unsigned threads : {1U, 2U, 4U}) EXPECT_EQ(raced(question, threads), alone) << seed << " " << threads;
  }
  if (kSanitized) return;
  EXPECT_EQ(satisfiable, 23U);
}

TEST(PortfolioSolver, GoesOnAfterItWasUnsatisfiable) {
  const auto solver = make_portfolio_solver({nullptr, kNoEffort});
  const Linear x = IntVariable{0};
  const Linear y = IntVariable{1};
  solver->add(equal(2 * x, 2 * y + Linear(1)));
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
  solver->push();
  solver->add(x >= 9);
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
  solver->pop();
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
}

TEST(PortfolioSolver, PopForgetsWhatWasAddedSincePush) {
  const auto solver = make_portfolio_solver({nullptr, kNoEffort});
  const Linear x = IntVariable{0};
  const Linear y = IntVariable{1};
  solver->add(y >= 0);
  solver->add(x + y >= 7);
  solver->add(x + y <= 7);
  solver->push();
  solver->add(3 * x + 5 * y <= 20);
  EXPECT_EQ(solver->check({}), Answer::unsatisfiable);
  solver->pop();
  ASSERT_EQ(solver->check({}), Answer::satisfiable);
  EXPECT_EQ(solver->value({0}) + solver->value({1}), 7);
}

TEST(PortfolioSolver, WhoeverIsInterruptedSaysSo) {
  const std::atomic<bool> cancelled = true;
  Budget budget;
  budget.cancelled = &cancelled;
  const auto solver = make_portfolio_solver({nullptr, kNoEffort});
  solver->add(Linear(IntVariable{0}) >= 1);
  EXPECT_EQ(solver->check(budget), Answer::unknown);
  EXPECT_EQ(solver->reason(), "interrupted");
  EXPECT_EQ(solver->check({}), Answer::satisfiable);
}

}  // namespace
}  // namespace nika::smt
