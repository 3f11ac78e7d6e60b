#include "nika/automata/symmetric_outcome.hpp"

namespace nika::automata {

std::optional<Outcome> outcome_by_symmetry(const Automaton& automaton, std::size_t property, const PropertyImage& image,
                                           const Outcome& of) {
  if (of.verdict == Verdict::unknown) return std::nullopt;
  Outcome outcome;
  outcome.verdict = of.verdict;
  outcome.note = of.note;
  outcome.by_symmetry_with = automaton.specifications[image.of].name;
  if (of.verdict == Verdict::holds) return outcome;
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
