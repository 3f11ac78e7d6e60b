#include "nika/campaign/attack_search.hpp"

#include <algorithm>

#include "nika/campaign/discover.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/timed_attack_search.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/shrink/candidates.hpp"

namespace nika {
namespace {

constexpr Wide kFirstBatch = 16'384;
constexpr Wide kLargestBatch = 262'144;
constexpr unsigned kMaxShrunk = 8;  // scenarios of one kind, while none is as short as the script

// One side of an attack with the scenarios to try on it, numbered in the order in which they are tried.
class Hunt {
 public:
  static Result<Hunt> make(const Registry& registry, const twins::Settings& settings, Property property) {
    const auto runner = registry.find(settings.protocol);
    if (!runner) return tl::unexpected(runner.error());
    Hunt hunt(**runner, property);
    if (settings.granularity == twins::Granularity::kPhase) {
      auto sampler = phases::Sampler::make(settings, static_cast<unsigned>((*runner)->kinds().size()));
      if (!sampler) return tl::unexpected(sampler.error());
      hunt.sampler_.emplace(*std::move(sampler));
    } else {
      auto space = twins::Space::make(settings);
      if (!space) return tl::unexpected(space.error());
      hunt.space_.emplace(*std::move(space));
    }
    return hunt;
  }

  const Runner& runner() const { return runner_; }
  Wide size() const { return sampler_ ? sampler_->size() : space_->size().value_or(~Wide{0}); }

  Result<SweepTotals> run(const twins::Range& range, const SearchBudget& budget) const {
    SweepOptions options;
    options.threads = budget.threads;
    options.properties = only(property_);
    options.phases = sampler_ ? &*sampler_ : nullptr;
    options.stop = budget.stop;
    options.sightings_of_each_kind = kMaxShrunk;
    RangeWork work(range);
    return sweep(runner_, sampler_ ? sampler_->space() : *space_, work, options);
  }

  Scenario scenario(const Sighting& first) const {
    return sampler_ ? sampler_->scenario(first.index) : space_->scenario(first.index);
  }

 private:
  Hunt(const Runner& runner, Property property) : runner_(runner), property_(property) {}

  const Runner& runner_;
  Property property_;
  std::optional<phases::Sampler> sampler_;
  std::optional<twins::Space> space_;
};

// Whether the repair breaks in the same scenario: then it is not the flaw that breaks it, and the attack is not found.
// Can be asked only where the repair has the same cluster and the same kinds of messages.
class Repair {
 public:
  static Result<Repair> make(const Registry& registry, const Runner& flawed, const store::Attack& attack) {
    const auto runner = registry.find(attack.repaired.protocol);
    if (!runner) return tl::unexpected(runner.error());
    const bool is_comparable =
        std::ranges::equal((*runner)->kinds(), flawed.kinds()) && attack.repaired.copies == attack.flawed.copies;
    return Repair(**runner, attack, is_comparable);
  }

  Result<bool> breaks_too(Scenario scenario) const {
    if (!is_comparable_) return false;
    scenario.protocol = attack_.repaired.protocol;
    scenario.bugs = attack_.repaired.bugs;
    const auto outcome = runner_.run(scenario, nullptr, only(attack_.property));
    if (!outcome) return tl::unexpected(outcome.error());
    return outcome->verdict == Verdict::kViolated;
  }

 private:
  Repair(const Runner& runner, const store::Attack& attack, bool is_comparable)
      : runner_(runner), attack_(attack), is_comparable_(is_comparable) {}

  const Runner& runner_;
  const store::Attack& attack_;
  const bool is_comparable_;
};

// The search on the flawed side.
class FlawSearch {
 public:
  FlawSearch(const Hunt& hunt, const Repair& repair, const store::Attack& attack, const SearchBudget& budget)
      : hunt_(hunt), repair_(repair), attack_(attack), budget_(budget) {}

  Result<AttackFound> run() const {
    AttackFound result;
    const Watch watch;
    Wide batch = kFirstBatch;
    while (!result.found && result.tried < hunt_.size() && watch.seconds() < budget_.seconds) {
      const Wide end = result.tried + std::min(batch, hunt_.size() - result.tried);
      const auto totals = hunt_.run({result.tried, end}, budget_);
      if (!totals) return tl::unexpected(totals.error());
      result.seconds = watch.seconds();
      if (totals->sightings.empty()) {
        result.tried += totals->executed;
        if (totals->was_stopped) break;
        batch = std::min(2 * batch, kLargestBatch);
        continue;
      }
      if (auto taken = take(totals->sightings, result); !taken) return tl::unexpected(taken.error());
    }
    return result;
  }

 private:
  // The first one that is the flaw's counts as found. The shrinker may get stuck above the length of the script; then
  // the ones that follow are shrunk too, and the smallest is told.
  Result<void> take(std::vector<Sighting> sightings, AttackFound& result) const {
    std::ranges::sort(sightings, {}, &Sighting::index);
    for (const Sighting& sighting : sightings) {
      if (result.found && result.smallest.rounds.size() <= attack_.rounds()) break;
      const Scenario scenario = hunt_.scenario(sighting);
      const auto breaks_too = repair_.breaks_too(scenario);
      if (!breaks_too) return tl::unexpected(breaks_too.error());
      if (!result.found) result.tried = sighting.index + 1;
      if (*breaks_too) {
        result.common += result.found ? 0 : 1;
        continue;
      }
      auto smallest = smallest_of(scenario);
      if (!smallest) return tl::unexpected(smallest.error());
      if (!result.found || shrink::size_of(*smallest) < shrink::size_of(result.smallest)) {
        result.smallest = *std::move(smallest);
      }
      result.found = true;
    }
    return {};
  }

  // Shrinks as long as it stays the flaw that breaks the scenario.
  Result<Scenario> smallest_of(const Scenario& found) const {
    auto shrunk = shrink_fully(hunt_.runner(), found, attack_.property, budget_.stop);
    if (!shrunk) return tl::unexpected(shrunk.error());
    const auto breaks_too = repair_.breaks_too(shrunk->scenario);
    if (!breaks_too) return tl::unexpected(breaks_too.error());
    if (*breaks_too) return found;
    return std::move(shrunk->scenario);
  }

  const Hunt& hunt_;
  const Repair& repair_;
  const store::Attack& attack_;
  const SearchBudget& budget_;
};

void read_words(const store::SearchHints& hints, twins::Settings& settings, std::optional<Error>& error) {
  const auto take = [&](auto parsed, auto& value) {
    if (parsed) {
      value = *std::move(parsed);
    } else if (!error) {
      error = parsed.error();
    }
  };
  if (!hints.granularity.empty()) take(twins::parse_granularity(hints.granularity), settings.granularity);
  if (!hints.leaders.empty()) take(twins::parse_leaders(hints.leaders), settings.leaders);
  if (!hints.heal_leaders.empty()) take(twins::parse_heal_leaders(hints.heal_leaders), settings.heal_leaders);
  if (!hints.order.empty()) take(twins::parse_order(hints.order), settings.order);
}

// What the scenario of an attack tells of its kind, and no more.
twins::Settings settings_like(const store::Attack& attack, const Scenario& side) {
  twins::Settings settings;
  settings.protocol = side.protocol;
  settings.bugs = side.bugs;
  settings.nodes = side.node_count;
  settings.faults = side.fault_count;
  settings.twins = static_cast<unsigned>(std::ranges::count_if(side.copies, [](unsigned c) { return c > 1; }));
  for (const unsigned copies : side.copies) settings.copies = std::max(settings.copies, copies);
  settings.at_most = true;
  settings.rounds = attack.search.rounds.value_or(attack.rounds());
  settings.heal_rounds = attack.search.heal_rounds.value_or(side.heal_rounds);
  settings.partitions = attack.search.partitions.value_or(2);
  settings.one_way = attack.search.one_way;
  settings.crashes = side.crashes;
  if (!side.rules.empty()) settings.granularity = twins::Granularity::kPhase;
  if (attack.property == Property::kTermination) settings.heal_leaders = twins::HealLeaders::kHonest;
  return settings;
}

}  // namespace

Result<twins::Settings> search_settings(const store::Attack& attack, const Scenario& side, std::uint64_t seed) {
  twins::Settings settings = settings_like(attack, side);
  std::optional<Error> error;
  read_words(attack.search, settings, error);
  if (error) return tl::unexpected(Error{attack.name + ": search: " + error->message});
  settings.seed = seed;
  // Each scenario of a space of rounds comes once, in a shuffled order; phases are drawn for ever.
  const bool is_phase = settings.granularity == twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, is_phase ? Wide{1} << 63U : ~Wide{0}};
  return settings;
}

Result<AttackFound> search_for(const Registry& registry, const store::Attack& attack, const SearchBudget& budget) {
  if (attack.flawed.timing) return search_timed(registry, attack, budget);
  const auto flawed_settings = search_settings(attack, attack.flawed, budget.seed);
  if (!flawed_settings) return tl::unexpected(flawed_settings.error());
  const auto flawed = Hunt::make(registry, *flawed_settings, attack.property);
  if (!flawed) return tl::unexpected(flawed.error());
  const auto repair = Repair::make(registry, flawed->runner(), attack);
  if (!repair) return tl::unexpected(repair.error());
  auto result = FlawSearch(*flawed, *repair, attack, budget).run();
  if (!result) return result;
  const auto repaired_settings = search_settings(attack, attack.repaired, budget.seed);
  if (!repaired_settings) return tl::unexpected(repaired_settings.error());
  const auto repaired = Hunt::make(registry, *repaired_settings, attack.property);
  if (!repaired) return tl::unexpected(repaired.error());
  const Wide count = std::min(repaired->size(), std::max(result->tried, budget.least_repaired));
  const auto totals = repaired->run({0, count}, budget);
  if (!totals) return tl::unexpected(totals.error());
  result->repaired_tried = totals->executed;
  result->repaired_found = totals->violating;
  result->repaired_unknown = totals->unknown;
  return result;
}

}  // namespace nika
