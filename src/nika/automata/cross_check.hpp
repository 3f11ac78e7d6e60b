// Compares the verifier with the explicit search on one automaton text. For tests and benchmarks only.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/explicit_search.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/vacuity.hpp"

namespace nika::automata {

struct CrossCheck {
  std::uint32_t properties = 0;
  std::uint32_t holds = 0;
  std::uint32_t violated = 0;
  std::uint32_t vacuous = 0;               // of those that hold
  std::vector<std::string> unknown;        // reasons
  std::vector<std::string> disagreements;  // what is wrong, with the property
};

// Nothing that is said about vacuity may be refuted by a small run: one that meets the premise of a property that is
// called vacuous for it, or reaches a location that is called unreached. What is not vacuous has a run that says so.
inline void cross_check_vacuity(const System& system, const Specification& specification, const ExplicitLimits& limits,
                                const VerifyOptions& options, CrossCheck& result) {
  const Automaton& automaton = *system.automaton;
  const auto refutes = [&](const FormulaPtr& formula) {
    return search_explicitly(automaton, *formula, limits).answer == ExplicitAnswer::violated;
  };
  const Vacuity vacuity = vacuity_of(system, *specification.formula, options);
  const std::string name = specification.name + ": " + printed(automaton, *specification.formula);
  for (const std::uint32_t location : vacuity.unreached) {
    if (!refutes(always_empty(location))) continue;
    result.disagreements.push_back(automaton.variable_name(location) + " is reached by a small run in " + name);
  }
  if (vacuity.reason.empty()) return;
  ++result.vacuous;
  std::vector<std::uint32_t> unreached;
  for (const std::uint32_t location : locations_in(automaton, *specification.formula)) {
    if (!refutes(always_empty(location))) unreached.push_back(location);
  }
  const std::vector<Premise> premises = premises_of(*specification.formula);
  const bool says_something = system.can_start &&
                              !is_empty_talk(normal_form(*specification.formula), unreached, false) &&
                              std::all_of(premises.begin(), premises.end(),
                                          [&](const Premise& premise) { return refutes(premise.without_conclusion); });
  if (says_something)
    result.disagreements.push_back("vacuous (" + vacuity.reason + "), but not in small runs: " + name);
}

inline CrossCheck cross_check(const std::string& text, PlantedError planted, const VerifyOptions& base) {
  CrossCheck result;
  const Result<Automaton> automaton = parse_automaton({"random", text});
  if (!automaton) {
    result.disagreements.push_back("the text does not parse: " + automaton.error().message);
    return result;
  }
  const ExplicitLimits limits{4, 4, 3'000, base.budget};
  const System system = prepare(*automaton, base.budget);
  for (const Specification& specification : automaton->specifications) {
    VerifyOptions options = base;
    options.planted = planted;
    const Outcome outcome = verify_property(system, *specification.formula, options);
    const std::string name = specification.name + ": " + printed(*automaton, *specification.formula);
    ++result.properties;
    if (outcome.solver_is_wrong)
      result.disagreements.push_back("a model does not replay: " + outcome.reason + " in " + name);
    if (outcome.verdict == Verdict::unknown) result.unknown.push_back(outcome.reason + " in " + name);
    if (outcome.verdict == Verdict::violated) {
      ++result.violated;
      // The interpreter has replayed it; the search must find it too where it looks.
      const Configuration& start = outcome.counterexample->initial;
      const bool small =
          std::all_of(start.begin(), start.end(), [&](std::int64_t value) { return value <= limits.max_parameter; });
      const ExplicitResult search = search_explicitly(*automaton, *specification.formula, limits);
      if (small && search.answer == ExplicitAnswer::satisfied) {
        result.disagreements.push_back("violated, but the search finds no run: " + name);
      }
      if (search.answer != ExplicitAnswer::violated) continue;
      if (const auto objection = objection_to(*automaton, *specification.formula, search.run)) {
        result.disagreements.push_back("the search's run does not replay: " + *objection + " in " + name);
      }
    }
    if (outcome.verdict == Verdict::holds) {
      ++result.holds;
      if (search_explicitly(*automaton, *specification.formula, limits).answer == ExplicitAnswer::violated) {
        result.disagreements.push_back("holds, but the search finds a run: " + name);
      }
    }
  }
  return result;
}

// The same automaton, with what is said of the properties that hold.
inline CrossCheck cross_check_vacuity(const std::string& text, const VerifyOptions& options) {
  CrossCheck result;
  const Result<Automaton> automaton = parse_automaton({"random", text});
  if (!automaton) {
    result.disagreements.push_back("the text does not parse: " + automaton.error().message);
    return result;
  }
  const System system = prepare(*automaton, options.budget);
  for (const Specification& specification : automaton->specifications) {
    ++result.properties;
    if (verify_property(system, *specification.formula, options).verdict != Verdict::holds) continue;
    ++result.holds;
    cross_check_vacuity(system, specification, {4, 4, 3'000, options.budget}, options, result);
  }
  return result;
}

}  // namespace nika::automata
