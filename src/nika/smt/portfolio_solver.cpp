#include "nika/smt/portfolio_solver.hpp"

#include "nika/base/require.hpp"
#include "nika/smt/race.hpp"

namespace nika::smt {
namespace {

class PortfolioSolver final : public Solver {
 public:
  explicit PortfolioSolver(const Portfolio& portfolio) : portfolio_(portfolio) {}

  void add(const Formula& formula) override {
    has_changed_ = true;
    formulas_.push_back(formula);
    if (first_) first_->add(formula);
  }
  void push() override {
    marks_.push_back(formulas_.size());
    if (first_) first_->push();
  }
  void pop() override {
    NIKA_REQUIRE(!marks_.empty());
    has_changed_ = true;
    formulas_.resize(marks_.back());
    marks_.pop_back();
    if (first_) first_->pop();
  }

  // What was begun of the same question goes on.
  Answer check(const Budget& budget) override {
    if (has_changed_) race_.reset();
    has_changed_ = false;
    if (!race_) {
      const Answer answer = ask_first(budget);
      if (answer != Answer::unknown || budget.exhausted()) return answer;
      race_ = std::make_unique<Race>(formulas_, portfolio_);
    }
    const Answer answer = race_->solve(budget);
    reason_ = race_->reason();
    return answer;
  }

  std::int64_t value(IntVariable variable) override { return race_ ? race_->value(variable) : first_->value(variable); }
  std::string reason() const override { return reason_; }

 private:
  // Whoever was interrupted is thrown away: what it would answer later depends on when that was.
  Answer ask_first(const Budget& budget) {
    if (!first_) build();
    Budget bounded = budget;
    bounded.effort = portfolio_.effort;
    const Answer answer = first_->check(bounded);
    reason_ = first_->reason();
    if (answer == Answer::unknown && budget.exhausted()) first_.reset();
    return answer;
  }

  void build() {
    first_ = make_z3_solver();
    std::size_t mark = 0;
    for (std::size_t i = 0; i <= formulas_.size(); ++i) {
      for (; mark < marks_.size() && marks_[mark] == i; ++mark) first_->push();
      if (i < formulas_.size()) first_->add(formulas_[i]);
    }
  }

  const Portfolio portfolio_;
  std::vector<Formula> formulas_;
  std::vector<std::size_t> marks_;
  std::unique_ptr<Solver> first_;  // none yet, or it was interrupted
  std::unique_ptr<Race> race_;     // of the question that was asked last, if it was too hard
  bool has_changed_ = true;        // since then
  std::string reason_;
};

}  // namespace

std::unique_ptr<Solver> make_portfolio_solver(const Portfolio& portfolio) {
  return std::make_unique<PortfolioSolver>(portfolio);
}

}  // namespace nika::smt
