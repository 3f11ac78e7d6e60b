#include "nika/campaign/attack_run.hpp"

#include <algorithm>

#include "nika/properties/agreement.hpp"

namespace nika {
namespace {

Result<Outcome> run_side(const Registry& registry, const Scenario& scenario, const Property& property) {
  const auto runner = registry.find(scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  return run_scenario(**runner, scenario, only(property));
}

}  // namespace

Result<const Property*> property_of(const Registry& registry, const store::Attack& attack) {
  const auto found = parse_properties(attack.property, registry.properties());
  if (found && found->size() == 1) return (*found)[0];
  return bad_input(attack.name + ": there is no property \"" + attack.property + "\"");
}

bool stops(const store::Attack& attack) {
  return attack.property != kAgreement.name && has_network_rounds(attack.flawed);
}

Result<AttackRun> stage(const Registry& registry, const store::Attack& attack) {
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  const auto flawed = run_side(registry, attack.flawed, **property);
  if (!flawed) return tl::unexpected(Error{attack.name + ": " + flawed.error().message});
  const auto repaired = run_side(registry, attack.repaired, **property);
  if (!repaired) return tl::unexpected(Error{attack.name + ": " + repaired.error().message});
  AttackRun run{*flawed, *repaired};
  if (!stops(attack)) return run;
  const auto loop = find_loop(**registry.find(attack.flawed.protocol), attack.flawed);
  if (!loop) return tl::unexpected(Error{attack.name + ": " + loop.error().message});
  run.loop = *loop;
  return run;
}

}  // namespace nika
