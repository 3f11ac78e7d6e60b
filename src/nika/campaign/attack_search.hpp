// Looks for an attack without knowing it: from the protocol with its flaw, the cluster and the property alone, schedule
// after schedule from a seed, until one breaks the property. Then the repaired protocol gets as many, and more where
// they were few. One setting serves all attacks; the hints of an attack's file count only where they are asked for.
#pragma once

#include <functional>

#include "nika/campaign/hunt.hpp"
#include "nika/store/attack.hpp"
#include "nika/store/loop_record.hpp"

namespace nika {

struct SearchBudget {
  double seconds = 600;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  GuideChoice guide = GuideChoice::kCoverage;  // not for timed attacks, nor where all schedules can soon be tried
  bool takes_hints = false;                    // rounds, leaders, kinds of faults as in the attack's file
  Wide least_repaired = 100'000;               // schedules that the repaired protocol gets at least
  const std::atomic<bool>* stop = nullptr;
  std::function<void(Wide tried)> progress;  // now and then

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

struct AttackFound {
  bool found = false;
  Wide tried = 0;       // up to and with the first that breaks the property, whatever the number of threads
  double seconds = 0;   // until then, before shrinking
  Wide common = 0;      // schedules on the way that break the repaired protocol too: they do not show the flaw
  Scenario smallest{};  // what it shrinks to, if it was found
  std::optional<store::LoopRecord> loop{};  // of that, if it is about progress
  bool was_stopped = false;                 // so that anything of this may be less than it would have come to
  Wide repaired_tried = 0;
  Wide repaired_found = 0;
  Wide repaired_unknown = 0;  // a buffer was full or the protocol never came to rest
};

// What every search without hints draws from, whatever it looks for.
void add_uniform(twins::Settings& settings);

// The space that is searched for one side of an attack.
Result<twins::Settings> search_settings(const store::Attack& attack, const Scenario& side, const Runner& runner,
                                        const SearchBudget& budget);

Result<AttackFound> search_for(const Registry& registry, const store::Attack& attack, const SearchBudget& budget);

}  // namespace nika
