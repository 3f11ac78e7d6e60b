#include "nika/campaign/liveness_experiment.hpp"

#include <algorithm>
#include <functional>

#include "nika/base/threads.hpp"
#include "nika/campaign/hot_loops.hpp"
#include "nika/campaign/liveness_methods.hpp"
#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/campaign/watch.hpp"

namespace nika::liveness {
namespace {

constexpr std::uint64_t kChunk = 64;
constexpr double kProgressSeconds = 0.2;

// One thread's part. Of an execution only what fits into its record is kept: what was hot is run again when it is asked
// about, so that memory does not grow with what is found.
class Worker {
 public:
  Worker(std::unique_ptr<Session> session, std::unique_ptr<Session> repaired, std::unique_ptr<IndexedSchedule> schedule,
         const Experiment& experiment)
      : session_(std::move(session)),
        repaired_(std::move(repaired)),
        schedule_(std::move(schedule)),
        rounds_(experiment.rounds),
        is_timed_(experiment.is_timed) {}

  void run(std::uint64_t number, Execution& execution) {
    std::optional<Sight> last;
    const Outcome& outcome = watch(number, [&](const Sight& sight, std::uint32_t time) {
      see(sight, static_cast<std::uint8_t>(time), execution);
      last.emplace(sight);
    });
    execution.forked = outcome.verdict() == Verdict::kViolated;
    execution.overflowed = outcome.overflowed;
    if (outcome.overflowed) return;
    execution.ends_in_conflict = last && any_locks_conflict(*last);
    for (std::size_t t = 0; t < kTemperatures.size(); ++t)
      execution.hot_at[t] = static_cast<std::uint8_t>(rounds_until_temperature(states(), kTemperatures[t]));
    execution.was_hot = std::ranges::any_of(states(), &PartialSystemState::is_hot);
    graph_.add(states());
  }

  void look_for_lasso(std::uint64_t number, const HotCycles& cycles, Execution& execution) {
    walk(number);
    execution.lasso_at = static_cast<std::uint8_t>(cycles.rounds_until_lasso(states()));
  }

  // The repaired protocol is asked about lassos only: of the others it counts whether there is a loop.
  void confirm(std::uint64_t number, Execution& execution) {
    walk(number);
    Preference repaired_decides;
    if (repaired_ && execution.lasso_at > 0) {
      repaired_decides = [&](HotLoop& hot) {
        return hot.repaired_decides = decides_on_and_on(*repaired_->looping(), *schedule_, hot);
      };
    }
    const auto hot = find_hot_loop(*session_->looping(), *schedule_, states(), repaired_decides);
    execution.is_confirmed = hot.has_value();
    if (!hot) return;
    execution.is_healed = hot->loop.assumptions.healed;
    execution.is_fair = hot->loop.assumptions.fair;
    execution.repaired_decides = hot->repaired_decides;
  }

  const TransitionGraph& graph() const { return graph_; }

 private:
  const Outcome& watch(std::uint64_t number, const Listener& listener) {
    schedule_->seek(number);
    trail_.begin(is_timed_);
    return session_->watch(*schedule_, listener);
  }
  void walk(std::uint64_t number) {
    (void)watch(number, [&](const Sight& sight, std::uint32_t) { trail_.see(sight); });
  }
  std::span<const PartialSystemState> states() const {
    return trail_.states().first(std::min<std::size_t>(trail_.states().size(), rounds_));
  }
  void see(const Sight& sight, std::uint8_t time, Execution& execution) {
    const std::size_t before = trail_.states().size();
    trail_.see(sight);
    if (trail_.states().size() > before && before < execution.over_at.size()) execution.over_at[before] = time;
    if (execution.decided_at == 0 && sight.commits.top() > Height(0)) execution.decided_at = time;
  }

  std::unique_ptr<Session> session_;
  std::unique_ptr<Session> repaired_;  // null if there is none
  std::unique_ptr<IndexedSchedule> schedule_;
  unsigned rounds_;
  bool is_timed_;
  PartialTrail trail_;
  TransitionGraph graph_;
};

bool is_stopped(const Options& options) { return options.stop != nullptr && options.stop->load(); }

// Calls work(thread, number) for every execution, in chunks over the threads. False if it was stopped.
bool for_each_execution(const Options& options, const std::function<void(unsigned, std::uint64_t)>& work) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> has_failed{false};
  std::atomic<bool> was_stopped{false};
  run_on_threads(
      options.threads,
      [&](unsigned thread) {
        Watch watch;
        for (;;) {
          const std::uint64_t begin = next.fetch_add(kChunk);
          if (begin >= options.scenarios || has_failed || was_stopped) return;
          if (is_stopped(options)) was_stopped = true;
          const std::uint64_t end = std::min(begin + kChunk, options.scenarios);
          for (std::uint64_t number = begin; number < end && !was_stopped; ++number) work(thread, number);
          if (thread == 0 && options.progress && watch.seconds() >= kProgressSeconds) {
            options.progress(begin);
            watch = Watch();
          }
        }
      },
      &has_failed);
  return !was_stopped;
}

Result<HotCycles> cycles_of(const std::vector<Worker>& workers, Experiment& experiment) {
  TransitionGraph graph;
  for (const Worker& worker : workers) graph.add(worker.graph());
  if (graph.is_full()) return bad_input("too many different transitions between hot states: run fewer scenarios");
  HotCycles cycles(graph);
  experiment.hot_states = cycles.state_count();
  experiment.hot_transitions = graph.size();
  experiment.cyclic_transitions = cycles.transition_count();
  return cycles;
}

void count(const std::vector<Execution>& executions, Experiment& experiment) {
  experiment.executed = executions.size();
  for (const Execution& execution : executions) {
    experiment.forked += execution.forked ? 1 : 0;
    experiment.unknown += execution.overflowed ? 1 : 0;
    experiment.decided += execution.decided_at > 0 ? 1 : 0;
  }
}

void count_loops(const std::vector<Execution>& executions, Experiment& experiment) {
  Loops& loops = experiment.loops;
  std::uint64_t repaired_decides = 0;
  for (std::uint64_t number = 0; number < executions.size(); ++number) {
    const Execution& execution = executions[number];
    if (execution.lasso_at == 0) continue;
    ++loops.candidates;
    if (execution.is_confirmed) loops.confirmed.push_back(number);
    loops.healed += execution.is_healed ? 1 : 0;
    loops.fair += execution.is_fair ? 1 : 0;
    repaired_decides += execution.repaired_decides ? 1 : 0;
  }
  if (!experiment.repaired.empty()) loops.repaired_decides = repaired_decides;
}

// One experiment, from its executions to its rows.
class Course {
 public:
  Course(const Options& options, Experiment& experiment, std::vector<Worker> workers)
      : options_(options), experiment_(experiment), workers_(std::move(workers)), executions_(options.scenarios) {}

  Result<void> run() {
    double run_seconds = 0;
    double lasso_seconds = 0;
    double confirmed_seconds = 0;
    const bool ran = timed(run_seconds, [](const Execution&) { return true; }, &Worker::run);
    if (!ran) return stopped();
    count(executions_, experiment_);
    const Watch watch;
    const auto cycles = cycles_of(workers_, experiment_);
    if (!cycles) return tl::unexpected(cycles.error());
    const double graph_seconds = watch.seconds();
    const auto look = [&](Worker& worker, std::uint64_t number, Execution& e) {
      worker.look_for_lasso(number, *cycles, e);
    };
    const auto is_other = [](const Execution& e) { return e.was_hot && e.lasso_at == 0; };
    double others_seconds = 0;  // of no method: they are confirmed to count false positives
    if (!timed(lasso_seconds, &Execution::was_hot, look)) return stopped();
    if (!timed(confirmed_seconds, [](const Execution& e) { return e.lasso_at > 0; }, &Worker::confirm))
      return stopped();
    if (!timed(others_seconds, is_other, &Worker::confirm)) return stopped();
    count_loops(executions_, experiment_);
    lasso_seconds += graph_seconds;
    for (const Method& method : methods_of(executions_, experiment_)) {
      Row row = row_of(method, executions_);
      row.seconds += run_seconds;
      if (method.name == kLasso || method.name == kConfirmedLasso) row.seconds += lasso_seconds;
      if (method.name == kConfirmedLasso) row.seconds += confirmed_seconds;
      experiment_.rows.push_back(row);
    }
    return {};
  }

 private:
  // Calls work(worker, number, execution) for every execution that counts. False if it was stopped.
  template <class Counts, class Work>
  bool timed(double& seconds, const Counts& counts, const Work& work) {
    const Watch watch;
    const bool done = for_each_execution(options_, [&](unsigned thread, std::uint64_t number) {
      Execution& execution = executions_[number];
      if (std::invoke(counts, execution)) std::invoke(work, workers_[thread], number, execution);
    });
    seconds = watch.seconds();
    return done;
  }
  Result<void> stopped() {
    experiment_.was_stopped = true;
    return {};
  }

  const Options& options_;
  Experiment& experiment_;
  std::vector<Worker> workers_;
  std::vector<Execution> executions_;
};

}  // namespace

Result<Experiment> run_experiment(const Registry& registry, std::string_view protocol, unsigned rounds,
                                  const Options& options) {
  NIKA_REQUIRE(options.threads >= 1 && rounds <= kRounds.back());
  const auto runner = registry.find(protocol);
  if (!runner) return tl::unexpected(runner.error());
  const auto scenarios = draw_scenarios(**runner, {rounds, options.scenarios, options.seed});
  if (!scenarios) return tl::unexpected(scenarios.error());
  const auto repaired = repaired_of(registry, **runner, scenarios->setup);
  if (!repaired) return tl::unexpected(repaired.error());
  Experiment experiment;
  experiment.protocol = (*runner)->name();
  experiment.rounds = rounds;
  experiment.is_timed = scenarios->setup.network == NetworkModel::kTicks;
  experiment.repaired = repaired->name;
  std::vector<Worker> workers;
  for (unsigned t = 0; t < options.threads; ++t) {
    auto session = (*runner)->open(scenarios->setup);
    if (!session) return tl::unexpected(session.error());
    NIKA_REQUIRE((*session)->looping() != nullptr);
    std::unique_ptr<Session> other;
    if (repaired->runner != nullptr) {
      auto opened = repaired->runner->open(repaired->setup);
      if (!opened) return tl::unexpected(opened.error());
      other = *std::move(opened);
    }
    workers.emplace_back(*std::move(session), std::move(other), scenarios->generator->schedule(), experiment);
  }
  if (auto done = Course(options, experiment, std::move(workers)).run(); !done) return tl::unexpected(done.error());
  return experiment;
}

}  // namespace nika::liveness
