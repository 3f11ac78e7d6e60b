#include "nika/automata/substitution.hpp"

#include <map>

#include "nika/base/require.hpp"

namespace nika::automata {
namespace {

// Formulas that macros share stay shared: as trees they can be huge.
class Substitution {
 public:
  explicit Substitution(const std::vector<Expression>& images) : images_(images) {}

  FormulaPtr of(const FormulaPtr& formula) {
    const auto found = known_.find(formula.get());
    if (found != known_.end()) return found->second;
    Formula result = *formula;
    result.left = substituted(formula->left, images_);
    result.right = substituted(formula->right, images_);
    for (FormulaPtr& child : result.children) child = of(child);
    return known_[formula.get()] = std::make_shared<const Formula>(std::move(result));
  }

  std::uint32_t of(std::uint32_t variable) const {
    NIKA_REQUIRE(images_[variable].terms().size() == 1);
    return images_[variable].terms().front().first;
  }

 private:
  const std::vector<Expression>& images_;
  std::map<const Formula*, FormulaPtr> known_;
};

}  // namespace

Expression substituted(const Expression& expression, const std::vector<Expression>& images) {
  Expression result(expression.constant());
  for (const auto& [variable, factor] : expression.terms()) result.add_scaled(images[variable], factor);
  return result;
}

Automaton substituted(const Automaton& automaton, const std::vector<Expression>& images) {
  Automaton result = automaton;
  Substitution substitution(images);
  for (FormulaPtr& assumption : result.assumptions) assumption = substitution.of(assumption);
  for (FormulaPtr& init : result.inits) init = substitution.of(init);
  for (Rule& rule : result.rules) {
    rule.source = substitution.of(rule.source);
    rule.target = substitution.of(rule.target);
    rule.guard = substitution.of(rule.guard);
    for (Update& update : rule.updates) {
      update.variable = substitution.of(update.variable);
      update.value = substituted(update.value, images);
    }
  }
  for (Specification& specification : result.specifications) {
    specification.formula = substitution.of(specification.formula);
  }
  for (Division& division : result.divisions) division.numerator = substituted(division.numerator, images);
  return result;
}

}  // namespace nika::automata
