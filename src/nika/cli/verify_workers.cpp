#include "nika/cli/verify_workers.hpp"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace nika::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Everything that the threads touch. It owns copies, and is owned by every thread, so that it outlives a caller that
// has stopped waiting.
struct Shared {
  explicit Shared(const automata::Automaton& a) : automaton(a) {}

  automata::Automaton automaton;
  WorkOrder order;
  automata::System system;
  std::mutex mutex;
  std::condition_variable changed;
  WorkResult result;
  std::size_t next = 0;
  std::size_t running = 0;
};

void work(const std::shared_ptr<Shared>& shared) {
  for (;;) {
    std::size_t index = 0;
    {
      const std::lock_guard lock(shared->mutex);
      if (shared->next == shared->automaton.specifications.size()) break;
      index = shared->next++;
    }
    const Clock::time_point start = Clock::now();
    automata::Outcome outcome;
    try {
      outcome = automata::verify_property(shared->system, *shared->automaton.specifications[index].formula,
                                          shared->order.options);
    } catch (const std::exception& error) {
      outcome.reason = std::string("internal error: ") + error.what();
      outcome.solver_is_wrong = true;
    }
    const std::lock_guard lock(shared->mutex);
    shared->result.properties[index] = {std::move(outcome), seconds_since(start)};
  }
  const std::lock_guard lock(shared->mutex);
  --shared->running;
  shared->changed.notify_all();
}

void start(const std::shared_ptr<Shared>& shared) {
  const Clock::time_point begin = Clock::now();
  automata::System system = automata::prepare(shared->automaton, shared->order.options.budget);
  std::size_t more = 0;
  {
    const std::lock_guard lock(shared->mutex);
    shared->system = std::move(system);
    shared->result.vacuous = !shared->system.can_start;
    shared->result.preparation_seconds = seconds_since(begin);
    more = std::min<std::size_t>(shared->order.threads, shared->automaton.specifications.size()) - 1;
    shared->running += more;
  }
  for (std::size_t i = 0; i < more; ++i) std::thread(work, shared).detach();
  work(shared);
}

}  // namespace

WorkResult verify_all(const automata::Automaton& automaton, const WorkOrder& order) {
  constexpr auto kGrace = std::chrono::seconds(2);
  const auto shared = std::make_shared<Shared>(automaton);
  shared->order = order;
  shared->result.properties.resize(automaton.specifications.size());
  for (PropertyResult& property : shared->result.properties) property.outcome.reason = "out of time";
  shared->running = 1;
  std::thread(start, shared).detach();
  std::unique_lock lock(shared->mutex);
  Clock::time_point give_up = Clock::time_point::max();
  while (shared->running > 0 && Clock::now() < give_up) {
    shared->changed.wait_for(lock, std::chrono::milliseconds(20));
    if (give_up == Clock::time_point::max() && order.options.budget.exhausted()) give_up = Clock::now() + kGrace;
  }
  WorkResult result = shared->result;
  result.abandoned = shared->running > 0;
  return result;
}

int exit_code_of(const WorkResult& result) {
  const auto any = [&](auto condition) {
    return std::any_of(result.properties.begin(), result.properties.end(), condition);
  };
  if (any([](const PropertyResult& p) { return p.outcome.solver_is_wrong; })) return 4;
  if (any([](const PropertyResult& p) { return p.outcome.verdict == automata::Verdict::violated; })) return 1;
  if (any([](const PropertyResult& p) { return p.outcome.verdict == automata::Verdict::unknown; })) return 3;
  return 0;
}

}  // namespace nika::cli
