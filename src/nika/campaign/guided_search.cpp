#include "nika/campaign/guided_search.hpp"

#include "nika/base/require.hpp"
#include "nika/base/threads.hpp"

namespace nika {

using guided::Guide;

Result<GuidedSearch> GuidedSearch::make(const Runner& runner, const Setup& setup, const guided::Draws& draws,
                                        unsigned threads) {
  NIKA_REQUIRE(threads >= 1);
  std::vector<Worker> workers;
  for (unsigned t = 0; t < threads; ++t) {
    auto session = runner.open(setup);
    if (!session) return tl::unexpected(session.error());
    if ((*session)->copying() == nullptr)
      return bad_input("this protocol's worlds cannot be copied, so that a search cannot be guided");
    workers.push_back({*std::move(session), std::make_unique<guided::GuidedSchedule>(draws)});
  }
  return GuidedSearch(draws, std::move(workers), setup.properties.size());
}

GuidedSearch::GuidedSearch(const guided::Draws& draws, std::vector<Worker> workers, std::size_t property_count)
    : guide_(draws.gene_count(), draws.space().settings().seed),
      workers_(std::move(workers)),
      genomes_(Guide::kGeneration),
      reached_(Guide::kGeneration),
      outcomes_(Guide::kGeneration),
      tally_(property_count) {}

void GuidedSearch::run_every(std::size_t first, std::size_t step, Worker& worker) {
  for (std::size_t i = first; i < Guide::kGeneration; i += step) {
    genomes_[i] = guide_.propose(first_ + i);
    const Guide::Start start = guide_.start_of(first_ + i);
    worker.schedule->seek(genomes_[i]);
    outcomes_[i] = worker.session->copying()->run(*worker.schedule, {start.state, start.rounds}, reached_[i]);
  }
}

std::vector<Sighting> GuidedSearch::run_generation() {
  first_ = tally_.executed;
  run_on_threads(static_cast<unsigned>(workers_.size()),
                 [this](unsigned number) { run_every(number, workers_.size(), workers_[number]); });
  std::vector<Sighting> sightings;
  for (std::size_t i = 0; i < Guide::kGeneration; ++i) {
    const Outcome& outcome = outcomes_[i];
    rounds_run_ += outcome.rounds;
    delivered_ += outcome.delivered;
    tally_.add(outcome, 1);
    for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
      if (outcome.judgements[p].verdict != Verdict::kViolated) continue;
      sightings.push_back({p, outcome.judgements[p].evidence.kind, first_ + i, first_ + i});
    }
  }
  guide_.learn(first_, reached_);
  return sightings;
}

}  // namespace nika
