// From the violating scenarios that a campaign met to what is worth telling: each made small, and those that differ
// only by names told once.
#pragma once

#include <atomic>
#include <span>

#include "nika/base/fingerprint.hpp"
#include "nika/campaign/sweep.hpp"

namespace nika {

// A violating scenario before it is shrunk.
struct Violation {
  ViolationKind kind{};
  Scenario scenario;
  std::optional<Wide> index;  // in the space of the campaign
};

struct Discovery {
  ViolationKind kind{};
  Scenario scenario;
  Outcome outcome;
  Violation original;
  std::uint64_t shrink_runs = 0;
  Fingerprint name;  // equal for findings that differ only by names
};

struct DiscoverOptions {
  bool shrinks = true;
  const std::atomic<bool>* stop = nullptr;  // findings are then kept as small as they are
};

std::vector<Violation> violations_of(const twins::Space& space, std::span<const Sighting> sightings);
std::vector<Violation> violations_of(const phases::Sampler& sampler, std::span<const Sighting> sightings);
// Completes the forks of an exhaustive search to scenarios that violate when they are run.
Result<std::vector<Violation>> violations_of(const Runner& runner, const twins::Space& space,
                                             std::span<const FoundFork> forks);

Result<std::vector<Discovery>> discover(const Runner& runner, std::span<const Violation> violations,
                                        const DiscoverOptions& options);

// The name of a scenario's class of renamings.
Fingerprint name_of_class(const Runner& runner, const Scenario& scenario);

}  // namespace nika
