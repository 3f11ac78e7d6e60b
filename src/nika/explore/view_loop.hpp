// Loops of timed runs that are proved, as those of network rounds are (loop.hpp): views take the place of rounds. The
// world is looked at in the tick in which the first honest seat enters a view; ticks count from there, so that timers
// and messages on their way are compared by when they run out and arrive.
#pragma once

#include <optional>
#include <string>

#include "nika/explore/loop.hpp"
#include "nika/scenarios/timed/repeated_views.hpp"
#include "nika/sim/tick_network.hpp"

namespace nika {

// From now on it is tick 0. Timers and messages on their way are the only ones that know what the clock shows.
template <Protocol P>
void set_clock_back(World<P>& world, SeatSet seats);

// What it asks of a protocol is what loop.hpp says, and that its rules never ask for the time. Where the condition of a
// loop is not met in any tick of it, it does not count. A run that stays in one view for 255 ticks has no loop here.
template <Protocol P>
class ViewLoopSearch {
 public:
  explicit ViewLoopSearch(const Cluster& cluster) : network_(cluster, {}) {}

  // Parts and loops are in views; otherwise as LoopSearch.
  std::optional<Loop> find(Schedule& schedule, const LoopPart& part, const LoopCondition& condition);
  unsigned repeat(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times,
                  const LoopCondition& condition);
  // A view that lasts and decides is one that goes on for all times.
  unsigned last_decision(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times);

 private:
  // Views at the end of what the schedule tells, for replicas that are ahead of the first honest one.
  static constexpr unsigned kRoomAhead = 8;

  void start(timed::RepeatedViews& views, const LoopCondition& condition);
  // Runs until the next view begins. False if nothing can be proved from here on.
  bool advance(timed::RepeatedViews& views, const LoopCondition& condition);
  void tick(const LoopCondition& condition);
  bool renumber(timed::RepeatedViews& views);
  unsigned slowest() const;  // view, from the start
  std::optional<std::string> name() { return names_.name_of(world_, network_.contexts()); }
  unsigned repeat(timed::RepeatedViews& views, Loop& loop, unsigned times, const LoopCondition& condition);

  TickNetwork<P> network_;
  World<P> world_{};
  World<P> form_{};
  RoundGaps<P> gaps_{};
  WorldNames<P> names_{};
  std::array<Height, kMaxSeats> tops_{};
  unsigned number_ = 0;   // of the highest view of an honest seat, from the start
  bool decided_ = false;  // somebody honest has, since the last view began
  bool meets_ = true;     // the condition now
  bool met_ = true;       // and in every tick since the last view began
};

}  // namespace nika

#include "nika/explore/view_loop_inl.hpp"
