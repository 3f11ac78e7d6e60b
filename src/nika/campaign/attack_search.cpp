#include "nika/campaign/attack_search.hpp"

#include <algorithm>

#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/timed_attack_search.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/shrink/candidates.hpp"

namespace nika {
namespace {

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
  FlawSearch(Hunt& hunt, const Repair& repair, const store::Attack& attack, const SearchBudget& budget)
      : hunt_(hunt), repair_(repair), attack_(attack), budget_(budget) {}

  Result<AttackFound> run() {
    const Watch watch;
    while (goes_on() && watch.seconds() < budget_.seconds && !budget_.is_stopped()) {
      const auto found = hunt_.next();
      if (!found) return tl::unexpected(found.error());
      if (!result_.found) result_.seconds = watch.seconds();
      for (const Hunt::Quarry& quarry : *found) {
        if (auto taken = take(quarry); !taken) return tl::unexpected(taken.error());
      }
      if (!result_.found) result_.tried = hunt_.tried();
    }
    return result_;
  }

 private:
  static constexpr unsigned kMaxShrunk = 8;
  static constexpr Wide kMore = 16'384;

  // The shrinker may get stuck above the length of the script; then some of those that follow are shrunk too, and the
  // smallest is told.
  bool is_done() const {
    return result_.found && (result_.smallest.rounds.size() <= attack_.rounds() || shrunk_ == kMaxShrunk);
  }
  bool goes_on() const {
    const Wide end = result_.found ? result_.tried + std::max(result_.tried, kMore) : hunt_.size();
    return !is_done() && hunt_.tried() < std::min(end, hunt_.size());
  }

  // The first one that is the flaw's counts as found.
  Result<void> take(const Hunt::Quarry& quarry) {
    if (is_done()) return {};
    const auto breaks_too = repair_.breaks_too(quarry.scenario);
    if (!breaks_too) return tl::unexpected(breaks_too.error());
    if (*breaks_too) {
      result_.common += result_.found ? 0 : 1;
      return {};
    }
    auto smallest = smallest_of(quarry.scenario);
    if (!smallest) return tl::unexpected(smallest.error());
    ++shrunk_;
    if (!result_.found) result_.tried = quarry.number + 1;
    if (!result_.found || shrink::size_of(*smallest) < shrink::size_of(result_.smallest)) {
      result_.smallest = *std::move(smallest);
    }
    result_.found = true;
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

  Hunt& hunt_;
  const Repair& repair_;
  const store::Attack& attack_;
  const SearchBudget& budget_;
  AttackFound result_;
  unsigned shrunk_ = 0;
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
  const HuntOptions options{attack.property, budget.threads, budget.guide, budget.stop};
  const auto flawed_settings = search_settings(attack, attack.flawed, budget.seed);
  if (!flawed_settings) return tl::unexpected(flawed_settings.error());
  const auto flawed = Hunt::make(registry, *flawed_settings, options);
  if (!flawed) return tl::unexpected(flawed.error());
  const auto repair = Repair::make(registry, (*flawed)->runner(), attack);
  if (!repair) return tl::unexpected(repair.error());
  auto result = FlawSearch(**flawed, *repair, attack, budget).run();
  if (!result) return result;

  const auto repaired_settings = search_settings(attack, attack.repaired, budget.seed);
  if (!repaired_settings) return tl::unexpected(repaired_settings.error());
  const auto repaired = Hunt::make(registry, *repaired_settings, options);
  if (!repaired) return tl::unexpected(repaired.error());
  const auto totals = (*repaired)->try_all(std::max(result->tried, budget.least_repaired));
  if (!totals) return tl::unexpected(totals.error());
  result->repaired_tried = totals->tried;
  result->repaired_found = totals->violating;
  result->repaired_unknown = totals->unknown;
  return result;
}

}  // namespace nika
