// The experiment of "Liveness Checking of the HotStuff Protocol Family", section VII: random scenarios of a protocol,
// and what each way to check liveness says of them. What comes out depends on the seed and never on threads.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <optional>

#include "nika/campaign/lasso.hpp"
#include "nika/campaign/registry.hpp"
#include "nika/scenarios/generator.hpp"

namespace nika::liveness {

inline constexpr std::array<std::string_view, 3> kProtocols{"hotstuff", "two-phase-hotstuff", "sync-hotstuff"};
inline constexpr std::array<unsigned, 2> kRounds{10, 20};
inline constexpr std::array<unsigned, 3> kTemperatures{5, 10, 15};  // all but the first with 20 rounds only

struct Options {
  std::uint64_t scenarios = 10'000;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint64_t run)> progress{};  // called now and then from the calling thread
};

// One execution, as far as the methods have to know it.
struct Execution {
  std::uint8_t decided_at = 0;                         // the round or tick of the first decision; 0: none
  std::array<std::uint8_t, kRounds.back()> over_at{};  // the round or tick in which each round was over
  std::array<std::uint8_t, kTemperatures.size()>
      hot_at{};               // after so many rounds each temperature was reached; 0: never
  std::uint8_t lasso_at = 0;  // after so many rounds it went along a hot cycle; 0: never
  bool forked = false;
  bool overflowed = false;        // a buffer was full: nothing is said of it
  bool was_hot = false;           // after any of its rounds
  bool ends_in_conflict = false;  // correct processes hold locks on conflicting blocks (section VII-C)
  // It has a hot loop that is proved (hot_loops.hpp), and what is known of that; the last one of a lasso only.
  bool is_confirmed = false;
  bool is_healed = false;
  bool is_fair = false;
  bool repaired_decides = false;
};

// The loops of confirmed lassos.
struct Loops {
  std::uint64_t candidates = 0;          // lassos
  std::vector<std::uint64_t> confirmed;  // the numbers of those whose loop is proved
  std::uint64_t healed = 0;              // of those that are confirmed
  std::uint64_t fair = 0;
  std::optional<std::uint64_t> repaired_decides;  // if there is a repaired protocol
};

// One way to check liveness, over all executions.
struct Row {
  std::string_view method;
  std::optional<double> threshold;     // hot rounds, or the bound in rounds or ticks
  std::optional<double> trace_length;  // rounds until a violation is reported, in the mean
  std::uint64_t reported = 0;
  std::uint64_t false_positives = 0;           // of those: without a hot loop that is proved
  std::uint64_t false_positives_by_locks = 0;  // by the paper's criterion: no conflicting locks at the end of the run
  double seconds = 0;                          // of all executions, which the rows share, and of the method
};

struct Experiment {
  std::string_view protocol;
  unsigned rounds = 0;
  bool is_timed = false;     // bounds are in ticks
  bool was_stopped = false;  // and has no rows
  std::uint64_t executed = 0;
  std::uint64_t forked = 0;   // agreement was broken, over the whole run
  std::uint64_t unknown = 0;  // a buffer was full
  std::uint64_t decided = 0;
  double decision_mean = 0;  // rounds or ticks until the first decision, of those that decide
  double decision_deviation = 0;
  std::size_t hot_states = 0;  // of the transition graph
  std::size_t hot_transitions = 0;
  std::size_t cyclic_transitions = 0;  // of those
  std::string_view repaired{};         // the protocol that loops are compared with; empty if there is none
  Loops loops;
  std::vector<Row> rows;
};

// Runs the scenarios of draw_scenarios (liveness_scenarios.hpp). An error if there is no such protocol, or if what
// there is to remember does not fit.
Result<Experiment> run_experiment(const Registry& registry, std::string_view protocol, unsigned rounds,
                                  const Options& options);

}  // namespace nika::liveness
