// The other way: what is refuted of an automaton is shown happening. A property is decided, its counterexample becomes
// a scenario of the protocol with the same flaw, that is run, followed and judged. Settings in, values out; never
// prints.
#pragma once

#include <atomic>

#include "nika/automata/verifier.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/conform/campaign.hpp"

namespace nika::conform {

struct Shown {
  std::string property;  // of the automaton
  automata::Outcome decided{};
  Aim aim{};                               // of the simulator
  Conclusion conclusion{};                 // violated: the run breaks it too; unknown otherwise
  std::string reason{};                    // why it is unknown
  std::vector<std::string> passed_over{};  // why smaller counterexamples did not do
  std::optional<Replayed> replayed{};
  std::optional<store::Finding> finding{};  // of the run, if it breaks the property
  double seconds = 0;                       // to find the run, without deciding the property
};

// Every property of the automaton that is violated, or the one of that name. An error if there is no such property or
// it holds, or the map does not fit.
Result<std::vector<Shown>> show_counterexamples(const Request& request, const Registry& registry,
                                                std::string_view property, const std::atomic<bool>* stop);

}  // namespace nika::conform
