#include "nika/automata/synthesis.hpp"

#include <algorithm>

#include "nika/automata/replay_condition.hpp"
#include "nika/automata/vacuity.hpp"

namespace nika::automata {
namespace {

// Guesses numbers that nothing learned so far excludes.
class Guesser {
 public:
  Guesser(const Automaton& sketch, const SynthesisOptions& options)
      : sketch_(sketch), budget_(options.verify.budget), solver_(smt::make_z3_solver()) {
    const Configuration nothing(sketch.variable_count(), 0);
    for (const FormulaPtr& condition : conditions_on_unknowns(sketch)) {
      solver_->add(condition_at(sketch, *condition, nothing));
    }
    for (std::uint32_t i = 0; i < sketch.unknowns.size(); ++i) add_bounds(smt::Linear(smt::IntVariable{i}), options);
  }

  std::optional<Assignment> next() {
    answer_ = solver_->check(budget_);
    if (answer_ != smt::Answer::satisfiable) return std::nullopt;
    Assignment values;
    for (std::uint32_t i = 0; i < sketch_.unknowns.size(); ++i) values.push_back(solver_->value({i}));
    return values;
  }

  void exclude(const smt::Formula& condition) { solver_->add(!condition); }
  void exclude(const Assignment& values) {
    std::vector<smt::Formula> parts;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      parts.push_back(smt::equal(smt::IntVariable{i}, smt::Linear(values[i])));
    }
    exclude(smt::all_of(std::move(parts)));
  }

  smt::Answer last_answer() const { return answer_; }
  std::string reason() const { return solver_->reason(); }

  // The least and the greatest number of an unknown that is not excluded, if there is any.
  Interval range_of(std::uint32_t unknown) {
    const smt::Linear value(smt::IntVariable{unknown});
    return {-greatest(Expression() - value), greatest(value)};
  }

 private:
  bool is_possible(const smt::Formula& condition) {
    solver_->push();
    solver_->add(condition);
    const bool possible = solver_->check(budget_) != smt::Answer::unsatisfiable;
    solver_->pop();
    return possible;
  }

  void add_bounds(const smt::Linear& value, const SynthesisOptions& options) {
    Interval bounds{-kLargestUnknown, kLargestUnknown};
    if (options.bounds) {
      bounds = *options.bounds;
    } else {
      if (is_possible(value < smt::Linear(bounds.least))) bounds.least = kUsualBounds.least;
      if (is_possible(value > smt::Linear(bounds.most))) bounds.most = kUsualBounds.most;
    }
    solver_->add(value >= smt::Linear(bounds.least) && value <= smt::Linear(bounds.most));
  }

  std::int64_t greatest(const smt::Linear& value) {
    std::int64_t low = -kLargestUnknown;
    std::int64_t high = kLargestUnknown;
    while (low < high && !budget_.exhausted()) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (is_possible(value >= smt::Linear(middle))) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  const Automaton& sketch_;
  smt::Budget budget_;
  std::unique_ptr<smt::Solver> solver_;
  smt::Answer answer_ = smt::Answer::unknown;
};

class Synthesis {
 public:
  Synthesis(const Automaton& sketch, const SynthesisOptions& options)
      : sketch_(sketch), options_(options), guesser_(sketch, options) {
    // Small counterexamples teach no more than others do, and take longer to find.
    options_.verify.minimise = false;
    for (std::size_t i = 0; i < sketch.specifications.size(); ++i) order_.push_back(i);
  }

  SynthesisResult run() {
    std::optional<Assignment> guess = guesser_.next();
    if (guess) {
      for (std::uint32_t i = 0; i < sketch_.unknowns.size(); ++i) result_.bounds.push_back(guesser_.range_of(i));
      guess = guesser_.next();
    }
    for (; guess; guess = guesser_.next()) {
      if (options_.verify.budget.exhausted()) break;
      if (!judge(*guess)) break;
    }
    result_.complete = !guess && guesser_.last_answer() == smt::Answer::unsatisfiable;
    if (!result_.complete && result_.reason.empty()) {
      const smt::Budget& budget = options_.verify.budget;
      result_.reason = budget.exhausted() ? budget.reason() : guesser_.reason();
    }
    std::sort(result_.solutions.begin(), result_.solutions.end(),
              [](const Solution& a, const Solution& b) { return a.values < b.values; });
    return std::move(result_);
  }

 private:
  // False if it cannot go on.
  bool judge(const Assignment& values) {
    const Automaton automaton = completed(sketch_, values);
    const System system = prepare(automaton, options_.verify.budget);
    std::vector<Outcome> outcomes(order_.size());
    ++result_.tried;
    for (std::size_t place = 0; place < order_.size(); ++place) {
      const std::size_t property = order_[place];
      Outcome& outcome = outcomes[property];
      outcome.verdict = Verdict::holds;
      const Formula& formula = *automaton.specifications[property].formula;
      if (system.can_start) outcome = verify_property(system, formula, options_.verify);
      result_.queries += outcome.queries;
      if (outcome.solver_is_wrong) return give_up(outcome.reason);
      if (outcome.verdict == Verdict::violated) {
        // What refuted this choice is asked first of the next.
        std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(place),
                    order_.begin() + static_cast<std::ptrdiff_t>(place) + 1);
        return learn(system, values, property, *outcome.counterexample);
      }
      if (options_.verify.budget.exhausted()) return true;
    }
    guesser_.exclude(values);
    accept(system, values, outcomes);
    return true;
  }

  bool give_up(const std::string& reason) {
    result_.solver_is_wrong = true;
    result_.reason = reason;
    return false;
  }

  bool learn(const System& system, const Assignment& values, std::size_t property, const Counterexample& run) {
    ++result_.learned;
    std::optional<smt::Formula> condition;
    const Formula& formula = *sketch_.specifications[property].formula;
    if (options_.generalise) {
      condition = replay_condition(sketch_, formula, run);
      if (!condition) condition = condition_of_smaller_run(system, property);
    }
    if (!condition) {
      guesser_.exclude(values);
      return true;
    }
    if (!is_true_of(*condition, values)) return give_up("internal error: a counterexample does not exclude its origin");
    guesser_.exclude(*condition);
    return true;
  }

  // A run that was too long to learn from may have a shorter one beside it.
  std::optional<smt::Formula> condition_of_smaller_run(const System& system, std::size_t property) {
    VerifyOptions options = options_.verify;
    options.minimise = true;
    const Outcome outcome = verify_property(system, *system.automaton->specifications[property].formula, options);
    result_.queries += outcome.queries;
    if (!outcome.counterexample) return std::nullopt;
    return replay_condition(sketch_, *sketch_.specifications[property].formula, *outcome.counterexample);
  }

  void accept(const System& system, const Assignment& values, std::vector<Outcome>& outcomes) {
    Solution solution{values, {}};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const Specification& specification = system.automaton->specifications[i];
      if (outcomes[i].verdict == Verdict::holds) {
        add_vacuity(system, *specification.formula, options_.verify, outcomes[i]);
        if (!outcomes[i].vacuity.empty()) solution.vacuous.push_back(specification.name);
        continue;
      }
      result_.undecided.push_back({values, specification.name, outcomes[i].reason});
      return;
    }
    result_.solutions.push_back(std::move(solution));
  }

  const Automaton& sketch_;
  SynthesisOptions options_;
  Guesser guesser_;
  std::vector<std::size_t> order_;  // of the properties: what refuted last comes first
  SynthesisResult result_;
};

}  // namespace

SynthesisResult synthesize(const Automaton& sketch, const SynthesisOptions& options) {
  return Synthesis(sketch, options).run();
}

}  // namespace nika::automata
