#include "nika/campaign/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "nika/base/require.hpp"
#include "nika/base/threads.hpp"
#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/campaign/watch.hpp"

namespace nika {
namespace {

// Small chunks tell soon, and large ones hold more schedules that begin alike: they grow with what was run before.
constexpr Wide kSmallChunk = 4096;
constexpr Wide kLargeChunk = 16'384;
constexpr Wide kFirstChunk = 256;      // before it is known how long a run takes
constexpr Wide kTinyChunk = 64;        // where something may be found at once, and then is enough; or runs take long
constexpr double kChunkSeconds = 0.5;  // what is lost at most, on each thread, when a sweep is stopped
constexpr unsigned kPartSize = 4096;   // schedules after which a thread forgets sightings that are none of the first
constexpr std::chrono::milliseconds kProgressPause{100};

struct Chunk {
  Wide position = 0;  // of its first schedule in the work
  std::vector<twins::Range> ranges;
  Wide size = 0;
};

// Cuts the work into chunks, whoever asks for them, and leaves out what is done.
class Chunker {
 public:
  Chunker(Work& work, const SweepOptions& options) : work_(work), options_(options), position_(options.first_position) {
    if (options.ledger == nullptr) return;
    for (const auto& [first, part] : options.ledger->parts()) done_.push_back({first, part.last});
    is_closed_ = options.ledger->end() != kMaxWide && gaps_before_end(*options.ledger).empty();
  }

  std::optional<Chunk> next() {
    const std::scoped_lock lock(mutex_);
    const Wide until = skip_done();
    Chunk chunk{position_, {}, 0};
    for (Wide room = std::min(size_here(), until - position_); room > 0 && !is_closed_ && refill();) {
      const twins::Range part{rest_.begin, rest_.begin + std::min(room, rest_.size())};
      chunk.ranges.push_back(part);
      room -= part.size();
      chunk.size += part.size();
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
  // How long a chunk took.
  void learn(Wide size, double seconds) {
    const std::scoped_lock lock(mutex_);
    const double runs = static_cast<double>(size) / std::max(seconds, 1e-6) * kChunkSeconds;
    worthwhile_ = runs < static_cast<double>(kLargeChunk) ? std::max(static_cast<Wide>(runs), kTinyChunk) : kLargeChunk;
  }

  // Everything before it was handed out, or is done.
  Wide position() const { return position_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::vector<twins::Range> gaps_before_end(const Ledger& ledger) const {
    return ledger.gaps({options_.first_position, ledger.end()});
  }

  // Where only the first counts, chunks begin and end at the same places whenever the work is run.
  Wide size_here() const {
    const Wide before = position_ - options_.first_position;
    if (options_.stops_at_first) return std::clamp(before / 4, kTinyChunk, kSmallChunk);
    if (worthwhile_ == 0) return kFirstChunk;
    return std::min(worthwhile_, std::clamp(before / (2 * Wide{options_.threads}), kSmallChunk, kLargeChunk));
  }

  // Up to the next position that is not done. Where the one after that is done, or the work has no end before.
  Wide skip_done() {
    while (next_done_ < done_.size() && done_[next_done_].begin <= position_) {
      const Wide end = done_[next_done_++].end;
      while (position_ < end && refill()) {
        const Wide part = std::min(end - position_, rest_.size());
        position_ += part;
        rest_.begin += part;
      }
    }
    return next_done_ < done_.size() ? done_[next_done_].begin : kMaxWide;
  }

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
  const SweepOptions& options_;
  std::mutex mutex_;
  std::vector<twins::Range> done_;
  std::size_t next_done_ = 0;
  twins::Range rest_;
  Wide position_;
  Wide worthwhile_ = 0;  // runs of kChunkSeconds; 0: not known yet
  bool is_closed_ = false;
  std::optional<Error> error_;
};

// What came of a whole chunk.
struct ChunkResult {
  Tally tally;
  std::vector<Sighting> sightings;
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

  // Nothing if it was stopped.
  std::optional<ChunkResult> run(const Chunk& chunk, const std::atomic<bool>& is_late) {
    ChunkResult result{Tally(property_count_), {}};
    unsigned run = 0;
    for (const Numbered& numbered : schedules_of(chunk)) {
      if (is_late.load(std::memory_order_relaxed)) return std::nullopt;
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) return std::nullopt;
      run_one(numbered, chunk.position + numbered.place, result);
      if (++run % kPartSize == 0) keep_first(result.sightings, options_.sightings_of_each_kind);
    }
    keep_first(result.sightings, options_.sightings_of_each_kind);
    return result;
  }

 private:
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

  void run_one(const Numbered& numbered, Wide position, ChunkResult& result) {
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

// What all threads have done, and when they are done.
class Collector {
 public:
  Collector(Ledger& ledger, const SweepOptions& options)
      : options_(options), ledger_(ledger), kept_version_(ledger.version()), running_(options.threads) {}

  // False if nothing counts any more that comes after it.
  bool take(const Chunk& chunk, ChunkResult result) {
    const std::scoped_lock lock(mutex_);
    if (options_.sighted) std::ranges::copy(result.sightings, std::back_inserter(fresh_));
    ledger_.add({chunk.position, chunk.position + chunk.size}, result.tally, std::move(result.sightings));
    return ledger_.end() == kMaxWide;
  }
  void leave() {
    const std::scoped_lock lock(mutex_);
    if (--running_ == 0) done_.notify_one();
  }
  // Whether its time is over.
  const std::atomic<bool>& is_late() const { return is_late_; }
  // Until all threads have left, or one has failed and never will. Sets the flag if something cannot be kept.
  Result<void> wait(std::atomic<bool>& has_failed) {
    Result<void> kept;
    std::unique_lock lock(mutex_);
    for (bool done = false; !done;) {
      done = done_.wait_for(lock, kProgressPause, [&] { return running_ == 0 || has_failed; });
      if (options_.seconds > 0 && watch_.seconds() > options_.seconds) is_late_ = true;
      const std::vector<Sighting> fresh = std::exchange(fresh_, {});
      const bool is_new = ledger_.version() != std::exchange(kept_version_, ledger_.version());
      const std::optional<Ledger> now = is_new ? std::optional(ledger_) : std::nullopt;
      lock.unlock();
      for (const Sighting& sighting : fresh) options_.sighted(sighting);
      if (kept && now && options_.keep) kept = options_.keep(*now);
      if (!kept) has_failed = true;
      if (!done && now) progress_ = progress_of(*now);
      if (!done && options_.progress) options_.progress(progress_);
      lock.lock();
    }
    return kept;
  }

 private:
  static SweepProgress progress_of(const Ledger& ledger) {
    Tally total = ledger.total();
    return {total.executed, total.violating_runs, std::move(total)};
  }

  const SweepOptions& options_;
  std::mutex mutex_;
  std::condition_variable done_;
  Ledger& ledger_;
  std::size_t kept_version_;
  std::vector<Sighting> fresh_;
  SweepProgress progress_ = progress_of(ledger_);
  const Watch watch_;
  std::atomic<bool> is_late_{false};
  unsigned running_;
};

}  // namespace

Result<std::optional<twins::Range>> RangeWork::next() { return std::exchange(range_, std::nullopt); }

std::optional<FirstViolation> first_of(const std::vector<Sighting>& sightings, Wide first_position) {
  const auto first = std::ranges::min_element(sightings, {}, &Sighting::position);
  if (first == sightings.end()) return std::nullopt;
  return FirstViolation{first->position - first_position + 1, first->property, first->kind};
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
  Ledger own({setup.properties.size(), options.sightings_of_each_kind, options.stops_at_first});
  Ledger& ledger = options.ledger != nullptr ? *options.ledger : own;
  Chunker chunks(work, options);
  Collector collector(ledger, options);
  Result<void> kept;
  std::atomic<bool> has_failed{false};
  // The calling thread waits and tells; each other one works.
  run_on_threads(
      options.threads + 1,
      [&](unsigned number) {
        if (number == 0) {
          kept = collector.wait(has_failed);
          return;
        }
        for (auto chunk = chunks.next(); chunk && !has_failed; chunk = chunks.next()) {
          const Watch watch;
          auto result = workers[number - 1].run(*chunk, collector.is_late());
          if (result) chunks.learn(chunk->size, watch.seconds());
          if (!result || !collector.take(*chunk, *std::move(result))) chunks.close();
        }
        collector.leave();
      },
      &has_failed);
  if (chunks.error()) return tl::unexpected(*chunks.error());
  if (!kept) return tl::unexpected(kept.error());
  const bool was_stopped = !ledger.gaps({options.first_position, chunks.position()}).empty();
  return SweepResult{ledger.total(), ledger.sightings(), was_stopped};
}

}  // namespace nika
