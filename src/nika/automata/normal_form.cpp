#include "nika/automata/normal_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "nika/base/require.hpp"

namespace nika::automata {
namespace {

NormalPtr combined(Normal::Kind kind, const std::vector<NormalPtr>& children) {
  const bool neutral = kind == Normal::Kind::conjunction;
  Normal result;
  result.kind = kind;
  std::set<std::string> seen;
  for (const NormalPtr& child : children) {
    if (child->kind == Normal::Kind::constant) {
      if (child->value != neutral) return normal_constant(!neutral);
      continue;
    }
    const std::vector<NormalPtr> parts = child->kind == kind ? child->children : std::vector<NormalPtr>{child};
    for (const NormalPtr& part : parts) {
      if (seen.insert(key_of(*part)).second) result.children.push_back(part);
    }
  }
  if (result.children.empty()) return normal_constant(neutral);
  if (result.children.size() == 1) return result.children.front();
  result.temporal =
      std::any_of(result.children.begin(), result.children.end(), [](const NormalPtr& c) { return c->temporal; });
  return std::make_shared<const Normal>(std::move(result));
}

NormalPtr modal(Normal::Kind kind, const NormalPtr& child) {
  const Normal::Kind other = kind == Normal::Kind::always ? Normal::Kind::eventually : Normal::Kind::always;
  if (child->kind == Normal::Kind::constant || child->kind == kind) return child;
  // <>[]<>p is []<>p, and []<>[]p is <>[]p.
  if (child->kind == other && child->children.front()->kind == kind) return child;
  const Normal::Kind spread = kind == Normal::Kind::always ? Normal::Kind::conjunction : Normal::Kind::disjunction;
  if (child->kind == spread && child->temporal) {
    std::vector<NormalPtr> parts;
    for (const NormalPtr& part : child->children) parts.push_back(modal(kind, part));
    return combined(spread, parts);
  }
  Normal result;
  result.kind = kind;
  result.temporal = true;
  result.children = {child};
  return std::make_shared<const Normal>(std::move(result));
}

NormalPtr comparison_form(const Formula& formula, bool positive) {
  const Expression difference = formula.left - formula.right;
  const Expression above = difference - Expression(1);
  const Expression below = Expression(-1) - difference;
  const NormalPtr at_least = normal_atom(difference);
  const NormalPtr at_most = normal_atom(Expression() - difference);
  switch (formula.comparison) {
    case Comparison::equal:
      return positive ? normal_and({at_least, at_most}) : normal_or({normal_atom(above), normal_atom(below)});
    case Comparison::not_equal:
      return positive ? normal_or({normal_atom(above), normal_atom(below)}) : normal_and({at_least, at_most});
    case Comparison::less: return positive ? normal_atom(below) : at_least;
    case Comparison::less_or_equal: return positive ? at_most : normal_atom(above);
    case Comparison::greater: return positive ? normal_atom(above) : at_most;
    case Comparison::greater_or_equal: break;
  }
  return positive ? at_least : normal_atom(below);
}

NormalPtr convert(const Formula& formula, bool positive) {
  std::vector<NormalPtr> children;
  switch (formula.kind) {
    case Formula::Kind::constant: return normal_constant(formula.value == positive);
    case Formula::Kind::comparison: return comparison_form(formula, positive);
    case Formula::Kind::negation: return convert(*formula.children.front(), !positive);
    case Formula::Kind::eventually:
    case Formula::Kind::always: {
      const bool always = (formula.kind == Formula::Kind::always) == positive;
      return modal(always ? Normal::Kind::always : Normal::Kind::eventually,
                   convert(*formula.children.front(), positive));
    }
    case Formula::Kind::implication:
      children = {convert(*formula.children[0], !positive), convert(*formula.children[1], positive)};
      return positive ? normal_or(children) : normal_and(children);
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction: break;
  }
  for (const FormulaPtr& child : formula.children) children.push_back(convert(*child, positive));
  return (formula.kind == Formula::Kind::conjunction) == positive ? normal_and(children) : normal_or(children);
}

}  // namespace

NormalPtr normal_form(const Formula& formula) { return convert(formula, true); }
NormalPtr negated_normal_form(const Formula& formula) { return convert(formula, false); }

NormalPtr normal_constant(bool value) {
  Normal result;
  result.value = value;
  return std::make_shared<const Normal>(std::move(result));
}

NormalPtr normal_atom(const Expression& at_least_zero) {
  bool none_negative = true;
  bool none_positive = true;
  for (const auto& [variable, factor] : at_least_zero.terms()) {
    none_negative = none_negative && factor > 0;
    none_positive = none_positive && factor < 0;
  }
  if (none_negative && at_least_zero.constant() >= 0) return normal_constant(true);
  if (none_positive && at_least_zero.constant() < 0) return normal_constant(false);
  Normal result;
  result.kind = Normal::Kind::atom;
  result.atom = at_least_zero;
  return std::make_shared<const Normal>(std::move(result));
}

NormalPtr normal_and(const std::vector<NormalPtr>& children) { return combined(Normal::Kind::conjunction, children); }
NormalPtr normal_or(const std::vector<NormalPtr>& children) { return combined(Normal::Kind::disjunction, children); }

NormalPtr normal_always(const NormalPtr& child) { return modal(Normal::Kind::always, child); }
NormalPtr normal_eventually(const NormalPtr& child) { return modal(Normal::Kind::eventually, child); }

NormalPtr complement(const Normal& formula) {
  std::vector<NormalPtr> children;
  for (const NormalPtr& child : formula.children) children.push_back(complement(*child));
  switch (formula.kind) {
    case Normal::Kind::constant: return normal_constant(!formula.value);
    case Normal::Kind::atom: return normal_atom(Expression(-1) - formula.atom);
    case Normal::Kind::conjunction: return normal_or(children);
    case Normal::Kind::disjunction: return normal_and(children);
    case Normal::Kind::eventually: return modal(Normal::Kind::always, children.front());
    case Normal::Kind::always: break;
  }
  return modal(Normal::Kind::eventually, children.front());
}

std::vector<Expression> atoms_of(const Normal& formula) {
  std::vector<Expression> atoms;
  std::set<std::string> seen;
  const auto collect = [&](const Normal& part, const auto& self) -> void {
    if (part.kind == Normal::Kind::atom && seen.insert(key_of(part.atom)).second) atoms.push_back(part.atom);
    for (const NormalPtr& child : part.children) self(*child, self);
  };
  collect(formula, collect);
  return atoms;
}

std::string key_of(const Expression& expression) {
  std::string key = std::to_string(expression.constant());
  for (const auto& [variable, factor] : expression.terms()) key += fmt::format("+{}v{}", factor, variable);
  return key;
}

std::string key_of(const Normal& formula) {
  switch (formula.kind) {
    case Normal::Kind::constant: return formula.value ? "T" : "F";
    case Normal::Kind::atom: return key_of(formula.atom);
    case Normal::Kind::conjunction:
    case Normal::Kind::disjunction:
    case Normal::Kind::eventually:
    case Normal::Kind::always: break;
  }
  std::string key(1, "__&|<["[static_cast<int>(formula.kind)]);
  for (const NormalPtr& child : formula.children) key += fmt::format("({})", key_of(*child));
  return key;
}

smt::Linear instantiate(const Expression& expression, const SymbolicConfiguration& configuration) {
  smt::Linear result(expression.constant());
  for (const auto& [variable, factor] : expression.terms()) result.add_scaled(configuration[variable], factor);
  return result;
}

smt::Formula instantiate(const Normal& formula, const SymbolicConfiguration& configuration) {
  if (formula.kind == Normal::Kind::constant) return smt::Formula(formula.value);
  if (formula.kind == Normal::Kind::atom) return smt::at_least_zero(instantiate(formula.atom, configuration));
  NIKA_REQUIRE(!formula.temporal);
  std::vector<smt::Formula> children;
  for (const NormalPtr& child : formula.children) children.push_back(instantiate(*child, configuration));
  return formula.kind == Normal::Kind::conjunction ? smt::all_of(std::move(children))
                                                   : smt::any_of(std::move(children));
}

}  // namespace nika::automata
