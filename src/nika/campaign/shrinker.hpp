// Makes a violating scenario as small as it gets: it takes the first simplification that still violates, until none
// does. If it is proved to go on for ever, so is what is left, under no stronger assumptions and in no more rounds.
#pragma once

#include <atomic>

#include "nika/campaign/loops.hpp"

namespace nika {

struct Shrunk {
  Scenario scenario;
  Outcome outcome;
  std::uint64_t runs = 0;
  bool is_minimal = true;      // false if it was stopped
  std::optional<Loop> loop{};  // that is proved; none if the scenario that was given has none
};

// An error if the scenario does not fit the protocol or does not violate that property to begin with.
Result<Shrunk> shrink_fully(const Runner& runner, const Scenario& scenario, const Property& property,
                            const std::atomic<bool>* stop = nullptr);

}  // namespace nika
