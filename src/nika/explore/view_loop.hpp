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
  // What the seats hold at its two ends, and the trace until then, timed from the start. Nothing if there are not as
  // many numbers for views. The trace goes on until tick `until` if that is later, and if it can.
  std::optional<LoopEnds> ends(Schedule& schedule, const Loop& loop, std::uint32_t until = 0);
  // Of a protocol that it is no loop of: the view that the first honest seat was in when all that have to decide had
  // decided something since the views of the loop began to repeat, or before if they decide once. A view before them
  // that lasts until the clock ends is told too, if all have decided in the second half of it.
  std::optional<unsigned> decides(Schedule& schedule, const Loop& loop);

 private:
  // Views at the end of what the schedule tells, for replicas that are ahead of the first honest one.
  static constexpr unsigned kRoomAhead = 8;
  // Ticks after which a view that still decides is one that lasts.
  static constexpr unsigned kLongView = 128;

  void start(timed::RepeatedViews& views, const LoopCondition& condition);
  // Runs until the next view begins. False if nothing can be proved from here on.
  bool advance(timed::RepeatedViews& views, const LoopCondition& condition);
  // The same without another numbering, which gives other names to what seats hold.
  bool run_view(timed::RepeatedViews& views, const LoopCondition& condition);
  // Until the view with this number begins, in which nothing is decided and the condition is met in every tick. False
  // if that is not so.
  bool advance_undecided(timed::RepeatedViews& views, unsigned number, const LoopCondition& condition);
  std::array<Height, kMaxSeats> tops() const;
  SeatSet able() const;     // to decide
  SeatSet waiting() const;  // of these, who has still to
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
  std::array<unsigned, kMaxSeats> decided_in_{};       // in which view each decided last; 0: never
  std::array<std::uint32_t, kMaxSeats> decided_at_{};  // and at which tick of it
  std::uint32_t elapsed_ = 0;                          // when the clock was set back last, from the start
  unsigned number_ = 0;                                // of the highest view of an honest seat, from the start
  bool decided_ = false;                               // somebody honest has, since the last view began
  bool meets_ = true;                                  // the condition now
  bool met_ = true;                                    // and in every tick since the last view began
};

}  // namespace nika

#include "nika/explore/view_loop_inl.hpp"
