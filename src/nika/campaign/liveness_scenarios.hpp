// The random scenarios of the experiment of "Liveness Checking of the HotStuff Protocol Family", section VII-A, as
// generators, with the setup to run them in.
#pragma once

#include <memory>

#include "nika/campaign/registry.hpp"
#include "nika/scenarios/generator.hpp"

namespace nika::liveness {

struct Draw {
  unsigned rounds = 10;
  std::uint64_t scenarios = 10'000;
  std::uint64_t seed = 1;
};

struct Scenarios {
  Setup setup;  // judged by agreement, to the end of each run
  std::unique_ptr<Generator> generator;
};

// Of Sync HotStuff, its early version on the clock: 3 nodes, A with a twin; Δ is two ticks, and a round has as many as
// it takes to replace a silent leader. Of every other protocol: 4 nodes, A with a twin, any leader, and two partitions,
// drawn for each kind of message of each round.
Result<Scenarios> draw_scenarios(const Runner& runner, const Draw& draw);

// The protocol that repairs another one and runs under the same schedules: HotStuff for 2-Phase HotStuff, and the
// published Sync HotStuff for the early one.
struct Repaired {
  std::string_view name;           // empty if there is none
  const Runner* runner = nullptr;  // null then
  Setup setup{};
};
Result<Repaired> repaired_of(const Registry& registry, const Runner& runner, const Setup& setup);

}  // namespace nika::liveness
