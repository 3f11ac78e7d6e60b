#include "nika/campaign/fuzz_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/threads.hpp"
#include "nika/campaign/fuzz_search_worker.hpp"
#include "nika/campaign/watch.hpp"

namespace nika {
namespace {

constexpr double kSecondsBetweenProgress = 0.1;

// The workers' parts, in the order of their bases whoever ran them.
void collect(const std::vector<std::unique_ptr<FuzzSearchWorker>>& workers, unsigned sightings_of_each_kind,
             FuzzOutcome& outcome, std::vector<FuzzSighting>& sightings) {
  Wide effective = 0;
  for (const auto& worker : workers) {
    outcome.tally.add(worker->tally());
    effective += worker->effective();
    std::ranges::copy(worker->sightings(), std::back_inserter(sightings));
  }
  outcome.tally.faults = {};
  outcome.tally.faults.effective = effective;
  std::ranges::stable_sort(sightings, {}, [](const FuzzSighting& s) { return s.sighting.position; });
  std::vector<FuzzSighting> kept;
  for (const FuzzSighting& sighting : sightings) {
    const auto alike = [&](const FuzzSighting& known) { return known.sighting.is_like(sighting.sighting); };
    if (std::ranges::count_if(kept, alike) < sightings_of_each_kind) kept.push_back(sighting);
  }
  sightings = std::move(kept);
}

FuzzSearchLimits limits_of(const FuzzRequest& request) {
  const Wide share = (request.most_runs + request.threads - 1) / request.threads;
  return {std::max(request.max_findings, 1U), share, request.stops_at_first};
}

}  // namespace

Result<Wide> configuration_count(const byzzfuzz::Settings& settings) {
  const byzzfuzz::FuzzGenerator generator(settings);
  const FuzzBases bases(generator);
  std::optional<Wide> count = bases.count();
  const auto times = [&](Wide factor) {
    if (count) count = checked_multiply(*count, factor);
  };
  for (unsigned i = 0; i < settings.lies && generator.liar_count() > 0; ++i) {
    times(Wide{settings.last_round} * generator.liar_count());
    times(Wide{1} << generator.cluster().seat_count);
    for (const byzzfuzz::LieList& list : generator.lies()) times(list.ways());
  }
  if (!count) return bad_input("--exhaustive: so many fault configurations cannot be counted in 128 bits");
  return *count;
}

Result<FuzzOutcome> search_fuzz(const FuzzRequest& request, const FuzzWatch& watch) {
  if (!request.place.file.empty())
    return bad_input("--campaign keeps what is run one by one: --exhaustive cannot be stopped and taken up again");
  if (request.seconds > 0) return bad_input("--exhaustive and --seconds exclude each other");
  if (request.settings.scope != byzzfuzz::Scope::kSmall)
    return bad_input("--exhaustive goes through small lies: it needs --scope small");
  if (request.settings.sampling != byzzfuzz::Sampling::kUniform)
    return bad_input("--exhaustive draws nothing: it does not go with --sampling");
  if (!request.settings.unls.empty() || request.settings.first_round > 1)
    return bad_input("--exhaustive lies to any nodes, from the first round on: it takes no --unl and no --first-round");
  const auto configurations = configuration_count(request.settings);
  if (!configurations) return tl::unexpected(configurations.error());
  const byzzfuzz::FuzzGenerator generator(request.settings);
  const FuzzBases bases(generator);
  const Setup setup{generator.cluster(), request.settings.bugs, request.properties};
  std::vector<std::unique_ptr<FuzzSearchWorker>> workers;
  for (unsigned t = 0; t < request.threads; ++t) {
    auto session = request.runner->open(setup);
    if (!session) return tl::unexpected(session.error());
    if ((*session)->copying() == nullptr) return bad_input("--exhaustive needs a protocol whose worlds can be copied");
    workers.push_back(std::make_unique<FuzzSearchWorker>(generator, *std::move(session), request.properties.size(),
                                                         limits_of(request)));
  }
  FuzzOutcome outcome;
  outcome.tally = Tally(request.properties.size());
  const Watch clock;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> has_failed{false};
  double told = 0;
  const auto work = [&](unsigned thread) {
    for (std::uint64_t base = next++; base < bases.count() && !has_failed; base = next++) {
      const bool goes_on = workers[thread]->run(base, bases, watch.stop);
      if (request.stops_at_first && workers[thread]->tally().violating > 0) next = bases.count();
      if (!goes_on) return;
      ++done;
      if (thread > 0 || !watch.progress || clock.seconds() < told + kSecondsBetweenProgress) continue;
      told = clock.seconds();
      watch.progress({done, bases.count(), workers[0]->tally().violating_runs, workers[0]->tally(), false});
    }
  };
  run_on_threads(request.threads, work, &has_failed);
  outcome.seconds = clock.seconds();
  std::vector<FuzzSighting> sightings;
  collect(workers, request.max_findings, outcome, sightings);
  if (workers.size() == 1) outcome.first = workers[0]->first();
  Findings findings(*request.runner,
                    {request.findings, byzzfuzz::to_json(request.settings), request.shrinks, watch.stop, nullptr});
  for (const FuzzSighting& s : sightings) {
    if (auto added = findings.add(*request.properties[s.sighting.property], s.scenario, std::nullopt); !added)
      return tl::unexpected(added.error());
  }
  conclude(outcome, *configurations, true);
  outcome.findings = findings.all();
  outcome.storing_error = findings.storing_error();
  return outcome;
}

}  // namespace nika
