#include "nika/campaign/liveness_experiment.hpp"

#include <algorithm>
#include <mutex>

#include "nika/base/threads.hpp"
#include "nika/campaign/liveness_methods.hpp"
#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/campaign/watch.hpp"

namespace nika::liveness {
namespace {

constexpr std::uint64_t kChunk = 64;
constexpr double kProgressSeconds = 0.2;
// States of trails that are kept until all executions are over, in all threads together: 256 MB.
constexpr std::uint64_t kMaxKeptStates = std::uint64_t{1} << 24U;

// The states of an execution that went from a hot state to a hot one.
struct HotTrail {
  std::uint64_t execution = 0;
  std::vector<PartialSystemState> states;
};

class Worker {
 public:
  Worker(std::unique_ptr<Session> session, std::unique_ptr<IndexedSchedule> schedule, unsigned rounds, bool is_timed)
      : session_(std::move(session)), schedule_(std::move(schedule)), rounds_(rounds), is_timed_(is_timed) {}

  // How many states it has kept.
  std::uint64_t run(std::uint64_t number, Execution& execution) {
    schedule_->seek(number);
    trail_.begin(is_timed_);
    std::optional<Sight> last;
    const Outcome& outcome = session_->watch(*schedule_, [&](const Sight& sight, std::uint32_t time) {
      see(sight, static_cast<std::uint8_t>(time), execution);
      last.emplace(sight);
    });
    execution.forked = outcome.verdict() == Verdict::kViolated;
    execution.overflowed = outcome.overflowed;
    if (outcome.overflowed) return 0;
    execution.is_confirmed = last && any_locks_conflict(*last);
    const auto states = trail_.states().first(std::min<std::size_t>(trail_.states().size(), rounds_));
    for (std::size_t t = 0; t < kTemperatures.size(); ++t)
      execution.hot_at[t] = static_cast<std::uint8_t>(rounds_until_temperature(states, kTemperatures[t]));
    if (!graph_.add(states)) return 0;
    hot_trails_.push_back({number, {states.begin(), states.end()}});
    return states.size();
  }

  const TransitionGraph& graph() const { return graph_; }
  const std::vector<HotTrail>& hot_trails() const { return hot_trails_; }

 private:
  void see(const Sight& sight, std::uint8_t time, Execution& execution) {
    const std::size_t before = trail_.states().size();
    trail_.see(sight);
    if (trail_.states().size() > before && before < execution.over_at.size()) execution.over_at[before] = time;
    if (execution.decided_at == 0 && sight.commits.top() > Height(0)) execution.decided_at = time;
  }

  std::unique_ptr<Session> session_;
  std::unique_ptr<IndexedSchedule> schedule_;
  unsigned rounds_;
  bool is_timed_;
  PartialTrail trail_;
  TransitionGraph graph_;
  std::vector<HotTrail> hot_trails_;
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

Result<void> find_lassos(const std::vector<Worker>& workers, std::vector<Execution>& executions,
                         Experiment& experiment) {
  TransitionGraph graph;
  for (const Worker& worker : workers) graph.add(worker.graph());
  if (graph.is_full()) return bad_input("too many different transitions between hot states: run fewer scenarios");
  const HotCycles cycles(graph);
  experiment.hot_states = cycles.state_count();
  experiment.hot_transitions = graph.size();
  experiment.cyclic_transitions = cycles.transition_count();
  for (const Worker& worker : workers) {
    for (const HotTrail& trail : worker.hot_trails())
      executions[trail.execution].lasso_at = static_cast<std::uint8_t>(cycles.rounds_until_lasso(trail.states));
  }
  return {};
}

void count(const std::vector<Execution>& executions, Experiment& experiment) {
  experiment.executed = executions.size();
  for (const Execution& execution : executions) {
    experiment.forked += execution.forked ? 1 : 0;
    experiment.unknown += execution.overflowed ? 1 : 0;
    experiment.decided += execution.decided_at > 0 ? 1 : 0;
  }
}

}  // namespace

Result<Experiment> run_experiment(const Registry& registry, std::string_view protocol, unsigned rounds,
                                  const Options& options) {
  NIKA_REQUIRE(options.threads >= 1 && rounds <= kRounds.back());
  const auto runner = registry.find(protocol);
  if (!runner) return tl::unexpected(runner.error());
  const auto scenarios = draw_scenarios(**runner, {rounds, options.scenarios, options.seed});
  if (!scenarios) return tl::unexpected(scenarios.error());
  Experiment experiment;
  experiment.protocol = (*runner)->name();
  experiment.rounds = rounds;
  experiment.is_timed = scenarios->setup.network == NetworkModel::kTicks;
  std::vector<Worker> workers;
  for (unsigned t = 0; t < options.threads; ++t) {
    auto session = (*runner)->open(scenarios->setup);
    if (!session) return tl::unexpected(session.error());
    workers.emplace_back(*std::move(session), scenarios->generator->schedule(), rounds, experiment.is_timed);
  }
  std::vector<Execution> executions(options.scenarios);
  std::atomic<std::uint64_t> kept{0};
  const Watch watch;
  experiment.was_stopped = !for_each_execution(options, [&](unsigned thread, std::uint64_t number) {
    if (kept <= kMaxKeptStates) kept += workers[thread].run(number, executions[number]);
  });
  if (experiment.was_stopped) return experiment;
  if (kept > kMaxKeptStates) return bad_input("too many executions are hot to remember them: run fewer scenarios");
  const double run_seconds = watch.seconds();
  count(executions, experiment);
  const Watch lasso_watch;
  if (auto found = find_lassos(workers, executions, experiment); !found) return tl::unexpected(found.error());
  const double lasso_seconds = lasso_watch.seconds();
  const std::vector<Method> methods = methods_of(executions, experiment);
  if (options.is_confirmed) {
    experiment.was_stopped = !for_each_execution(options, [&](unsigned, std::uint64_t number) {
      Execution& execution = executions[number];
      const auto reports = [&](const Method& method) { return method.reported_at(execution) > 0; };
      execution.is_confirmed =
          std::ranges::any_of(methods, reports) && options.is_confirmed(scenarios->generator->scenario(number));
    });
    if (experiment.was_stopped) return experiment;
  }
  for (const Method& method : methods) {
    const double own_seconds = method.name == kLasso ? lasso_seconds : 0;
    experiment.rows.push_back(row_of(method, executions));
    experiment.rows.back().seconds += run_seconds + own_seconds;
  }
  if (options.is_confirmed) experiment.rows.push_back(confirmed_row(executions, run_seconds + lasso_seconds));
  return experiment;
}

}  // namespace nika::liveness
