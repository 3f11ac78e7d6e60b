#include "nika/automata/replay_condition.hpp"

#include <algorithm>

namespace nika::automata {
namespace {

constexpr std::size_t kMostConfigurations = 1'000;
constexpr std::int64_t kLargestValue = 100'000;  // so that factors times values fit

smt::Linear value_at(const Automaton& sketch, const Expression& expression, const Configuration& configuration) {
  smt::Linear value(expression.constant());
  for (const auto& [index, factor] : expression.terms()) {
    if (!sketch.is_monomial(index)) {
      value += smt::Linear(factor * configuration[index]);
      continue;
    }
    const Monomial& monomial = sketch.monomials[index - sketch.variable_count()];
    const std::int64_t times = monomial.variable ? configuration[*monomial.variable] : 1;
    value.add_scaled(smt::IntVariable{monomial.unknown}, factor * times);
  }
  return value;
}

smt::Formula compares(Comparison comparison, const smt::Linear& difference) {
  switch (comparison) {
    case Comparison::equal: return smt::equals_zero(difference);
    case Comparison::not_equal: return !smt::equals_zero(difference);
    case Comparison::less: return difference < smt::Linear(0);
    case Comparison::less_or_equal: return difference <= smt::Linear(0);
    case Comparison::greater: return difference > smt::Linear(0);
    case Comparison::greater_or_equal: break;
  }
  return smt::at_least_zero(difference);
}

smt::Formula joined(Formula::Kind kind, std::vector<smt::Formula> children) {
  switch (kind) {
    case Formula::Kind::negation: return !children[0];
    case Formula::Kind::implication: return !children[0] || children[1];
    case Formula::Kind::conjunction: return smt::all_of(std::move(children));
    default: break;
  }
  return smt::any_of(std::move(children));
}

// The interpreter once more, with unknowns in the place of numbers: what it decides, this writes down. Only guards,
// conditions and the property read unknowns, so that configurations are still numbers.
class SymbolicReplay {
 public:
  SymbolicReplay(const Automaton& sketch, const Formula& property) : sketch_(sketch), property_(property) {}

  std::optional<smt::Formula> run(const Counterexample& run) {
    if (run.initial.size() != sketch_.variable_count() || !has_processes(sketch_, run.initial))
      return smt::Formula(false);
    configurations_ = {run.initial};
    for (const FormulaPtr& assumption : sketch_.assumptions) require(condition_at(sketch_, *assumption, run.initial));
    for (const FormulaPtr& init : sketch_.inits) require(condition_at(sketch_, *init, run.initial));
    if (!take(run.steps)) return std::nullopt;
    const std::size_t loop_begin = configurations_.size() - 1;
    if (run.loop.empty() && sketch_.draws_stays() && !is_settled_by_prefixes(property_, true)) require_rest();
    if (!take(run.loop)) return std::nullopt;
    require_loop(run, loop_begin);
    if (configurations_.size() - 1 > loop_begin) configurations_.pop_back();
    require(!truth_along(property_, loop_begin).front());
    return smt::all_of(std::move(parts_));
  }

 private:
  void require(smt::Formula part) { parts_.push_back(std::move(part)); }

  smt::Formula enabled(const Rule& rule, const Configuration& configuration) const {
    const bool fits = configuration[rule.source] >= 1 &&
                      std::all_of(rule.updates.begin(), rule.updates.end(),
                                  [&](const Update& update) { return value_of(update.value, configuration) >= 0; });
    return fits ? condition_at(sketch_, *rule.guard, configuration) : smt::Formula(false);
  }

  bool take(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      const Rule& rule = sketch_.rules[step.rule];
      for (std::int64_t i = 0; i < step.count; ++i) {
        if (configurations_.size() >= kMostConfigurations || !is_small(configurations_.back())) return false;
        require(enabled(rule, configurations_.back()));
        configurations_.push_back(configurations_.back());
        fire(rule, configurations_.back());
      }
    }
    return is_small(configurations_.back());
  }

  static bool is_small(const Configuration& configuration) {
    return std::all_of(configuration.begin(), configuration.end(),
                       [](std::int64_t value) { return value >= 0 && value <= kLargestValue; });
  }

  // Nothing happens any more only where nothing can.
  void require_rest() {
    for (const Rule& rule : sketch_.rules) require(!enabled(rule, configurations_.back()));
  }

  // A loop that adds to shared variables must not be noticed by what it repeats, nor by the property.
  void require_loop(const Counterexample& run, std::size_t loop_begin) {
    Configuration drift = configurations_.back();
    bool drifts = false;
    for (std::uint32_t i = 0; i < drift.size(); ++i) {
      drift[i] -= configurations_[loop_begin][i];
      drifts = drifts || drift[i] != 0;
      if (!sketch_.is_shared(i) && drift[i] != 0) require(false);
    }
    if (!drifts) return;
    for (std::size_t i = loop_begin; i < configurations_.size(); ++i) {
      require(stable(property_, configurations_[i], drift));
      for (const Step& step : run.loop) require(stable(*sketch_.rules[step.rule].guard, configurations_[i], drift));
    }
    for (const Step& step : run.loop) {
      for (const Update& update : sketch_.rules[step.rule].updates) {
        if (!(update.value - Expression(smt::IntVariable{update.variable})).is_constant()) require(false);
      }
    }
  }

  smt::Formula stable(const Formula& formula, const Configuration& configuration, const Configuration& drift) const {
    std::vector<smt::Formula> parts;
    if (formula.kind != Formula::Kind::comparison) {
      for (const FormulaPtr& child : formula.children) parts.push_back(stable(*child, configuration, drift));
      return smt::all_of(std::move(parts));
    }
    const Expression difference = formula.left - formula.right;
    const smt::Linear number = value_at(sketch_, difference, configuration);
    // What a round adds: unknowns by themselves and constants stay as they are.
    const smt::Linear change =
        value_at(sketch_, difference, drift) - value_at(sketch_, difference, Configuration(drift.size(), 0));
    const auto keeps_sign = [&](const smt::Linear& value) {
      return smt::equals_zero(change) || (value >= smt::Linear(0) && change > smt::Linear(0)) ||
             (value < smt::Linear(0) && change < smt::Linear(0));
    };
    switch (formula.comparison) {
      case Comparison::less:
      case Comparison::greater_or_equal: return keeps_sign(number);
      case Comparison::greater:
      case Comparison::less_or_equal: return keeps_sign(number - smt::Linear(1));
      case Comparison::equal:
      case Comparison::not_equal: break;
    }
    return smt::equals_zero(change) || (!smt::equals_zero(number) && keeps_sign(number));
  }

  // The truth of the formula at every position of the lasso.
  std::vector<smt::Formula> truth_along(const Formula& formula, std::size_t loop_begin) const {
    const std::size_t size = configurations_.size();
    std::vector<smt::Formula> truth(size);
    if (!formula.is_temporal()) {
      for (std::size_t i = 0; i < size; ++i) truth[i] = condition_at(sketch_, formula, configurations_[i]);
      return truth;
    }
    std::vector<std::vector<smt::Formula>> children;
    for (const FormulaPtr& child : formula.children) children.push_back(truth_along(*child, loop_begin));
    if (formula.kind != Formula::Kind::eventually && formula.kind != Formula::Kind::always) {
      for (std::size_t i = 0; i < size; ++i) {
        std::vector<smt::Formula> here;
        for (const std::vector<smt::Formula>& child : children) here.push_back(child[i]);
        truth[i] = joined(formula.kind, std::move(here));
      }
      return truth;
    }
    const bool always = formula.kind == Formula::Kind::always;
    const auto both = [always](const smt::Formula& a, const smt::Formula& b) { return always ? a && b : a || b; };
    smt::Formula future(always);
    for (std::size_t i = loop_begin; i < size; ++i) future = both(future, children[0][i]);
    for (std::size_t i = size; i-- > 0;) {
      if (i < loop_begin) future = both(future, children[0][i]);
      truth[i] = future;
    }
    return truth;
  }

  const Automaton& sketch_;
  const Formula& property_;
  std::vector<Configuration> configurations_;
  std::vector<smt::Formula> parts_;
};

}  // namespace

smt::Formula condition_at(const Automaton& sketch, const Formula& formula, const Configuration& configuration) {
  if (formula.kind == Formula::Kind::constant) return smt::Formula(formula.value);
  if (formula.kind == Formula::Kind::comparison) {
    return compares(formula.comparison, value_at(sketch, formula.left - formula.right, configuration));
  }
  std::vector<smt::Formula> children;
  for (const FormulaPtr& child : formula.children) children.push_back(condition_at(sketch, *child, configuration));
  return joined(formula.kind, std::move(children));
}

std::optional<smt::Formula> replay_condition(const Automaton& sketch, const Formula& property,
                                             const Counterexample& run) {
  return SymbolicReplay(sketch, property).run(run);
}

bool is_true_of(const smt::Formula& formula, const Assignment& assignment) {
  const smt::Formula::Node& node = formula.node();
  const auto holds = [&](const smt::Formula& child) { return is_true_of(child, assignment); };
  std::int64_t value = node.linear.constant();
  for (const auto& [unknown, factor] : node.linear.terms()) value += factor * assignment[unknown];
  switch (node.kind) {
    case smt::Formula::Kind::constant: return node.value;
    case smt::Formula::Kind::at_least_zero: return value >= 0;
    case smt::Formula::Kind::equals_zero: return value == 0;
    case smt::Formula::Kind::negation: return !holds(node.children.front());
    case smt::Formula::Kind::conjunction: return std::all_of(node.children.begin(), node.children.end(), holds);
    case smt::Formula::Kind::disjunction: return std::any_of(node.children.begin(), node.children.end(), holds);
    case smt::Formula::Kind::variable: break;
  }
  return false;
}

}  // namespace nika::automata
