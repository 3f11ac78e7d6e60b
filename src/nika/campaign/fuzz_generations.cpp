#include "nika/campaign/fuzz_generations.hpp"

#include <algorithm>
#include <map>

#include "nika/base/require.hpp"
#include "nika/base/threads.hpp"
#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/byzzfuzz/fuzz_guide.hpp"
#include "nika/scenarios/byzzfuzz/rounds_guide.hpp"

namespace nika {
namespace {

using byzzfuzz::Guidance;

std::unique_ptr<Guidance> guide_for(const byzzfuzz::FuzzGenerator& generator) {
  if (generator.settings().guide == byzzfuzz::Guide::kRounds) return std::make_unique<byzzfuzz::RoundsGuide>(generator);
  return std::make_unique<byzzfuzz::FuzzGuide>(generator);
}

}  // namespace

Result<GuidedFuzz> GuidedFuzz::make(const Runner& runner, const Setup& setup, const byzzfuzz::FuzzGenerator& generator,
                                    unsigned threads) {
  NIKA_REQUIRE(threads >= 1);
  if (generator.settings().sampling != byzzfuzz::Sampling::kUniform)
    return bad_input("a guide combines faults of different draws: --sampling artifact does not go with it");
  std::vector<Worker> workers;
  for (unsigned t = 0; t < threads; ++t) {
    auto session = runner.open(setup);
    if (!session) return tl::unexpected(session.error());
    if ((*session)->copying() == nullptr)
      return bad_input("the states of this protocol cannot be seen, so that a search cannot be guided");
    workers.push_back({*std::move(session), std::make_unique<byzzfuzz::FuzzSchedule>(generator)});
  }
  return GuidedFuzz(generator, std::move(workers), setup.properties.size());
}

GuidedFuzz::GuidedFuzz(const byzzfuzz::FuzzGenerator& generator, std::vector<Worker> workers,
                       std::size_t property_count)
    : generator_(generator),
      guide_(guide_for(generator)),
      workers_(std::move(workers)),
      draws_(Guidance::kGeneration),
      reached_(Guidance::kGeneration),
      outcomes_(Guidance::kGeneration),
      tally_(property_count) {}

void GuidedFuzz::run_every(std::size_t first, std::size_t step, Worker& worker) {
  for (std::size_t i = first; i < size_; i += step) {
    guide_->draw(static_cast<std::uint64_t>(first_) + i, draws_[i], worker.scratch);
    worker.schedule->play(draws_[i], worker.watch);
    outcomes_[i] = worker.session->copying()->run(*worker.schedule, {}, reached_[i]);
  }
}

std::vector<Sighting> GuidedFuzz::run_generation(Wide most) {
  first_ = tally_.executed;
  size_ = static_cast<std::size_t>(std::min<Wide>(most, Guidance::kGeneration));
  run_on_threads(static_cast<unsigned>(workers_.size()),
                 [this](unsigned number) { run_every(number, workers_.size(), workers_[number]); });
  std::vector<Sighting> sightings;
  for (std::size_t i = 0; i < size_; ++i) {
    const Outcome& outcome = outcomes_[i];
    tally_.add(outcome, 1);
    for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
      if (outcome.judgements[p].verdict != Verdict::kViolated) continue;
      sightings.push_back({p, outcome.judgements[p].evidence.kind, first_ + i, first_ + i});
    }
  }
  guide_->learn(static_cast<std::uint64_t>(first_), std::span(reached_).first(size_));
  return sightings;
}

Scenario GuidedFuzz::scenario(Wide number) const {
  return generator_.scenario(draws_[static_cast<std::size_t>(number - first_)]);
}

namespace {

// The first sightings of each kind, with the scenarios that they are of: a guide can tell those of a generation only.
struct FirstOnes {
  std::vector<Sighting> sightings{};
  std::map<Wide, Scenario> scenarios{};

  template <class Store>
  void add(const std::vector<Sighting>& found, const GuidedFuzz& search, unsigned of_each_kind, const Store& store) {
    if (found.empty()) return;
    sightings.insert(sightings.end(), found.begin(), found.end());
    keep_first(sightings, of_each_kind);
    for (const Sighting& s : sightings) {
      if (s.index < found.front().index) continue;
      store(s, scenarios.try_emplace(s.index, search.scenario(s.index)).first->second);
    }
  }
};

}  // namespace

Result<FuzzOutcome> run_guided_fuzz(const FuzzRequest& request, const FuzzWatch& watch) {
  if (auto sound = check_no_lasso(request.properties); !sound) return tl::unexpected(sound.error());
  const byzzfuzz::FuzzGenerator generator(request.settings);
  const Setup setup{generator.cluster(), request.settings.bugs, request.properties};
  auto search = GuidedFuzz::make(*request.runner, setup, generator, request.threads);
  if (!search) return tl::unexpected(search.error());
  const Wide asked = request.settings.runs;
  Findings findings(*request.runner,
                    {request.findings, byzzfuzz::to_json(request.settings), request.shrinks, watch.stop});
  const auto store = [&](const Sighting& s, const Scenario& scenario) {
    if (request.max_findings > 0) findings.store_provisionally(*request.properties[s.property], scenario, s.index);
  };
  FirstOnes first;
  FuzzOutcome outcome;
  const Watch clock;
  while (search->tried() < asked && (watch.stop == nullptr || !watch.stop->load(std::memory_order_relaxed))) {
    first.add(search->run_generation(asked - search->tried()), *search, std::max(request.max_findings, 1U), store);
    if (watch.progress) watch.progress({search->tried(), asked, search->tally().violating_runs, false});
    if (request.stops_at_first && !first.sightings.empty()) break;
  }
  outcome.seconds = clock.seconds();
  outcome.tally = search->tally();
  const FuzzSightings seen{first.sightings, [&](Wide index) { return first.scenarios.at(index); }};
  if (auto added = add_findings(outcome, request, watch, seen, findings); !added) return tl::unexpected(added.error());
  return outcome;
}

}  // namespace nika
