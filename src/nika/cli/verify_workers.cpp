#include "nika/cli/verify_workers.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "nika/automata/symmetric_outcome.hpp"
#include "nika/automata/vacuity.hpp"
#include "nika/base/threads.hpp"

namespace nika::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOutOfMemory = "out of memory";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A property gets one go after another, each four times as long as the one before, and goes on where that stopped. So
// easy properties are decided first, and what they leave over is for the others.
struct Task {
  std::size_t property = 0;
  unsigned goes = 0;
  std::unique_ptr<automata::Verification> verification;  // none yet, or not any more: then it holds, maybe vacuously
};

// A question that threads without a property of their own help with.
struct Shared;
class FreeThreads final : public smt::Crew {
 public:
  explicit FreeThreads(Shared& shared) : shared_(shared) {}
  void run(const std::function<void()>& work) override;

 private:
  Shared& shared_;
};

struct Appeal {
  const std::function<void()>* work;
  unsigned helpers = 0;
  bool is_open = true;
};

struct Go {
  Clock::time_point end;
  Clock::time_point end_of_share;  // a counterexample may be made smaller until then
};

constexpr Clock::duration kShortestGo = std::chrono::milliseconds(50);
constexpr unsigned kMostGrowth = 15;

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
  std::deque<Task> waiting;
  unsigned busy = 0;  // threads with a property
  std::list<Appeal> appeals;
  FreeThreads free_threads{*this};
  Clock::duration first_go = Clock::duration::max();
  std::vector<std::size_t> finished_properties;                // in the order in which they were
  std::vector<std::optional<automata::PropertyImage>> images;  // of those that wait for the answer to another property
  bool finished = false;
  std::exception_ptr failure;  // that left nothing to report
};

// Gives its answer to those that wait for it; those that cannot use it are decided by themselves.
void release_images(Shared& shared, std::size_t decided) {
  for (std::size_t i = 0; i < shared.images.size(); ++i) {
    if (!shared.images[i] || shared.images[i]->of != decided) continue;
    const Clock::time_point start = Clock::now();
    PropertyResult& result = shared.result.properties[i];
    if (auto outcome =
            outcome_by_symmetry(shared.automaton, i, *shared.images[i], shared.result.properties[decided].outcome)) {
      result = {std::move(*outcome), seconds_since(start)};
      shared.finished_properties.push_back(i);
    } else {
      shared.waiting.push_back({i, 0, nullptr});
    }
    shared.images[i].reset();
  }
}

automata::Outcome unknown_because(std::string reason) {
  automata::Outcome outcome;
  outcome.reason = std::move(reason);
  return outcome;
}

// One go. What is already known of the property is completed.
automata::Outcome go_on(Shared& shared, Task& task, const automata::Outcome& known, const Go& go) {
  const automata::Formula& formula = *shared.automaton.specifications[task.property].formula;
  automata::VerifyOptions options = shared.order.options;
  options.portfolio.crew = shared.order.threads > 1 ? &shared.free_threads : nullptr;
  options.budget.deadline = go.end;
  smt::Budget to_minimise = options.budget;
  to_minimise.deadline = go.end_of_share;
  automata::Outcome outcome = known;
  if (outcome.verdict != automata::Verdict::holds) {
    if (!task.verification) {
      if (!shared.system.can_start) return automata::judge_property(shared.system, formula, options);
      task.verification = std::make_unique<automata::Verification>(shared.system, formula, options);
    }
    outcome = task.verification->go_on(options.budget, to_minimise);
    if (outcome.verdict != automata::Verdict::holds) return outcome;
    task.verification.reset();
  }
  automata::add_vacuity(shared.system, formula, options, outcome);
  return outcome;
}

automata::Outcome go_on_safely(Shared& shared, Task& task, const automata::Outcome& known, const Go& go) {
  try {
    return go_on(shared, task, known, go);
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

// Four times as long as the last time, but no more than an equal share of what is left.
Go next_go(const Shared& shared, const Task& task) {
  const Clock::time_point end = shared.order.options.budget.deadline;
  if (end == Clock::time_point::max()) return {end, end};
  const Clock::time_point now = Clock::now();
  const Clock::duration share = (end - now) / static_cast<std::int64_t>(shared.waiting.size() + 1);
  const std::int64_t longer = std::int64_t{1} << 2 * std::min(task.goes, kMostGrowth);
  const Clock::duration go = shared.first_go > share / longer ? share : shared.first_go * longer;
  return {std::min(end, now + std::max(go, kShortestGo)), std::min(end, now + std::max(share, kShortestGo))};
}

bool is_out_of_time(const automata::Outcome& outcome) {
  return outcome.verdict == automata::Verdict::unknown ? outcome.reason.starts_with("out of time")
                                                       : outcome.vacuity_undecided.starts_with("out of time");
}

void FreeThreads::run(const std::function<void()>& work) {
  std::unique_lock lock(shared_.mutex);
  const auto appeal = shared_.appeals.insert(shared_.appeals.end(), {&work});
  shared_.changed.notify_all();
  lock.unlock();
  work();
  lock.lock();
  appeal->is_open = false;
  shared_.changed.wait(lock, [&] { return appeal->helpers == 0; });
  shared_.appeals.erase(appeal);
}

void help(Shared& shared, Appeal& appeal, std::unique_lock<std::mutex>& lock) {
  ++appeal.helpers;
  lock.unlock();
  (*appeal.work)();
  lock.lock();
  appeal.is_open = false;  // nothing is left to do
  --appeal.helpers;
  shared.changed.notify_all();
}

void decide_next(Shared& shared, std::unique_lock<std::mutex>& lock) {
  Task task = std::move(shared.waiting.front());
  shared.waiting.pop_front();
  const std::size_t property = task.property;
  const Clock::time_point start = Clock::now();
  const Go go = next_go(shared, task);
  const automata::Outcome known = shared.result.properties[property].outcome;
  ++shared.busy;
  lock.unlock();
  automata::Outcome outcome = go_on_safely(shared, task, known, go);
  lock.lock();
  --shared.busy;
  PropertyResult& result = shared.result.properties[property];
  result.seconds += seconds_since(start);
  const bool is_unknown = outcome.verdict == automata::Verdict::unknown;
  if (is_unknown && outcome.reason == kOutOfMemory) shared.result.out_of_memory = true;
  result.outcome = std::move(outcome);
  if (is_out_of_time(result.outcome)) {
    ++task.goes;
    shared.waiting.push_back(std::move(task));
  } else {
    shared.finished_properties.push_back(property);
    release_images(shared, property);
  }
  shared.changed.notify_all();
}

// Properties first; who finds none helps with one that is hard.
void work(Shared& shared) {
  std::unique_lock lock(shared.mutex);
  while (!shared.order.options.budget.exhausted()) {
    const auto appeal =
        std::find_if(shared.appeals.begin(), shared.appeals.end(), [](const Appeal& a) { return a.is_open; });
    if (!shared.waiting.empty()) {
      decide_next(shared, lock);
    } else if (appeal != shared.appeals.end()) {
      help(shared, *appeal, lock);
    } else if (shared.busy > 0) {
      shared.changed.wait(lock);
    } else {
      return;
    }
  }
}

// Goes of the first round take a quarter of the time at most.
Clock::duration first_go_of(const Shared& shared) {
  const Clock::time_point end = shared.order.options.budget.deadline;
  if (end == Clock::time_point::max()) return Clock::duration::max();
  const std::int64_t count = std::max<std::int64_t>(1, static_cast<std::int64_t>(shared.waiting.size()));
  return std::max(kShortestGo, (end - Clock::now()) / (4 * count));
}

void prepare_and_work(Shared& shared) {
  const Clock::time_point begin = Clock::now();
  automata::System system =
      automata::prepare(shared.automaton, shared.order.options.budget, shared.order.options.records);
  std::vector<std::optional<automata::PropertyImage>> images(shared.automaton.specifications.size());
  if (shared.order.symmetry) images = automata::find_images(shared.automaton);
  std::size_t threads = 0;
  {
    const std::lock_guard lock(shared.mutex);
    shared.result.preparation = std::move(system.refutations);
    shared.system = std::move(system);
    shared.images = std::move(images);
    for (std::size_t i = 0; i < shared.images.size(); ++i) {
      if (!shared.images[i]) shared.waiting.push_back({i, 0, nullptr});
    }
    shared.result.preparation_seconds = seconds_since(begin);
    shared.first_go = first_go_of(shared);
    if (!shared.waiting.empty()) threads = shared.order.threads;
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

// Tells of what was finished since the last time, without keeping the threads from their work meanwhile.
void tell(Shared& shared, std::unique_lock<std::mutex>& lock, std::size_t& told, const Watcher& watch) {
  if (!watch) return;
  std::vector<FinishedProperty> news;
  for (; told < shared.finished_properties.size(); ++told) {
    const std::size_t property = shared.finished_properties[told];
    news.push_back({property, shared.result.properties[property]});
  }
  lock.unlock();
  watch(news);
  lock.lock();
}

}  // namespace

WorkResult verify_all(const automata::Automaton& automaton, const WorkOrder& order, const Watcher& watch) {
  constexpr auto kGrace = std::chrono::milliseconds(500);
  const auto shared = std::make_shared<Shared>(automaton);
  shared->order = order;
  smt::Budget& budget = shared->order.options.budget;
  if (order.timeout_seconds > 0) {
    budget.deadline = Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(order.timeout_seconds * 1e6));
    shared->order.options.deepest_search = std::numeric_limits<std::int32_t>::max();
  }
  shared->result.properties.resize(automaton.specifications.size());
  for (PropertyResult& property : shared->result.properties) property.outcome.reason = "out of time";
  std::thread(start, shared).detach();
  std::unique_lock lock(shared->mutex);
  std::size_t told = 0;
  Clock::time_point give_up = Clock::time_point::max();
  while (!shared->finished && Clock::now() < give_up) {
    shared->changed.wait_for(lock, std::chrono::milliseconds(20));
    tell(*shared, lock, told, watch);
    if (give_up == Clock::time_point::max() && budget.exhausted()) give_up = Clock::now() + kGrace;
  }
  tell(*shared, lock, told, watch);
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

bool is_vacuous(const automata::Outcome& outcome) {
  return outcome.verdict == automata::Verdict::holds && !outcome.vacuity.empty();
}

std::string_view word_for(const automata::Outcome& outcome) {
  return is_vacuous(outcome) ? "vacuous" : name_of(verdict_of(outcome));
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
  const bool all_hold = !any(
      [](const automata::Outcome& outcome) { return verdict_of(outcome) != Verdict::kHolds || is_vacuous(outcome); });
  return exit_code_of(all_hold ? Verdict::kHolds : Verdict::kUnknown);
}

}  // namespace nika::cli
