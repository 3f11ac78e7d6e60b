#include "nika/cli/verify_workers.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "nika/automata/symmetric_outcome.hpp"
#include "nika/base/threads.hpp"

namespace nika::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOutOfMemory = "out of memory";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A property gets an equal share of the time that is left, and another try if later its share has become much larger.
struct Attempt {
  std::size_t property = 0;
  Clock::duration tried = Clock::duration::zero();
};

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
  std::deque<Attempt> waiting;
  std::vector<std::optional<automata::PropertyImage>> images;  // of those that wait for the answer to another property
  std::size_t decided = 0;
  bool finished = false;
  std::exception_ptr failure;  // that left nothing to report
};

std::size_t undecided(const Shared& shared) {
  const auto held = std::count_if(shared.images.begin(), shared.images.end(), [](const auto& image) { return image; });
  return shared.waiting.size() + static_cast<std::size_t>(held);
}

// Gives its answer to those that wait for it; those that cannot use it are decided by themselves.
void release_images(Shared& shared, std::size_t decided) {
  for (std::size_t i = 0; i < shared.images.size(); ++i) {
    if (!shared.images[i] || shared.images[i]->of != decided) continue;
    const Clock::time_point start = Clock::now();
    PropertyResult& result = shared.result.properties[i];
    if (auto outcome =
            outcome_by_symmetry(shared.automaton, i, *shared.images[i], shared.result.properties[decided].outcome)) {
      result = {std::move(*outcome), seconds_since(start)};
      ++shared.decided;
    } else {
      shared.waiting.push_back({i, Clock::duration::zero()});
    }
    shared.images[i].reset();
  }
}

automata::Outcome unknown_because(std::string reason) {
  automata::Outcome outcome;
  outcome.reason = std::move(reason);
  return outcome;
}

automata::Outcome decide(const Shared& shared, const Attempt& attempt, Clock::time_point deadline) {
  automata::VerifyOptions options = shared.order.options;
  options.budget.deadline = deadline;
  try {
    return automata::verify_property(shared.system, *shared.automaton.specifications[attempt.property].formula,
                                     options);
  } catch (const std::bad_alloc&) {
    return unknown_because(kOutOfMemory);
  } catch (const std::system_error&) {  // a solver's thread that could not be started
    return unknown_because(kOutOfMemory);
  } catch (const std::exception& error) {
    automata::Outcome outcome = unknown_because(std::string("internal error: ") + error.what());
    outcome.solver_is_wrong = true;
    return outcome;
  }
}

void work(Shared& shared) {
  std::unique_lock lock(shared.mutex);
  const Clock::time_point end = shared.order.options.budget.deadline;
  while (!shared.waiting.empty() && !shared.order.options.budget.exhausted()) {
    const Attempt attempt = shared.waiting.front();
    shared.waiting.pop_front();
    const Clock::time_point start = Clock::now();
    const Clock::duration share = (end - start) / static_cast<std::int64_t>(undecided(shared) + 1);
    if (attempt.tried > Clock::duration::zero() && share < 3 * attempt.tried / 2) continue;
    lock.unlock();
    automata::Outcome outcome = decide(shared, attempt, end == Clock::time_point::max() ? end : start + share);
    lock.lock();
    const bool is_unknown = outcome.verdict == automata::Verdict::unknown;
    const bool out_of_time = is_unknown && outcome.reason == "out of time";
    if (out_of_time) shared.waiting.push_back({attempt.property, std::max(share, Clock::duration(1))});
    if (!out_of_time) ++shared.decided;
    if (is_unknown && outcome.reason == kOutOfMemory) shared.result.out_of_memory = true;
    PropertyResult& result = shared.result.properties[attempt.property];
    result.seconds += seconds_since(start);
    outcome.queries += result.outcome.queries;
    result.outcome = std::move(outcome);
    release_images(shared, attempt.property);
  }
}

void prepare_and_work(Shared& shared) {
  const Clock::time_point begin = Clock::now();
  automata::System system = automata::prepare(shared.automaton, shared.order.options.budget);
  std::vector<std::optional<automata::PropertyImage>> images(shared.automaton.specifications.size());
  if (shared.order.symmetry) images = automata::find_images(shared.automaton);
  std::size_t threads = 0;
  {
    const std::lock_guard lock(shared.mutex);
    shared.system = std::move(system);
    shared.images = std::move(images);
    for (std::size_t i = 0; i < shared.images.size(); ++i) {
      if (!shared.images[i]) shared.waiting.push_back({i, Clock::duration::zero()});
    }
    shared.result.vacuous = !shared.system.can_start;
    shared.result.preparation_seconds = seconds_since(begin);
    threads = std::min<std::size_t>(shared.order.threads, shared.waiting.size());
  }
  run_on_threads(static_cast<unsigned>(threads), [&](unsigned) { work(shared); });
}

// The thread that nobody waits for when the time is over. What it cannot handle it leaves to the one who asked.
void start(const std::shared_ptr<Shared>& shared) {
  std::exception_ptr failure;
  try {
    prepare_and_work(*shared);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(shared->mutex);
  shared->failure = failure;
  shared->finished = true;
  shared->changed.notify_all();
}

}  // namespace

WorkResult verify_all(const automata::Automaton& automaton, const WorkOrder& order,
                      const std::function<void(std::size_t)>& watch) {
  constexpr auto kGrace = std::chrono::milliseconds(500);
  const auto shared = std::make_shared<Shared>(automaton);
  shared->order = order;
  smt::Budget& budget = shared->order.options.budget;
  if (order.timeout_seconds > 0) {
    budget.deadline = Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(order.timeout_seconds * 1e6));
  }
  shared->result.properties.resize(automaton.specifications.size());
  for (PropertyResult& property : shared->result.properties) property.outcome.reason = "out of time";
  std::thread(start, shared).detach();
  std::unique_lock lock(shared->mutex);
  Clock::time_point give_up = Clock::time_point::max();
  while (!shared->finished && Clock::now() < give_up) {
    shared->changed.wait_for(lock, std::chrono::milliseconds(20));
    if (watch) watch(shared->decided);
    if (give_up == Clock::time_point::max() && budget.exhausted()) give_up = Clock::now() + kGrace;
  }
  if (shared->failure) std::rethrow_exception(shared->failure);
  WorkResult result = shared->result;
  for (PropertyResult& property : result.properties) {
    const bool unfinished = property.outcome.verdict == automata::Verdict::unknown && property.outcome.queries == 0;
    if (unfinished && property.outcome.reason == "out of time") property.outcome.reason = budget.reason();
  }
  result.abandoned = !shared->finished;
  return result;
}

Verdict verdict_of(const automata::Outcome& outcome) {
  switch (outcome.verdict) {
    case automata::Verdict::holds: return Verdict::kHolds;
    case automata::Verdict::violated: return Verdict::kViolated;
    case automata::Verdict::unknown: break;
  }
  return Verdict::kUnknown;
}

int exit_code_of(const WorkResult& result) {
  const auto any = [&](auto condition) {
    return std::any_of(result.properties.begin(), result.properties.end(),
                       [&](const PropertyResult& property) { return condition(property.outcome); });
  };
  if (any([](const automata::Outcome& outcome) { return outcome.solver_is_wrong; })) return kExitInternal;
  if (any([](const automata::Outcome& outcome) { return verdict_of(outcome) == Verdict::kViolated; })) {
    return kExitViolated;
  }
  if (result.out_of_memory) return kExitInternal;
  const bool unknown = any([](const automata::Outcome& outcome) { return verdict_of(outcome) == Verdict::kUnknown; });
  return exit_code_of(unknown ? Verdict::kUnknown : Verdict::kHolds);
}

}  // namespace nika::cli
