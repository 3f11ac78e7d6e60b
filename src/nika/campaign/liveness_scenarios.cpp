#include "nika/campaign/liveness_scenarios.hpp"

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/timed/timed_generator.hpp"

namespace nika::liveness {
namespace {

// A broken agreement ends no run: liveness is looked at until the last round.
constexpr Property kAgreementToTheEnd = [] {
  Property property = kAgreement;
  property.is_settled = [](const void*, const Sight&, unsigned) { return false; };
  return property;
}();

// Two partitions, drawn anew for each kind of message of each round: under one partition for a whole round a view of
// basic HotStuff runs from its proposal to its decision or does not get a certificate at all, and nobody is left with a
// lock.
Result<std::unique_ptr<Generator>> of_twins(const Runner& runner, const Draw& draw) {
  twins::Settings settings;
  settings.protocol = runner.name();
  settings.rounds = draw.rounds;
  settings.heal_rounds = 0;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, draw.scenarios};
  settings.seed = draw.seed;
  auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size()));
  if (!sampler) return tl::unexpected(sampler.error());
  return std::make_unique<phases::Sampler>(*std::move(sampler));
}

// A silent leader is blamed after 4Δ; the blames take up to Δ, and so does entering the next view.
constexpr unsigned kDeltaTicks = 2;
constexpr unsigned kTicksOfRound = 6 * kDeltaTicks;

std::unique_ptr<Generator> of_delays(const Runner& runner, const Draw& draw) {
  Scenario base;
  base.protocol = runner.name();
  base.bugs = {"early-version"};
  base.node_count = 3;
  base.fault_count = 1;
  base.copies = {2};
  base.rounds.resize(draw.rounds);
  base.timing = Timing{kDeltaTicks, static_cast<std::uint8_t>(kTicksOfRound * draw.rounds), 0};
  timed::Adversary adversary;
  adversary.views = draw.rounds;
  adversary.leaders = timed::anybody(base.node_count);
  adversary.longest_of_kind = {3 * kDeltaTicks, 2 * kDeltaTicks};  // proposals and votes
  return std::make_unique<timed::TimedGenerator>(base, adversary, draw.seed, draw.scenarios);
}

}  // namespace

Result<Scenarios> draw_scenarios(const Runner& runner, const Draw& draw) {
  Scenarios scenarios;
  if (runner.is_synchronous()) {
    scenarios.generator = of_delays(runner, draw);
    scenarios.setup.bugs = {"early-version"};
    scenarios.setup.network = NetworkModel::kTicks;
  } else {
    auto generator = of_twins(runner, draw);
    if (!generator) return tl::unexpected(generator.error());
    scenarios.generator = *std::move(generator);
  }
  scenarios.setup.cluster = scenarios.generator->cluster();
  scenarios.setup.properties = only(kAgreementToTheEnd);
  return scenarios;
}

Result<Repaired> repaired_of(const Registry& registry, const Runner& runner, const Setup& setup) {
  if (runner.is_synchronous()) {
    Repaired published{"published", &runner, setup};
    published.setup.bugs.clear();
    return published;
  }
  if (runner.name() != "two-phase-hotstuff") return Repaired{};
  const auto hotstuff = registry.find("hotstuff");
  if (!hotstuff) return tl::unexpected(hotstuff.error());
  return Repaired{(*hotstuff)->name(), *hotstuff, setup};
}

}  // namespace nika::liveness
