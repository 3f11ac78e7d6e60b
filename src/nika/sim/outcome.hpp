// What a world shows of how its run ended, and who leads while the network heals.
#pragma once

#include "nika/model/outcome.hpp"
#include "nika/sim/simulator.hpp"

namespace nika {

// As far as agreement is concerned.
template <Protocol P>
Outcome outcome_of(const World<P>& world) {
  Outcome outcome;
  outcome.conflict = world.commits.conflict();
  outcome.rounds = world.network_round.number;
  if (outcome.conflict.found) {
    outcome.verdict = Verdict::kViolated;
  } else if (world.overflowed) {
    outcome.verdict = Verdict::kUnknown;
  }
  return outcome;
}

// A violation or an overflow settles the verdict: the rounds after it change nothing.
template <Protocol P>
bool is_settled(const World<P>& world) {
  return world.commits.conflict().found || world.overflowed;
}

// Leaders of the healing rounds, and of the round after the last one, to which the last votes go.
void set_heal_leaders(LeaderTable& leaders, unsigned scheduled_rounds, std::span<const Identity> heal_leaders);

}  // namespace nika
