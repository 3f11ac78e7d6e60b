#include "nika/automata/symmetric_outcome.hpp"

#include <algorithm>
#include <set>

#include "nika/automata/vacuity.hpp"

namespace nika::automata {
namespace {

// What counts as a premise is read off the formula as written, and two that mean the same may be written differently.
bool have_the_same_premises(const Automaton& automaton, std::size_t property, const PropertyImage& image) {
  const auto keys_of = [&](std::size_t which, const Renaming& renaming) {
    std::set<std::string> keys;
    for (const Premise& premise : premises_of(*automaton.specifications[which].formula)) {
      keys.insert(renamed_key(*normal_form(*premise.without_conclusion), renaming));
    }
    return keys;
  };
  return keys_of(image.of, image.symmetry.renaming) == keys_of(property, no_renaming(automaton));
}

void take_over_vacuity(const PropertyImage& image, const Outcome& of, Outcome& outcome) {
  if (!of.vacuity.empty()) outcome.vacuity = "as of " + outcome.by_symmetry_with + ": " + of.vacuity;
  outcome.vacuity_undecided = of.vacuity_undecided;
  for (const std::uint32_t location : of.unreached) outcome.unreached.push_back(image.symmetry.renaming[location]);
  std::sort(outcome.unreached.begin(), outcome.unreached.end());
}

}  // namespace

std::optional<Outcome> outcome_by_symmetry(const Automaton& automaton, std::size_t property, const PropertyImage& image,
                                           const Outcome& of) {
  if (of.verdict == Verdict::unknown) return std::nullopt;
  Outcome outcome;
  outcome.verdict = of.verdict;
  outcome.note = of.note;
  outcome.by_symmetry_with = automaton.specifications[image.of].name;
  if (of.verdict == Verdict::holds) {
    if (!have_the_same_premises(automaton, property, image)) return std::nullopt;
    take_over_vacuity(image, of, outcome);
    return outcome;
  }
  outcome.counterexample = image_of(image.symmetry, *of.counterexample);
  const auto objection = objection_to(automaton, *automaton.specifications[property].formula, *outcome.counterexample);
  if (!objection) return outcome;
  // Whether finitely many steps settle a formula, and whether a loop is noticed, is read off the formula as written.
  if (*objection == kStopsTooEarly || *objection == kLoopIsNoticed) return std::nullopt;
  outcome.verdict = Verdict::unknown;
  outcome.counterexample.reset();
  outcome.reason = "internal error: by symmetry with " + outcome.by_symmetry_with + ": " + *objection;
  outcome.solver_is_wrong = true;
  return outcome;
}

}  // namespace nika::automata
