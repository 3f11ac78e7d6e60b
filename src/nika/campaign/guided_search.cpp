#include "nika/campaign/guided_search.hpp"

#include <thread>

#include "nika/base/require.hpp"

namespace nika {

using guided::Guide;

Result<GuidedSearch> GuidedSearch::make(const Runner& runner, const guided::Draws& draws, Properties properties,
                                        unsigned threads) {
  NIKA_REQUIRE(threads >= 1);
  std::vector<std::unique_ptr<GuidedSweeper>> sweepers;
  for (unsigned t = 0; t < threads; ++t) {
    auto sweeper = runner.sweeper(draws, properties);
    if (!sweeper) return tl::unexpected(sweeper.error());
    sweepers.push_back(*std::move(sweeper));
  }
  return GuidedSearch(draws, std::move(sweepers));
}

GuidedSearch::GuidedSearch(const guided::Draws& draws, std::vector<std::unique_ptr<GuidedSweeper>> sweepers)
    : guide_(draws.gene_count(), draws.space().settings().seed),
      sweepers_(std::move(sweepers)),
      reached_(Guide::kGeneration),
      outcomes_(Guide::kGeneration) {}

void GuidedSearch::run_every(std::size_t first, std::size_t step, GuidedSweeper& sweeper) {
  for (std::size_t i = first; i < Guide::kGeneration; i += step) {
    outcomes_[i] = sweeper.run(guide_.propose(tried_ + i), reached_[i]);
  }
}

std::vector<GuidedSearch::Sighting> GuidedSearch::run_generation() {
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < sweepers_.size(); ++t) {
      others.emplace_back([this, t] { run_every(t, sweepers_.size(), *sweepers_[t]); });
    }
    run_every(0, sweepers_.size(), *sweepers_[0]);
  }
  std::vector<Sighting> sightings;
  for (std::size_t i = 0; i < Guide::kGeneration; ++i) {
    const Outcome& outcome = outcomes_[i];
    rounds_run_ += outcome.rounds;
    delivered_ += outcome.delivered;
    if (outcome.verdict == Verdict::kUnknown) ++unknown_;
    if (outcome.verdict == Verdict::kViolated) sightings.push_back({tried_ + i, guide_.propose(tried_ + i)});
  }
  violating_ += sightings.size();
  guide_.learn(tried_, reached_);
  tried_ += Guide::kGeneration;
  return sightings;
}

}  // namespace nika
