// Small questions about parameters and shared variables under the automaton's assumptions, answered by the solver and
// remembered. When the solver does not know, the answer is the cautious one: "it may be".
#pragma once

#include <map>
#include <memory>
#include <string>

#include "nika/automata/normal_form.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

class Oracle {
 public:
  Oracle(const Automaton& automaton, const smt::Budget& budget);

  // Is there a choice of parameters and natural numbers that satisfies the assumptions and the formula?
  bool is_possible(const NormalPtr& formula);
  bool is_possible_initially(const NormalPtr& formula);
  bool implies(const NormalPtr& premise, const NormalPtr& conclusion);

 private:
  bool ask(smt::Solver& solver, const NormalPtr& formula);

  smt::Budget budget_;
  SymbolicConfiguration variables_;
  std::unique_ptr<smt::Solver> solver_;
  std::unique_ptr<smt::Solver> initial_;
  std::map<std::string, bool> known_;
};

}  // namespace nika::automata
