#include "nika/campaign/sweep.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "nika/base/require.hpp"

namespace nika {
namespace {

constexpr Wide kChunkSize = 4096;
constexpr std::chrono::milliseconds kProgressPause{100};

struct Chunk {
  Wide position = 0;  // of its first scenario in the work
  std::vector<twins::Range> ranges;
};

// Cuts the work into chunks of a fixed size, whoever asks for them.
class Chunker {
 public:
  explicit Chunker(Work& work) : work_(work) {}

  std::optional<Chunk> next() {
    const std::scoped_lock lock(mutex_);
    Chunk chunk{position_, {}};
    for (Wide room = kChunkSize; room > 0 && refill();) {
      const twins::Range part{rest_.begin, rest_.begin + std::min(room, rest_.size())};
      chunk.ranges.push_back(part);
      room -= part.size();
      position_ += part.size();
      rest_.begin = part.end;
    }
    if (chunk.ranges.empty()) return std::nullopt;
    return chunk;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  bool refill() {
    while (rest_.size() == 0) {
      if (error_) return false;
      const auto range = work_.next();
      if (!range) error_ = range.error();
      if (!range || !*range) return false;
      rest_ = **range;
    }
    return true;
  }

  Work& work_;
  std::mutex mutex_;
  twins::Range rest_;
  Wide position_ = 0;
  std::optional<Error> error_;
};

void keep_first(std::vector<Sighting>& sightings, unsigned of_each_kind) {
  std::ranges::sort(sightings, {}, &Sighting::position);
  std::array<unsigned, kViolationKinds> seen{};
  std::erase_if(sightings, [&](const Sighting& s) { return ++seen[static_cast<unsigned>(s.kind)] > of_each_kind; });
}

void add(SweepTotals& totals, SweepTotals part, unsigned of_each_kind) {
  totals.executed += part.executed;
  totals.covered += part.covered;
  totals.violating += part.violating;
  totals.violating_classes += part.violating_classes;
  totals.unknown += part.unknown;
  if (part.sightings.empty()) return;
  std::ranges::move(part.sightings, std::back_inserter(totals.sightings));
  keep_first(totals.sightings, of_each_kind);
}

// One thread's part: it runs chunk after chunk.
class Worker {
 public:
  Worker(std::unique_ptr<Sweeper> sweeper, const twins::Space& space, const SweepOptions& options)
      : space_(space), options_(options), sweeper_(std::move(sweeper)), sequence_(space.rounds()) {}

  SweepTotals run(const Chunk& chunk) {
    totals_ = {};
    position_ = chunk.position;
    for (const twins::Range& range : chunk.ranges) {
      if (options_.classes != nullptr) {
        run_classes(range);
      } else {
        run_range(range);
      }
    }
    return std::move(totals_);
  }

 private:
  bool stopped() {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
    totals_.was_stopped = true;
    return true;
  }

  void run_range(const twins::Range& range) {
    for (Wide index = range.begin; index < range.end && !stopped(); ++index) {
      if (options_.phases == nullptr) space_.unrank(index, sequence_);
      judge(sequence_, index, 1);
    }
  }

  void run_classes(const twins::Range& range) {
    twins::Classes::Cursor cursor(*options_.classes, range.begin);
    for (Wide left = range.size(); left > 0 && !stopped(); --left) {
      judge(cursor.representative(), 0, cursor.weight());
      if (left > 1) cursor.advance();
    }
  }

  void judge(std::span<const std::uint32_t> sequence, Wide index, std::uint32_t weight) {
    const Outcome outcome = sweeper_->run(sequence, index);
    const Wide position = position_++;
    ++totals_.executed;
    if (outcome.verdict == Verdict::kUnknown) {
      totals_.unknown += weight;
      return;
    }
    totals_.covered += weight;
    if (outcome.verdict != Verdict::kViolated) return;
    totals_.violating += weight;
    ++totals_.violating_classes;
    note({kind_of(outcome), position, index, {sequence.begin(), sequence.end()}});
  }

  void note(Sighting sighting) {
    const auto same = [&](const Sighting& other) { return other.kind == sighting.kind; };
    if (std::ranges::count_if(totals_.sightings, same) >= options_.sightings_of_each_kind) return;
    if (options_.classes != nullptr) {
      const auto index = space_.rank(sighting.configurations);
      NIKA_REQUIRE(index.has_value());
      sighting.index = *index;
    }
    totals_.sightings.push_back(std::move(sighting));
  }

  const twins::Space& space_;
  const SweepOptions& options_;
  std::unique_ptr<Sweeper> sweeper_;
  std::vector<std::uint32_t> sequence_;
  SweepTotals totals_;
  Wide position_ = 0;
};

// The totals of all threads, and when they are complete.
class Tally {
 public:
  Tally(unsigned threads, const SweepOptions& options) : options_(options), running_(threads) {}

  void take(SweepTotals part) {
    const std::scoped_lock lock(mutex_);
    totals_.was_stopped |= part.was_stopped;
    add(totals_, std::move(part), options_.sightings_of_each_kind);
  }
  void leave() {
    const std::scoped_lock lock(mutex_);
    if (--running_ == 0) done_.notify_one();
  }
  SweepTotals wait() {
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, kProgressPause, [&] { return running_ == 0; })) {
      if (!options_.progress) continue;
      const Wide executed = totals_.executed;
      lock.unlock();
      options_.progress(executed);
      lock.lock();
    }
    return std::move(totals_);
  }

 private:
  const SweepOptions& options_;
  std::mutex mutex_;
  std::condition_variable done_;
  SweepTotals totals_;
  unsigned running_;
};

}  // namespace

Result<std::optional<twins::Range>> RangeWork::next() { return std::exchange(range_, std::nullopt); }

Result<SweepTotals> sweep(const Runner& runner, const twins::Space& space, Work& work, const SweepOptions& options) {
  NIKA_REQUIRE(options.threads >= 1);
  std::vector<Worker> workers;
  for (unsigned t = 0; t < options.threads; ++t) {
    auto sweeper = options.phases != nullptr ? runner.sweeper(*options.phases, options.properties)
                                             : runner.sweeper(space, options.properties);
    if (!sweeper) return tl::unexpected(sweeper.error());
    workers.emplace_back(*std::move(sweeper), space, options);
  }
  Chunker chunks(work);
  Tally tally(options.threads, options);
  std::vector<std::jthread> threads;
  for (Worker& worker : workers) {
    threads.emplace_back([&] {
      for (auto chunk = chunks.next(); chunk; chunk = chunks.next()) {
        SweepTotals part = worker.run(*chunk);
        const bool stops = part.was_stopped;
        tally.take(std::move(part));
        if (stops) break;
      }
      tally.leave();
    });
  }
  SweepTotals totals = tally.wait();
  threads.clear();
  if (chunks.error()) return tl::unexpected(*chunks.error());
  return totals;
}

}  // namespace nika
