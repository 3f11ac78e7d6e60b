#include "nika/smt/transition_system.hpp"

namespace nika::smt {

Linear substituted(const Linear& term, const std::vector<Linear>& values) {
  Linear result(term.constant());
  for (const auto& [variable, factor] : term.terms()) result.add_scaled(values[variable], factor);
  return result;
}

Formula substituted(const Formula& formula, const std::vector<Linear>& values) {
  const Formula::Node& node = formula.node();
  std::vector<Formula> children;
  for (const Formula& child : node.children) children.push_back(substituted(child, values));
  switch (node.kind) {
    case Formula::Kind::constant:
    case Formula::Kind::variable: return formula;
    case Formula::Kind::at_least_zero: return at_least_zero(substituted(node.linear, values));
    case Formula::Kind::equals_zero: return equals_zero(substituted(node.linear, values));
    case Formula::Kind::negation: return !children.front();
    case Formula::Kind::conjunction: return all_of(std::move(children));
    case Formula::Kind::disjunction: break;
  }
  return any_of(std::move(children));
}

Answer check_invariant(const TransitionSystem& system, const Formula& invariant, Backend backend,
                       const Budget& budget) {
  const std::unique_ptr<Solver> solver = make_solver(backend);
  Answer worst = Answer::unsatisfiable;
  const auto refuse = [&](const Formula& step) {
    if (worst != Answer::unsatisfiable || step.is_false()) return;
    solver->push();
    solver->add(step);
    worst = solver->check(budget);
    solver->pop();
  };
  const Formula whole = invariant && system.known;
  refuse(system.initial && !whole);
  refuse(whole && system.bad);
  for (const TransitionRule& rule : system.rules) {
    std::vector<Linear> after;
    for (std::uint32_t i = 0; i < system.variables; ++i) after.emplace_back(IntVariable{i});
    for (const auto& [variable, value] : rule.updates) after[variable] = value;
    refuse(all_of({whole, rule.guard, !substituted(whole, after)}));
  }
  return worst;
}

}  // namespace nika::smt
