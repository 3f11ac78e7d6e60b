#include "nika/automata/safety_system.hpp"

#include <algorithm>

#include "nika/base/require.hpp"

namespace nika::automata {
namespace {

bool has_always(const Normal& formula) {
  return formula.kind == Normal::Kind::always || std::any_of(formula.children.begin(), formula.children.end(),
                                                             [](const NormalPtr& child) { return has_always(*child); });
}

// Each "eventually" of the goal gets a variable that is 1 as long as it still has to come true, and 0 afterwards. Which
// ones have to is guessed at the start; the goal is reached when none is left.
class Builder {
 public:
  Builder(const Automaton& automaton, const Formula& property)
      : automaton_(automaton), goal_(negated_normal_form(property)) {
    for (std::uint32_t i = 0; i < automaton.variable_count(); ++i) variables_.emplace_back(smt::IntVariable{i});
    system_.variables = automaton.variable_count();
  }

  smt::TransitionSystem build() {
    NIKA_REQUIRE(!has_always(*goal_));
    const smt::Linear processes = fresh();
    std::vector<smt::Formula> start{same_number_as(processes), processes >= 1};
    for (const FormulaPtr& formula : automaton_.assumptions) {
      start.push_back(instantiate(*normal_form(*formula), variables_));
      if (reads_parameters_only(*normal_form(*formula))) known_.push_back(start.back());
    }
    for (const FormulaPtr& formula : automaton_.inits) start.push_back(instantiate(*normal_form(*formula), variables_));
    known_.push_back(same_number_as(processes));
    for (const Rule& rule : automaton_.rules) add(rule);
    add_goal(start);
    for (std::uint32_t i = 0; i < system_.variables; ++i) known_.push_back(smt::Linear(smt::IntVariable{i}) >= 0);
    system_.known = smt::all_of(known_);
    start.push_back(system_.known);
    system_.initial = smt::all_of(std::move(start));
    return std::move(system_);
  }

 private:
  smt::Linear fresh() { return smt::IntVariable{system_.variables++}; }

  // Nobody comes or goes.
  smt::Formula same_number_as(const smt::Linear& processes) const {
    smt::Linear sum;
    for (std::uint32_t i = automaton_.location_begin(); i < automaton_.variable_count(); ++i) sum += variables_[i];
    return smt::equal(sum, processes);
  }

  bool reads_parameters_only(const Normal& formula) const {
    const std::vector<Expression> atoms = atoms_of(formula);
    return std::all_of(atoms.begin(), atoms.end(), [&](const Expression& atom) {
      return std::all_of(atom.terms().begin(), atom.terms().end(),
                         [&](const auto& term) { return automaton_.is_parameter(term.first); });
    });
  }

  void add(const Rule& rule) {
    if (rule.is_stay()) return;
    smt::TransitionRule made;
    std::vector<smt::Formula> conditions{variables_[rule.source] >= 1,
                                         instantiate(*normal_form(*rule.guard), variables_)};
    for (const Update& update : rule.updates) {
      made.updates.emplace_back(update.variable, instantiate(update.value, variables_));
      conditions.push_back(made.updates.back().second >= 0);
    }
    if (rule.source != rule.target) {
      made.updates.emplace_back(rule.source, variables_[rule.source] - smt::Linear(1));
      made.updates.emplace_back(rule.target, variables_[rule.target] + smt::Linear(1));
    }
    made.guard = smt::all_of(std::move(conditions));
    system_.rules.push_back(std::move(made));
  }

  void add_goal(std::vector<smt::Formula>& start) {
    // What nearly all properties are: something at the start, and then something once.
    std::vector<NormalPtr> parts = goal_->kind == Normal::Kind::conjunction ? goal_->children : std::vector{goal_};
    const auto is_temporal = [](const NormalPtr& part) { return part->temporal; };
    const auto once = std::find_if(parts.begin(), parts.end(), is_temporal);
    if (std::count_if(parts.begin(), parts.end(), is_temporal) == 1 && (*once)->kind == Normal::Kind::eventually &&
        !(*once)->children.front()->temporal) {
      system_.bad = instantiate(*(*once)->children.front(), variables_);
      parts.erase(once);
      start.push_back(instantiate(*normal_and(parts), variables_));
      return;
    }
    start.push_back(pending(*goal_));
    std::vector<smt::Formula> all_done;
    for (const smt::Linear& obligation : obligations_) all_done.push_back(obligation <= 0);
    system_.bad = smt::all_of(std::move(all_done));
  }

  // The formula here and now, if each "eventually" in it is still to come true.
  smt::Formula pending(const Normal& formula) {
    if (!formula.temporal) return instantiate(formula, variables_);
    if (formula.kind == Normal::Kind::eventually) {
      const smt::Linear obligation = fresh();
      const smt::Formula now = pending(*formula.children.front());
      obligations_.push_back(obligation);
      known_.push_back(obligation <= 1);
      system_.rules.push_back({obligation >= 1 && now, {{obligation.terms().front().first, 0}}});
      return obligation >= 1;
    }
    std::vector<smt::Formula> children;
    for (const NormalPtr& child : formula.children) children.push_back(pending(*child));
    return formula.kind == Normal::Kind::conjunction ? smt::all_of(std::move(children))
                                                     : smt::any_of(std::move(children));
  }

  const Automaton& automaton_;
  NormalPtr goal_;
  SymbolicConfiguration variables_;
  smt::TransitionSystem system_;
  std::vector<smt::Formula> known_;
  std::vector<smt::Linear> obligations_;
};

}  // namespace

bool is_safety(const Formula& property) { return !has_always(*negated_normal_form(property)); }

smt::TransitionSystem safety_system(const Automaton& automaton, const Formula& property) {
  return Builder(automaton, property).build();
}

std::optional<Counterexample> run_through(const Automaton& automaton,
                                          const std::vector<std::vector<std::int64_t>>& values) {
  if (values.empty()) return std::nullopt;
  const auto configuration_of = [&](const std::vector<std::int64_t>& all) {
    return Configuration(all.begin(), all.begin() + automaton.variable_count());
  };
  Counterexample run;
  run.initial = configuration_of(values.front());
  Configuration before = run.initial;
  for (const std::vector<std::int64_t>& all : values) {
    const Configuration after = configuration_of(all);
    if (after == before) continue;
    const auto leads_there = [&](const Rule& rule) {
      if (!is_enabled(rule, before)) return false;
      Configuration reached = before;
      fire(rule, reached);
      return reached == after;
    };
    const auto rule = std::find_if(automaton.rules.begin(), automaton.rules.end(), leads_there);
    if (rule == automaton.rules.end()) return std::nullopt;
    const auto position = static_cast<std::uint32_t>(rule - automaton.rules.begin());
    if (!run.steps.empty() && run.steps.back().rule == position) {
      ++run.steps.back().count;
    } else {
      run.steps.push_back({position, 1});
    }
    before = after;
  }
  return run;
}

}  // namespace nika::automata
