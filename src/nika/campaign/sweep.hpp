// Runs scenarios of a space one by one, in chunks over threads. What comes out depends on what was run and never on the
// number of threads or their timing.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "nika/campaign/runner.hpp"
#include "nika/scenarios/twins/classes.hpp"
#include "nika/scenarios/twins/range.hpp"

namespace nika {

// What to run, as ranges of indices in the order in which they count.
class Work {
 public:
  virtual ~Work() = default;
  // Nothing after the last range.
  virtual Result<std::optional<twins::Range>> next() = 0;
};

// One range.
class RangeWork final : public Work {
 public:
  explicit RangeWork(const twins::Range& range) : range_(range) {}
  Result<std::optional<twins::Range>> next() override;

 private:
  std::optional<twins::Range> range_;
};

// A violating scenario as the sweep met it.
struct Sighting {
  ViolationKind kind{};
  Wide position = 0;  // in the work: it decides which one comes first
  Wide index = 0;     // of the scenario in its space
  std::vector<std::uint32_t> configurations;
};

struct SweepTotals {
  Wide executed = 0;           // runs
  Wide covered = 0;            // scenarios with a known verdict; more than runs where one stands for a class
  Wide violating = 0;          // scenarios
  Wide violating_classes = 0;  // runs
  Wide unknown = 0;            // scenarios
  bool was_stopped = false;
  std::vector<Sighting> sightings;  // the first of each kind, by position
};

struct SweepOptions {
  unsigned threads = 1;
  unsigned sightings_of_each_kind = 1;
  Properties properties{};
  const twins::Classes* classes = nullptr;  // then the work is ranges of classes, and each run stands for its class
  const phases::Sampler* phases = nullptr;  // then the work is ranges of its indices, and the space is the sampler's
  const std::atomic<bool>* stop = nullptr;
  std::function<void(Wide executed)> progress;  // called now and then from the calling thread
};

// An error only if the work ends with one.
Result<SweepTotals> sweep(const Runner& runner, const twins::Space& space, Work& work, const SweepOptions& options);

}  // namespace nika
