#include "nika/campaign/twins_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "nika/base/program_fingerprint.hpp"
#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/campaign/index_work.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/recorded/step_names.hpp"
#include "nika/scenarios/steps/steps_generator.hpp"
#include "nika/scenarios/timed/timed_generator.hpp"
#include "nika/scenarios/twins/settings_json.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

// What to run: indices, and their positions in what would be run without a shard.
struct Asked {
  twins::Range range;
  twins::Range positions;
  Wide whole = 0;

  Wide size() const { return positions.size(); }
};

// Numbers of the space's scenarios, or of its classes.
struct Plan {
  std::optional<twins::Classes> classes;
  bool weights_are_exact = true;  // all scenarios of a class run alike
  Wide total = 0;                 // of what the range counts
  Asked asked;
};

Result<Asked> asked_range(const TwinsRequest& request, Wide total) {
  twins::Range range{0, total};
  if (!request.range.empty()) {
    const auto parsed = twins::parse_range(request.range, total);
    if (!parsed) return tl::unexpected(parsed.error());
    range = *parsed;
  }
  Asked asked{range, {0, range.size()}, range.size()};
  if (!request.shard.empty()) {
    const auto shard = twins::parse_shard(request.shard);
    if (!shard) return tl::unexpected(shard.error());
    asked.range = twins::part_of(range, *shard);
    asked.positions = {asked.range.begin - range.begin, asked.range.end - range.begin};
  }
  return asked;
}

Result<Wide> size_of(const twins::Space& space) {
  if (space.size()) return *space.size();
  return bad_input(
      fmt::format("the space has {} scenarios, 2^128 or more: select some with --step3 first:X, or cover it "
                  "with --exhaustive",
                  space.counts().scenarios.get_str()));
}

Result<Plan> plan_of(const TwinsRequest& request, const twins::Space& space) {
  const auto size = size_of(space);
  if (!size) return tl::unexpected(size.error());
  Plan plan;
  plan.total = *size;
  if (request.symmetry) {
    auto classes = twins::Classes::make(space, *request.symmetry);
    if (!classes) return tl::unexpected(classes.error());
    plan.classes.emplace(*std::move(classes));
    if (*request.symmetry != twins::Symmetry::kExact) {
      const auto exact = twins::Classes::make(space, twins::Symmetry::kExact);
      if (!exact) return tl::unexpected(exact.error());
      plan.weights_are_exact = exact->count() == plan.classes->count();
    }
    plan.total = plan.classes->size().value();
  }
  const auto asked = asked_range(request, plan.total);
  if (!asked) return tl::unexpected(asked.error());
  plan.asked = *asked;
  return plan;
}

// Whether its steps select all that there is.
bool is_whole(const twins::Space& space) {
  return space.counts().scenarios == space.counts().all && space.settings().order != twins::OrderChoice::kSampled;
}

// Any continuation of a broken prefix is broken, so the smallest sequence that the assignment allows will do.
std::vector<std::uint32_t> continued(const twins::Space& space, std::vector<std::uint32_t> sequence) {
  const bool distinct = space.settings().assignment == twins::Assignment::kNoReplacement;
  const bool is_static = space.settings().assignment == twins::Assignment::kStatic;
  while (sequence.size() < space.rounds()) {
    std::uint32_t next = is_static && !sequence.empty() ? sequence.front() : 0;
    while (distinct && std::ranges::find(sequence, next) != sequence.end()) ++next;
    sequence.push_back(next);
  }
  return sequence;
}

// All that decides what comes out, beside the properties and the positions.
Result<std::string> settings_of(const TwinsRequest& request) {
  std::string in = "null";
  if (!request.in.empty()) {
    const std::string fingerprint = file_fingerprint(request.in);
    if (fingerprint.empty()) return bad_input(request.in + ": cannot be read");
    in = fmt::format("\"{}\"", fingerprint);
  }
  const auto* const symmetry = !request.symmetry                              ? "null"
                               : *request.symmetry == twins::Symmetry::kExact ? "\"exact\""
                                                                              : "\"names\"";
  // A range was read before, and holds digits and dots only.
  return fmt::format(
      R"({{"space":{},"range":{},"symmetry":{},"in":{},"stop_at_first":{},"max_findings":{},"shrink":{}}})",
      to_json(request.settings), request.range.empty() ? "null" : fmt::format("\"{}\"", request.range), symmetry, in,
      request.stops_at_first, request.max_findings, request.shrinks);
}

class Campaign {
 public:
  Campaign(const TwinsRequest& request, const TwinsWatch& watch)
      : request_(request), watch_(watch), settings_(to_json(request.settings)) {}

  Result<TwinsOutcome> run() {
    if (auto sound = check_no_lasso(request_.properties); request_.exhaustive && !sound)
      return tl::unexpected(sound.error());
    if (request_.exhaustive && !request_.place.file.empty())
      return bad_input("--campaign keeps what is run one by one: --exhaustive cannot be stopped and taken up again");
    if (request_.settings.steps) return run_steps();
    if (request_.settings.clock) return run_timed();
    if (request_.settings.granularity == twins::Granularity::kPhase) return run_phases();
    const auto space = twins::Space::make(request_.settings);
    if (!space) return tl::unexpected(space.error());
    outcome_.counts = space->counts();
    const auto done = request_.exhaustive ? search(*space) : sweep_space(*space);
    if (!done) return tl::unexpected(done.error());
    return finish();
  }

 private:
  Result<TwinsOutcome> run_phases() {
    const auto kinds = static_cast<unsigned>(request_.runner->kinds().size());
    const auto sampler = phases::Sampler::make(request_.settings, kinds);
    if (!sampler) return tl::unexpected(sampler.error());
    outcome_.counts = sampler->space().counts();
    if (auto drawn = sweep_drawn(*sampler, *sampler->size()); !drawn) return tl::unexpected(drawn.error());
    return finish();
  }

  // Delays that an adversary draws for each view, kind of message and liar.
  Result<TwinsOutcome> run_timed() {
    const twins::Settings& settings = request_.settings;
    timed::Adversary adversary;
    adversary.views = settings.rounds;
    adversary.kinds = static_cast<unsigned>(request_.runner->kinds().size());
    adversary.longest_ticks = 6 * settings.clock->delta_ticks;
    adversary.leaders = twins::leader_sets(settings, twins::cluster_of(settings).value());
    const timed::TimedGenerator generator(twins::timed_base(settings), adversary, settings.seed, settings.step3.count);
    if (auto drawn = sweep_drawn(generator, settings.step3.count); !drawn) return tl::unexpected(drawn.error());
    return finish();
  }

  Result<void> sweep_drawn(const Generator& generator, Wide count) {
    const auto asked = asked_range(request_, count);
    if (!asked) return tl::unexpected(asked.error());
    outcome_.scenarios = to_string(asked->size());
    RangeWork work(asked->range);
    return sweep_work(generator, work, *asked);
  }

  // Drawn orders of delivery, or all of them.
  Result<TwinsOutcome> run_steps() {
    const Scenario base = twins::steps_base(request_.settings);
    const Setup setup = setup_of(twins::cluster_of(request_.settings).value());
    const auto session = request_.runner->open(setup);
    if (!session) return tl::unexpected(session.error());
    const auto done = request_.exhaustive ? search_steps(base, **session) : draw_steps(base, **session);
    if (!done) return tl::unexpected(done.error());
    return finish();
  }

  Result<void> draw_steps(const Scenario& base, Session& session) {
    const twins::Settings& settings = request_.settings;
    steps::Drawing drawing = *settings.steps;
    drawing.tosses_coins = request_.runner->tosses_coins();
    const auto play = [&](Schedule& schedule) { (void)session.run(schedule); };
    // Change points are spread over as many steps as a uniform run takes.
    steps::Drawing uniform = drawing;
    uniform.draw = steps::Draw::kUniform;
    const Scenario first = steps::StepsGenerator(base, uniform, settings.seed, 1, play).scenario(0);
    drawing.expected_steps = static_cast<unsigned>(first.steps->size());
    const steps::StepsGenerator generator(base, drawing, settings.seed, settings.step3.count, play);
    return sweep_drawn(generator, settings.step3.count);
  }

  Result<void> search_steps(const Scenario& base, Session& session) {
    StepSearchOptions options{.base = base,
                              .timeouts = request_.settings.steps->timers,
                              .memory_bytes = request_.memory_bytes,
                              .stop = watch_.stop};
    if (watch_.progress)
      options.progress = [&](const SearchProgress& p) { watch_.progress({0, 0, 0, Tally(), p, false}); };
    const Watch watch;
    auto result = session.search_steps(options);
    if (!result) return tl::unexpected(result.error());
    outcome_.seconds = watch.seconds();
    outcome_.tally = result->tally;
    outcome_.is_whole = !result->was_stopped && !result->memory_was_full;
    if (!outcome_.is_whole) outcome_.reason = result->reason;
    conclude(outcome_.is_whole);
    outcome_.steps = *std::move(result);
    if (request_.max_findings == 0) return {};
    for (const BrokenSteps& broken : outcome_.steps->broken) {
      const auto added = findings().add(*request_.properties[broken.property], broken.scenario, std::nullopt);
      if (!added) return added;
    }
    return {};
  }

  Setup setup_of(const Cluster& cluster) const {
    const auto network = request_.settings.steps   ? NetworkModel::kSteps
                         : request_.settings.clock ? NetworkModel::kTicks
                                                   : NetworkModel::kRounds;
    return {cluster, request_.settings.bugs, request_.properties, network};
  }

  Result<void> sweep_space(const twins::Space& space) {
    auto plan = request_.in.empty() ? plan_of(request_, space) : Plan{};
    if (!plan) return tl::unexpected(plan.error());
    std::unique_ptr<Work> work;
    Asked asked = plan->asked;
    if (request_.in.empty()) {
      work = std::make_unique<RangeWork>(asked.range);
      outcome_.is_whole = asked.size() == plan->total && is_whole(space);
    } else {
      const auto size = size_of(space);
      if (!size) return tl::unexpected(size.error());
      auto from_file = IndexWork::open(request_.in, *size);
      if (!from_file) return tl::unexpected(from_file.error());
      asked = {{}, {0, (*from_file)->count()}, (*from_file)->count()};
      work = *std::move(from_file);
    }
    outcome_.scenarios = to_string(asked.size());
    if (plan->classes) outcome_.classes = plan->classes->count().get_str();
    outcome_.weights_are_exact = plan->weights_are_exact;
    const twins::TwinsGenerator generator(space, plan->classes ? &*plan->classes : nullptr);
    return sweep_work(generator, *work, asked);
  }

  Result<std::unique_ptr<StoredCampaign>> open_campaign(const Asked& asked) const {
    CampaignDesign design;
    design.command = "twins";
    auto settings = settings_of(request_);
    if (!settings) return tl::unexpected(settings.error());
    design.settings = *std::move(settings);
    design.properties = request_.properties;
    design.part = asked.positions;
    design.whole = asked.whole;
    design.ledger = {request_.properties.size(), std::max(request_.max_findings, 1U), request_.stops_at_first};
    return StoredCampaign::open(request_.place, *request_.runner, design);
  }

  SweepOptions sweep_options(const Asked& asked, StoredCampaign& campaign, const StoredCampaign::ScenarioOf& told) {
    SweepOptions options;
    options.threads = request_.threads;
    options.sightings_of_each_kind = std::max(request_.max_findings, 1U);
    options.stops_at_first = request_.stops_at_first;
    options.first_position = asked.positions.begin;
    options.stop = watch_.stop;
    options.seconds = request_.seconds;
    options.ledger = &campaign.ledger();
    if (campaign.is_stored()) options.keep = [&](const Ledger& ledger) { return campaign.keep(ledger, told); };
    if (watch_.progress) {
      options.progress = [this, size = asked.size()](const SweepProgress& p) {
        watch_.progress({p.executed, size, p.violating, p.tally, std::nullopt, false});
      };
    }
    if (request_.max_findings > 0) {
      options.sighted = [&](const Sighting& s) {
        findings().store_provisionally(*request_.properties[s.property], told(s), s.index);
      };
    }
    return options;
  }

  Result<void> sweep_work(const Generator& generator, Work& work, const Asked& asked) {
    const auto told = [&](const Sighting& sighting) {
      Scenario scenario = generator.scenario(sighting.index);
      scenario.protocol = request_.runner->name();
      return scenario;
    };
    auto campaign = open_campaign(asked);
    if (!campaign) return tl::unexpected(campaign.error());
    campaign_ = *std::move(campaign);
    const Setup setup = setup_of(generator.cluster());
    const Watch watch;
    auto result = sweep(*request_.runner, setup, generator, work, sweep_options(asked, *campaign_, told));
    if (!result) return tl::unexpected(result.error());
    outcome_.seconds = watch.seconds();
    outcome_.tally = std::move(result->tally);
    outcome_.first = first_of(result->sightings, asked.positions.begin);
    if (request_.max_findings == 0) result->sightings.clear();
    if (watch_.progress && !result->sightings.empty())
      watch_.progress(
          {outcome_.tally.executed, asked.size(), outcome_.tally.violating_runs, outcome_.tally, std::nullopt, true});
    for (const Sighting& s : result->sightings) {
      const auto scenario = campaign_->scenario_of(s, told);
      if (!scenario) return tl::unexpected(scenario.error());
      if (auto added = findings().add(*request_.properties[s.property], *scenario, s); !added) return added;
    }
    was_stopped_ = result->was_stopped;
    if (!outcome_.classes.empty()) {
      outcome_.scenarios =
          outcome_.is_whole ? outcome_.counts.scenarios.get_str() : to_string(outcome_.tally.scenarios);
    }
    return conclude_sweep(asked.size());
  }

  Result<void> conclude_sweep(Wide asked) {
    const bool is_complete = !was_stopped_ && outcome_.tally.executed == asked;
    if (was_stopped_) {
      outcome_.reason =
          fmt::format("it was interrupted after {} of {}", grouped(outcome_.tally.executed), grouped(asked));
    } else if (!outcome_.weights_are_exact) {
      outcome_.reason =
          "ties between leaders' seats are broken by name, so scenarios of a class may run otherwise than the one that "
          "was run: use --symmetry=exact";
    }
    conclude(is_complete && outcome_.weights_are_exact);
    outcome_.can_go_on = campaign_->is_stored() && (was_stopped_ || findings().is_any_cut_short());
    if (was_stopped_ || findings().is_any_cut_short()) return {};
    return campaign_->conclude(name_of(outcome_.conclusion), outcome_.reason);
  }

  // What was run tells the most that it can; `is_complete`: all that was asked for was run.
  void conclude(bool is_complete) {
    const Tally& tally = outcome_.tally;
    if (tally.violating > 0) {
      outcome_.conclusion = Conclusion::kViolated;
      return;
    }
    Wide overflows = 0;
    for (const PropertyTally& p : tally.properties)
      overflows = std::max(overflows, p.unknown_because[static_cast<std::size_t>(Unjudged::kOverflow)]);
    outcome_.conclusion = Conclusion::kUnknown;
    if (!outcome_.reason.empty()) return;
    if (tally.scenarios == 0) {
      outcome_.reason = "no scenario was run";
    } else if (overflows > 0) {
      outcome_.reason = fmt::format("in {} scenarios {}", to_string(overflows), text_of(Unjudged::kOverflow));
    } else if (outcome_.judged() == 0) {
      outcome_.reason = fmt::format("no scenario could be judged{}: {}",
                                    tally.properties.size() > 1 ? " by all properties" : "", main_reason());
    } else if (tally.committed == 0) {
      outcome_.reason = "nothing was committed in any scenario, so that nothing is shown";
    } else if (tally.unknown == 0 && is_complete && outcome_.is_whole) {
      outcome_.conclusion = Conclusion::kHolds;
    } else {
      outcome_.conclusion = Conclusion::kNoneFound;
    }
  }

  std::string main_reason() const {
    std::size_t most = 0;
    Wide count = 0;
    for (const PropertyTally& p : outcome_.tally.properties) {
      for (std::size_t w = 0; w < p.unknown_because.size(); ++w) {
        if (p.unknown_because[w] <= count) continue;
        count = p.unknown_because[w];
        most = w;
      }
    }
    return std::string(text_of(static_cast<Unjudged>(most)));
  }

  Result<void> search(const twins::Space& space) {
    SearchOptions options;
    options.threads = request_.threads;
    options.memory_bytes = request_.memory_bytes;
    options.unbounded = request_.unbounded;
    options.stop = watch_.stop;
    if (watch_.progress)
      options.progress = [&](const SearchProgress& p) { watch_.progress({0, 0, 0, Tally(), p, false}); };
    const auto session = request_.runner->open(setup_of(space.cluster()));
    if (!session) return tl::unexpected(session.error());
    const Watch watch;
    auto result = (*session)->search(space, options);
    if (!result) return tl::unexpected(result.error());
    outcome_.seconds = watch.seconds();
    outcome_.tally = result->tally;
    outcome_.is_whole = !result->was_stopped && is_whole(space);
    if (!request_.unbounded) outcome_.scenarios = outcome_.counts.scenarios.get_str();
    if (result->was_stopped) outcome_.reason = "the search was stopped";
    conclude(!result->was_stopped);
    if (request_.unbounded && result->verdict != Verdict::kViolated) {
      outcome_.conclusion = result->verdict == Verdict::kHolds ? Conclusion::kHolds : Conclusion::kUnknown;
      outcome_.reason = result->reason;
    }
    outcome_.search = *std::move(result);
    if (request_.max_findings == 0) return {};
    for (const BrokenPrefix& broken : outcome_.search->broken) {
      const auto sequence = continued(space, broken.configurations);
      const auto added =
          findings().add(*request_.properties[broken.property], space.scenario(0, sequence, broken.healing),
                         space.rank(sequence, broken.healing));
      if (!added) return added;
    }
    return {};
  }

  // Made when it is known where they are kept.
  Findings& findings() {
    if (!findings_) {
      findings_.emplace(*request_.runner,
                        FindingOptions{request_.findings, settings_, request_.shrinks, watch_.stop, campaign_.get()});
    }
    return *findings_;
  }

  Result<TwinsOutcome> finish() {
    outcome_.findings = findings().all();
    outcome_.storing_error = findings().storing_error();
    return std::move(outcome_);
  }

  const TwinsRequest& request_;
  const TwinsWatch& watch_;
  const std::string settings_;
  TwinsOutcome outcome_;
  std::unique_ptr<StoredCampaign> campaign_;
  std::optional<Findings> findings_;
  bool was_stopped_ = false;
};

}  // namespace

Result<TwinsOutcome> count_twins(const TwinsRequest& request) {
  auto counts = twins::count(request.settings);
  if (!counts) return tl::unexpected(counts.error());
  TwinsOutcome outcome;
  outcome.counts = *std::move(counts);
  outcome.scenarios = outcome.counts.scenarios.get_str();
  if (!request.symmetry && request.range.empty() && request.shard.empty()) return outcome;
  const auto space = twins::Space::make(request.settings);
  if (!space) return tl::unexpected(space.error());
  const auto plan = plan_of(request, *space);
  if (!plan) return tl::unexpected(plan.error());
  if (plan->classes) outcome.classes = plan->classes->count().get_str();
  if (!plan->classes) outcome.scenarios = to_string(plan->asked.range.size());
  return outcome;
}

Result<TwinsOutcome> run_twins(const TwinsRequest& request, const TwinsWatch& watch) {
  return Campaign(request, watch).run();
}

Result<Wide> write_twins(const TwinsRequest& request, const std::string& path) {
  const auto space = twins::Space::make(request.settings);
  if (!space) return tl::unexpected(space.error());
  const auto plan = plan_of(request, *space);
  if (!plan) return tl::unexpected(plan.error());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return bad_input(fmt::format("{}: cannot be opened for writing", path));
  twins::IndexWriter writer(file, request.settings);
  if (plan->classes) {
    plan->classes->for_each(plan->asked.range, [&](std::span<const std::uint32_t> representative, std::uint32_t) {
      writer.add(space->rank(representative).value());
    });
  } else if (plan->asked.range.size() > 0) {
    writer.add(plan->asked.range);
  }
  if (auto finished = writer.finish(); !finished) return tl::unexpected(Error{path + ": " + finished.error().message});
  return plan->asked.range.size();
}

}  // namespace nika
