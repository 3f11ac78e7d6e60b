#include "nika/campaign/attack_run.hpp"

namespace nika {
namespace {

Result<Outcome> run_side(const Registry& registry, const Scenario& scenario, Property property) {
  const auto runner = registry.find(scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  return (*runner)->run(scenario, nullptr, only(property));
}

}  // namespace

Result<AttackRun> stage(const Registry& registry, const store::Attack& attack) {
  const auto flawed = run_side(registry, attack.flawed, attack.property);
  if (!flawed) return tl::unexpected(Error{attack.name + ": " + flawed.error().message});
  const auto repaired = run_side(registry, attack.repaired, attack.property);
  if (!repaired) return tl::unexpected(Error{attack.name + ": " + repaired.error().message});
  return AttackRun{attack.property, *flawed, *repaired};
}

}  // namespace nika
