// One hard question on several threads. What Z3 does not answer within a bounded effort is asked of differently
// configured solvers in turns of growing effort. Any "unsatisfiable" counts at once; of several models that of the
// first turn in a fixed order counts. So the answer depends on the question alone, never on who is free or faster.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "nika/smt/solver.hpp"

namespace nika::smt {

// Threads that may have nothing else to do.
class Crew {
 public:
  virtual ~Crew() = default;
  // Runs `work` on the calling thread and on every other one that is free or becomes so, and waits until all of them
  // have returned from it. It must not throw.
  virtual void run(const std::function<void()>& work) = 0;
};

struct Portfolio {
  Crew* crew = nullptr;  // none: one turn after the other
  // Of the first turns, in units of the first configuration: about a second. Each round of turns has four times as
  // much.
  std::uint32_t effort = 100'000'000;
};

std::unique_ptr<Solver> make_portfolio_solver(const Portfolio& portfolio);

}  // namespace nika::smt
