// Stages an attack: runs its scenario on the flawed protocol, where it should break the property, and on the repaired
// one, where it should not.
#pragma once

#include "nika/campaign/told_loops.hpp"
#include "nika/store/attack.hpp"

namespace nika {

struct AttackRun {
  Outcome flawed;
  Outcome repaired;
  std::optional<store::LoopRecord> loop{};  // of the flawed protocol, where the attack stops it

  bool reproduced() const { return flawed.verdict() == Verdict::kViolated; }
  // Unknown is not survival.
  bool repaired_survives() const { return repaired.verdict() == Verdict::kHolds; }
  bool succeeded() const { return reproduced() && repaired_survives(); }
};

// What the attack breaks.
Result<const Property*> property_of(const Registry& registry, const store::Attack& attack);
// Whether it is about decisions that do not come instead of wrong ones, so that a loop is looked for.
bool stops(const store::Attack& attack);
// The repaired side of a scenario of the flawed one. Nothing where it has not the same cluster and kinds of messages.
Result<std::optional<RepairedSide>> repaired_side_of(const Registry& registry, const store::Attack& attack,
                                                     const Scenario& scenario);
Result<AttackRun> stage(const Registry& registry, const store::Attack& attack);

}  // namespace nika
