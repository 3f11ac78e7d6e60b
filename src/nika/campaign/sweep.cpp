#include "nika/campaign/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "nika/base/require.hpp"
#include "nika/base/threads.hpp"
#include "nika/campaign/confirmed_lasso.hpp"

namespace nika {
namespace {

// Small chunks tell soon, and large ones hold more schedules that begin alike: they grow with what was run before.
constexpr Wide kSmallChunk = 4096;
constexpr Wide kLargeChunk = 16'384;
constexpr Wide kFirstChunk = 64;      // where something may be found at once, and then is enough
constexpr unsigned kPartSize = 4096;  // schedules after which a thread tells what it found
constexpr std::chrono::milliseconds kProgressPause{100};

struct Chunk {
  Wide position = 0;  // of its first schedule in the work
  std::vector<twins::Range> ranges;
};

// Cuts the work into chunks, whoever asks for them.
class Chunker {
 public:
  Chunker(Work& work, const SweepOptions& options)
      : work_(work),
        smallest_(options.stops_at_first ? kFirstChunk : kSmallChunk),
        largest_(options.stops_at_first ? kSmallChunk : kLargeChunk),
        threads_(options.threads) {}

  std::optional<Chunk> next() {
    const std::scoped_lock lock(mutex_);
    Chunk chunk{position_, {}};
    for (Wide room = std::clamp(position_ / (2 * threads_), smallest_, largest_);
         room > 0 && !is_closed_ && refill();) {
      const twins::Range part{rest_.begin, rest_.begin + std::min(room, rest_.size())};
      chunk.ranges.push_back(part);
      room -= part.size();
      position_ += part.size();
      rest_.begin = part.end;
    }
    if (chunk.ranges.empty()) return std::nullopt;
    return chunk;
  }
  // No more chunks, though there is work left.
  void close() {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
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
  const Wide smallest_;
  const Wide largest_;
  const Wide threads_;
  std::mutex mutex_;
  twins::Range rest_;
  Wide position_ = 0;
  bool is_closed_ = false;
  std::optional<Error> error_;
};

// One thread's part: it runs chunk after chunk.
class Worker {
 public:
  Worker(std::unique_ptr<Session> session, std::unique_ptr<IndexedSchedule> schedule, LassoJudge lassos,
         std::size_t property_count, const SweepOptions& options)
      : session_(std::move(session)),
        schedule_(std::move(schedule)),
        lassos_(std::move(lassos)),
        property_count_(property_count),
        options_(options) {}

  // Hands over what it found part by part. False if there is to be no other chunk.
  template <class Take>
  bool run(const Chunk& chunk, const Take& take) {
    bool goes_on = true;
    for (auto rest = schedules_of(chunk); goes_on && !rest.empty();) {
      const auto part = rest.first(std::min<std::size_t>(rest.size(), kPartSize));
      SweepResult result = run_part(part, chunk.position);
      goes_on = !result.was_stopped && !(options_.stops_at_first && !result.sightings.empty());
      take(std::move(result));
      rest = rest.subspan(part.size());
    }
    return goes_on;
  }

 private:
  SweepResult run_part(std::span<const Numbered> part, Wide first_position) {
    SweepResult result{Tally(property_count_), {}, false};
    for (const Numbered& numbered : part) {
      result.was_stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
      if (result.was_stopped) break;
      run_one(numbered, first_position + numbered.place, result);
    }
    keep_first(result.sightings, options_.sightings_of_each_kind);
    return result;
  }

  std::span<const Numbered> schedules_of(const Chunk& chunk) {
    chunk_.clear();
    std::size_t size = 0;
    for (const twins::Range& range : chunk.ranges) size += static_cast<std::size_t>(range.size());
    chunk_.reserve(size);
    for (const twins::Range& range : chunk.ranges) {
      for (Wide index = range.begin; index < range.end; ++index)
        chunk_.push_back({index, 0, static_cast<std::uint32_t>(chunk_.size())});
    }
    if (session_->copying() != nullptr) schedule_->arrange(chunk_);
    return chunk_;
  }

  void run_one(const Numbered& numbered, Wide position, SweepResult& result) {
    schedule_->seek(numbered.index);
    const Outcome* const known = schedule_->known();
    const Outcome& run = known != nullptr ? *known : run_now(numbered.keeps);
    const Outcome& outcome = has_candidate(run) ? confirmed(run) : run;
    result.tally.add(outcome, schedule_->weight());
    for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
      if (outcome.judgements[p].verdict != Verdict::kViolated) continue;
      result.sightings.push_back({p, outcome.judgements[p].evidence.kind, position, numbered.index});
    }
  }

  const Outcome& run_now(unsigned keeps) {
    Copying* const copying = session_->copying();
    const Outcome& run =
        copying != nullptr ? copying->run_on(*schedule_, schedule_->shared(), keeps) : session_->run(*schedule_);
    schedule_->learn(run);
    return run;
  }

  const Outcome& confirmed(const Outcome& run) {
    confirmed_ = run;
    lassos_.judge(*session_, *schedule_, confirmed_);
    return confirmed_;
  }

  std::unique_ptr<Session> session_;
  std::unique_ptr<IndexedSchedule> schedule_;
  LassoJudge lassos_;
  Outcome confirmed_{};  // a run whose lasso was judged anew
  std::size_t property_count_;
  const SweepOptions& options_;
  std::vector<Numbered> chunk_;
};

// The totals of all threads, and when they are complete.
class Collector {
 public:
  Collector(unsigned threads, std::size_t property_count, const SweepOptions& options)
      : options_(options), total_{Tally(property_count), {}, false}, running_(threads) {}

  void take(SweepResult part) {
    const std::scoped_lock lock(mutex_);
    total_.was_stopped |= part.was_stopped;
    total_.tally.add(part.tally);
    if (part.sightings.empty()) return;
    if (options_.sighted) std::ranges::copy(part.sightings, std::back_inserter(fresh_));
    std::ranges::move(part.sightings, std::back_inserter(total_.sightings));
    keep_first(total_.sightings, options_.sightings_of_each_kind);
  }
  void leave() {
    const std::scoped_lock lock(mutex_);
    if (--running_ == 0) done_.notify_one();
  }
  // Until all threads have left, or one has failed and never will.
  SweepResult wait(const std::atomic<bool>& has_failed) {
    std::unique_lock lock(mutex_);
    for (bool done = false; !done;) {
      done = done_.wait_for(lock, kProgressPause, [&] { return running_ == 0 || has_failed; });
      const SweepProgress progress{total_.tally.executed, total_.tally.violating_runs};
      const std::vector<Sighting> fresh = std::move(fresh_);
      fresh_.clear();
      lock.unlock();
      for (const Sighting& sighting : fresh) options_.sighted(sighting);
      if (!done && options_.progress) options_.progress(progress);
      lock.lock();
    }
    return total_;
  }

 private:
  const SweepOptions& options_;
  std::mutex mutex_;
  std::condition_variable done_;
  SweepResult total_;
  std::vector<Sighting> fresh_;
  unsigned running_;
};

}  // namespace

Result<std::optional<twins::Range>> RangeWork::next() { return std::exchange(range_, std::nullopt); }

std::optional<FirstViolation> first_of(const std::vector<Sighting>& sightings) {
  const auto first = std::ranges::min_element(sightings, {}, &Sighting::position);
  if (first == sightings.end()) return std::nullopt;
  return FirstViolation{first->position + 1, first->property, first->kind};
}

Result<SweepResult> sweep(const Runner& runner, const Setup& setup, const Generator& generator, Work& work,
                          const SweepOptions& options) {
  NIKA_REQUIRE(options.threads >= 1);
  std::vector<Worker> workers;
  for (unsigned t = 0; t < options.threads; ++t) {
    auto session = runner.open(setup);
    if (!session) return tl::unexpected(session.error());
    workers.emplace_back(*std::move(session), generator.schedule(), LassoJudge(runner, setup), setup.properties.size(),
                         options);
  }
  Chunker chunks(work, options);
  Collector collector(options.threads, setup.properties.size(), options);
  SweepResult result;
  std::atomic<bool> has_failed{false};
  // The calling thread waits and tells; each other one works.
  run_on_threads(
      options.threads + 1,
      [&](unsigned number) {
        if (number == 0) {
          result = collector.wait(has_failed);
          return;
        }
        for (auto chunk = chunks.next(); chunk && !has_failed; chunk = chunks.next()) {
          const auto take = [&](SweepResult part) { collector.take(std::move(part)); };
          if (!workers[number - 1].run(*chunk, take)) chunks.close();
        }
        collector.leave();
      },
      &has_failed);
  if (chunks.error()) return tl::unexpected(*chunks.error());
  return result;
}

}  // namespace nika
