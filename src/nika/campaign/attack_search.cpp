#include "nika/campaign/attack_search.hpp"

#include <algorithm>

#include "nika/campaign/discover.hpp"
#include "nika/campaign/guided_search.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/timed_attack_search.hpp"
#include "nika/campaign/watch.hpp"

namespace nika {
namespace {

constexpr Wide kFirstBatch = 16'384;
constexpr Wide kLargestBatch = 262'144;
constexpr Wide kWorthGuiding = 65'536;  // scenarios; fewer are all tried

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
// Can be asked only where the repair is the same protocol in the same cluster without the flaw.
class Repair {
 public:
  Repair(const Runner& runner, const store::Attack& attack)
      : runner_(runner),
        attack_(attack),
        is_comparable_(attack.repaired.protocol == attack.flawed.protocol &&
                       attack.repaired.copies == attack.flawed.copies) {}

  Result<bool> breaks_too(Scenario scenario) const {
    if (!is_comparable_) return false;
    scenario.bugs = attack_.repaired.bugs;
    const auto outcome = runner_.run(scenario, nullptr, only(attack_.property));
    if (!outcome) return tl::unexpected(outcome.error());
    return outcome->verdict == Verdict::kViolated;
  }

 private:
  const Runner& runner_;
  const store::Attack& attack_;
  const bool is_comparable_;
};

// Shrinks as long as it stays the flaw that breaks the scenario.
Result<Scenario> smallest_of(const Hunt& hunt, const Scenario& found, const Repair& repair, Property property,
                             const SearchBudget& budget) {
  auto shrunk = shrink_fully(hunt.runner(), found, property, budget.stop);
  if (!shrunk) return tl::unexpected(shrunk.error());
  const auto breaks_too = repair.breaks_too(shrunk->scenario);
  if (!breaks_too) return tl::unexpected(breaks_too.error());
  return *breaks_too ? found : std::move(shrunk->scenario);
}

// A scenario that breaks the property, unless it breaks the repair too.
Result<void> judge(const Hunt& hunt, const Scenario& scenario, const Repair& repair, Property property,
                   const SearchBudget& budget, AttackFound& result) {
  const auto breaks_too = repair.breaks_too(scenario);
  if (!breaks_too) return tl::unexpected(breaks_too.error());
  if (*breaks_too) {
    ++result.common;
    return {};
  }
  result.found = true;
  auto smallest = smallest_of(hunt, scenario, repair, property, budget);
  if (!smallest) return tl::unexpected(smallest.error());
  result.smallest = *std::move(smallest);
  return {};
}

Result<void> hunt_flaw(const Hunt& hunt, const Repair& repair, Property property, const SearchBudget& budget,
                       AttackFound& result) {
  const Watch watch;
  Wide batch = kFirstBatch;
  while (result.tried < hunt.size() && watch.seconds() < budget.seconds) {
    const Wide end = result.tried + std::min(batch, hunt.size() - result.tried);
    const auto totals = hunt.run({result.tried, end}, budget);
    if (!totals) return tl::unexpected(totals.error());
    result.seconds = watch.seconds();
    if (!totals->sightings.empty()) {
      const Sighting& first = *std::ranges::min_element(totals->sightings, {}, &Sighting::index);
      result.tried = first.index + 1;
      const Scenario scenario = hunt.scenario(first);
      if (auto judged = judge(hunt, scenario, repair, property, budget, result); !judged || result.found) return judged;
      batch = kFirstBatch;
      continue;
    }
    result.tried += totals->executed;
    if (totals->was_stopped) return {};
    batch = std::min(2 * batch, kLargestBatch);
  }
  return {};
}

bool is_stopped(const SearchBudget& budget) { return budget.stop != nullptr && budget.stop->load(); }

bool is_guided(const Hunt& hunt, const SearchBudget& budget) {
  return budget.guide == GuideChoice::kCoverage && hunt.size() > kWorthGuiding;
}

// The same with a guide, which chooses each generation by what the ones before have reached.
Result<void> hunt_guided(const Hunt& hunt, const twins::Settings& settings, const Repair& repair, Property property,
                         const SearchBudget& budget, AttackFound& result) {
  const auto draws = guided::Draws::make(settings, static_cast<unsigned>(hunt.runner().kinds().size()));
  if (!draws) return tl::unexpected(draws.error());
  auto search = GuidedSearch::make(hunt.runner(), *draws, only(property), budget.threads);
  if (!search) return tl::unexpected(search.error());
  const Watch watch;
  while (search->tried() < hunt.size() && watch.seconds() < budget.seconds && !is_stopped(budget)) {
    const auto sightings = search->run_generation();
    result.seconds = watch.seconds();
    for (const GuidedSearch::Sighting& sighting : sightings) {
      result.tried = sighting.number + 1;
      auto judged = judge(hunt, draws->scenario(sighting.genome), repair, property, budget, result);
      if (!judged || result.found) return judged;
    }
    result.tried = search->tried();
  }
  return {};
}

Result<void> try_repaired(const Hunt& hunt, Wide count, const SearchBudget& budget, AttackFound& result) {
  const auto totals = hunt.run({0, count}, budget);
  if (!totals) return tl::unexpected(totals.error());
  result.repaired_tried = totals->executed;
  result.repaired_found = totals->violating;
  result.repaired_unknown = totals->unknown;
  return {};
}

Result<void> try_repaired_guided(const Hunt& hunt, const twins::Settings& settings, Property property, Wide count,
                                 const SearchBudget& budget, AttackFound& result) {
  const auto draws = guided::Draws::make(settings, static_cast<unsigned>(hunt.runner().kinds().size()));
  if (!draws) return tl::unexpected(draws.error());
  auto search = GuidedSearch::make(hunt.runner(), *draws, only(property), budget.threads);
  if (!search) return tl::unexpected(search.error());
  while (search->tried() < count && !is_stopped(budget)) search->run_generation();
  result.repaired_tried = search->tried();
  result.repaired_found = search->violating();
  result.repaired_unknown = search->unknown();
  return {};
}

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

constexpr std::string_view kGuideNames[] = {"none", "coverage"};

}  // namespace

Result<GuideChoice> parse_guide(std::string_view text) {
  for (const GuideChoice guide : {GuideChoice::kNone, GuideChoice::kCoverage}) {
    if (text == name_of(guide)) return guide;
  }
  return bad_input("read \"" + std::string(text) + "\", expected coverage or none");
}

std::string_view name_of(GuideChoice guide) { return kGuideNames[static_cast<unsigned>(guide)]; }

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
  AttackFound result;
  const auto flawed_settings = search_settings(attack, attack.flawed, budget.seed);
  if (!flawed_settings) return tl::unexpected(flawed_settings.error());
  const auto flawed = Hunt::make(registry, *flawed_settings, attack.property);
  if (!flawed) return tl::unexpected(flawed.error());
  const Repair repair(flawed->runner(), attack);
  const auto hunted = is_guided(*flawed, budget)
                          ? hunt_guided(*flawed, *flawed_settings, repair, attack.property, budget, result)
                          : hunt_flaw(*flawed, repair, attack.property, budget, result);
  if (!hunted) return tl::unexpected(hunted.error());
  const auto repaired_settings = search_settings(attack, attack.repaired, budget.seed);
  if (!repaired_settings) return tl::unexpected(repaired_settings.error());
  const auto repaired = Hunt::make(registry, *repaired_settings, attack.property);
  if (!repaired) return tl::unexpected(repaired.error());
  const Wide count = std::min(repaired->size(), std::max(result.tried, budget.least_repaired));
  const auto tried = is_guided(*repaired, budget)
                         ? try_repaired_guided(*repaired, *repaired_settings, attack.property, count, budget, result)
                         : try_repaired(*repaired, count, budget, result);
  if (!tried) return tl::unexpected(tried.error());
  return result;
}

}  // namespace nika
