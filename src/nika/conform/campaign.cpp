#include "nika/conform/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "nika/base/threads.hpp"
#include "nika/campaign/fuzz_campaign.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/conform/in_turn.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/scenarios/steps/steps_generator.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika::conform {
namespace {

constexpr unsigned kDrawnRounds = 5;
constexpr unsigned kHealRounds = 4;
constexpr unsigned kTimeouts = 3;      // in an asynchronous run
constexpr unsigned kLies = 2;          // rounds with lies
constexpr unsigned kOutages = 2;       // rounds with outages
constexpr std::uint64_t kChunk = 256;  // runs after which a thread tells what it has done
constexpr std::array kDrawn{Source::kTwins, Source::kLies, Source::kUniformSteps, Source::kPrioritySteps};

bool is_of_steps(Source source) { return source == Source::kUniformSteps || source == Source::kPrioritySteps; }
NetworkModel network_of(Source source) { return is_of_steps(source) ? NetworkModel::kSteps : NetworkModel::kRounds; }

// Who leads, and where leading means to begin with 1 how many do: the last node, the last two, and so on to all.
twins::LeaderChoice leaders_of(const Request& request) {
  twins::LeaderChoice leaders;
  leaders.kind = twins::LeaderChoice::Kind::kAll;
  if (!request.pair->varies_inputs()) return leaders;
  leaders.kind = twins::LeaderChoice::Kind::kList;
  for (unsigned ones = 1; ones <= request.nodes; ++ones)
    leaders.list.push_back(IdentitySet::first(request.nodes) - IdentitySet::first(request.nodes - ones));
  return leaders;
}

twins::Settings twins_settings(const Request& request) {
  twins::Settings settings;
  settings.protocol = request.runner->name();
  settings.bugs = request.bugs;
  settings.nodes = request.nodes;
  settings.twins = request.faulty;
  settings.clients = request.runner->clients();
  settings.leaders = leaders_of(request);
  settings.at_most = true;
  settings.heal_rounds = kHealRounds;
  settings.seed = request.seed;
  return settings;
}

byzzfuzz::Settings fuzz_settings(const Request& request, std::uint64_t runs) {
  byzzfuzz::Settings settings;
  settings.bugs = request.bugs;
  settings.nodes = request.nodes;
  settings.faults = request.faulty;
  settings.lies = kLies;
  settings.outages = kOutages;
  settings.scope = byzzfuzz::Scope::kAny;
  settings.runs = runs;
  settings.seed = request.seed;
  set_protocol(settings, *request.runner, {});
  settings.last_round = kDrawnRounds * settings.protocol_rounds;
  return settings;
}

// What the runs of one source have in common. Spaces and sessions that a generator needs live beside it.
class Runs {
 public:
  // No generator: `skipped` says why.
  static Result<Runs> make(const Request& request, Source source, std::uint64_t drawn) {
    Runs runs;
    switch (source) {
      case Source::kTwinsExhaustive: return runs.make_space(request);
      case Source::kTwins: return runs.make_phases(request, drawn);
      case Source::kLies: return runs.make_lies(request, drawn);
      default: return runs.make_steps(request, source, drawn);
    }
  }

  std::unique_ptr<Generator> generator;
  std::string skipped;

 private:
  Result<Runs> make_space(const Request& request) {
    twins::Settings settings = twins_settings(request);
    settings.rounds = request.rounds;
    auto space = twins::Space::make(settings);
    if (!space) return tl::unexpected(space.error());
    space_ = std::make_unique<twins::Space>(*std::move(space));
    generator = std::make_unique<twins::TwinsGenerator>(*space_);
    return std::move(*this);
  }
  Result<Runs> make_phases(const Request& request, std::uint64_t drawn) {
    twins::Settings settings = twins_settings(request);
    settings.rounds = kDrawnRounds;
    settings.granularity = twins::Granularity::kPhase;
    settings.one_way = true;
    settings.order = twins::OrderChoice::kSampled;
    // Larger clusters have more under way than there is room for if much of it is late, or comes twice.
    const bool is_large = request.pair->varies_inputs();
    settings.disturbances = {.late_rounds = is_large ? 1U : 2U,
                             .repeats = !is_large,
                             .early_timeouts = true,
                             .receiver_orders = true,
                             .crashes = 1};
    settings.step3 = {twins::Selection::Kind::kRandom, drawn};
    auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(request.runner->kinds().size()));
    if (!sampler) return tl::unexpected(sampler.error());
    generator = std::make_unique<phases::Sampler>(*std::move(sampler));
    return std::move(*this);
  }
  Result<Runs> make_lies(const Request& request, std::uint64_t drawn) {
    const byzzfuzz::Settings settings = fuzz_settings(request, drawn);
    if (settings.leaves.empty()) skipped = "nobody has said what a liar may say otherwise";
    if (request.faulty == 0) skipped = "nobody lies";
    if (!skipped.empty()) return std::move(*this);
    if (auto sound = byzzfuzz::check(settings); !sound) return tl::unexpected(sound.error());
    generator = std::make_unique<byzzfuzz::FuzzGenerator>(settings);
    return std::move(*this);
  }
  Result<Runs> make_steps(const Request& request, Source source, std::uint64_t drawn) {
    const twins::Settings settings = twins_settings(request);
    steps::Drawing drawing;
    drawing.draw = source == Source::kUniformSteps ? steps::Draw::kUniform : steps::Draw::kPriorities;
    drawing.timers = kTimeouts;
    Scenario base = twins::steps_base(settings);
    const auto cluster = cluster_of(base, request.runner->bugs());
    if (!cluster) return tl::unexpected(cluster.error());
    auto player = request.pair->open(*request.automaton, *cluster, NetworkModel::kSteps);
    if (!player) return tl::unexpected(player.error());
    const auto play = [session = std::shared_ptr<Session>(*std::move(player))](Schedule& schedule) {
      (void)session->run(schedule);
    };
    if (!request.pair->varies_inputs()) {
      generator = std::make_unique<steps::StepsGenerator>(base, drawing, request.seed, drawn, play);
      return std::move(*this);
    }
    std::vector<std::unique_ptr<Generator>> generators;
    for (const IdentitySet leaders : settings.leaders.list) {
      base.rounds[0].leaders = leaders;
      generators.push_back(std::make_unique<steps::StepsGenerator>(base, drawing, request.seed, drawn, play));
    }
    generator = std::make_unique<GeneratorsInTurn>(std::move(generators), drawn);
    return std::move(*this);
  }

  std::unique_ptr<twins::Space> space_;
};

// One source, on all threads.
class Campaign {
 public:
  Campaign(const Request& request, const Watched& watched, Outcome& outcome)
      : request_(request), watched_(watched), outcome_(outcome) {}

  Result<void> run(Source source, std::uint64_t drawn) {
    const auto runs = Runs::make(request_, source, drawn);
    if (!runs) return tl::unexpected(runs.error());
    Part part{.source = source, .skipped = runs->skipped};
    if (runs->generator != nullptr) {
      if (auto done = run(*runs->generator, part); !done) return done;
    }
    outcome_.parts.push_back(std::move(part));
    return {};
  }
  void expect(std::uint64_t runs) { asked_ = runs; }

 private:
  Result<void> run(const Generator& generator, Part& part) {
    std::vector<std::unique_ptr<Session>> sessions;
    Cluster cluster = generator.cluster();
    const auto bugs = bug_bits(request_.bugs, request_.runner->bugs(), request_.runner->name());
    if (!bugs) return tl::unexpected(bugs.error());
    cluster.bugs = *bugs;
    for (unsigned t = 0; t < request_.threads; ++t) {
      auto session = request_.pair->open(*request_.automaton, cluster, network_of(part.source));
      if (!session) return tl::unexpected(session.error());
      sessions.push_back(*std::move(session));
    }
    std::atomic<std::uint64_t> next = 0;
    const auto size = static_cast<std::uint64_t>(*generator.size());
    run_on_threads(request_.threads, [&](unsigned t) {
      const auto schedule = generator.schedule();
      for (std::uint64_t at = next.fetch_add(kChunk); at < size && !is_stopped(); at = next.fetch_add(kChunk)) {
        Part chunk{.source = part.source};
        for (std::uint64_t i = at; i < std::min(at + kChunk, size); ++i) run_one(*sessions[t], *schedule, i, chunk);
        const std::scoped_lock lock(mutex_);
        part.add(chunk);
        done_ += chunk.runs;
        if (watched_.progress) watched_.progress(done_, std::max(asked_, done_));
      }
    });
    if (part.first) part.first->scenario = generator.scenario(part.first->index);
    for (const auto& session : sessions) {
      for (std::size_t r = 0; r < outcome_.taken.size(); ++r) outcome_.taken[r] += session->taken()[r];
    }
    return {};
  }

  static void run_one(Session& session, IndexedSchedule& schedule, std::uint64_t index, Part& part) {
    schedule.seek(index);
    FollowedRun run = session.run(schedule);
    ++part.runs;
    part.steps += run.steps;
    part.moves += run.moves;
    part.cut_short += run.was_cut_short ? 1 : 0;
    if (!run.misfit) return;
    ++part.misfits;
    if (!part.first) part.first = Finding{part.source, index, *std::move(run.misfit), {}};
  }
  bool is_stopped() const { return watched_.stop != nullptr && watched_.stop->load(); }

  const Request& request_;
  const Watched& watched_;
  Outcome& outcome_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t asked_ = 0;
};

void conclude(Outcome& outcome, bool was_stopped) {
  const Part total = outcome.total();
  if (total.misfits > 0) {
    outcome.conclusion = Conclusion::kViolated;
  } else if (was_stopped) {
    outcome.reason = fmt::format("it was interrupted after {} runs", total.runs);
  } else if (total.runs > 0 && total.cut_short == total.runs) {
    outcome.reason = "no run could be followed to its end";
  } else if (total.moves == 0) {
    outcome.reason = "no replica did anything that the automaton would have to explain";
  } else {
    outcome.conclusion = Conclusion::kNoneFound;
  }
}

}  // namespace

std::string_view name_of(Source source) {
  switch (source) {
    case Source::kTwinsExhaustive: return "twins-exhaustive";
    case Source::kTwins: return "twins";
    case Source::kLies: return "lies";
    case Source::kUniformSteps: return "steps-uniform";
    case Source::kPrioritySteps: break;
  }
  return "steps-priorities";
}

void Part::add(const Part& other) {
  runs += other.runs;
  steps += other.steps;
  moves += other.moves;
  misfits += other.misfits;
  cut_short += other.cut_short;
  if (other.first && (!first || other.first->index < first->index)) first = other.first;
}

Part Outcome::total() const {
  Part total;
  for (const Part& part : parts) total.add(part);
  return total;
}

std::size_t Outcome::rules_covered() const {
  return static_cast<std::size_t>(std::ranges::count_if(taken, [](std::uint64_t times) { return times > 0; }));
}

Result<Outcome> run(const Request& request, const Watched& watched) {
  Outcome outcome;
  outcome.taken.assign(request.automaton->rules.size(), 0);
  const Watch watch;
  Campaign campaign(request, watched, outcome);
  campaign.expect(request.runs);
  if (request.rounds > 0) {
    if (auto done = campaign.run(Source::kTwinsExhaustive, 0); !done) return tl::unexpected(done.error());
  }
  for (std::size_t k = 0; k < kDrawn.size(); ++k) {
    const std::uint64_t share = request.runs / kDrawn.size() + (k < request.runs % kDrawn.size() ? 1 : 0);
    if (share == 0) continue;
    if (auto done = campaign.run(kDrawn[k], share); !done) return tl::unexpected(done.error());
  }
  outcome.seconds = watch.seconds();
  conclude(outcome, watched.stop != nullptr && watched.stop->load());
  return outcome;
}

Result<FollowedRun> follow(const Request& request, const Scenario& scenario, std::vector<std::uint64_t>& taken) {
  const auto cluster = cluster_of(scenario, request.runner->bugs());
  if (!cluster) return tl::unexpected(cluster.error());
  auto session =
      request.pair->open(*request.automaton, *cluster, scenario.steps ? NetworkModel::kSteps : NetworkModel::kRounds);
  if (!session) return tl::unexpected(session.error());
  RecordedSchedule schedule(scenario);
  const FollowedRun run = (*session)->run(schedule);
  taken = (*session)->taken();
  return run;
}

}  // namespace nika::conform
