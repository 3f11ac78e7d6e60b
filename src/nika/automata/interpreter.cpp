#include "nika/automata/interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace nika::automata {
namespace {

constexpr std::size_t kMaxReplayedConfigurations = 2'000'000;

bool compares(Comparison comparison, std::int64_t difference) {
  switch (comparison) {
    case Comparison::equal: return difference == 0;
    case Comparison::not_equal: return difference != 0;
    case Comparison::less: return difference < 0;
    case Comparison::less_or_equal: return difference <= 0;
    case Comparison::greater: return difference > 0;
    case Comparison::greater_or_equal: break;
  }
  return difference >= 0;
}

// The truth of the formula at every position of the lasso.
std::vector<bool> truth_along(const Formula& formula, const std::vector<Configuration>& run, std::size_t loop_begin) {
  std::vector<bool> truth(run.size());
  if (!formula.is_temporal()) {
    for (std::size_t i = 0; i < run.size(); ++i) truth[i] = satisfies(formula, run[i]);
    return truth;
  }
  std::vector<std::vector<bool>> children;
  for (const FormulaPtr& child : formula.children) children.push_back(truth_along(*child, run, loop_begin));
  if (formula.kind == Formula::Kind::eventually || formula.kind == Formula::Kind::always) {
    const bool always = formula.kind == Formula::Kind::always;
    // Inside the loop the future is the whole loop; before it, the rest of the prefix and the loop.
    bool future = always;
    for (std::size_t i = loop_begin; i < run.size(); ++i)
      future = always ? future && children[0][i] : future || children[0][i];
    for (std::size_t i = run.size(); i-- > 0;) {
      if (i < loop_begin) future = always ? future && children[0][i] : future || children[0][i];
      truth[i] = future;
    }
    return truth;
  }
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto child_holds = [i](const std::vector<bool>& child) { return static_cast<bool>(child[i]); };
    switch (formula.kind) {
      case Formula::Kind::negation: truth[i] = !children[0][i]; break;
      case Formula::Kind::implication: truth[i] = !children[0][i] || children[1][i]; break;
      case Formula::Kind::conjunction: truth[i] = std::all_of(children.begin(), children.end(), child_holds); break;
      default: truth[i] = std::any_of(children.begin(), children.end(), child_holds); break;
    }
  }
  return truth;
}

bool only_adds_constants(const Rule& rule) {
  return std::all_of(rule.updates.begin(), rule.updates.end(), [](const Update& update) {
    return (update.value - Expression(smt::IntVariable{update.variable})).is_constant();
  });
}

void collect_differences(const Formula& formula, std::vector<Expression>& differences) {
  if (formula.kind == Formula::Kind::comparison) differences.push_back(formula.left - formula.right);
  for (const FormulaPtr& child : formula.children) collect_differences(*child, differences);
}

// Fired again and again, a rule moves each difference of two sides by the same amount each time. Its sign changes near
// one number of firings only: those numbers, a few around each, from 0 to the given one.
std::set<std::int64_t> turning_points(const std::vector<Expression>& differences, const Configuration& before,
                                      const Configuration& after_one, std::int64_t count) {
  std::set<std::int64_t> points{0, count - 1, count};
  for (const Expression& difference : differences) {
    const std::int64_t value = value_of(difference, before);
    const std::int64_t change = value_of(difference, after_one) - value;
    if (change == 0) continue;
    const std::int64_t zero = -(value / change);
    for (std::int64_t i = std::max<std::int64_t>(0, zero - 2); i <= std::min(count, zero + 2); ++i) points.insert(i);
  }
  return points;
}

// A run under construction. Of a rule that is fired many times only those configurations are kept between which neither
// its guard nor a comparison of the formula changes its truth: formulas without "next" do not see the others.
class Replay {
 public:
  Replay(const Automaton& automaton, const Formula& formula, Configuration initial)
      : automaton_(automaton), run_{std::move(initial)} {
    collect_differences(formula, watched_);
  }

  std::optional<std::string> take_at_once(const std::vector<Step>& steps) {
    constexpr std::int64_t kMany = 1'000;
    for (const Step& step : steps) {
      const bool is_long =
          step.rule < automaton_.rules.size() && step.count > kMany && only_adds_constants(automaton_.rules[step.rule]);
      if (auto objection = is_long ? leap(automaton_.rules[step.rule], step.count) : take({step})) return objection;
    }
    return std::nullopt;
  }

  std::optional<std::string> take(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.rule >= automaton_.rules.size() || step.count < 1) return "a step names no rule of the automaton";
      const Rule& rule = automaton_.rules[step.rule];
      for (std::int64_t i = 0; i < step.count; ++i) {
        if (run_.size() >= kMaxReplayedConfigurations) return "the run is too long to be replayed";
        if (!is_enabled(rule, run_.back()))
          return fmt::format("rule {} is not enabled after {} steps", rule.id, run_.size() - 1);
        run_.push_back(run_.back());
        fire(rule, run_.back());
      }
    }
    return std::nullopt;
  }

  std::vector<Configuration>& run() { return run_; }

 private:
  std::optional<std::string> leap(const Rule& rule, std::int64_t count) {
    const Configuration before = run_.back();
    Configuration after_one = before;
    fire(rule, after_one);
    std::vector<Expression> differences = watched_;
    collect_differences(*rule.guard, differences);
    for (const std::int64_t point : turning_points(differences, before, after_one, count)) {
      if (run_.size() >= kMaxReplayedConfigurations) return "the run is too long to be replayed";
      Configuration here = before;
      fire(rule, here, point);
      // Processes that leave and variables that fall only get fewer, and the configuration before the last firing is
      // among the points.
      if (point < count && !is_enabled(rule, here)) {
        return fmt::format("rule {} is not enabled after {} of {} firings", rule.id, point, count);
      }
      run_.push_back(std::move(here));
    }
    return std::nullopt;
  }

  const Automaton& automaton_;
  std::vector<Configuration> run_;
  std::vector<Expression> watched_;
};

// A comparison keeps its truth in every further round of a loop that adds "drift" to the difference of its sides.
bool is_stable(Comparison comparison, std::int64_t difference, std::int64_t drift) {
  const auto keeps_sign = [drift](std::int64_t number) { return drift == 0 || (number >= 0) == (drift > 0); };
  switch (comparison) {
    case Comparison::less:
    case Comparison::greater_or_equal: return keeps_sign(difference);
    case Comparison::greater:
    case Comparison::less_or_equal: return keeps_sign(difference - 1);
    case Comparison::equal:
    case Comparison::not_equal: break;
  }
  return drift == 0 || (difference != 0 && keeps_sign(difference));
}

bool is_stable(const Formula& formula, const Configuration& configuration, const Configuration& drift) {
  if (formula.kind == Formula::Kind::comparison) {
    const Expression difference = formula.left - formula.right;
    return is_stable(formula.comparison, value_of(difference, configuration),
                     value_of(difference, drift) - difference.constant());
  }
  return std::all_of(formula.children.begin(), formula.children.end(),
                     [&](const FormulaPtr& child) { return is_stable(*child, configuration, drift); });
}

// A loop may add to shared variables for ever, if nothing that matters can notice.
std::optional<std::string> objection_to_loop(const Automaton& automaton, const Formula& formula,
                                             const Counterexample& run,
                                             const std::vector<Configuration>& configurations, std::size_t loop_begin) {
  Configuration drift = configurations.back();
  bool drifts = false;
  for (std::uint32_t i = 0; i < drift.size(); ++i) {
    drift[i] -= configurations[loop_begin][i];
    drifts = drifts || drift[i] != 0;
    if (!automaton.is_shared(i) && drift[i] != 0) return "the loop does not return to where it began";
  }
  if (!drifts) return std::nullopt;
  for (std::size_t i = loop_begin; i < configurations.size(); ++i) {
    bool stable = is_stable(formula, configurations[i], drift);
    for (const Step& step : run.loop)
      stable = stable && is_stable(*automaton.rules[step.rule].guard, configurations[i], drift);
    if (!stable) return kLoopIsNoticed;
  }
  for (const Step& step : run.loop) {
    for (const Update& update : automaton.rules[step.rule].updates) {
      if (!(update.value - Expression(smt::IntVariable{update.variable})).is_constant())
        return "the loop sets a shared variable";
    }
  }
  return std::nullopt;
}

}  // namespace

std::int64_t value_of(const Expression& expression, const Configuration& configuration) {
  // Wide enough for every factor and value; what does not fit at the end keeps its sign, which is what comparisons
  // need.
  __extension__ using Wide = __int128;
  Wide value = expression.constant();
  for (const auto& [variable, factor] : expression.terms()) value += Wide{factor} * configuration[variable];
  constexpr Wide kLimit = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(value, -kLimit, kLimit));
}

bool satisfies(const Formula& formula, const Configuration& configuration) {
  const auto holds = [&](const FormulaPtr& child) { return satisfies(*child, configuration); };
  switch (formula.kind) {
    case Formula::Kind::constant: return formula.value;
    case Formula::Kind::comparison:
      return compares(formula.comparison, value_of(formula.left - formula.right, configuration));
    case Formula::Kind::negation: return !holds(formula.children[0]);
    case Formula::Kind::implication: return !holds(formula.children[0]) || holds(formula.children[1]);
    case Formula::Kind::conjunction: return std::all_of(formula.children.begin(), formula.children.end(), holds);
    case Formula::Kind::disjunction: return std::any_of(formula.children.begin(), formula.children.end(), holds);
    case Formula::Kind::eventually:
    case Formula::Kind::always: break;
  }
  return holds(formula.children[0]);
}

bool is_enabled(const Rule& rule, const Configuration& configuration) {
  if (configuration[rule.source] < 1 || !satisfies(*rule.guard, configuration)) return false;
  return std::all_of(rule.updates.begin(), rule.updates.end(),
                     [&](const Update& update) { return value_of(update.value, configuration) >= 0; });
}

void fire(const Rule& rule, Configuration& configuration) {
  const Configuration before = configuration;
  for (const Update& update : rule.updates) configuration[update.variable] = value_of(update.value, before);
  --configuration[rule.source];
  ++configuration[rule.target];
}

void fire(const Rule& rule, Configuration& configuration, std::int64_t count) {
  if (!only_adds_constants(rule)) {
    for (std::int64_t i = 0; i < count; ++i) fire(rule, configuration);
    return;
  }
  for (const Update& update : rule.updates) {
    configuration[update.variable] += count * (update.value - Expression(smt::IntVariable{update.variable})).constant();
  }
  configuration[rule.source] -= count;
  configuration[rule.target] += count;
}

std::int64_t steady_firings(const Rule& rule, const Configuration& configuration, std::int64_t most) {
  if (most <= 1 || !only_adds_constants(rule)) return 1;
  const std::int64_t fed = rule.source == rule.target ? most : std::min(most, configuration[rule.source]);
  Configuration after_one = configuration;
  fire(rule, after_one);
  std::vector<Expression> differences;
  collect_differences(*rule.guard, differences);
  std::int64_t steady = 1;
  for (const std::int64_t point :
       turning_points(differences, configuration, after_one, std::max<std::int64_t>(2, fed))) {
    Configuration here = configuration;
    fire(rule, here, point);
    if (point >= fed || !is_enabled(rule, here)) break;
    steady = point + 1;
  }
  return std::min(steady, std::max<std::int64_t>(1, fed));
}

bool has_processes(const Automaton& automaton, const Configuration& configuration) {
  return std::any_of(configuration.begin() + automaton.location_begin(), configuration.end(),
                     [](std::int64_t count) { return count > 0; });
}

bool may_rest(const Automaton& automaton, const Configuration& configuration) {
  return !automaton.draws_stays() || std::none_of(automaton.rules.begin(), automaton.rules.end(),
                                                  [&](const Rule& rule) { return is_enabled(rule, configuration); });
}

// Can finitely many steps refute the formula, or else satisfy it if "positive" is false? They cannot if something must
// be true for ever to do so.
bool is_settled_by_prefixes(const Formula& formula, bool positive) {
  const bool flips = formula.kind == Formula::Kind::negation;
  if (formula.kind == (positive ? Formula::Kind::eventually : Formula::Kind::always)) return false;
  for (std::size_t i = 0; i < formula.children.size(); ++i) {
    const bool premise = formula.kind == Formula::Kind::implication && i == 0;
    if (!is_settled_by_prefixes(*formula.children[i], positive != (flips || premise))) return false;
  }
  return true;
}

bool satisfies_on_lasso(const Formula& formula, const std::vector<Configuration>& run, std::size_t loop_begin) {
  return truth_along(formula, run, loop_begin).front();
}

std::optional<std::string> objection_to(const Automaton& automaton, const Formula& formula, const Counterexample& run) {
  if (run.initial.size() != automaton.variable_count()) return "the start does not name every variable";
  if (std::any_of(run.initial.begin(), run.initial.end(), [](std::int64_t value) { return value < 0; })) {
    return "the start has a negative number";
  }
  if (!has_processes(automaton, run.initial)) return "the start has no processes";
  const auto starts_in = [&](const FormulaPtr& condition) { return satisfies(*condition, run.initial); };
  if (!std::all_of(automaton.assumptions.begin(), automaton.assumptions.end(), starts_in)) return "an assumption fails";
  if (!std::all_of(automaton.inits.begin(), automaton.inits.end(), starts_in)) return "an initial condition fails";
  Replay replay(automaton, formula, run.initial);
  if (auto objection = replay.take_at_once(run.steps)) return objection;
  const std::size_t loop_begin = replay.run().size() - 1;
  if (run.loop.empty() && !may_rest(automaton, replay.run().back()) && !is_settled_by_prefixes(formula, true)) {
    return kStopsTooEarly;
  }
  if (auto objection = replay.take(run.loop)) return objection;
  if (auto objection = objection_to_loop(automaton, formula, run, replay.run(), loop_begin)) return objection;
  if (replay.run().size() - 1 > loop_begin) replay.run().pop_back();  // the loop's end is its beginning
  if (satisfies_on_lasso(formula, replay.run(), loop_begin)) return kSatisfiesFormula;
  return std::nullopt;
}

}  // namespace nika::automata
