#include "nika/campaign/shrinker.hpp"

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/shrink/candidates.hpp"

namespace nika {
namespace {

// What is broken only when the network has healed needs its healing.
bool keeps_healing(const Property& property) { return &property != &kAgreement; }

// Takes the first candidate that still violates. False if there is none.
bool shrink_once(const Runner& runner, Shrunk& shrunk, const Property& property, const std::atomic<bool>* stop) {
  for (Scenario& candidate : shrink::candidates(shrunk.scenario, keeps_healing(property))) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      shrunk.is_minimal = false;
      return false;
    }
    ++shrunk.runs;
    // A candidate that does not fit the protocol is no simplification of this run.
    const auto outcome = run_what_is_there(runner, candidate, only(property));
    if (!outcome || outcome->verdict() != Verdict::kViolated) continue;
    shrunk.scenario = std::move(candidate);
    shrunk.outcome = *outcome;
    return true;
  }
  return false;
}

}  // namespace

Result<Shrunk> shrink_fully(const Runner& runner, const Scenario& scenario, const Property& property,
                            const std::atomic<bool>* stop) {
  const auto outcome = run_scenario(runner, scenario, only(property));
  if (!outcome) return tl::unexpected(outcome.error());
  if (outcome->verdict() != Verdict::kViolated) {
    return bad_input("the scenario violates nothing, so there is nothing to shrink");
  }
  // Notes explain the scenario that was given, not a smaller one.
  Shrunk shrunk{without_notes(scenario), *outcome, 1, true};
  while (shrink_once(runner, shrunk, property, stop)) {
  }
  return shrunk;
}

}  // namespace nika
