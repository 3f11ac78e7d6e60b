#include "nika/campaign/attack_run.hpp"

#include <algorithm>

namespace nika {
namespace {

Result<Outcome> run_side(const Registry& registry, const Scenario& scenario, const Property& property) {
  const auto runner = registry.find(scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  return run_scenario(**runner, scenario, only(property));
}

}  // namespace

Result<const Property*> property_of(const Registry& registry, const store::Attack& attack) {
  const auto known = registry.properties();
  const auto found = std::ranges::find(known, std::string_view(attack.property), &Property::name);
  if (found != known.end()) return *found;
  return bad_input(attack.name + ": there is no property \"" + attack.property + "\"");
}

Result<AttackRun> stage(const Registry& registry, const store::Attack& attack) {
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  const auto flawed = run_side(registry, attack.flawed, **property);
  if (!flawed) return tl::unexpected(Error{attack.name + ": " + flawed.error().message});
  const auto repaired = run_side(registry, attack.repaired, **property);
  if (!repaired) return tl::unexpected(Error{attack.name + ": " + repaired.error().message});
  return AttackRun{*flawed, *repaired};
}

}  // namespace nika
