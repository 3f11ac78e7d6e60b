// Two solvers asked the same question on two threads. A contradiction between them is never resolved: it is "unknown".
#include "nika/base/threads.hpp"
#include "nika/smt/solver.hpp"

namespace nika::smt {
namespace {

class BothSolver final : public Solver {
 public:
  void add(const Formula& formula) override {
    z3_->add(formula);
    cvc5_->add(formula);
  }
  void push() override {
    z3_->push();
    cvc5_->push();
  }
  void pop() override {
    z3_->pop();
    cvc5_->pop();
  }

  Answer check(const Budget& budget) override {
    // cvc5 keeps what it builds in the thread that builds it, so it is the other one that gets a thread of its own.
    Answer first = Answer::unknown;
    Answer second = Answer::unknown;
    run_on_threads(2, [&](unsigned number) {
      if (number == 0) second = cvc5_->check(budget);
      if (number == 1) first = z3_->check(budget);
    });
    if (first != Answer::unknown && second != Answer::unknown && first != second) {
      reason_ = "z3 and cvc5 contradict each other";
      return Answer::unknown;
    }
    witness_ = first == Answer::satisfiable ? z3_.get() : cvc5_.get();
    if (first != Answer::unknown) return first;
    reason_ = z3_->reason();
    return second;
  }

  std::int64_t value(IntVariable variable) override { return witness_->value(variable); }
  std::string reason() const override { return reason_; }

 private:
  std::unique_ptr<Solver> z3_ = make_z3_solver();
  std::unique_ptr<Solver> cvc5_ = make_cvc5_solver();
  Solver* witness_ = nullptr;
  std::string reason_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(Backend backend) {
  switch (backend) {
    case Backend::z3: return make_z3_solver();
    case Backend::cvc5: return make_cvc5_solver();
    case Backend::both: break;
  }
  return std::make_unique<BothSolver>();
}

}  // namespace nika::smt
