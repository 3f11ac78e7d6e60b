// A solver session: add formulas, check, read values of the last model. It knows nothing of automata.
// A check never outlives its budget by much, and never reports "unsatisfiable" because time ran out.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "nika/smt/formula.hpp"

namespace nika::smt {

enum class Answer { satisfiable, unsatisfiable, unknown };

// When to stop: a point in time, or as soon as somebody sets one of the flags (which may be null).
struct Budget {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* cancelled = nullptr;
  const std::atomic<bool>* needless = nullptr;  // nobody waits for the answer any more
  // Of each check of Z3, in units of its work that are the same on every machine; 0: no limit.
  std::uint32_t effort = 0;

  bool unlimited() const {
    return cancelled == nullptr && needless == nullptr && deadline == std::chrono::steady_clock::time_point::max();
  }
  bool has_deadline() const { return deadline != std::chrono::steady_clock::time_point::max(); }
  bool exhausted() const;
  // No more than so long from now on.
  Budget at_most(std::chrono::milliseconds time) const;
  // Of an exhausted budget.
  const char* reason() const { return cancelled != nullptr && cancelled->load() ? "interrupted" : "out of time"; }
};

// So long from now, 0 for no limit, or until the flag (which may be null) is set.
Budget budget_of(double seconds, const std::atomic<bool>* cancelled);

// Thrown by Solver::value if the model's number does not fit.
struct HugeValue : std::exception {
  const char* what() const noexcept override { return "a number of the solver's model is too large"; }
};

enum class Backend { z3, cvc5, both };

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void add(const Formula& formula) = 0;
  virtual void push() = 0;
  virtual void pop() = 0;
  virtual Answer check(const Budget& budget) = 0;
  // Values of the last satisfiable check; variables that it did not need are 0.
  // Throws HugeValue if 64 bits are not enough.
  virtual std::int64_t value(IntVariable variable) = 0;
  // Why the last check was unknown.
  virtual std::string reason() const = 0;
};

// With Backend::both each check runs in Z3 and cvc5 on two threads and they must not contradict each other.
std::unique_ptr<Solver> make_solver(Backend backend);
struct Z3Configuration {
  std::uint32_t arithmetic = 2;  // the old core
  std::uint32_t seed = 0;
};
std::unique_ptr<Solver> make_z3_solver(const Z3Configuration& configuration = {});
std::unique_ptr<Solver> make_cvc5_solver();

}  // namespace nika::smt
