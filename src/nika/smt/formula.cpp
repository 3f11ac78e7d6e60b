#include "nika/smt/formula.hpp"

namespace nika::smt {

Linear& Linear::add_scaled(const Linear& other, std::int64_t factor) {
  if (factor == 0) return *this;
  constant_ += factor * other.constant_;
  std::vector<Term> merged;
  merged.reserve(terms_.size() + other.terms_.size());
  auto mine = terms_.begin();
  auto theirs = other.terms_.begin();
  while (mine != terms_.end() || theirs != other.terms_.end()) {
    if (theirs == other.terms_.end() || (mine != terms_.end() && mine->first < theirs->first)) {
      merged.push_back(*mine++);
    } else if (mine == terms_.end() || theirs->first < mine->first) {
      merged.emplace_back(theirs->first, factor * theirs->second);
      ++theirs;
    } else {
      const std::int64_t sum = mine->second + factor * theirs->second;
      if (sum != 0) merged.emplace_back(mine->first, sum);
      ++mine;
      ++theirs;
    }
  }
  terms_ = std::move(merged);
  return *this;
}

Formula::Formula(bool value) : Formula(Node{Kind::constant, value, {}, {}, {}}) {}
Formula::Formula(BoolVariable variable) : Formula(Node{Kind::variable, false, variable, {}, {}}) {}

Formula at_least_zero(Linear term) {
  if (term.is_constant()) return Formula(term.constant() >= 0);
  return Formula(Formula::Node{Formula::Kind::at_least_zero, false, {}, std::move(term), {}});
}

Formula equals_zero(Linear term) {
  if (term.is_constant()) return Formula(term.constant() == 0);
  return Formula(Formula::Node{Formula::Kind::equals_zero, false, {}, std::move(term), {}});
}

Formula operator!(const Formula& formula) {
  const Formula::Node& node = formula.node();
  if (node.kind == Formula::Kind::constant) return Formula(!node.value);
  if (node.kind == Formula::Kind::negation) return node.children.front();
  if (node.kind == Formula::Kind::at_least_zero) return at_least_zero(Linear(-1) - node.linear);
  return Formula(Formula::Node{Formula::Kind::negation, false, {}, {}, {formula}});
}

// Constants vanish, and a child of the same kind gives its own children.
Formula Formula::combine(Kind kind, std::vector<Formula> formulas) {
  const bool neutral = kind == Kind::conjunction;
  std::vector<Formula> children;
  for (const Formula& formula : formulas) {
    const Node& node = formula.node();
    if (node.kind == Kind::constant) {
      if (node.value == neutral) continue;
      return Formula(!neutral);
    }
    if (node.kind == kind) {
      children.insert(children.end(), node.children.begin(), node.children.end());
    } else {
      children.push_back(formula);
    }
  }
  if (children.empty()) return Formula(neutral);
  if (children.size() == 1) return children.front();
  return Formula(Node{kind, false, {}, {}, std::move(children)});
}

Formula all_of(std::vector<Formula> formulas) {
  return Formula::combine(Formula::Kind::conjunction, std::move(formulas));
}

Formula any_of(std::vector<Formula> formulas) {
  return Formula::combine(Formula::Kind::disjunction, std::move(formulas));
}

}  // namespace nika::smt
