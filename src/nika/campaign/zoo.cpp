#include "nika/campaign/zoo.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/require.hpp"
#include "nika/campaign/attack_search.hpp"
#include "nika/campaign/fuzz_generations.hpp"
#include "nika/campaign/fuzz_search.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/integrity.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"
#include "nika/properties/validity.hpp"

namespace nika::zoo {
namespace {

constexpr unsigned kFaults = 1;  // and as few nodes as the protocol needs for them
constexpr std::array<const Property*, 6> kJudged{&kAgreement,   &kValidity, &kIntegrity,
                                                 &kTermination, &kTotality, &kResponsiveness};
// Whose papers promise that the view of any honest leader decides once the network has healed.
constexpr std::array<std::string_view, 5> kResponsive{"hotstuff", "two-phase-hotstuff", "linear-pbft",
                                                      "linear-pbft-third-phase", "sync-hotstuff"};
// What papers promise of 0 and 1 is known to the registry that has the protocols.
struct OwnPromise {
  std::string_view protocol;
  std::string_view property;
};
constexpr std::array<OwnPromise, 10> kOwnPromises{{{"bv-broadcast", "justification"},
                                                   {"bv-broadcast", "obligation"},
                                                   {"dbft", "justification"},
                                                   {"one-step", "justification"},
                                                   {"one-step", "handover"},
                                                   {"mmr14", "justification"},
                                                   {"mmr14-conf", "justification"},
                                                   {"honeybadger-acs", "common-subset"},
                                                   {"casper-ffg", "accountable-safety"},
                                                   {"casper-ffg-led", "accountable-safety"}}};
constexpr unsigned kTimedViews = 3;        // of a synchronous protocol, as in a search for attacks
constexpr unsigned kTimedTicks = 80;       // of which honest leaders have enough to decide
constexpr unsigned kMostRounds = 7;        // of an exhaustive search
constexpr unsigned kLies = 2;              // c
constexpr unsigned kOutages = 4;           // d
constexpr unsigned kFuzzedViews = 5;       // network rounds in whose protocol rounds the faults are
constexpr unsigned kSearchedViews = 3;     // the same, where all of them are tried
constexpr Wide kEndless = Wide{1} << 63U;  // schedules for a guide to choose from
constexpr std::uint64_t kSearchMemory = std::uint64_t{1} << 30U;

// What a flawed protocol breaks without a bug shows nothing of the bug: then its progress is not judged.
bool is_judged(const Property& property, const Runner& runner, std::string_view bug) {
  if (&property == &kResponsiveness && std::ranges::find(kResponsive, runner.name()) == kResponsive.end()) return false;
  const bool is_of_progress = &property == &kResponsiveness || &property == &kTermination;
  return !is_of_progress || bug.empty() || runner.repaired_by().empty();
}

Properties properties_of(const Registry& registry, const Runner& runner, std::string_view bug) {
  Properties properties;
  for (const Property* property : kJudged) {
    if (is_judged(*property, runner, bug)) NIKA_REQUIRE(properties.push_back(property));
  }
  for (const Property* property : registry.properties()) {
    const auto is_promised = [&](const OwnPromise& own) {
      return own.protocol == runner.name() && own.property == property->name;
    };
    if (std::ranges::any_of(kOwnPromises, is_promised)) NIKA_REQUIRE(properties.push_back(property));
  }
  return properties;
}

unsigned nodes_of(const Runner& runner) { return runner.resilience() * kFaults + 1; }

std::vector<std::string> bugs_of(const Subject& subject) {
  if (subject.bug.empty()) return {};
  return {subject.bug};
}

// The cast: f identities have twins.
twins::Settings twins_settings(const Subject& subject, const Budget& budget) {
  const Runner& runner = *subject.runner;
  twins::Settings settings;
  settings.protocol = runner.name();
  settings.bugs = bugs_of(subject);
  settings.nodes = nodes_of(runner);
  settings.faults = kFaults;
  settings.twins = kFaults;
  settings.clients = runner.clients();
  settings.seed = budget.seed;
  return settings;
}

// It heals for as long as the protocol asks for. Where one honest leader is enough, a liar leads between any two.
void set_healing(twins::Settings& settings, const Runner& runner) {
  const bool alternates = runner.leaders_in_a_row() == 1;
  settings.heal_leaders = alternates ? twins::HealLeaders::kAlternating : twins::HealLeaders::kHonest;
  const unsigned turns = std::max(heal_rounds_after(settings.rounds, runner.heal_rounds()), settings.nodes);
  settings.heal_rounds = turns * (alternates ? 1 + kFaults : 1);
}

twins::Settings drawn_settings(const Subject& subject, const Budget& budget) {
  const Runner& runner = *subject.runner;
  twins::Settings settings = twins_settings(subject, budget);
  settings.step3 = {twins::Selection::Kind::kRandom, budget.executions};
  if (runner.is_synchronous()) {
    settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
    settings.rounds = kTimedViews;
    settings.clock = timed::Clock{.delta_ticks = 2, .ticks = kTimedTicks};
    settings.partitions = 1;
    settings.heal_rounds = 1;
    settings.heal_leaders = twins::HealLeaders::kHonest;
    return settings;
  }
  settings.at_most = true;
  add_uniform(settings);
  set_healing(settings, runner);
  return settings;
}

TwinsRequest twins_request(const Subject& subject, const Budget& budget, twins::Settings settings) {
  TwinsRequest request;
  request.settings = std::move(settings);
  request.runner = subject.runner;
  request.properties = subject.properties;
  request.memory_bytes = kSearchMemory;
  request.threads = budget.threads;
  request.stops_at_first = true;
  request.max_findings = 0;
  return request;
}

// Runs one attempt; what it has done so far is in the result.
class Trial {
 public:
  Trial(const Subject& subject, Strategy strategy, const Budget& budget, const Watch& watch)
      : subject_(subject), budget_(budget), watch_(watch) {
    result_.strategy = strategy;
  }

  Result<Attempt> run() {
    const auto done = run_strategy();
    if (!done) return tl::unexpected(done.error());
    result_.was_stopped = !result_.found && watch_.is_stopped();
    return result_;
  }

 private:
  Result<void> run_strategy() {
    const bool is_timed = subject_.runner->is_synchronous();
    switch (result_.strategy) {
      case Strategy::kTwins: return draw_twins();
      case Strategy::kTwinsExhaustive: return is_timed ? cannot("it runs on a clock, and delays are drawn") : deepen();
      case Strategy::kTwinsGuided: return is_timed ? cannot("it runs on a clock, and a guide has rounds") : hunt();
      case Strategy::kFuzzSmall: return fuzz({});
      case Strategy::kFuzzAny: return fuzz({.scope = byzzfuzz::Scope::kAny});
      case Strategy::kFuzzBaseline: return fuzz({.scope = byzzfuzz::Scope::kBaseline});
      case Strategy::kFuzzExhaustive: return fuzz_all();
      case Strategy::kFuzzGuided: return fuzz({.guide = byzzfuzz::Guide::kCoverage});
      case Strategy::kFuzzTwins: return fuzz({.has_twins = true});
    }
    return {};
  }

  Result<void> cannot(std::string reason) {
    result_.inapplicable = std::move(reason);
    return {};
  }

  void tell(Wide executed) {
    if (watch_.progress) watch_.progress({&subject_, result_.strategy, result_.executions + executed});
  }

  // More executions, of which one may have been the first that breaks something.
  void add(Wide executed, const std::optional<FirstViolation>& first) {
    result_.found = first && result_.executions + first->executions <= budget_.executions;
    result_.executions += result_.found ? first->executions : executed;
    if (!result_.found) return;
    result_.property = subject_.properties[first->property]->name;
    result_.kind = first->kind;
  }

  Result<void> draw_twins() {
    TwinsWatch twins_watch;
    twins_watch.stop = watch_.stop;
    twins_watch.progress = [this](const TwinsProgress& p) { tell(p.executed); };
    const auto outcome = run_twins(twins_request(subject_, budget_, drawn_settings(subject_, budget_)), twins_watch);
    if (!outcome) return tl::unexpected(outcome.error());
    result_.seconds = outcome->seconds;
    result_.unknown = outcome->tally.unknown;
    add(outcome->tally.executed, outcome->first);
    return {};
  }

  // One round, two rounds and so on, each from the beginning, as long as the next is expected to fit: it grows as the
  // last did. A round of a world counts as an execution, whatever the number of scenarios that it stands for.
  Result<void> deepen() {
    Wide before = 1;
    for (unsigned rounds = 1; rounds <= kMostRounds && !result_.found && !watch_.is_stopped(); ++rounds) {
      const auto executed = search_rounds(rounds);
      if (!executed) return tl::unexpected(executed.error());
      const Wide expected = *executed * std::max<Wide>(1, *executed / before);
      if (result_.executions + expected > budget_.executions) break;
      before = *executed;
    }
    return {};
  }

  Result<Wide> search_rounds(unsigned rounds) {
    twins::Settings settings = twins_settings(subject_, budget_);
    settings.rounds = rounds;
    settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
    settings.at_most = true;
    set_healing(settings, *subject_.runner);
    TwinsRequest request = twins_request(subject_, budget_, std::move(settings));
    request.exhaustive = true;
    TwinsWatch twins_watch;
    twins_watch.stop = watch_.stop;
    twins_watch.progress = [this](const TwinsProgress&) { tell(0); };
    const auto outcome = run_twins(request, twins_watch);
    if (!outcome) return tl::unexpected(outcome.error());
    const SearchResult& search = *outcome->search;
    result_.seconds += outcome->seconds;
    result_.unknown = outcome->tally.unknown;
    std::optional<FirstViolation> first;
    if (!search.broken.empty())
      first = FirstViolation{search.executions, search.broken.front().property, search.broken.front().kind};
    add(search.executions, first);
    return search.executions;
  }

  Result<void> hunt() {
    twins::Settings settings = drawn_settings(subject_, budget_);
    settings.step3.count = kEndless;
    const auto hunt = Hunt::make(*subject_.runner, settings, subject_.properties,
                                 {budget_.threads, GuideChoice::kCoverage, watch_.stop});
    if (!hunt) return tl::unexpected(hunt.error());
    const nika::Watch clock;
    for (Wide before = 0; before < budget_.executions && !result_.found && !watch_.is_stopped();) {
      auto sightings = (*hunt)->next();
      if (!sightings) return tl::unexpected(sightings.error());
      const Wide tried = std::min<Wide>((*hunt)->tried(), budget_.executions);
      for (Sighting& sighting : *sightings) sighting.position = sighting.index - before;
      add(tried - before, first_of(*sightings));
      before = tried;
      tell(0);
    }
    result_.seconds = clock.seconds();
    return {};
  }

  struct Fuzz {
    byzzfuzz::Scope scope = byzzfuzz::Scope::kSmall;
    bool has_twins = false;
    unsigned lies = kLies;
    unsigned outages = kOutages;
    bool is_exhaustive = false;
    byzzfuzz::Guide guide = byzzfuzz::Guide::kNone;
  };

  FuzzRequest fuzz_request(const Fuzz& fuzz) const {
    const Runner& runner = *subject_.runner;
    FuzzRequest request;
    request.runner = &runner;
    request.properties = subject_.properties;
    byzzfuzz::Settings& settings = request.settings;
    settings.bugs = bugs_of(subject_);
    settings.nodes = nodes_of(runner);
    settings.faults = kFaults;
    settings.lies = fuzz.lies;
    settings.outages = fuzz.outages;
    settings.last_round = (fuzz.is_exhaustive ? kSearchedViews : kFuzzedViews) * runner.protocol_rounds();
    settings.scope = fuzz.scope;
    settings.has_twins = fuzz.has_twins;
    settings.guide = fuzz.guide;
    settings.runs = budget_.executions;
    settings.seed = budget_.seed;
    set_protocol(settings, runner, subject_.properties);
    // Who goes through all of them is asked for a part that does not depend on the number of threads.
    request.threads = fuzz.is_exhaustive ? 1 : budget_.threads;
    request.is_exhaustive = fuzz.is_exhaustive;
    request.most_runs = budget_.executions - result_.executions;
    request.stops_at_first = true;
    request.max_findings = 0;
    return request;
  }

  Result<void> fuzz(const Fuzz& asked) {
    const FuzzRequest request = fuzz_request(asked);
    if (auto sound = byzzfuzz::check(request.settings); !sound) return cannot(sound.error().message);
    FuzzWatch fuzz_watch;
    fuzz_watch.stop = watch_.stop;
    fuzz_watch.progress = [this, &asked](const FuzzProgress& p) { tell(asked.is_exhaustive ? Wide{0} : p.executed); };
    const auto outcome = asked.is_exhaustive                     ? search_fuzz(request, fuzz_watch)
                         : asked.guide != byzzfuzz::Guide::kNone ? run_guided_fuzz(request, fuzz_watch)
                                                                 : run_fuzz(request, fuzz_watch);
    if (!outcome) return tl::unexpected(outcome.error());
    result_.seconds += outcome->seconds;
    result_.unknown += outcome->tally.unknown;
    add(outcome->tally.executed, outcome->first);
    return {};
  }

  // Up to c = d = 1, one fault before two.
  Result<void> fuzz_all() {
    for (const Fuzz& part :
         {Fuzz{.lies = 0, .outages = 1, .is_exhaustive = true}, Fuzz{.lies = 1, .outages = 0, .is_exhaustive = true},
          Fuzz{.lies = 1, .outages = 1, .is_exhaustive = true}}) {
      const bool goes_on = !result_.found && result_.executions < budget_.executions && !watch_.is_stopped();
      if (!goes_on) break;
      if (auto done = fuzz(part); !done || !result_.inapplicable.empty()) return done;
    }
    return {};
  }

  const Subject& subject_;
  const Budget& budget_;
  const Watch& watch_;
  Attempt result_;
};

Result<std::vector<Strategy>> strategies_named(const std::vector<std::string>& names) {
  if (names.empty()) return std::vector<Strategy>(kStrategies.begin(), kStrategies.end());
  std::vector<Strategy> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(kStrategies, name, &name_of);
    if (found == kStrategies.end()) {
      std::vector<std::string_view> known;
      for (const Strategy strategy : kStrategies) known.push_back(name_of(strategy));
      return bad_input(fmt::format("read strategy \"{}\", expected one of {}", name, fmt::join(known, ", ")));
    }
    if (std::ranges::find(chosen, *found) == chosen.end()) chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::kTwins: return "twins";
    case Strategy::kTwinsExhaustive: return "twins-exhaustive";
    case Strategy::kTwinsGuided: return "twins-guided";
    case Strategy::kFuzzSmall: return "fuzz-small";
    case Strategy::kFuzzAny: return "fuzz-any";
    case Strategy::kFuzzBaseline: return "fuzz-baseline";
    case Strategy::kFuzzExhaustive: return "fuzz-exhaustive";
    case Strategy::kFuzzGuided: return "fuzz-guided";
    case Strategy::kFuzzTwins: return "fuzz-twins";
  }
  return {};
}

Result<Plan> plan_of(const Registry& registry, const Choice& choice) {
  Plan plan;
  auto strategies = strategies_named(choice.strategies);
  if (!strategies) return tl::unexpected(strategies.error());
  plan.strategies = *std::move(strategies);
  if (!choice.protocol.empty()) {
    if (auto known = registry.find(choice.protocol); !known) return tl::unexpected(known.error());
  }
  for (const auto& runner : registry.runners()) {
    if (!choice.protocol.empty() && runner->name() != choice.protocol) continue;
    std::vector<std::string> bugs{""};
    bugs.insert(bugs.end(), runner->bugs().begin(), runner->bugs().end());
    for (const std::string& bug : bugs) {
      if (!choice.bug.empty() && choice.bug != (bug.empty() ? kNoBug : bug)) continue;
      plan.subjects.push_back({runner.get(), bug, properties_of(registry, *runner, bug)});
    }
  }
  if (!plan.subjects.empty()) return plan;
  return bad_input(choice.protocol.empty() ? fmt::format("no protocol has a bug \"{}\"", choice.bug)
                                           : fmt::format("protocol {} has no bug \"{}\"", choice.protocol, choice.bug));
}

Result<Attempt> attempt(const Subject& subject, Strategy strategy, const Budget& budget, const Watch& watch) {
  return Trial(subject, strategy, budget, watch).run();
}

bool Row::is_found() const { return std::ranges::any_of(attempts, &Attempt::found); }

Result<bool> run(const Plan& plan, const Budget& budget, const Watch& watch,
                 const std::function<void(const Row&)>& told) {
  for (const Subject& subject : plan.subjects) {
    Row row{&subject, {}};
    for (const Strategy strategy : plan.strategies) {
      if (watch.is_stopped()) break;
      auto result = attempt(subject, strategy, budget, watch);
      if (!result) return tl::unexpected(result.error());
      row.attempts.push_back(*std::move(result));
    }
    if (!row.attempts.empty()) told(row);
    if (watch.is_stopped()) return false;
  }
  return true;
}

}  // namespace nika::zoo
