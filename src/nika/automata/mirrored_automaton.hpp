// Automata that are symmetric on purpose: a random one together with its mirror image, which shares some of its
// locations and variables. For tests and benchmarks only.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "nika/automata/parser.hpp"
#include "nika/automata/random_automaton.hpp"
#include "nika/automata/symmetry.hpp"
#include "nika/base/require.hpp"

namespace nika::automata {

inline Expression renamed(const Expression& expression, const Renaming& renaming) {
  Expression result(expression.constant());
  for (const auto& [variable, factor] : expression.terms())
    result += factor * Expression(smt::IntVariable{renaming[variable]});
  return result;
}

inline FormulaPtr renamed(const Formula& formula, const Renaming& renaming) {
  Formula result = formula;
  result.left = renamed(formula.left, renaming);
  result.right = renamed(formula.right, renaming);
  for (FormulaPtr& child : result.children) child = renamed(*child, renaming);
  return std::make_shared<const Formula>(std::move(result));
}

// The last conjunct and disjunct first, everywhere.
inline FormulaPtr turned_around(const Formula& formula) {
  Formula result = formula;
  for (FormulaPtr& child : result.children) child = turned_around(*child);
  if (formula.kind == Formula::Kind::conjunction || formula.kind == Formula::Kind::disjunction)
    std::reverse(result.children.begin(), result.children.end());
  return std::make_shared<const Formula>(std::move(result));
}

class MirroredAutomaton {
 public:
  // Each property of the half is followed by its mirror image, written the other way round.
  MirroredAutomaton(const Automaton& half, Choices& choices) : choices_(choices) {
    automaton_.name = half.name;
    automaton_.parameters = half.parameters;
    automaton_.assumptions = half.assumptions;
    place(half);
    for (const FormulaPtr& init : half.inits) {
      automaton_.inits.push_back(renamed(*init, left_));
      automaton_.inits.push_back(renamed(*init, right_));
    }
    for (const Rule& rule : half.rules) add(rule);
    for (const Specification& specification : half.specifications) {
      const FormulaPtr mixed = scattered(*specification.formula);
      automaton_.specifications.push_back({specification.name, mixed});
      automaton_.specifications.push_back({specification.name + "m", turned_around(*renamed(*mixed, mirror_))});
    }
  }

  const Automaton& automaton() const { return automaton_; }
  const Renaming& mirror() const { return mirror_; }

  // Adds a condition to the guard of one rule but not to that of its mirror image; nothing if all are their own images.
  bool break_symmetry() {
    for (std::size_t i = 0; i < automaton_.rules.size(); i += 2) {
      Rule& rule = automaton_.rules[i];
      if (mirror_[rule.source] == rule.source && mirror_[rule.target] == rule.target) continue;
      Formula unlike_three;
      unlike_three.kind = Formula::Kind::comparison;
      unlike_three.comparison = Comparison::not_equal;
      unlike_three.left = Expression(smt::IntVariable{0});
      unlike_three.right = Expression(3);
      Formula both;
      both.kind = Formula::Kind::conjunction;
      both.children = {rule.guard, std::make_shared<const Formula>(unlike_three)};
      rule.guard = std::make_shared<const Formula>(both);
      return true;
    }
    return false;
  }

 private:
  // Variables of the half keep their order; the twins of those that have one come behind, sort by sort.
  void place(const Automaton& half) {
    std::vector<bool> is_common(half.variable_count(), true);
    for (std::uint32_t i = half.shared_begin(); i < half.variable_count(); ++i) is_common[i] = choices_.one_in(4);
    automaton_.shared = half.shared;
    automaton_.locations = half.locations;
    for (std::uint32_t i = half.shared_begin(); i < half.variable_count(); ++i) {
      if (is_common[i]) continue;
      if (half.is_shared(i)) automaton_.shared.push_back(half.variable_name(i) + "m");
      if (half.is_location(i)) automaton_.locations.push_back({half.variable_name(i) + "m", {}});
    }
    for (Location& location : automaton_.locations) location.label.clear();
    std::uint32_t next_shared = half.location_begin();
    std::uint32_t next_location = automaton_.location_begin() + static_cast<std::uint32_t>(half.locations.size());
    mirror_ = no_renaming(automaton_);
    for (std::uint32_t i = 0; i < half.variable_count(); ++i) {
      left_.push_back(half.is_location(i) ? i - half.location_begin() + automaton_.location_begin() : i);
      right_.push_back(is_common[i] ? left_[i] : half.is_location(i) ? next_location++ : next_shared++);
      mirror_[left_[i]] = right_[i];
      mirror_[right_[i]] = left_[i];
    }
  }

  const Renaming& side() { return choices_.one_in(4) ? right_ : left_; }

  void add(const Rule& rule) {
    Rule made{rule.id, left_[rule.source], 0, nullptr, {}};
    made.target = rule.is_stay() ? made.source : side()[rule.target];
    made.guard = renamed(*rule.guard, side());
    for (const Update& update : rule.updates) {
      const Renaming& updated = side();
      made.updates.push_back({updated[update.variable], renamed(update.value, updated)});
    }
    automaton_.rules.push_back(made);
    made.id += "m";
    made.source = mirror_[made.source];
    made.target = mirror_[made.target];
    made.guard = renamed(*made.guard, mirror_);
    for (Update& update : made.updates) update = {mirror_[update.variable], renamed(update.value, mirror_)};
    automaton_.rules.push_back(made);
  }

  FormulaPtr scattered(const Formula& formula) {
    if (formula.kind == Formula::Kind::comparison) return renamed(formula, side());
    Formula result = formula;
    for (FormulaPtr& child : result.children) child = scattered(*child);
    return std::make_shared<const Formula>(std::move(result));
  }

  Choices& choices_;
  Automaton automaton_;
  Renaming left_, right_;  // by variable of the half
  Renaming mirror_;
};

inline MirroredAutomaton mirrored_automaton(Choices& choices, std::uint32_t properties) {
  const Result<Automaton> half = parse_automaton({"random", RandomAutomaton(choices).text(properties)});
  NIKA_REQUIRE(half.has_value());
  return MirroredAutomaton(*half, choices);
}

}  // namespace nika::automata
