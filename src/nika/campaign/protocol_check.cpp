#include "nika/campaign/protocol_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

#include "nika/base/random.hpp"
#include "nika/campaign/allocations.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/timed/timed_generator.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"
#include "nika/store/scenario_json.hpp"
#include "nika/store/trace_data.hpp"

namespace nika {
namespace {

constexpr std::array<CheckName, 7> kNames{{
    {"determinism", "a schedule that is run again, in another session, thread and order, gives the same run"},
    {"allocation", "a run allocates nothing"},
    {"replay", "a schedule that is written to a file and read again gives the same trace"},
    {"copies", "a run that goes on from a copied world ends like one from the start"},
    {"folding", "a run through folded worlds goes through the same worlds, folded, and is judged alike"},
    {"renaming", "with nodes renamed that never lead, a run ends in the renamed world and is judged alike"},
    {"search", "the exhaustive search counts like running every scenario, with each reduction on and off"},
}};

// All that is to be the same when a schedule is run again.
struct Seen {
  Outcome outcome;
  Fingerprint ending;
  Fingerprint trace;
};

// The outcome without how many messages it took; nothing if they are alike.
std::string difference(const Outcome& one, const Outcome& other) {
  for (std::size_t i = 0; i < one.judgements.size(); ++i) {
    const Judgement& a = one.judgements[i];
    const Judgement& b = other.judgements[i];
    if (a.verdict == b.verdict && a.unjudged == b.unjudged && a.evidence.kind == b.evidence.kind) continue;
    return fmt::format("{} is {} once and {} then", a.property->name, name_of(a.verdict), name_of(b.verdict));
  }
  if (one.rounds != other.rounds || one.has_committed != other.has_committed || one.overflowed != other.overflowed)
    return "the runs do not last equally long";
  return {};
}
std::string difference(const Seen& one, const Seen& other) {
  if (const std::string outcome = difference(one.outcome, other.outcome); !outcome.empty()) return outcome;
  if (one.trace != other.trace) return "the traces differ";
  return one.ending != other.ending ? "the worlds at the end differ" : "";
}

std::string counts_text(const Tally& tally) {
  return fmt::format("{} violating, {} unknown, {} committing", to_string(tally.violating), to_string(tally.unknown),
                     to_string(tally.committed));
}
bool counts_alike(Tally one, Tally other) {
  one.executed = other.executed = one.violating_runs = other.violating_runs = 0;
  return one == other;
}

using Configurations = std::vector<std::uint32_t>;

// A partition stays for a few rounds, or nobody would fall behind.
Configurations drawn(Random& random, const twins::Space& space) {
  Configurations scenario(space.rounds());
  for (std::size_t r = 0; r < scenario.size(); ++r) {
    const bool stays = r > 0 && random.below(4) != 0;
    scenario[r] = stays ? scenario[r - 1] : static_cast<std::uint32_t>(random.below(space.configurations().size()));
  }
  return scenario;
}

// The first rounds of the scenario that still show the fault, and of those only the ones that are needed.
template <class Fault>
Configurations smallest(Configurations scenario, const Fault& fault) {
  std::size_t length = 1;
  while (length < scenario.size() && fault(ConfigurationsOf(scenario).first(length)).empty()) ++length;
  scenario.resize(length);
  for (std::size_t left_out = 0; left_out < scenario.size() && scenario.size() > 1;) {
    Configurations shorter;
    for (std::size_t r = 0; r < scenario.size(); ++r) {
      if (r != left_out) shorter.push_back(scenario[r]);
    }
    if (fault(shorter).empty()) {
      ++left_out;
    } else {
      scenario = shorter;
    }
  }
  return scenario;
}

class ProtocolCheck {
 public:
  ProtocolCheck(const Runner& runner, const Properties& properties, const CheckOptions& options)
      : runner_(runner), properties_(properties), options_(options) {
    results_.reserve(kNames.size());  // results stay where they are
  }

  Result<std::vector<CheckResult>> run() {
    if (auto ready = draw_schedules(); !ready) return tl::unexpected(ready.error());
    check_runs();
    check_replay();
    check_copies();
    check_worlds();
    check_search();
    return std::move(results_);
  }

 private:
  CheckResult& begin(std::size_t number) {
    results_.push_back({.name = kNames[number].name});
    return results_.back();
  }
  static void fail(CheckResult& result, std::string what, std::optional<Scenario> scenario = {}) {
    result.status = CheckStatus::kWrong;
    result.what = std::move(what);
    result.scenario = std::move(scenario);
  }
  static void skip(CheckResult& result, std::string why) {
    result.status = CheckStatus::kNotApplicable;
    result.what = std::move(why);
  }
  Result<void> draw_schedules();
  std::unique_ptr<Session> session() const { return *runner_.open(setup_); }
  std::vector<Seen> run_all(bool backwards) const;
  void check_runs();
  void check_replay();
  void check_copies();
  void check_worlds();
  void check_space(const twins::Space& space, CheckResult& folding, CheckResult& renaming);
  void check_search();
  void check_search(const twins::Space& space, const Properties& properties, CheckResult& result);
  Scenario told(const twins::Space& space, const Configurations& configurations) const {
    return space.scenario(0, configurations);
  }
  std::vector<twins::Space> spaces(std::initializer_list<twins::Settings> list) const;

  const Runner& runner_;
  const Properties properties_;
  const CheckOptions& options_;
  std::unique_ptr<const Generator> schedules_;
  Setup setup_;
  std::vector<CheckResult> results_;
};

// All that the network may do, or, where a protocol is synchronous, all delays that its assumption leaves.
Result<void> ProtocolCheck::draw_schedules() {
  const auto kinds = static_cast<unsigned>(runner_.kinds().size());
  if (runner_.is_synchronous()) {
    Scenario base;
    base.protocol = runner_.name();
    base.bugs = options_.bugs;
    base.node_count = 5;
    base.fault_count = 2;
    base.copies = {2, 2};
    base.client_count = static_cast<std::uint8_t>(runner_.clients());
    base.rounds.resize(3);
    base.heal_leaders = {Identity{0}, Identity{1}, Identity{2}, Identity{3}, Identity{4}};
    base.timing = Timing{.delta_ticks = 2, .ticks = 40, .delay_ticks = 1};
    const timed::Adversary adversary{.views = 3, .kinds = kinds, .leaders = timed::anybody(base.node_count)};
    schedules_ = std::make_unique<timed::TimedGenerator>(base, adversary, options_.seed, options_.scenarios);
  } else {
    twins::Settings settings{.protocol = std::string(runner_.name()), .bugs = options_.bugs};
    settings.clients = runner_.clients();
    settings.at_most = true;
    settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
    settings.order = twins::OrderChoice::kSampled;
    settings.granularity = twins::Granularity::kPhase;
    settings.one_way = true;
    settings.heal_leaders = twins::HealLeaders::kHonest;
    settings.heal_rounds = runner_.heal_rounds();
    settings.disturbances = {2, true, true, true, 1};
    settings.step3 = {twins::Selection::Kind::kRandom, options_.scenarios};
    settings.seed = options_.seed;
    auto sampler = phases::Sampler::make(settings, kinds);
    if (!sampler) return tl::unexpected(sampler.error());
    schedules_ = std::make_unique<phases::Sampler>(*std::move(sampler));
  }
  setup_ = {schedules_->cluster(), options_.bugs, properties_,
            runner_.is_synchronous() ? NetworkModel::kTicks : NetworkModel::kRounds};
  const auto opened = runner_.open(setup_);
  return opened ? Result<void>() : tl::unexpected(opened.error());
}

std::vector<Seen> ProtocolCheck::run_all(bool backwards) const {
  const auto runs = session();
  const auto schedule = schedules_->schedule();
  std::vector<Seen> seen(options_.scenarios);
  Trace trace;
  for (unsigned n = 0; n < options_.scenarios; ++n) {
    const unsigned i = backwards ? options_.scenarios - 1 - n : n;
    trace.clear();
    schedule->seek(i);
    seen[i].outcome = runs->run(*schedule, &trace);
    seen[i].ending = runs->ending();
    seen[i].trace = store::fingerprint_of(trace);
  }
  return seen;
}

void ProtocolCheck::check_runs() {
  CheckResult& repeated = begin(0);
  const std::vector<Seen> first = run_all(false);
  std::vector<Seen> second;
  std::thread([&] { second = run_all(true); }).join();
  for (unsigned i = 0; i < options_.scenarios && repeated.status == CheckStatus::kOk; ++i) {
    ++repeated.cases;
    if (const std::string what = difference(first[i], second[i]); !what.empty())
      fail(repeated, "the same schedule was run twice: " + what, schedules_->scenario(i));
  }
  CheckResult& silent = begin(1);
  if (!counts_allocations()) return skip(silent, "a sanitizer of threads allocates by itself");
  const auto runs = session();
  const auto schedule = schedules_->schedule();
  for (const bool counts : {false, true}) {  // buffers grow to what the largest run needs first
    for (unsigned i = 0; i < options_.scenarios && silent.status == CheckStatus::kOk; ++i) {
      schedule->seek(i);
      const std::uint64_t before = allocation_count();
      (void)runs->run(*schedule);
      const std::uint64_t allocated = allocation_count() - before;
      silent.cases += counts ? 1 : 0;
      if (counts && allocated > 0)
        fail(silent, fmt::format("a run allocates memory, {} times", allocated), schedules_->scenario(i));
    }
  }
}

void ProtocolCheck::check_replay() {
  CheckResult& result = begin(2);
  const store::Vocabulary words = words_of(runner_);
  const std::vector<Seen> drawn_runs = run_all(false);
  for (unsigned i = 0; i < options_.scenarios && result.status == CheckStatus::kOk; ++i) {
    ++result.cases;
    const Scenario scenario = schedules_->scenario(i);
    const auto read = store::scenario_from_json(store::to_json(scenario, words), "the scenario",
                                                [&](std::string_view) -> Result<store::Vocabulary> { return words; });
    if (!read) return fail(result, read.error().message, scenario);
    Trace trace;
    const auto outcome = run_scenario(runner_, *read, properties_, &trace);
    if (!outcome) return fail(result, outcome.error().message, scenario);
    const Seen replayed{*outcome, drawn_runs[i].ending, store::fingerprint_of(trace)};
    if (const std::string what = difference(drawn_runs[i], replayed); !what.empty())
      fail(result, "a recorded scenario was run again: " + what, scenario);
  }
}

void ProtocolCheck::check_copies() {
  CheckResult& result = begin(3);
  const auto runs = session();
  if (runs->copying() == nullptr) return skip(result, "worlds of this protocol are not copied");
  const auto schedule = schedules_->schedule();
  std::vector<guided::Reached> reached;
  for (unsigned i = 0; i < options_.scenarios && result.status == CheckStatus::kOk; ++i) {
    schedule->seek(i);
    const Seen plain{runs->run(*schedule), runs->ending(), {}};
    const Prefix prefix{i + 1, 1 + i % schedule->scheduled_rounds()};
    for (const bool is_copied : {false, true}) {
      result.cases += is_copied ? 1 : 0;
      const Seen seen{runs->copying()->run(*schedule, prefix, reached), runs->ending(), {}};
      if (const std::string what = difference(plain, seen); !what.empty())
        fail(result, fmt::format("a run went on from a copy after round {}: {}", prefix.rounds, what),
             schedules_->scenario(i));
    }
  }
}

std::vector<twins::Space> ProtocolCheck::spaces(std::initializer_list<twins::Settings> list) const {
  std::vector<twins::Space> result;
  for (twins::Settings settings : list) {
    settings.protocol = runner_.name();
    settings.bugs = options_.bugs;
    settings.clients = runner_.clients();
    auto space = twins::Space::make(settings);
    if (space) result.push_back(*std::move(space));
  }
  return result;
}

const twins::LeaderChoice kTwoLead{twins::LeaderChoice::Kind::kList,
                                   {IdentitySet{Identity{0}}, IdentitySet{Identity{1}}}};
const twins::LeaderChoice kAnyoneLeads{twins::LeaderChoice::Kind::kAll, {}};

void ProtocolCheck::check_worlds() {
  CheckResult folding{.name = kNames[4].name};
  CheckResult renaming{.name = kNames[5].name};
  if (runner_.is_synchronous()) {
    skip(folding, "a synchronous protocol is not explored");
    skip(renaming, "a synchronous protocol is not explored");
  } else {
    const std::vector<Crash> crashes{{Seat{4}, Round(3), Round(5), false}, {Seat{2}, Round(8), Round(9), false}};
    for (const twins::Space& space : spaces({{.rounds = 12},
                                             {.partitions = 3, .at_most = true, .rounds = 12, .leaders = kTwoLead},
                                             {.twins = 2, .rounds = 8},
                                             {.rounds = 12, .crashes = crashes}})) {
      check_space(space, folding, renaming);
    }
    if (folding.cases == 0) skip(folding, "the protocol neither folds nor forgets");
    if (renaming.cases == 0) skip(renaming, "anyone may propose, so that nobody is renamed");
  }
  results_.push_back(std::move(folding));
  results_.push_back(std::move(renaming));
}

void ProtocolCheck::check_space(const twins::Space& space, CheckResult& folding, CheckResult& renaming) {
  const auto opened = *runner_.open({space.cluster(), options_.bugs, properties_});
  const auto comparing = opened->comparing(space);
  Random random(options_.seed);
  for (unsigned i = 0; i < options_.scenarios; ++i) {
    const Configurations scenario = drawn(random, space);
    const std::size_t number = random.below(comparing->renaming_count());
    const auto folding_fault = [&](ConfigurationsOf c) { return comparing->folding_fault(c); };
    const auto renaming_fault = [&](ConfigurationsOf c) { return comparing->renaming_fault(c, number); };
    const auto compare = [&](CheckResult& result, const auto& fault) {
      ++result.cases;
      if (fault(scenario).empty()) return;
      const Configurations small = smallest(scenario, fault);
      fail(result, fault(small), told(space, small));
    };
    if (comparing->has_folding() && folding.status == CheckStatus::kOk) compare(folding, folding_fault);
    if (number > 0 && renaming.status == CheckStatus::kOk) compare(renaming, renaming_fault);
  }
}

void ProtocolCheck::check_search() {
  CheckResult& result = begin(6);
  if (runner_.is_synchronous()) return skip(result, "a synchronous protocol is not explored");
  const unsigned heals = runner_.heal_rounds();
  const auto honest = twins::HealLeaders::kHonest;
  for (const twins::Space& space :
       spaces({{.rounds = options_.rounds},
               {.at_most = true, .rounds = 2, .heal_rounds = heals, .leaders = kTwoLead},
               {.twins = 2, .rounds = 2},
               {.rounds = 2, .heal_rounds = heals, .heal_leaders = honest, .leaders = kAnyoneLeads}})) {
    check_search(space, only(kAgreement), result);
    check_search(space, properties_, result);
  }
}

// Sweeps the space and searches it, with and without folding and renaming.
void ProtocolCheck::check_search(const twins::Space& space, const Properties& properties, CheckResult& result) {
  if (result.status != CheckStatus::kOk) return;
  const Setup setup{space.cluster(), options_.bugs, properties};
  const twins::TwinsGenerator generator(space);
  RangeWork work({0, *space.size()});
  const auto swept = sweep(runner_, setup, generator, work, {});
  const auto opened = runner_.open(setup);
  if (!swept || !opened) return fail(result, swept ? opened.error().message : swept.error().message);
  for (const bool folds : {false, true}) {
    for (const bool renames : {false, true}) {
      SearchOptions options;
      options.folds = folds;
      options.renames = renames;
      const auto found = (*opened)->search(space, options);
      if (!found) return fail(result, found.error().message);
      result.cases += static_cast<std::uint64_t>(*space.size());
      const std::string how = fmt::format("the search that {} and {}", folds ? "folds" : "does not fold",
                                          renames ? "renames" : "does not rename");
      for (const BrokenPrefix& broken : found->broken) {
        Configurations whole = broken.configurations;
        whole.resize(space.rounds(), whole.back());
        const auto outcome = run_scenario(runner_, told(space, whole), properties);
        if (outcome && outcome->judgements[broken.property].verdict == Verdict::kViolated) continue;
        return fail(result,
                    fmt::format("{} reports that {} is broken, and running it does not", how,
                                properties[broken.property]->name),
                    told(space, whole));
      }
      if (counts_alike(found->tally, swept->tally)) continue;
      return fail(result, fmt::format("{} counts {}; running all {} scenarios, {}", how, counts_text(found->tally),
                                      to_string(*space.size()), counts_text(swept->tally)));
    }
  }
}

}  // namespace

std::string_view name_of(CheckStatus status) {
  constexpr std::array<std::string_view, 3> kStatus{"ok", "wrong", "not_applicable"};
  return kStatus[static_cast<std::size_t>(status)];
}

std::span<const CheckName> check_names() { return kNames; }

Result<std::vector<CheckResult>> check_protocol(const Runner& runner, const Properties& properties,
                                                const CheckOptions& options) {
  return ProtocolCheck(runner, properties, options).run();
}

}  // namespace nika
