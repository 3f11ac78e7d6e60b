#include "nika/campaign/timed_attack_search.hpp"

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/timed/sampler.hpp"

namespace nika {
namespace {

bool is_stopped(const SearchBudget& budget) { return budget.stop != nullptr && budget.stop->load(); }

// One side of an attack. Scenario i depends on the seed and on i alone.
class TimedHunt {
 public:
  TimedHunt(const Runner& runner, Scenario side, unsigned views, std::uint64_t seed)
      : runner_(runner), side_(without_notes(std::move(side))), seed_(seed) {
    side_.rules.clear();
    adversary_.views = views;
    adversary_.kinds = static_cast<unsigned>(runner.kinds().size());
  }

  const Runner& runner() const { return runner_; }
  Scenario scenario(std::uint64_t i) const {
    Random random(mix64(seed_ ^ mix64(i)));
    return timed::sample(side_, adversary_, random);
  }
  Result<Outcome> run(std::uint64_t i) const { return runner_.run(scenario(i), nullptr); }

 private:
  const Runner& runner_;
  Scenario side_;
  std::uint64_t seed_;
  timed::Adversary adversary_;
};

Result<void> hunt_flaw(const TimedHunt& hunt, Property property, const SearchBudget& budget, AttackFound& result) {
  const Watch watch;
  for (std::uint64_t i = 0; watch.seconds() < budget.seconds && !is_stopped(budget); ++i) {
    const auto outcome = hunt.run(i);
    if (!outcome) return tl::unexpected(outcome.error());
    ++result.tried;
    result.seconds = watch.seconds();
    if (outcome->verdict != Verdict::kViolated || outcome->property != property) continue;
    result.found = true;
    auto shrunk = shrink_fully(hunt.runner(), hunt.scenario(i), property, budget.stop);
    if (!shrunk) return tl::unexpected(shrunk.error());
    result.smallest = std::move(shrunk->scenario);
    return {};
  }
  return {};
}

Result<void> try_repair(const TimedHunt& hunt, Wide count, const SearchBudget& budget, AttackFound& result) {
  for (std::uint64_t i = 0; i < count && !is_stopped(budget); ++i) {
    const auto outcome = hunt.run(i);
    if (!outcome) return tl::unexpected(outcome.error());
    ++result.repaired_tried;
    if (outcome->verdict == Verdict::kViolated) ++result.repaired_found;
    if (outcome->verdict == Verdict::kUnknown) ++result.repaired_unknown;
  }
  return {};
}

}  // namespace

Result<AttackFound> search_timed(const Registry& registry, const store::Attack& attack, const SearchBudget& budget) {
  const auto flawed = registry.find(attack.flawed.protocol);
  if (!flawed) return tl::unexpected(flawed.error());
  const auto repaired = registry.find(attack.repaired.protocol);
  if (!repaired) return tl::unexpected(repaired.error());
  AttackFound result;
  const unsigned views = attack.search.rounds.value_or(attack.rounds());
  const TimedHunt hunt(**flawed, attack.flawed, views, budget.seed);
  if (auto hunted = hunt_flaw(hunt, attack.property, budget, result); !hunted) return tl::unexpected(hunted.error());
  const TimedHunt repair(**repaired, attack.repaired, views, budget.seed);
  const auto tried = try_repair(repair, std::max(result.tried, budget.least_repaired), budget, result);
  if (!tried) return tl::unexpected(tried.error());
  return result;
}

}  // namespace nika
