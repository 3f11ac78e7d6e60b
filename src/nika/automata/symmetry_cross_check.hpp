// Compares what symmetry says of properties with what the solver says of them. For tests and benchmarks only.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/printer.hpp"
#include "nika/automata/symmetric_outcome.hpp"

namespace nika::automata {

struct SymmetryCrossCheck {
  std::uint64_t images = 0;
  std::uint64_t holds = 0;
  std::uint64_t violated = 0;
  std::uint64_t undecided = 0;  // by the solver, or not to be carried over
  std::vector<std::string> disagreements;
};

// Every property that is claimed to be an image must have the verdict that it gets by itself.
inline void cross_check_symmetry(const Automaton& automaton, const VerifyOptions& options, SymmetryCrossCheck& sum) {
  const auto images = find_images(automaton);
  if (std::none_of(images.begin(), images.end(), [](const auto& image) { return image.has_value(); })) return;
  const System system = prepare(automaton, options.budget);
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!images[i]) continue;
    ++sum.images;
    const Outcome of = verify_property(system, *automaton.specifications[images[i]->of].formula, options);
    const Outcome alone = verify_property(system, *automaton.specifications[i].formula, options);
    const auto outcome = outcome_by_symmetry(automaton, i, *images[i], of);
    if (!outcome || alone.verdict == Verdict::unknown) {
      ++sum.undecided;
      continue;
    }
    ++(alone.verdict == Verdict::holds ? sum.holds : sum.violated);
    if (outcome->verdict == alone.verdict) continue;
    sum.disagreements.push_back(std::string(to_string(alone.verdict)) + " alone, " + to_string(outcome->verdict) +
                                " by symmetry: " + automaton.specifications[i].name + " " + outcome->reason + " in\n" +
                                printed(automaton));
  }
}

}  // namespace nika::automata
