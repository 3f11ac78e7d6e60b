// Runs the fault configurations that a guide proposes, generation after generation, over threads. What comes out
// depends on the settings and the number of runs and never on the number of threads or their timing.
#pragma once

#include "nika/campaign/fuzz_campaign.hpp"
#include "nika/campaign/runner.hpp"
#include "nika/scenarios/byzzfuzz/fuzz_schedule.hpp"
#include "nika/scenarios/byzzfuzz/guidance.hpp"

namespace nika {

class GuidedFuzz {
 public:
  // `generator` and `runner` outlive it. The protocol's worlds can be copied, and lies are drawn uniformly.
  static Result<GuidedFuzz> make(const Runner& runner, const Setup& setup, const byzzfuzz::FuzzGenerator& generator,
                                 unsigned threads);

  bool tells_lessons() const { return guide_->tells_lessons(); }
  // As a search that has tried so many runs and has told these lessons: all that it told, in their order. An error if
  // they are none of this search.
  Result<void> take_up(const Tally& tried, std::span<const std::string> lessons);
  // What was learnt since the last time.
  std::string take_lesson();

  // All that break a property in the next generation, or in its first `most` runs, in the order of their numbers.
  std::vector<Sighting> run_generation(Wide most);
  // The same, with the tally of that generation.
  std::vector<Sighting> run_generation(Wide most, Tally& generation);
  // Of the generation that was run last.
  Scenario scenario(Wide number) const;

  Wide tried() const { return tally_.executed; }
  const Tally& tally() const { return tally_; }

 private:
  struct NoWatch final : LieWatch {
    void sends(unsigned, Seat, unsigned, SeatSet) override {}
  };
  // What one thread needs.
  struct Worker {
    std::unique_ptr<Session> session;
    std::unique_ptr<byzzfuzz::FuzzSchedule> schedule;
    byzzfuzz::Draw scratch{};
    NoWatch watch{};
  };
  GuidedFuzz(const byzzfuzz::FuzzGenerator& generator, std::vector<Worker> workers, std::size_t property_count);
  void run_every(std::size_t first, std::size_t step, Worker& worker);

  const byzzfuzz::FuzzGenerator& generator_;
  std::unique_ptr<byzzfuzz::Guidance> guide_;  // that the settings ask for
  std::vector<Worker> workers_;
  // Of the generation.
  Wide first_ = 0;
  std::size_t size_ = 0;
  std::vector<byzzfuzz::Draw> draws_;
  std::vector<std::vector<guided::Reached>> reached_;
  std::vector<Outcome> outcomes_;
  // Of all generations.
  Tally tally_;
};

// As run_fuzz, with a guide. Stops between generations.
Result<FuzzOutcome> run_guided_fuzz(const FuzzRequest& request, const FuzzWatch& watch);

}  // namespace nika
