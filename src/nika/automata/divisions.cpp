#include "nika/automata/divisions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/automata/normal_form.hpp"

namespace nika::automata {
namespace {

bool has_only_parameters(const Automaton& automaton, const Expression& expression) {
  return std::all_of(expression.terms().begin(), expression.terms().end(),
                     [&](const auto& term) { return automaton.is_parameter(term.first); });
}

bool has_only_parameters(const Automaton& automaton, const Formula& formula) {
  return has_only_parameters(automaton, formula.left) && has_only_parameters(automaton, formula.right) &&
         std::all_of(formula.children.begin(), formula.children.end(),
                     [&](const FormulaPtr& child) { return has_only_parameters(automaton, *child); });
}

class Remainders {
 public:
  Remainders(const Automaton& automaton, const smt::Budget& budget)
      : automaton_(automaton), budget_(budget), solver_(smt::make_z3_solver()) {
    const auto size = automaton.variable_count() + static_cast<std::uint32_t>(automaton.monomials.size());
    for (std::uint32_t i = 0; i < size; ++i) {
      variables_.emplace_back(smt::IntVariable{i});
      if (!automaton.is_monomial(i)) solver_->add(variables_.back() >= 0);
    }
    for (const FormulaPtr& assumption : automaton.assumptions) {
      if (has_only_parameters(automaton, *assumption)) solver_->add(instantiate(*normal_form(*assumption), variables_));
    }
  }

  // Some numerator = divisor * quotient + rest with a rest from 1 to divisor - 1. The solver has a model then.
  bool is_uneven(const Division& division, UnevenDivision& found) {
    const auto first = static_cast<std::uint32_t>(variables_.size());
    const smt::Linear quotient(smt::IntVariable{first});
    const smt::Linear rest(smt::IntVariable{first + 1});
    solver_->push();
    solver_->add(smt::equal(instantiate(division.numerator, variables_), division.divisor * quotient + rest));
    solver_->add(rest >= 1 && rest <= smt::Linear(division.divisor - 1));
    const smt::Answer answer = solver_->check(budget_);
    if (answer == smt::Answer::satisfiable && has_only_parameters(automaton_, division.numerator)) add_example(found);
    solver_->pop();
    return answer != smt::Answer::unsatisfiable;
  }

 private:
  void add_example(UnevenDivision& found) {
    try {
      for (std::uint32_t i = 0; i < automaton_.parameter_count(); ++i) {
        found.example.emplace_back(automaton_.parameters[i], solver_->value({i}));
      }
    } catch (const smt::HugeValue&) {
      found.example.clear();
    }
  }

  const Automaton& automaton_;
  smt::Budget budget_;
  std::unique_ptr<smt::Solver> solver_;
  SymbolicConfiguration variables_;
};

}  // namespace

std::vector<UnevenDivision> uneven_divisions(const Automaton& automaton, const smt::Budget& budget) {
  std::vector<UnevenDivision> found;
  if (automaton.divisions.empty()) return found;
  Remainders remainders(automaton, budget);
  for (const Division& division : automaton.divisions) {
    UnevenDivision uneven{division, {}};
    if (remainders.is_uneven(division, uneven)) found.push_back(std::move(uneven));
  }
  return found;
}

std::string described(const UnevenDivision& division) {
  std::vector<std::string> values;
  for (const auto& [name, value] : division.example) values.push_back(fmt::format("{} = {}", name, value));
  return fmt::format("{} does not come out even{}{}", division.division.where, values.empty() ? "" : ", as with ",
                     fmt::join(values, ", "));
}

}  // namespace nika::automata
