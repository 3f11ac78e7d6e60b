#include "nika/automata/coverability.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "nika/automata/literals.hpp"

namespace nika::automata {
namespace {

// All configurations with at least these numbers of processes in the locations, of which the literals are true.
struct UpwardSet {
  std::vector<std::uint32_t> counts;  // by location
  Literals literals;

  bool contains(const UpwardSet& other) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > other.counts[i]) return false;
    }
    return std::includes(other.literals.begin(), other.literals.end(), literals.begin(), literals.end());
  }
};

// A rule with its guard as a union of upward closed sets.
struct BackwardRule {
  const Rule* rule = nullptr;
  std::vector<UpwardSet> guard;
};

constexpr std::size_t kMostDisjuncts = 64;

class Backward {
 public:
  // The questions to the solver are many and tiny: the budget is looked at between them, not by a watchdog for each.
  Backward(const Automaton& automaton, const CoverabilityLimits& limits)
      : automaton_(automaton), limits_(limits), oracle_(automaton, {}), table_(automaton, oracle_) {}

  // Is no run's goal ever satisfied, whose start satisfies the other formula?
  bool refutes(const NormalPtr& goal, const NormalPtr& start) {
    if (!goal->temporal) return !oracle_.is_possible_initially(normal_and({goal, start}));
    if (goal->kind == Normal::Kind::always) return false;
    const auto refutes_with = [&](const NormalPtr& more) {
      return [this, start = normal_and({start, more})](const NormalPtr& child) { return refutes(child, start); };
    };
    const std::vector<NormalPtr>& children = goal->children;
    if (goal->kind == Normal::Kind::disjunction)
      return std::all_of(children.begin(), children.end(), refutes_with(normal_constant(true)));
    if (goal->kind == Normal::Kind::eventually) return never_reaches(untimed(children.front()), start);
    std::vector<NormalPtr> now;
    std::copy_if(children.begin(), children.end(), std::back_inserter(now), [](const auto& c) { return !c->temporal; });
    return std::any_of(children.begin(), children.end(), refutes_with(normal_and(now)));
  }

  bool is_limit_met() const { return is_limit_met_; }

 private:
  // With true for what is temporal: more configurations satisfy it.
  static NormalPtr untimed(const NormalPtr& formula) {
    if (!formula->temporal) return formula;
    if (formula->kind != Normal::Kind::conjunction && formula->kind != Normal::Kind::disjunction)
      return normal_constant(true);
    std::vector<NormalPtr> children;
    for (const NormalPtr& child : formula->children) children.push_back(untimed(child));
    return formula->kind == Normal::Kind::conjunction ? normal_and(children) : normal_or(children);
  }

  bool never_reaches(const NormalPtr& target, const NormalPtr& start) {
    collect_predicates(target);
    rules_.clear();
    for (const Rule& rule : automaton_.rules) {
      if (!rule.is_stay()) rules_.push_back({&rule, sets_of(guard_of(rule))});
    }
    sets_.clear();
    open_.clear();
    start_ = start;
    for (UpwardSet& set : sets_of(target)) {
      if (!add(std::move(set))) return false;
    }
    while (!open_.empty()) {
      is_limit_met_ = is_limit_met_ || sets_.size() > limits_.sets || limits_.budget.exhausted();
      if (is_limit_met_) return false;
      const UpwardSet set = sets_[open_.front()];
      open_.pop_front();
      for (const BackwardRule& rule : rules_) {
        if (!add_predecessors(rule, set)) return false;
      }
    }
    return true;
  }

  // The guard as it is written, and that no variable becomes negative.
  static NormalPtr guard_of(const Rule& rule) {
    std::vector<NormalPtr> parts{normal_form(*rule.guard)};
    for (const Update& update : rule.updates) parts.push_back(normal_atom(update.value));
    return normal_and(parts);
  }

  bool reads_locations(const Expression& atom) const {
    return std::any_of(atom.terms().begin(), atom.terms().end(),
                       [this](const auto& term) { return automaton_.is_location(term.first); });
  }

  void collect_predicates(const NormalPtr& target) {
    const auto add_atoms = [this](const NormalPtr& formula) {
      for (const Expression& atom : atoms_of(*formula)) {
        if (!reads_locations(atom)) table_.add(atom);
      }
    };
    add_atoms(target);
    for (const Rule& rule : automaton_.rules) add_atoms(guard_of(rule));
    // What a reset or a copy makes of a comparison is a comparison too, of parameters or of other variables.
    for (std::size_t i = 0; i < table_.predicates().size(); ++i) {
      for (const Rule& rule : automaton_.rules) {
        const Expression before = before_update(table_.predicates()[i], rule);
        if (!(before - table_.predicates()[i]).is_constant() && !reads_locations(before)) table_.add(before);
      }
    }
  }

  static Expression before_update(const Expression& after, const Rule& rule) {
    Expression before = after;
    for (const auto& [variable, factor] : after.terms()) {
      for (const Update& update : rule.updates) {
        if (update.variable != variable) continue;
        before.add_scaled(update.value - Expression(smt::IntVariable{variable}), factor);
      }
    }
    return before;
  }

  UpwardSet everything() const { return {std::vector<std::uint32_t>(automaton_.locations.size(), 0), {}}; }

  // A union of sets that contains all configurations of which the formula is true.
  std::vector<UpwardSet> sets_of(const NormalPtr& formula) {
    if (formula->kind == Normal::Kind::constant && !formula->value) return {};
    if (formula->kind == Normal::Kind::constant) return {everything()};
    if (formula->kind == Normal::Kind::atom) return sets_of_atom(formula->atom);
    std::vector<UpwardSet> result;
    if (formula->kind == Normal::Kind::disjunction) {
      for (const NormalPtr& child : formula->children) {
        for (UpwardSet& set : sets_of(child)) result.push_back(std::move(set));
      }
      return result.size() <= kMostDisjuncts ? result : std::vector{everything()};
    }
    result = {everything()};
    for (const NormalPtr& child : formula->children) {
      const std::vector<UpwardSet> factor = sets_of(child);
      if (result.size() * factor.size() > kMostDisjuncts) continue;
      std::vector<UpwardSet> product;
      for (const UpwardSet& a : result) {
        for (const UpwardSet& b : factor) {
          UpwardSet both = intersection(a, b);
          if (table_.are_possible(both.literals)) product.push_back(std::move(both));
        }
      }
      result = std::move(product);
    }
    return result;
  }

  static UpwardSet intersection(const UpwardSet& a, const UpwardSet& b) {
    UpwardSet both = a;
    for (std::size_t i = 0; i < both.counts.size(); ++i) both.counts[i] = std::max(a.counts[i], b.counts[i]);
    both.literals = united(a.literals, b.literals);
    return both;
  }

  std::vector<UpwardSet> sets_of_atom(const Expression& atom) {
    if (!reads_locations(atom)) {
      UpwardSet set = everything();
      set.literals = table_.implied_by(atom);
      return {set};
    }
    // If it is false of no process in its locations, one of those that count for it is occupied.
    Expression without;
    std::vector<UpwardSet> result;
    for (const auto& [variable, factor] : atom.terms()) {
      if (!automaton_.is_location(variable)) {
        without.add_scaled(smt::IntVariable{variable}, factor);
      } else if (factor > 0) {
        result.push_back(everything());
        result.back().counts[variable - automaton_.location_begin()] = 1;
      }
    }
    without += Expression(atom.constant());
    if (oracle_.is_possible(normal_atom(without))) return {everything()};
    // A single location needs as many as the rest lacks, if that is a number.
    if (result.size() == 1 && without.is_constant() && atom.terms().size() == 1) {
      const auto& [variable, factor] = atom.terms().front();
      const std::int64_t least = (-without.constant() + factor - 1) / factor;
      result.front().counts[variable - automaton_.location_begin()] =
          static_cast<std::uint32_t>(std::clamp<std::int64_t>(least, 1, 1'000));
    }
    return result;
  }

  // False if the set contains a start.
  bool add(UpwardSet set) {
    if (!table_.are_possible(set.literals) || !has_enough_processes(set)) return true;
    for (const UpwardSet& known : sets_) {
      if (known.contains(set)) return true;
    }
    if (contains_start(set)) return false;
    open_.push_back(sets_.size());
    sets_.push_back(std::move(set));
    return true;
  }

  bool has_enough_processes(const UpwardSet& set) {
    std::uint32_t least = 0;
    for (const std::uint32_t count : set.counts) least += count;
    const auto [place, is_new] = enough_.emplace(least, true);
    if (!is_new) return place->second;
    Expression sum(-static_cast<std::int64_t>(least));
    for (std::uint32_t i = automaton_.location_begin(); i < automaton_.variable_count(); ++i)
      sum += Expression(smt::IntVariable{i});
    return place->second = oracle_.is_possible_initially(normal_atom(sum));
  }

  bool contains_start(const UpwardSet& set) {
    std::vector<NormalPtr> parts{start_};
    for (const Literal literal : set.literals) parts.push_back(table_.formula_of(literal));
    for (std::uint32_t i = 0; i < set.counts.size(); ++i) {
      const Expression location = smt::IntVariable{automaton_.location_begin() + i};
      if (set.counts[i] > 0) parts.push_back(normal_atom(location - Expression(set.counts[i])));
    }
    return oracle_.is_possible_initially(normal_and(parts));
  }

  bool add_predecessors(const BackwardRule& backward, const UpwardSet& after) {
    const Rule& rule = *backward.rule;
    const std::uint32_t source = rule.source - automaton_.location_begin();
    const std::uint32_t target = rule.target - automaton_.location_begin();
    UpwardSet before = everything();
    before.counts = after.counts;
    bool helps = source != target && before.counts[target] > 0;
    if (source != target && before.counts[target] > 0) --before.counts[target];
    before.counts[source] = source == target ? std::max(before.counts[source], 1U) : before.counts[source] + 1;
    for (const Literal literal : after.literals) {
      const Expression& predicate = table_.predicates()[literal / 2];
      const Expression atom = literal % 2 == 0 ? predicate : Expression(-1) - predicate;
      const Expression needed = before_update(atom, rule);
      const bool is_same = (needed - atom).is_constant() && (needed - atom).constant() == 0;
      helps = helps || !is_same;
      const NormalPtr condition = normal_atom(needed);
      if (condition->kind != Normal::Kind::constant) {
        before.literals = united(before.literals, is_same ? Literals{literal} : table_.implied_by(needed));
      } else if (!condition->value) {
        return true;
      }
    }
    if (!helps) return true;  // a part of the set itself
    for (const UpwardSet& guard : backward.guard) {
      if (!add(intersection(before, guard))) return false;
    }
    return true;
  }

  const Automaton& automaton_;
  const CoverabilityLimits& limits_;
  Oracle oracle_;
  LiteralTable table_;
  std::vector<BackwardRule> rules_;
  NormalPtr start_;
  std::vector<UpwardSet> sets_;
  std::deque<std::size_t> open_;  // those whose predecessors are still to be found
  std::map<std::uint32_t, bool> enough_;
  bool is_limit_met_ = false;
};

}  // namespace

Coverability prove_by_coverability(const Automaton& automaton, const Formula& property,
                                   const CoverabilityLimits& limits) {
  Backward backward(automaton, limits);
  if (backward.refutes(negated_normal_form(property), normal_constant(true))) return Coverability::proved;
  return backward.is_limit_met() ? Coverability::limit_met : Coverability::not_proved;
}

}  // namespace nika::automata
