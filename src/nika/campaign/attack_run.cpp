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
  const auto found = parse_properties(attack.property, registry.properties());
  if (found && found->size() == 1) return (*found)[0];
  return bad_input(attack.name + ": there is no property \"" + attack.property + "\"");
}

bool stops(const store::Attack& attack) { return is_about_progress(attack.property) && can_loop(attack.flawed); }

Result<std::optional<RepairedSide>> repaired_side_of(const Registry& registry, const store::Attack& attack,
                                                     const Scenario& scenario) {
  const auto flawed = registry.find(attack.flawed.protocol);
  if (!flawed) return tl::unexpected(flawed.error());
  const auto repaired = registry.find(attack.repaired.protocol);
  if (!repaired) return tl::unexpected(repaired.error());
  std::optional<RepairedSide> side;
  if (!std::ranges::equal((*repaired)->kinds(), (*flawed)->kinds()) || attack.repaired.copies != attack.flawed.copies)
    return side;
  side = RepairedSide{*repaired, scenario};
  side->scenario.protocol = attack.repaired.protocol;
  side->scenario.bugs = attack.repaired.bugs;
  // Where the repair is not one of lists, the scenario may have become one of fewer nodes, whose lists are its own.
  if (attack.repaired.unls != attack.flawed.unls) side->scenario.unls = attack.repaired.unls;
  return side;
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
  const auto side = repaired_side_of(registry, attack, attack.flawed);
  if (!side) return tl::unexpected(side.error());
  const auto loop =
      told_loop_of(**registry.find(attack.flawed.protocol), attack.flawed, *side, nullptr, place_for(**property));
  if (!loop) return tl::unexpected(Error{attack.name + ": " + loop.error().message});
  run.loop = *loop;
  return run;
}

}  // namespace nika
