#include "nika/campaign/fuzz_generations.hpp"

#include <algorithm>

#include "nika/base/require.hpp"
#include "nika/base/threads.hpp"

namespace nika {

using byzzfuzz::FuzzGuide;

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
      guide_(generator),
      workers_(std::move(workers)),
      trials_(FuzzGuide::kGeneration),
      outcomes_(FuzzGuide::kGeneration),
      tally_(property_count) {}

void GuidedFuzz::run_every(std::size_t first, std::size_t step, Worker& worker) {
  for (std::size_t i = first; i < size_; i += step) {
    byzzfuzz::FuzzTrial& trial = trials_[i];
    guide_.propose(static_cast<std::uint64_t>(first_) + i, trial.genome, worker.scratch);
    guide_.draw_of(trial.genome, worker.draw, worker.scratch);
    worker.schedule->play(worker.draw, worker.watch);
    outcomes_[i] = worker.session->copying()->run(*worker.schedule, {}, trial.reached);
  }
}

std::vector<Sighting> GuidedFuzz::run_generation(Wide most) {
  first_ = tally_.executed;
  size_ = static_cast<std::size_t>(std::min<Wide>(most, FuzzGuide::kGeneration));
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
  guide_.learn(std::span(trials_).first(size_));
  return sightings;
}

Scenario GuidedFuzz::scenario(Wide number) const {
  byzzfuzz::Draw draw;
  byzzfuzz::Draw scratch;
  guide_.draw_of(trials_[static_cast<std::size_t>(number - first_)].genome, draw, scratch);
  return generator_.scenario(draw);
}

}  // namespace nika
