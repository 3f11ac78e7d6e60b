// A solver that keeps the question of its last "unsatisfiable", so that somebody else can be asked the same.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nika/smt/solver.hpp"

namespace nika::smt {

// Formulas that no numbers satisfy together, as somebody found.
struct Refutation {
  std::vector<Formula> formulas;
  std::string about;  // in words
  Backend backend = Backend::z3;
};

class RecordingSolver final : public Solver {
 public:
  explicit RecordingSolver(Backend backend) : RecordingSolver(backend, make_solver(backend)) {}
  // One of that kind.
  RecordingSolver(Backend backend, std::unique_ptr<Solver> solver) : backend_(backend), solver_(std::move(solver)) {}

  void add(const Formula& formula) override;
  void push() override;
  void pop() override;
  Answer check(const Budget& budget) override;
  std::int64_t value(IntVariable variable) override { return solver_->value(variable); }
  std::string reason() const override { return solver_->reason(); }

  // Without formulas if nothing was unsatisfiable yet.
  const Refutation& last_refutation() const { return last_; }

 private:
  Backend backend_;
  std::unique_ptr<Solver> solver_;
  std::vector<Formula> formulas_;
  std::vector<std::size_t> marks_;
  Refutation last_;
};

}  // namespace nika::smt
