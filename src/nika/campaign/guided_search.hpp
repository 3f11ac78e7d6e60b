// Runs what a guide proposes, generation after generation, over threads. What comes out depends on the settings and the
// number of generations and never on the number of threads or their timing.
#pragma once

#include "nika/campaign/runner.hpp"

namespace nika {

class GuidedSearch {
 public:
  // `draws` and `runner` outlive it.
  static Result<GuidedSearch> make(const Runner& runner, const guided::Draws& draws, Properties properties,
                                   unsigned threads);

  // A schedule that breaks a property, with its number in the order in which schedules are proposed.
  struct Sighting {
    Wide number = 0;
    guided::Genome genome;
  };
  // All that break a property in the next generation, in the order of their numbers.
  std::vector<Sighting> run_generation();

  Wide tried() const { return tried_; }
  Wide violating() const { return violating_; }
  Wide unknown() const { return unknown_; }
  std::uint64_t rounds_run() const { return rounds_run_; }
  std::uint64_t delivered() const { return delivered_; }
  const guided::Guide& guide() const { return guide_; }

 private:
  GuidedSearch(const guided::Draws& draws, std::vector<std::unique_ptr<GuidedSweeper>> sweepers);
  void run_every(std::size_t first, std::size_t step, GuidedSweeper& sweeper);

  guided::Guide guide_;
  std::vector<std::unique_ptr<GuidedSweeper>> sweepers_;  // one for each thread
  // Of the generation.
  std::vector<std::vector<guided::Reached>> reached_;
  std::vector<Outcome> outcomes_;
  // Of all generations.
  Wide tried_ = 0;
  Wide violating_ = 0;
  Wide unknown_ = 0;
  std::uint64_t rounds_run_ = 0;
  std::uint64_t delivered_ = 0;
};

}  // namespace nika
