// The member functions of ViewLoopSearch. Included by view_loop.hpp only.
#pragma once

#include <unordered_map>

#include "nika/explore/view_loop.hpp"

namespace nika {

template <Protocol P>
void set_clock_back(World<P>& world, SeatSet seats) {
  for (unsigned i = 0; i < world.pending_count; ++i) world.pending[i].due -= world.now_tick;
  for (Seat seat : seats) {
    for (Timer& timer : world.timers[index_of(seat)]) {
      if (timer.duration != 0) timer.duration = static_cast<Ticks>(timer.since + timer.duration - world.now_tick);
      timer.since = 0;
    }
  }
  world.now_tick = 0;
}

template <Protocol P>
void ViewLoopSearch<P>::start(timed::RepeatedViews& views, const LoopCondition& condition) {
  tops_ = {};
  decided_ = false;
  met_ = true;
  network_.start(world_, views);
  number_ = network_.sight_of(world_).now.number;
  world_.network_round = Round(number_);
  tick(condition);
}

template <Protocol P>
void ViewLoopSearch<P>::tick(const LoopCondition& condition) {
  for (Seat seat : network_.cluster().seats()) {
    const Height top = world_.commits.top_of(seat);
    decided_ = decided_ || top > tops_[index_of(seat)];
    tops_[index_of(seat)] = top;
  }
  meets_ = !condition || condition(network_.sight_of(world_));
  met_ = met_ && meets_;
}

template <Protocol P>
bool ViewLoopSearch<P>::advance(timed::RepeatedViews& views, const LoopCondition& condition) {
  decided_ = false;
  met_ = true;
  const bool moved = renumber(views);
  if (!moved && world_.network_round.number + kRoomAhead > timed::RepeatedViews::kToldViews) return false;
  for (;;) {
    if (!network_.advance(world_, views) || world_.overflowed) return false;
    const Round now = network_.sight_of(world_).now;
    const unsigned passed = now.number - world_.network_round.number;
    world_.network_round = now;
    number_ += passed;
    tick(condition);
    if (passed == 0) continue;
    set_clock_back(world_, network_.cluster().seats());
    return true;
  }
}

// Goes on in the form in which worlds are compared. False, with nothing changed, if that is not exact.
template <Protocol P>
bool ViewLoopSearch<P>::renumber(timed::RepeatedViews& views) {
  const SeatSet seats = network_.cluster().seats();
  form_.copy_from(world_, seats);
  if (!bring_into_form(form_, network_.contexts(), gaps_)) return false;
  if (form_.network_round.number + kRoomAhead > timed::RepeatedViews::kToldViews) return false;
  world_.copy_from(form_, seats);
  tops_ = {};
  views.renumber(static_cast<int>(number_) - world_.network_round.number);
  network_.attend(views);
  return true;
}

template <Protocol P>
unsigned ViewLoopSearch<P>::slowest() const {
  unsigned behind = 0;
  for (Seat seat : network_.cluster().seats()) {
    const unsigned view = P::current_round(world_.states[index_of(seat)]).number;
    if (view < world_.network_round.number) behind = std::max(behind, world_.network_round.number - view);
  }
  return number_ - behind;
}

template <Protocol P>
std::optional<Loop> ViewLoopSearch<P>::find(Schedule& schedule, const LoopPart& part, const LoopCondition& condition) {
  timed::RepeatedViews views(schedule, network_.cluster().seat_count, part.last, part.period);
  std::unordered_map<std::string, unsigned> seen;  // the first view of such a world
  const unsigned last = part.last + kLoopRepetitions * part.period;
  for (start(views, condition); number_ <= last;) {
    // What is repeated begins with the view behind the last one.
    if (!met_ && number_ > part.last + 1) return std::nullopt;
    if (!met_ || decided_) seen.clear();
    // Of whoever is behind, too, the view and the one before are among those that come again.
    if (meets_ && slowest() > part.first) {
      if (auto world = name()) {
        *world += std::to_string(number_ % part.period);
        const auto [before, is_new] = seen.emplace(*std::move(world), number_);
        if (!is_new) {
          Loop loop{.first_round = before->second, .length = number_ - before->second};
          loop.proved = repeat(views, loop, kLoopConfirmations + 1, condition) == kLoopConfirmations + 1;
          return loop;
        }
      }
    }
    if (!advance(views, condition)) return std::nullopt;
  }
  return std::nullopt;
}

template <Protocol P>
unsigned ViewLoopSearch<P>::repeat(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times,
                                   const LoopCondition& condition) {
  timed::RepeatedViews views(schedule, network_.cluster().seat_count, part.last, part.period);
  Loop again = loop;
  return repeat(views, again, times, condition);
}

template <Protocol P>
unsigned ViewLoopSearch<P>::last_decision(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times) {
  timed::RepeatedViews views(schedule, network_.cluster().seat_count, part.last, part.period);
  views.repeat(loop.first_round, loop.length);
  unsigned last = 0;
  for (start(views, {}); number_ <= loop.last_round() + (times - 1) * loop.length;) {
    const unsigned view = number_;
    const bool goes_on = advance(views, {});
    if (!goes_on) return decided_ ? times : last;
    if (decided_ && view >= loop.first_round) last = (view - loop.first_round) / loop.length + 1;
  }
  return last;
}

// Runs it from the start again; how often it came back. In a timed run messages between honest seats always arrive
// within Δ: check_synchrony refuses others.
template <Protocol P>
unsigned ViewLoopSearch<P>::repeat(timed::RepeatedViews& views, Loop& loop, unsigned times,
                                   const LoopCondition& condition) {
  views.repeat(loop.first_round, loop.length);
  for (start(views, condition); number_ < loop.first_round;) {
    if (!advance(views, condition)) return 0;
  }
  const auto first = name();
  if (number_ != loop.first_round || !first) return 0;
  loop.waiting = network_.cluster().honest_seats();
  IdentitySet idle = network_.cluster().identities() - network_.cluster().compromised;
  for (unsigned number = loop.first_round; number <= loop.last_round(); ++number)
    idle = idle - views.leaders_at(number);
  loop.assumptions = {.healed = true, .fair = idle.empty(), .order = Assumptions::Arrival::kOne};
  for (unsigned time = 0; time < times; ++time) {
    const unsigned end = number_ + loop.length;
    while (number_ < end) {
      if (!advance(views, condition) || decided_ || !met_) return time;
    }
    if (number_ != end || name() != first) return time;
  }
  return times;
}

}  // namespace nika
