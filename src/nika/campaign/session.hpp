// A protocol, or whatever else plays one, ready to be run on one cluster and judged by some properties. For one thread.
// Copying, looping and exploring are capabilities that a session may lack: a replica in another process can be run
// only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "nika/base/fingerprint.hpp"
#include "nika/base/result.hpp"
#include "nika/explore/coin_strategy.hpp"
#include "nika/explore/comparing.hpp"
#include "nika/explore/search.hpp"
#include "nika/explore/step_search.hpp"
#include "nika/model/event.hpp"
#include "nika/model/loop.hpp"
#include "nika/model/property.hpp"
#include "nika/model/schedule.hpp"
#include "nika/scenarios/generator.hpp"
#include "nika/scenarios/guided/guide.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika {

// The first rounds of a schedule, where others begin alike.
struct Prefix {
  std::uint32_t name = 0;  // the same for schedules that agree in these rounds
  unsigned rounds = 0;     // none: nothing is shared
};

// What a session can do if its worlds can be copied.
class Copying {
 public:
  virtual ~Copying() = default;
  // Runs a schedule, from a copy of the world after its prefix if there is one. `reached` gets the partial states after
  // each scheduled round behind the prefix; the outcome does not depend on what was copied.
  virtual const Outcome& run(Schedule& schedule, const Prefix& prefix, std::vector<guided::Reached>& reached) = 0;
  // Runs a schedule that shares so much with the one that was run like this before, from a copy of the latest world in
  // which both runs were. The next one shares no more than the first `keeps` of its rounds.
  virtual const Outcome& run_on(Schedule& schedule, const Shared& shared, unsigned keeps) = 0;
};

// Sees a run after each network round, tick or step, with the number of that round, tick or step.
using Listener = std::function<void(const Sight&, std::uint32_t time)>;

// What a session can do if it can tell whether two of its worlds are the same.
class Looping {
 public:
  virtual ~Looping() = default;
  // The first loop in a part of the schedule that meets the condition, see explore/loop.hpp.
  virtual std::optional<Loop> find_loop(Schedule& schedule, const LoopPart& part, const LoopCondition& condition) = 0;
  // How often a loop that was found there comes back to its world without a decision, of so many times, and meets the
  // condition.
  virtual unsigned repeat_loop(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times,
                               const LoopCondition& condition) = 0;
  // With these rounds repeated so many times: the last of these times in which an honest seat decides anything, or 0.
  virtual unsigned last_decision(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times) = 0;
  // Whether a loop that is proved goes on whatever the order of arrival is. This and what follows may not be known.
  virtual bool runs_in_any_order(Schedule&, const Loop&) { return false; }
  // What the seats hold at its two ends, if that can be told. Its trace goes on until that network round or tick if it
  // is later.
  virtual std::optional<LoopEnds> ends_of_loop(Schedule&, const Loop&, std::uint32_t /*until*/) { return std::nullopt; }
  // In a schedule with a loop of another protocol: the round in which all have decided since it began to repeat.
  virtual std::optional<unsigned> decides_in_loop(Schedule&, const Loop&) { return std::nullopt; }
};

// What a session can do in an asynchronous network, of a protocol that tosses coins: see explore/coin_loop.hpp.
class CoinLooping {
 public:
  virtual ~CoinLooping() = default;
  // Whether the strategy goes on for ever, whatever the coins show. The schedule says who leads.
  virtual CoinProof prove(const Schedule& schedule, const CoinStrategy& strategy) = 0;
  // Looks for one that does.
  virtual CoinHunt hunt(const Schedule& schedule, const CoinHuntSettings& settings) = 0;
};

class Session {
 public:
  virtual ~Session() = default;

  // What it returns stays until the next run. Events are appended to `trace` if it is given.
  virtual const Outcome& run(Schedule& schedule, Trace* trace = nullptr) = 0;

  // The same run, with somebody who listens; a session whose replicas cannot be seen tells nothing.
  virtual const Outcome& watch(Schedule& schedule, const Listener&) { return run(schedule); }

  // The name of the world that the last run ended in: equal worlds have equal names.
  virtual Fingerprint ending() { return {}; }

  // Null if it has none.
  virtual Copying* copying() { return nullptr; }
  virtual Looping* looping() { return nullptr; }
  virtual CoinLooping* coin_looping() { return nullptr; }
  // Null if it has no worlds to compare. The space outlives it.
  virtual std::unique_ptr<Comparing> comparing(const twins::Space&) { return nullptr; }
  // Covers the whole space without running it scenario by scenario.
  virtual Result<SearchResult> search(const twins::Space& space, const SearchOptions& options);
  // The same for all orders of delivery in an asynchronous network.
  virtual Result<StepSearchResult> search_steps(const StepSearchOptions& options);
};

}  // namespace nika
