// Compares what is claimed of all rounds with all runs of a few rounds and small parameters. For tests and benchmarks
// only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/automata/parser.hpp"
#include "nika/automata/random_round.hpp"
#include "nika/automata/round_runs.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {

struct RoundsCrossCheck {
  std::uint64_t refused = 0;
  std::uint64_t every = 0;      // properties of every round
  std::uint64_t if_fair = 0;    // of every round after fair ones
  std::uint64_t inherited = 0;  // from each round to all later ones
  std::uint64_t triggered = 0;
  std::uint64_t violated = 0;  // properties that some round violates
  std::vector<std::string> disagreements;
};

class RoundsComparison {
 public:
  RoundsComparison(const Automaton& automaton, const RoundSwitch& round_switch, RoundsCrossCheck& sum)
      : automaton_(automaton), switch_(round_switch), runs_(automaton, round_switch), sum_(sum) {}

  // Even if the reduction does not apply: to see that claims are wrong then.
  void compare() {
    every_ = held(round_with_absent(automaton_, {}));
    all_ = held(round_with_all(automaton_));
    Configuration first(automaton_.variable_count(), 0);
    choose(first, 0);
    for (std::size_t i = 0; i < every_.size(); ++i) sum_.every += every_[i] ? 1 : 0;
    for (const bool is_violated : violated_) sum_.violated += is_violated ? 1 : 0;
  }

 private:
  static constexpr std::int64_t kMostProcesses = 4;
  static constexpr unsigned kRounds = 3;

  static std::vector<bool> held(const Automaton& automaton) {
    const System system = prepare(automaton, {});
    VerifyOptions options;
    options.minimise = false;
    options.deepest_search = 1;
    std::vector<bool> result;
    for (const Specification& property : automaton.specifications)
      result.push_back(verify_property(system, *property.formula, options).verdict == Verdict::holds);
    return result;
  }

  // All parameters and starts; then each of their runs.
  void choose(Configuration& at, std::uint32_t variable) {
    if (variable == automaton_.variable_count()) {
      const auto holds = [&](const FormulaPtr& condition) { return satisfies(*condition, at); };
      const bool starts = has_processes(automaton_, at) &&
                          std::all_of(automaton_.assumptions.begin(), automaton_.assumptions.end(), holds) &&
                          std::all_of(automaton_.inits.begin(), automaton_.inits.end(), holds);
      if (starts) compare_from(at);
      return;
    }
    const std::string& name = automaton_.variable_name(variable);
    const bool is_free = automaton_.is_parameter(variable) || name == "v0" || name == "v1" || name == "z";
    for (at[variable] = 0; at[variable] <= (is_free ? kMostProcesses : 0); ++at[variable]) choose(at, variable + 1);
    at[variable] = 0;
  }

  void compare_from(const Configuration& first) {
    Starts starts{first};
    std::vector<Starts> of_round;
    for (unsigned round = 0; round < kRounds; ++round) {
      of_round.push_back(starts);
      const auto reached = runs_.reachable(starts);
      starts.clear();
      for (const Configuration& at : reached) starts.insert(runs_.next_start(at));
    }
    violated_.resize(every_.size());
    for (std::size_t i = 0; i < every_.size(); ++i) {
      const Formula& formula = *automaton_.specifications[i].formula;
      for (unsigned round = 0; round < kRounds; ++round) {
        const bool is_violated = std::any_of(of_round[round].begin(), of_round[round].end(),
                                             [&](const auto& start) { return runs_.is_violated(formula, start); });
        if (is_violated) violated_[i] = true;
        if (is_violated && every_[i]) object(i, "in every round", round, first);
      }
      if (every_[i]) compare_inheritance(i, of_round, first);
      if (every_[i]) compare_trigger(i, of_round, first);
      if (all_[i] && is_round_termination(automaton_, switch_, formula)) compare_after_fair_rounds(i, first);
    }
  }

  // Nobody is in the ends in the rounds that come after these starts, the given number of rounds included.
  void compare_empty(std::size_t i, const char* claim, Starts starts, const std::vector<std::uint32_t>& ends,
                     unsigned round, const Configuration& first) {
    for (; round < kRounds; ++round) {
      Starts next;
      for (const Configuration& at : runs_.reachable(starts)) {
        const Configuration told = runs_.told(at);
        for (const std::uint32_t end : ends) {
          if (told[end] > 0) return object(i, claim, round, first);
        }
        next.insert(runs_.next_start(at));
      }
      starts = std::move(next);
    }
  }

  void compare_inheritance(std::size_t i, const std::vector<Starts>& of_round, const Configuration& first) {
    const auto inheritance = inheritance_of(automaton_, switch_, *automaton_.specifications[i].formula);
    if (!inheritance) return;
    ++sum_.inherited;
    for (unsigned round = 0; round < kRounds; ++round) {
      Starts without = of_round[round];
      std::erase_if(without, [&](const Configuration& start) {
        return std::any_of(inheritance->starts.begin(), inheritance->starts.end(),
                           [&](std::uint32_t location) { return start[location] > 0; });
      });
      compare_empty(i, "inherited", std::move(without), inheritance->ends, round, first);
    }
  }

  // Nobody comes back to a configuration of a round, so what happened before is told by a mark of its own.
  void compare_trigger(std::size_t i, const std::vector<Starts>& of_round, const Configuration& first) {
    const auto trigger = trigger_of(automaton_, *automaton_.specifications[i].formula);
    for (std::size_t k = 0; trigger && k < every_.size(); ++k) {
      if (!every_[k]) continue;
      const auto inheritance = inheritance_of(automaton_, switch_, *automaton_.specifications[k].formula);
      if (!inheritance || !triggers(switch_, *trigger, *inheritance)) continue;
      ++sum_.triggered;
      for (unsigned round = 0; round + 1 < kRounds; ++round) {
        Starts later;
        for (const Configuration& at : runs_.reachable_through(of_round[round], trigger->some))
          later.insert(runs_.next_start(at));
        compare_empty(i, "triggered", std::move(later), inheritance->ends, round + 1, first);
      }
    }
  }

  // By the property i, in whose premise fairness is stated, everybody enters the next round.
  void compare_after_fair_rounds(std::size_t i, const Configuration& first) {
    const Formula& fair = *automaton_.specifications[i].formula->children[0]->children[0]->children[0];
    Starts starts{first};
    for (unsigned round = 0; round < kRounds; ++round) {
      for (std::size_t k = 0; k < all_.size(); ++k) {
        if (!all_[k]) continue;
        ++sum_.if_fair;
        for (const Configuration& start : starts) {
          if (!runs_.is_violated(*automaton_.specifications[k].formula, start)) continue;
          object(k, "if rounds are fair", round, first);
          break;
        }
      }
      Starts next;
      for (const Configuration& at : runs_.reachable(starts)) {
        if (runs_.nobody_stays_final(at) && satisfies(fair, runs_.told(at))) next.insert(runs_.next_start(at));
      }
      starts = std::move(next);
    }
  }

  void object(std::size_t i, const char* claim, unsigned round, const Configuration& first) {
    std::string numbers;
    for (const std::int64_t number : first) numbers += fmt::format(" {}", number);
    sum_.disagreements.push_back(fmt::format("{} {}: violated in round {} from{}", automaton_.specifications[i].name,
                                             claim, round + 1, numbers));
  }

  const Automaton& automaton_;
  const RoundSwitch& switch_;
  RoundRuns runs_;
  RoundsCrossCheck& sum_;
  std::vector<bool> every_, all_, violated_;
};

inline void cross_check_rounds(const RandomRound& round, RoundsCrossCheck& sum) {
  const auto automaton = parse_automaton({"random.ta", round.text});
  if (!automaton) return sum.disagreements.push_back(automaton.error().message);
  const auto round_switch = parse_round_switch(*automaton, round.round_switch);
  if (!round_switch) return sum.disagreements.push_back(round_switch.error().message);
  if (objection_to_rounds(*automaton, *round_switch, {})) {
    ++sum.refused;
    return;
  }
  RoundsComparison(*automaton, *round_switch, sum).compare();
}

}  // namespace nika::automata
