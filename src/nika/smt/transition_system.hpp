// A transition system over natural or other integers: a start, rules that set every variable to a linear expression of
// the values before, and configurations that must not be reached. It knows nothing of automata.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nika/smt/formula.hpp"
#include "nika/smt/solver.hpp"

namespace nika::smt {

struct TransitionRule {
  Formula guard;
  std::vector<std::pair<std::uint32_t, Linear>> updates;  // variables that are not named keep their value
};

// Formulas are over the integer variables 0 … variables - 1 and have no Boolean variables.
struct TransitionSystem {
  std::uint32_t variables = 0;
  Formula initial;
  std::vector<TransitionRule> rules;
  Formula bad;
  // True at the start, and kept by every rule: nothing has to find that out. It is checked all the same.
  Formula known;
};

// The formula with a term for each variable.
Linear substituted(const Linear& term, const std::vector<Linear>& values);
Formula substituted(const Formula& formula, const std::vector<Linear>& values);

// Does the solver confirm that the invariant is true at the start, kept by every rule, and false of all that is bad?
// The proof that nothing bad is reachable, whoever has found the invariant. "Unsatisfiable" means yes.
Answer check_invariant(const TransitionSystem& system, const Formula& invariant, Backend backend, const Budget& budget);

}  // namespace nika::smt
