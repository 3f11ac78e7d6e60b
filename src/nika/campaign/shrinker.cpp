#include "nika/campaign/shrinker.hpp"

#include "nika/campaign/told_loops.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/integrity.hpp"
#include "nika/properties/validity.hpp"
#include "nika/scenarios/shrink/candidates.hpp"

namespace nika {
namespace {

// What is broken only when the network has healed needs its healing.
bool keeps_healing(const Property& property) {
  return &property != &kAgreement && &property != &kValidity && &property != &kIntegrity;
}

// Of the rounds in which the scenario goes on as it ends. What stays hot in rounds of its own stops many protocols, and
// is kept by the property that asks for it.
std::optional<Loop> proved_loop_of(const Runner& runner, const Scenario& scenario, OrderProof orders) {
  const auto loop = find_loop(runner, scenario, orders);
  return loop && *loop && (*loop)->proved ? *loop : std::nullopt;
}

// Whether the loop is kept, if there is one: proved under no stronger assumptions, and round no later.
bool keeps_loop(const Runner& runner, const Scenario& candidate, std::optional<Loop>& loop) {
  if (!loop) return true;
  const bool is_any = loop->assumptions.order == Assumptions::Arrival::kAny;
  auto other = proved_loop_of(runner, candidate, is_any ? OrderProof::kTried : OrderProof::kLeftOut);
  if (!other || other->last_round() > loop->last_round()) return false;
  if (!other->assumptions.are_no_stronger_than(loop->assumptions)) return false;
  loop = other;
  return true;
}

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
    if (!keeps_loop(runner, candidate, shrunk.loop)) continue;
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
  if (is_about_progress(property.name) && can_loop(scenario))
    shrunk.loop = proved_loop_of(runner, scenario, OrderProof::kTried);
  while (shrink_once(runner, shrunk, property, stop)) {
  }
  return shrunk;
}

}  // namespace nika
