// The partial states of "Liveness Checking of the HotStuff Protocol Family" (Definitions 1 and 2) that a run passes
// through: what each correct process has prepared, locked and executed after each network round, or each view of a
// timed run, as digests that are comparable between rounds, executions and threads.
#pragma once

#include <span>
#include <vector>

#include "nika/properties/hot_state.hpp"

namespace nika {

struct PartialSystemState {
  std::uint64_t digest = 0;
  bool is_hot = false;

  bool operator==(const PartialSystemState&) const = default;
};

// Blocks have other names in every view and views only grow, so that nothing would ever recur. Hence:
//  - blocks are numbered by their first appearance over the correct seats in their order, in each of them prepared
//    before locked before executed; genesis is 0. A seat is known by its number: the definition maps processes.
//  - of each block counts how old it is, in views: made in the current one (or later), the one before, two before, or
//    earlier (kOldest). The current one is `sight.now`.
//  - of each two blocks counts whether one is an ancestor of the other, as told by the seat that holds it.
//  - whether the state is hot counts too, so that equal digests are equally hot.
// Two states with one digest are thus the same but for the names of blocks and the number of the view. Only for
// protocols that tell their progress.
PartialSystemState partial_system_state(const Sight& sight);

// Whether two correct seats hold conflicting locks.
bool any_locks_conflict(const Sight& sight);

// The states of one run, collected while it runs. An asynchronous run has no rounds, and no states here.
class PartialTrail {
 public:
  static constexpr unsigned kOldest = 3;

  // A state is taken when `sight.now` has grown. In network rounds that is when a round is over; a timed run is in view
  // 1 from its start, and a view is over in the tick in which the first honest seat enters the next.
  void begin(bool is_timed) {
    states_.clear();
    last_ = Round(is_timed ? 1 : 0);
  }
  void see(const Sight& sight) {
    if (sight.now <= last_) return;
    last_ = sight.now;
    states_.push_back(partial_system_state(sight));
  }
  std::span<const PartialSystemState> states() const { return states_; }

 private:
  std::vector<PartialSystemState> states_;
  Round last_{};
};

// After how many rounds a trail has been hot for `threshold` of them in a row (Algorithm 1); 0 if never.
unsigned rounds_until_temperature(std::span<const PartialSystemState> trail, unsigned threshold);

}  // namespace nika
