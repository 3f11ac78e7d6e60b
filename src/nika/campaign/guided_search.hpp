// Runs what a guide proposes, generation after generation, over threads. What comes out depends on the settings and the
// number of generations and never on the number of threads or their timing.
#pragma once

#include "nika/campaign/runner.hpp"
#include "nika/properties/tally.hpp"
#include "nika/scenarios/guided/draws.hpp"

namespace nika {

class GuidedSearch {
 public:
  // `draws` and `runner` outlive it.
  static Result<GuidedSearch> make(const Runner& runner, const Setup& setup, const guided::Draws& draws,
                                   unsigned threads);

  // All that break a property in the next generation, in the order of their numbers: the index of a sighting is the
  // number of its schedule in the order in which schedules are proposed.
  std::vector<Sighting> run_generation();
  // Of the generation that was run last.
  const guided::Genome& genome(Wide number) const { return genomes_[static_cast<std::size_t>(number - first_)]; }

  Wide tried() const { return tally_.executed; }
  const Tally& tally() const { return tally_; }
  std::uint64_t rounds_run() const { return rounds_run_; }
  std::uint64_t delivered() const { return delivered_; }
  const guided::Guide& guide() const { return guide_; }

 private:
  // What one thread needs.
  struct Worker {
    std::unique_ptr<Session> session;
    std::unique_ptr<guided::GuidedSchedule> schedule;
  };
  GuidedSearch(const guided::Draws& draws, std::vector<Worker> workers, std::size_t property_count);
  void run_every(std::size_t first, std::size_t step, Worker& worker);

  guided::Guide guide_;
  std::vector<Worker> workers_;
  // Of the generation.
  Wide first_ = 0;
  std::vector<guided::Genome> genomes_;
  std::vector<std::vector<guided::Reached>> reached_;
  std::vector<Outcome> outcomes_;
  // Of all generations.
  Tally tally_;
  std::uint64_t rounds_run_ = 0;
  std::uint64_t delivered_ = 0;
};

}  // namespace nika
