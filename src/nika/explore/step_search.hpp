// What a search through all orders of delivery is asked and what it answers. Every message that was sent arrives some
// time; a few timers may run out, whenever they run.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/explore/search.hpp"
#include "nika/model/outcome.hpp"
#include "nika/model/property.hpp"
#include "nika/model/protocol.hpp"
#include "nika/model/scenario.hpp"

namespace nika {

struct StepSearchOptions {
  Scenario base;          // the cast and who leads; of the rest nothing counts
  bool reduces = true;    // where that is exact for what is asked; otherwise every order of every delivery is taken
  unsigned timeouts = 0;  // timers that may run out in one run; with any, every delivery is taken by itself
  std::uint64_t memory_bytes = std::uint64_t{4} << 30U;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SearchProgress&)> progress{};  // called now and then
};

// How a run can end: all has arrived, or nothing more changes a judgement.
struct StepEnding {
  struct Part {
    Verdict verdict{};
    Unjudged unjudged{};
    std::string_view kind{};
    auto operator<=>(const Part&) const = default;
  };
  std::vector<Part> judgements;  // in the order in which they were asked for
  SeatSet committed{};           // honest seats that committed anything

  auto operator<=>(const StepEnding&) const = default;
};

// The first run that was found to break a property in some way; the scenario replays it.
struct BrokenSteps {
  std::size_t property = 0;
  std::string_view kind{};
  Scenario scenario;
};

struct StepSearchResult {
  Verdict verdict = Verdict::kUnknown;
  std::string reason;  // why it is unknown
  bool was_reduced = false;
  std::uint64_t worlds = 0;         // distinct ones
  std::uint64_t transitions = 0;    // that were taken from them
  Tally tally;                      // of the worlds in which a run can end
  std::vector<StepEnding> endings;  // the different ones, sorted
  std::vector<BrokenSteps> broken;  // one of each property and kind
  bool memory_was_full = false;
  bool was_stopped = false;
};

// A protocol may say which messages a replica ignores for good, and what of its state no rule looks at again:
//   static bool ignores(const State&, const Context&, Identity from, const Message&);
//   static void forget_heard(State&);
// Both must be so whatever else the replica hears. A search then meets far fewer worlds.
template <class P>
concept Selective = requires(const typename P::State& cs, typename P::State& s, const Context& c, Identity from,
                             const typename P::Message& m) {
  { P::ignores(cs, c, from, m) } -> std::same_as<bool>;
  P::forget_heard(s);
};

// An error if the options are about another cast.
Result<void> check_steps(const StepSearchOptions& options, const Cluster& cluster);

// Adds up what a search meets.
class StepTally {
 public:
  StepTally(std::size_t property_count, StepSearchResult& result) : result_(result) {
    result.tally = Tally(property_count);
  }
  // Whether to go on; tells how far it got now and then.
  bool goes_on(const StepSearchOptions& options);
  // A world in which a run ends. The properties that it breaks in a way that is new, by their positions.
  std::vector<std::size_t> add(const Outcome& outcome, SeatSet committed);
  void conclude();

 private:
  StepSearchResult& result_;
};

}  // namespace nika
