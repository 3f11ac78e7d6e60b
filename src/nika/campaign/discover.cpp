#include "nika/campaign/discover.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/campaign/shrinker.hpp"
#include "nika/scenarios/shrink/canonical.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika {
namespace {

// Any continuation of a fork violates, so the smallest sequence that the assignment allows will do.
std::vector<std::uint32_t> continued(const twins::Space& space, std::vector<std::uint32_t> sequence) {
  const bool distinct = space.settings().assignment == twins::Assignment::kNoReplacement;
  const bool is_static = space.settings().assignment == twins::Assignment::kStatic;
  while (sequence.size() < space.rounds()) {
    std::uint32_t next = is_static && !sequence.empty() ? sequence.front() : 0;
    while (distinct && std::ranges::find(sequence, next) != sequence.end()) ++next;
    sequence.push_back(next);
  }
  return sequence;
}

Result<bool> violates(const Runner& runner, const Scenario& scenario) {
  const auto outcome = runner.run(scenario, nullptr);
  if (!outcome) return tl::unexpected(outcome.error());
  return outcome->verdict == Verdict::kViolated;
}

}  // namespace

std::vector<Violation> violations_of(const twins::Space& space, std::span<const Sighting> sightings) {
  std::vector<Violation> violations;
  for (const Sighting& sighting : sightings) {
    violations.push_back({sighting.kind, space.scenario(sighting.index, sighting.configurations), sighting.index});
  }
  return violations;
}

std::vector<Violation> violations_of(const phases::Sampler& sampler, std::span<const Sighting> sightings) {
  std::vector<Violation> violations;
  for (const Sighting& sighting : sightings) {
    violations.push_back({sighting.kind, sampler.scenario(sighting.index), sighting.index});
  }
  return violations;
}

Result<std::vector<Violation>> violations_of(const Runner& runner, const twins::Space& space,
                                             std::span<const FoundFork> forks) {
  std::vector<Violation> violations;
  for (const FoundFork& fork : forks) {
    const auto sequence = continued(space, fork.configurations);
    Violation violation{fork.kind, space.scenario(0, sequence), space.rank(sequence)};
    const auto found = violates(runner, violation.scenario);
    if (!found) return tl::unexpected(found.error());
    if (!*found) {
      return bad_input(
          fmt::format("internal error: the search reports a fork after configurations {}, but running them "
                      "shows none",
                      fmt::join(fork.configurations, " ")));
    }
    violations.push_back(std::move(violation));
  }
  return violations;
}

Fingerprint name_of_class(const Runner& runner, const Scenario& scenario) {
  const std::string text = store::to_json(shrink::canonical_form(scenario), {runner.kinds(), runner.bugs()});
  return fingerprint_of(text.data(), text.size());
}

Result<std::vector<Discovery>> discover(const Runner& runner, std::span<const Violation> violations,
                                        const DiscoverOptions& options) {
  std::vector<Discovery> discoveries;
  for (const Violation& violation : violations) {
    const Property property = property_of(violation.kind);
    Discovery discovery{violation.kind, violation.scenario, {}, violation, 0, {}};
    if (options.shrinks) {
      auto shrunk = shrink_fully(runner, violation.scenario, property, options.stop);
      if (!shrunk) return tl::unexpected(shrunk.error());
      discovery.scenario = std::move(shrunk->scenario);
      discovery.outcome = shrunk->outcome;
      discovery.shrink_runs = shrunk->runs;
      discovery.kind = kind_of(shrunk->outcome);
    } else {
      const auto outcome = runner.run(violation.scenario, nullptr, only(property));
      if (!outcome) return tl::unexpected(outcome.error());
      discovery.outcome = *outcome;
    }
    discovery.name = name_of_class(runner, discovery.scenario);
    if (std::ranges::find(discoveries, discovery.name, &Discovery::name) == discoveries.end()) {
      discoveries.push_back(std::move(discovery));
    }
  }
  return discoveries;
}

}  // namespace nika
