#include "nika/smt/recording_solver.hpp"

#include "nika/base/require.hpp"

namespace nika::smt {

void RecordingSolver::add(const Formula& formula) {
  formulas_.push_back(formula);
  solver_->add(formula);
}

void RecordingSolver::push() {
  marks_.push_back(formulas_.size());
  solver_->push();
}

void RecordingSolver::pop() {
  NIKA_REQUIRE(!marks_.empty());
  formulas_.resize(marks_.back());
  marks_.pop_back();
  solver_->pop();
}

Answer RecordingSolver::check(const Budget& budget) {
  const Answer answer = solver_->check(budget);
  if (answer == Answer::unsatisfiable) last_ = {formulas_, "", backend_};
  return answer;
}

}  // namespace nika::smt
