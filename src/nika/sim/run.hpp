// The run loop, for every network model and every schedule: advance, let the monitors see it, until all that was asked
// is settled or the schedule has nothing more to say; then judge.
#pragma once

#include "nika/sim/world.hpp"

namespace nika {

// Whether the rest of the run can change no judgement.
template <class Network, Protocol P>
bool is_settled(const Network& network, const World<P>& world) {
  return network.monitors().are_settled(world.monitors, network.sight_of(world));
}

// A network round, tick or step; false if the run is over.
template <class Network, Protocol P>
bool step(Network& network, World<P>& world, Schedule& schedule) {
  if (is_settled(network, world) || !network.advance(world, schedule)) return false;
  if (network.monitors().watch()) network.monitors().passed(world.monitors, network.sight_of(world));
  return true;
}

template <class Network, Protocol P>
void judge(const Network& network, const World<P>& world, Outcome& outcome) {
  const Sight sight = network.sight_of(world);
  outcome.rounds = sight.now.number;
  outcome.overflowed = world.overflowed;
  outcome.delivered = world.delivered_count;
  outcome.faults = world.hearsay.counts;
  outcome.has_committed = world.commits.top() > Height(0);
  network.monitors().judge(world.monitors, sight, outcome);
}

// Goes on from where the world is. `after(world)` is called after each step.
template <class Network, Protocol P, class After>
void finish(Network& network, World<P>& world, Schedule& schedule, Outcome& outcome, const After& after) {
  while (step(network, world, schedule)) after(world);
  judge(network, world, outcome);
}
template <class Network, Protocol P>
void finish(Network& network, World<P>& world, Schedule& schedule, Outcome& outcome) {
  finish(network, world, schedule, outcome, [](const World<P>&) {});
}

// From the start.
template <class Network, Protocol P>
void run(Network& network, World<P>& world, Schedule& schedule, Outcome& outcome) {
  network.start(world, schedule);
  finish(network, world, schedule, outcome);
}

}  // namespace nika
