// Schedules that are tried one after the other, in an order that depends on the seed alone, until some break a
// property: blindly, or chosen by a guide from what the ones before have reached.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "nika/campaign/registry.hpp"
#include "nika/properties/tally.hpp"
#include "nika/scenarios/generator.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika {

enum class GuideChoice : std::uint8_t { kNone, kCoverage };

struct HuntOptions {
  unsigned threads = 1;
  GuideChoice guide = GuideChoice::kCoverage;  // not where all schedules can soon be tried
  const std::atomic<bool>* stop = nullptr;

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

class Hunt {
 public:
  // Through the schedules that the settings describe, on the cluster that they describe.
  static Result<std::unique_ptr<Hunt>> make(const Runner& runner, const twins::Settings& settings,
                                            const Properties& properties, const HuntOptions& options);
  // Through any generator's, blindly. The runner outlives the hunt.
  static std::unique_ptr<Hunt> blind(const Runner& runner, const Setup& setup,
                                     std::unique_ptr<const Generator> generator, const HuntOptions& options);
  virtual ~Hunt() = default;

  virtual const Runner& runner() const = 0;
  // How many schedules there are to try, and how many of them were.
  virtual Wide size() const = 0;
  virtual Wide tried() const = 0;
  // Tries some more. All that break a property, in the order of their numbers, or the first few of each kind. What it
  // answers can be told as scenarios until it is asked again.
  virtual Result<std::vector<Sighting>> next() = 0;
  virtual Scenario scenario(const Sighting& sighting) const = 0;
  // Tries so many from the first one on, or a few more. For a hunt that has not begun.
  virtual Result<Tally> try_all(Wide count) = 0;
};

}  // namespace nika
