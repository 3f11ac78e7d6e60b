#include "nika/automata/sketch.hpp"

#include <algorithm>

#include "nika/automata/substitution.hpp"

namespace nika::automata {
namespace {

bool reads_only_unknowns(const Automaton& sketch, const Formula& formula) {
  const auto is_unknown = [&](const auto& term) {
    return sketch.is_monomial(term.first) && !sketch.monomials[term.first - sketch.variable_count()].variable;
  };
  return std::all_of(formula.left.terms().begin(), formula.left.terms().end(), is_unknown) &&
         std::all_of(formula.right.terms().begin(), formula.right.terms().end(), is_unknown) &&
         std::all_of(formula.children.begin(), formula.children.end(),
                     [&](const FormulaPtr& child) { return reads_only_unknowns(sketch, *child); });
}

// The parts of all assumptions, those that read unknowns only or the others.
std::vector<FormulaPtr> parts_of(const Automaton& sketch, bool of_unknowns) {
  std::vector<FormulaPtr> found;
  const auto collect = [&](const FormulaPtr& part, const auto& self) -> void {
    if (part->kind == Formula::Kind::conjunction) {
      for (const FormulaPtr& child : part->children) self(child, self);
    } else if (reads_only_unknowns(sketch, *part) == of_unknowns) {
      found.push_back(part);
    }
  };
  for (const FormulaPtr& assumption : sketch.assumptions) collect(assumption, collect);
  return found;
}

}  // namespace

std::vector<FormulaPtr> conditions_on_unknowns(const Automaton& sketch) { return parts_of(sketch, true); }

Automaton completed(const Automaton& sketch, const Assignment& assignment) {
  std::vector<Expression> images;
  for (std::uint32_t i = 0; i < sketch.variable_count(); ++i) images.emplace_back(smt::IntVariable{i});
  for (const Monomial& monomial : sketch.monomials) {
    const std::int64_t value = assignment[monomial.unknown];
    images.push_back(monomial.variable ? value * Expression(smt::IntVariable{*monomial.variable}) : Expression(value));
  }
  Automaton fixed = sketch;
  fixed.assumptions = parts_of(sketch, false);
  Automaton result = substituted(fixed, images);
  result.unknowns.clear();
  result.monomials.clear();
  return result;
}

}  // namespace nika::automata
