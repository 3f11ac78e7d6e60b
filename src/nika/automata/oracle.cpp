#include "nika/automata/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/automata/printer.hpp"
#include "nika/base/printable.hpp"

namespace nika::automata {
namespace {

constexpr std::size_t kMostCharacters = 200;

}  // namespace

Oracle::Oracle(const Automaton& automaton, const smt::Budget& budget, bool records)
    : automaton_(automaton), budget_(budget), records_(records), solver_(smt::Backend::z3), initial_(smt::Backend::z3) {
  for (std::uint32_t i = 0; i < automaton.variable_count(); ++i) {
    variables_.emplace_back(smt::IntVariable{i});
    if (!automaton.is_location(i)) solver_.add(variables_.back() >= 0);
    initial_.add(variables_.back() >= 0);
  }
  for (const FormulaPtr& assumption : automaton.assumptions) {
    const NormalPtr condition = normal_form(*assumption);
    initial_.add(instantiate(*condition, variables_));
    // Parameters never change. What an assumption says of anything else is true at the start only.
    const std::vector<Expression> atoms = atoms_of(*condition);
    const bool lasting = std::all_of(atoms.begin(), atoms.end(), [&](const Expression& atom) {
      return std::all_of(atom.terms().begin(), atom.terms().end(),
                         [&](const auto& term) { return automaton.is_parameter(term.first); });
    });
    if (lasting) solver_.add(instantiate(*condition, variables_));
  }
  smt::Linear processes;
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) processes += variables_[i];
  initial_.add(processes >= 1);
  for (const FormulaPtr& init : automaton.inits) initial_.add(instantiate(*normal_form(*init), variables_));
}

bool Oracle::ask(smt::RecordingSolver& solver, const NormalPtr& formula) {
  if (formula->kind == Normal::Kind::constant && !formula->value) return false;
  solver.push();
  solver.add(instantiate(*formula, variables_));
  const bool possible = solver.check(budget_) != smt::Answer::unsatisfiable;
  solver.pop();
  if (!possible && records_) {
    refutations_.push_back(solver.last_refutation());
    refutations_.back().about = fmt::format("{}impossible: {}", &solver == &initial_ ? "at first " : "",
                                            shortened(printed(automaton_, *formula), kMostCharacters));
  }
  return possible;
}

bool Oracle::is_possible(const NormalPtr& formula) {
  const std::string key = key_of(*formula);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_[key] = ask(solver_, formula);
}

bool Oracle::is_possible_initially(const NormalPtr& formula) { return ask(initial_, formula); }

bool Oracle::implies(const NormalPtr& premise, const NormalPtr& conclusion) {
  return !is_possible(normal_and({premise, complement(*conclusion)}));
}

}  // namespace nika::automata
