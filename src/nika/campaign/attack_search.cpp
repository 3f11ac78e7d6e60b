#include "nika/campaign/attack_search.hpp"

#include <algorithm>

#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/coin_judge.hpp"
#include "nika/campaign/fuzz_campaign.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/scenarios/shrink/candidates.hpp"
#include "nika/scenarios/timed/timed_generator.hpp"

namespace nika {
namespace {

constexpr unsigned kUniformRounds = 7;  // scheduled in every search without hints
constexpr Wide kEndless = Wide{1} << 63U;

// Whether the repair breaks in the same schedule: then it is not the flaw that breaks it, and the attack is not found.
// Can be asked only where the repair has the same cluster and the same kinds of messages.
class Repair {
 public:
  Repair(const Registry& registry, const store::Attack& attack, const Property& property)
      : registry_(registry), attack_(attack), property_(property) {}

  Result<std::optional<RepairedSide>> side_of(const Scenario& scenario) const {
    return repaired_side_of(registry_, attack_, scenario);
  }
  Result<bool> breaks_too(const Scenario& scenario) const {
    const auto side = side_of(scenario);
    if (!side) return tl::unexpected(side.error());
    if (!*side) return false;
    const auto outcome = run_scenario(*(*side)->runner, (*side)->scenario, only(property_));
    if (!outcome) return tl::unexpected(outcome.error());
    return outcome->verdict() == Verdict::kViolated;
  }

 private:
  const Registry& registry_;
  const store::Attack& attack_;
  const Property& property_;
};

// The search on the flawed side.
class FlawSearch {
 public:
  FlawSearch(Hunt& hunt, const Repair& repair, const Property& property, const SearchBudget& budget)
      : hunt_(hunt), repair_(repair), property_(property), budget_(budget) {}

  Result<AttackFound> run() {
    const Watch watch;
    // Time bounds the search until it finds something, and nothing else: what that shrinks to depends on the seed
    // alone.
    while (goes_on() && (result_.found || watch.seconds() < budget_.seconds) && !budget_.is_stopped()) {
      const auto found = hunt_.next();
      if (!found) return tl::unexpected(found.error());
      if (budget_.progress) budget_.progress(hunt_.tried());
      if (!result_.found) result_.seconds = watch.seconds();
      for (const Sighting& sighting : *found) {
        if (auto taken = take(sighting); !taken) return tl::unexpected(taken.error());
      }
      if (!result_.found) result_.tried = hunt_.tried();
    }
    return result_;
  }

 private:
  static constexpr unsigned kMaxShrunk = 8;
  static constexpr Wide kMore = 16'384;
  static constexpr unsigned kMaxLooked = 128;  // schedules in which a loop is looked for

  static constexpr std::uint64_t kEnoughRuns = 100'000;

  // The shrinker may get stuck. So of the schedules that follow the first few that break the property are shrunk too,
  // and the smallest is told. How many depends on runs alone: not on time, nor on a length that it should come to.
  // Where none of these is proved to go on for ever, more of those that are may follow.
  bool is_done() const { return shrink_runs_ >= kEnoughRuns || (shrunk_ >= kMaxShrunk && !seeks_loop()); }
  bool seeks_loop() const {
    return is_about_progress(property_.name) && !is_proved_ && may_loop_ && looked_ < kMaxLooked;
  }
  bool goes_on() const {
    const Wide end = result_.found ? result_.tried + kMore : hunt_.size();
    return !is_done() && hunt_.tried() < std::min(end, hunt_.size());
  }

  // The first one that is the flaw's counts as found.
  Result<void> take(const Sighting& sighting) {
    if (is_done()) return {};
    const Scenario scenario = hunt_.scenario(sighting);
    may_loop_ = can_loop(scenario);
    if (shrunk_ >= kMaxShrunk) {
      if (!may_loop_ || budget_.is_stopped()) return {};
      ++looked_;
      const auto loop = find_loop(hunt_.runner(), scenario, OrderProof::kLeftOut);
      if (!loop) return tl::unexpected(loop.error());
      if (!*loop || !(*loop)->proved) return {};
    }
    const auto breaks_too = repair_.breaks_too(scenario);
    if (!breaks_too) return tl::unexpected(breaks_too.error());
    if (*breaks_too) {
      result_.common += result_.found ? 0 : 1;
      return {};
    }
    auto smallest = smallest_of(scenario);
    if (!smallest) return tl::unexpected(smallest.error());
    ++shrunk_;
    if (!result_.found) result_.tried = sighting.index + 1;
    if (!result_.found || is_better(*smallest)) {
      result_.smallest = std::move(smallest->scenario);
      is_proved_ = smallest->is_proved;
    }
    result_.found = true;
    return {};
  }

  struct Smallest {
    Scenario scenario;
    bool is_proved = false;  // that it goes on for ever
  };

  // What is proved to go on for ever says more than what is short; then rounds are what is told of it.
  bool is_better(const Smallest& one) const {
    const Scenario& other = result_.smallest;
    if (one.is_proved != is_proved_) return one.is_proved;
    if (one.scenario.rounds.size() != other.rounds.size()) return one.scenario.rounds.size() < other.rounds.size();
    return shrink::size_of(one.scenario) < shrink::size_of(other);
  }

  // Shrinks as long as it stays the flaw that breaks the scenario.
  Result<Smallest> smallest_of(const Scenario& found) {
    auto shrunk = shrink_fully(hunt_.runner(), found, property_, budget_.stop);
    if (!shrunk) return tl::unexpected(shrunk.error());
    shrink_runs_ += shrunk->runs;
    const auto breaks_too = repair_.breaks_too(shrunk->scenario);
    if (!breaks_too) return tl::unexpected(breaks_too.error());
    return Smallest{*breaks_too ? found : std::move(shrunk->scenario), shrunk->loop.has_value()};
  }

  Hunt& hunt_;
  const Repair& repair_;
  const Property& property_;
  const SearchBudget& budget_;
  AttackFound result_;
  unsigned looked_ = 0;
  bool is_proved_ = false;  // the smallest of the result
  bool may_loop_ = true;    // as far as its scenarios are of a kind of which that can be proved
  unsigned shrunk_ = 0;
  std::uint64_t shrink_runs_ = 0;
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

// The cast of an attack, and nothing else.
twins::Settings cast_of(const store::Attack& attack, const Scenario& side) {
  twins::Settings settings;
  settings.protocol = side.protocol;
  settings.bugs = side.bugs;
  settings.nodes = side.node_count;
  settings.faults = side.fault_count;
  settings.twins = static_cast<unsigned>(std::ranges::count_if(side.copies, [](unsigned c) { return c > 1; }));
  for (const unsigned copies : side.copies) settings.copies = std::max(settings.copies, copies);
  settings.clients = side.client_count;
  settings.unls = side.unls;
  settings.at_most = true;
  if (is_about_progress(attack.property)) settings.heal_leaders = twins::HealLeaders::kHonest;
  return settings;
}

// What the attack's file tells of its kind.
void add_hints(const store::Attack& attack, const Scenario& side, twins::Settings& settings) {
  settings.rounds = attack.search.rounds.value_or(attack.rounds());
  settings.partitions = attack.search.partitions.value_or(2);
  settings.one_way = attack.search.one_way;
  settings.crashes = side.crashes;
  if (!side.rules.empty()) settings.granularity = twins::Granularity::kPhase;
}

}  // namespace

void add_uniform(twins::Settings& settings) {
  settings.rounds = kUniformRounds;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.one_way = true;
  settings.order = twins::OrderChoice::kSampled;
  settings.disturbances.crashes = 1;
  if (settings.heal_leaders == twins::HealLeaders::kHonest) settings.heal_leaders = twins::HealLeaders::kAlternating;
}

Result<twins::Settings> search_settings(const store::Attack& attack, const Scenario& side, const Runner& runner,
                                        const SearchBudget& budget) {
  twins::Settings settings = cast_of(attack, side);
  if (budget.takes_hints) {
    add_hints(attack, side, settings);
    std::optional<Error> error;
    read_words(attack.search, settings, error);
    if (error) return tl::unexpected(Error{attack.name + ": search: " + error->message});
  } else {
    add_uniform(settings);
  }
  // Agreement needs no healing; what needs it needs all of it, with a liar between any two honest leaders.
  const unsigned turns = heal_rounds_after(settings.rounds, runner.heal_rounds());
  settings.heal_rounds = !is_about_progress(attack.property) ? 1 : 2 * turns;
  settings.seed = budget.seed;
  // Each scenario of a space of rounds comes once, in a shuffled order; phases are drawn for ever.
  const bool is_phase = settings.granularity == twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, is_phase ? kEndless : ~Wide{0}};
  return settings;
}

namespace {

Scenario cast_alone(const Scenario& side) {
  Scenario cast;
  cast.protocol = side.protocol;
  cast.bugs = side.bugs;
  cast.node_count = side.node_count;
  cast.fault_count = side.fault_count;
  cast.copies = side.copies;
  cast.client_count = side.client_count;
  cast.unls = side.unls;
  return cast;
}

// Δ is two ticks, so that half of it is one; who leads which view is drawn, unless the file's are taken.
Result<std::unique_ptr<Hunt>> timed_hunt(const Runner& runner, const store::Attack& attack, const Scenario& side,
                                         const Properties& properties, const SearchBudget& budget) {
  timed::Adversary adversary;
  adversary.kinds = static_cast<unsigned>(runner.kinds().size());
  adversary.views = budget.takes_hints ? attack.search.rounds.value_or(attack.rounds()) : 3;
  Scenario base = side;
  if (!budget.takes_hints) {
    base = cast_alone(side);
    adversary.goes_on = true;
    base.timing = Timing{};
    base.timing->ticks = 40;
    base.rounds.assign(adversary.views, {});
    base.heal_rounds = 1;
    adversary.leaders = timed::anybody(base.node_count);
  }
  auto generator = std::make_unique<timed::TimedGenerator>(base, adversary, budget.seed, kEndless);
  const Setup setup{generator->cluster(), side.bugs, properties, NetworkModel::kTicks};
  return Hunt::blind(runner, setup, std::move(generator), {budget.threads, GuideChoice::kNone, budget.stop});
}

// An attack that lies: faults of protocol rounds, in one setting for all of them. A repaired protocol has to withstand
// them where everybody counts everybody; lists that overlap less may be a flaw of their own.
Result<std::unique_ptr<Hunt>> fuzz_hunt(const Runner& runner, const store::Attack& attack, const Scenario& side,
                                        const Properties& properties, const SearchBudget& budget) {
  byzzfuzz::Settings settings;
  settings.bugs = side.bugs;
  settings.nodes = side.node_count;
  settings.faults = side.fault_count;
  settings.liars = side.liars;
  if (&side != &attack.repaired) settings.unls = side.unls;
  settings.lies = 2;
  settings.last_round = 4 * runner.protocol_rounds();
  settings.runs = static_cast<std::uint64_t>(kEndless);
  settings.seed = budget.seed;
  set_protocol(settings, runner, properties);
  if (auto sound = byzzfuzz::check(settings); !sound) return tl::unexpected(sound.error());
  auto generator = std::make_unique<byzzfuzz::FuzzGenerator>(settings);
  const Setup setup{generator->cluster(), side.bugs, properties};
  return Hunt::blind(runner, setup, std::move(generator), {budget.threads, GuideChoice::kNone, budget.stop});
}

Result<std::unique_ptr<Hunt>> hunt_on(const Registry& registry, const store::Attack& attack, const Scenario& side,
                                      const Property& property, const SearchBudget& budget) {
  const auto runner = registry.find(side.protocol);
  if (!runner) return tl::unexpected(runner.error());
  if (side.timing) return timed_hunt(**runner, attack, side, only(property), budget);
  if (!side.lies.empty() || !side.outages.empty()) return fuzz_hunt(**runner, attack, side, only(property), budget);
  const auto settings = search_settings(attack, side, **runner, budget);
  if (!settings) return tl::unexpected(settings.error());
  return Hunt::make(**runner, *settings, only(property), {budget.threads, budget.guide, budget.stop});
}

// Turns of the side's cluster that go on for ever, proved: hunts of so many beginnings each, from one seed after the
// other, until one finds them, or the limit of beginnings or of time is reached.
struct TurnsFound {
  std::optional<Scenario> scenario;
  Wide tried = 0;
};
Result<TurnsFound> hunt_side(const Registry& registry, const Scenario& side, const SearchBudget& budget, Wide most) {
  constexpr std::size_t kToldCoins = 12;
  const auto runner = registry.find(side.protocol);
  if (!runner) return tl::unexpected(runner.error());
  const Watch watch;
  TurnsFound result;
  CoinHuntSettings settings{.seed = budget.seed};
  for (; result.tried < most && watch.seconds() < budget.seconds && !budget.is_stopped(); ++settings.seed) {
    const auto hunt = hunt_turns(**runner, side, settings);
    if (!hunt) return tl::unexpected(hunt.error());
    result.tried += hunt->turns;
    if (budget.progress) budget.progress(result.tried);
    if (!hunt->found) continue;
    Scenario scenario = side;
    scenario.turns = *hunt->found;
    scenario.coins.assign(kToldCoins, 0);
    const auto proof = prove_turns(**runner, scenario);
    if (!proof) return tl::unexpected(proof.error());
    if (!proof->proved) continue;
    result.scenario = std::move(scenario);
    break;
  }
  return result;
}

// An attack on the coin: what is tried are beginnings of turns.
Result<AttackFound> search_for_turns(const Registry& registry, const store::Attack& attack,
                                     const SearchBudget& budget) {
  const Watch watch;
  const auto flawed = hunt_side(registry, attack.flawed, budget, kEndless);
  if (!flawed) return tl::unexpected(flawed.error());
  AttackFound result;
  result.found = flawed->scenario.has_value();
  result.tried = flawed->tried;
  result.seconds = watch.seconds();
  if (result.found) result.smallest = *flawed->scenario;
  const auto repaired = hunt_side(registry, attack.repaired, budget, std::max(result.tried, budget.least_repaired));
  if (!repaired) return tl::unexpected(repaired.error());
  result.repaired_tried = repaired->tried;
  result.repaired_found = repaired->scenario ? 1 : 0;
  result.was_stopped = budget.is_stopped();
  return result;
}

}  // namespace

Result<AttackFound> search_for(const Registry& registry, const store::Attack& attack, const SearchBudget& budget) {
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  if (!attack.flawed.turns.empty()) return search_for_turns(registry, attack, budget);
  const auto flawed = hunt_on(registry, attack, attack.flawed, **property, budget);
  if (!flawed) return tl::unexpected(flawed.error());
  const Repair repair(registry, attack, **property);
  auto result = FlawSearch(**flawed, repair, **property, budget).run();
  if (!result) return result;
  if (result->found && is_about_progress(attack.property)) {
    const auto side = repair.side_of(result->smallest);
    if (!side) return tl::unexpected(side.error());
    auto loop = told_loop_of((*flawed)->runner(), result->smallest, *side, nullptr, place_for(**property));
    if (!loop) return tl::unexpected(loop.error());
    result->loop = *std::move(loop);
  }

  const auto repaired = hunt_on(registry, attack, attack.repaired, **property, budget);
  if (!repaired) return tl::unexpected(repaired.error());
  const auto tally = (*repaired)->try_all(std::max(result->tried, budget.least_repaired));
  if (!tally) return tl::unexpected(tally.error());
  result->repaired_tried = tally->executed;
  result->repaired_found = tally->violating;
  result->repaired_unknown = tally->unknown;
  result->was_stopped = budget.is_stopped();
  return result;
}

}  // namespace nika
