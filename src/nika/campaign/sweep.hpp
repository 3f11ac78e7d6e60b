// Runs schedules of a generator one by one, in chunks over threads. What comes out depends on what was run and never on
// the number of threads or their timing, nor on how often it was stopped and taken up again.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "nika/campaign/ledger.hpp"
#include "nika/campaign/runner.hpp"
#include "nika/properties/tally.hpp"
#include "nika/scenarios/generator.hpp"
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

struct SweepProgress {
  Wide executed = 0;
  Wide violating = 0;  // runs
  Tally tally;         // of all chunks that are done
};

struct SweepOptions {
  unsigned threads = 1;
  unsigned sightings_of_each_kind = 1;
  // The first chunk in which something is violated is the last one that counts, whoever ran more.
  bool stops_at_first = false;
  Wide first_position = 0;  // of the work's first schedule
  const std::atomic<bool>* stop = nullptr;
  double seconds = 0;                                  // after which it stops; 0: never
  std::function<void(const SweepProgress&)> progress;  // called now and then from the calling thread
  // Called from the calling thread as soon as a sighting is known that may be among the first of its kind.
  std::function<void(const Sighting&)> sighted;
  // What was done before, of this work with these options. Where it is given, what is run is added to it.
  Ledger* ledger = nullptr;
  // Called now and then from the calling thread, and at the end, when something was added. An error ends the sweep.
  std::function<Result<void>(const Ledger&)> keep;
};

struct SweepResult {
  Tally tally;
  std::vector<Sighting> sightings;  // the first of each property and kind, by position
  bool was_stopped = false;         // before everything was run that counts; chunks that were begun do not count
};

// The first run that breaks a property.
struct FirstViolation {
  Wide executions = 0;       // up to it, with it
  std::size_t property = 0;  // its position among those asked for
  std::string_view kind{};
};
// By position in the work, which begins at the first one; nothing if there is none.
std::optional<FirstViolation> first_of(const std::vector<Sighting>& sightings, Wide first_position = 0);

// An error if the setup does not fit the protocol, or the work ends with one.
Result<SweepResult> sweep(const Runner& runner, const Setup& setup, const Generator& generator, Work& work,
                          const SweepOptions& options);

}  // namespace nika
