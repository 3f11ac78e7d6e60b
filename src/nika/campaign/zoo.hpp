// The zoo: every way of searching against every seeded bug of every protocol, and against the protocols without one,
// each with the same number of executions. One setting serves them all: a way of searching is told the protocol and
// the properties, and never which bug it is up against. Never prints.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "nika/campaign/registry.hpp"

namespace nika::zoo {

enum class Strategy : std::uint8_t {
  kTwins,            // schedules of a twin drawn from the setting of every search without hints
  kTwinsExhaustive,  // all schedules of partitions and leaders, of as many rounds as the executions last for
  kTwinsGuided,      // as drawn, each chosen by what the ones before have reached
  kFuzzSmall,        // outages and lies, drawn
  kFuzzAny,
  kFuzzBaseline,
  kFuzzExhaustive,  // all outages, then all small lies, then both together, as far as the executions last
  kFuzzGuided,      // outages and small lies, chosen by what the ones before have reached
  kFuzzTwins,       // small lies of liars that have twins
};
inline constexpr std::array<Strategy, 9> kStrategies{
    Strategy::kTwins,          Strategy::kTwinsExhaustive, Strategy::kTwinsGuided,
    Strategy::kFuzzSmall,      Strategy::kFuzzAny,         Strategy::kFuzzBaseline,
    Strategy::kFuzzExhaustive, Strategy::kFuzzGuided,      Strategy::kFuzzTwins};
std::string_view name_of(Strategy strategy);

// What is searched: a protocol with one of its seeded bugs, or without.
struct Subject {
  const Runner* runner = nullptr;
  std::string bug;  // empty: none
  Properties properties{};

  // Some protocols break something by themselves: the repaired one is another.
  bool is_flawed() const { return !bug.empty() || !runner->repaired_by().empty(); }
};

inline constexpr std::string_view kNoBug = "none";

struct Choice {
  std::string protocol{};                 // all if empty
  std::string bug{};                      // all and none if empty; kNoBug: the protocols as they are
  std::vector<std::string> strategies{};  // all if empty
};

struct Plan {
  std::vector<Subject> subjects;  // by protocol, in the order of the registry; first without a bug
  std::vector<Strategy> strategies;
};
Result<Plan> plan_of(const Registry& registry, const Choice& choice);

struct Budget {
  std::uint64_t executions = 10'000;  // of each strategy against each subject
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

// One strategy against one subject.
struct Attempt {
  Strategy strategy{};
  std::string inapplicable;  // why it cannot be tried; else empty
  bool found = false;
  Wide executions = 0;  // up to the first that breaks something, or all of them; the same for any number of threads
  double seconds = 0;   // of these and of what was run beside them, without making the protocol ready
  std::string_view property;  // that was broken
  std::string_view kind;      // in which way
  Wide unknown = 0;           // scenarios that could not be judged
  bool was_stopped = false;
};

struct Progress {
  const Subject* subject = nullptr;
  Strategy strategy{};
  Wide executed = 0;
};

struct Watch {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Progress&)> progress;  // now and then

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

Result<Attempt> attempt(const Subject& subject, Strategy strategy, const Budget& budget, const Watch& watch);

// A subject with all its attempts, as many as there were time for.
struct Row {
  const Subject* subject = nullptr;
  std::vector<Attempt> attempts;

  bool is_found() const;
};
// Each row is told when it is complete; false if it was stopped, after what there is of the last row was told.
Result<bool> run(const Plan& plan, const Budget& budget, const Watch& watch,
                 const std::function<void(const Row&)>& told);

}  // namespace nika::zoo
