// The member functions of ViewLoopSearch. Included by view_loop.hpp only.
#pragma once

#include <unordered_map>
#include <utility>

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
  decided_in_ = {};
  decided_at_ = {};
  elapsed_ = 0;
  decided_ = false;
  met_ = true;
  network_.start(world_, views);
  number_ = network_.sight_of(world_).now.number;
  world_.network_round = Round(number_);
  tick(condition);
}

template <Protocol P>
std::array<Height, kMaxSeats> ViewLoopSearch<P>::tops() const {
  std::array<Height, kMaxSeats> result{};
  for (Seat seat : network_.cluster().seats()) result[index_of(seat)] = world_.commits.top_of(seat);
  return result;
}

template <Protocol P>
void ViewLoopSearch<P>::tick(const LoopCondition& condition) {
  const auto before = std::exchange(tops_, tops());
  for (Seat seat : network_.cluster().seats()) {
    if (tops_[index_of(seat)] <= before[index_of(seat)]) continue;
    decided_ = true;
    decided_in_[index_of(seat)] = number_;
    decided_at_[index_of(seat)] = world_.now_tick;
  }
  meets_ = !condition || condition(network_.sight_of(world_));
  met_ = met_ && meets_;
}

template <Protocol P>
SeatSet ViewLoopSearch<P>::able() const {
  const Cluster& cluster = network_.cluster();
  return cluster.client_count() > 0 ? cluster.client_seats() : cluster.honest_seats();
}

// A protocol in which everybody decides once is done when all have; in others there is always more to decide.
template <Protocol P>
SeatSet ViewLoopSearch<P>::waiting() const {
  SeatSet seats = able();
  for (Seat seat : able()) {
    if (kIsSingleShot<P> && decided_in_[index_of(seat)] > 0) seats.erase(seat);
  }
  return seats;
}

template <Protocol P>
bool ViewLoopSearch<P>::advance(timed::RepeatedViews& views, const LoopCondition& condition) {
  decided_ = false;
  met_ = true;
  const bool moved = renumber(views);
  if (!moved && world_.network_round.number + kRoomAhead > timed::RepeatedViews::kToldViews) return false;
  return run_view(views, condition);
}

template <Protocol P>
bool ViewLoopSearch<P>::run_view(timed::RepeatedViews& views, const LoopCondition& condition) {
  for (;;) {
    if (!network_.advance(world_, views) || world_.overflowed) return false;
    const Round now = network_.sight_of(world_).now;
    const unsigned passed = now.number - world_.network_round.number;
    world_.network_round = now;
    number_ += passed;
    tick(condition);
    if (passed == 0) continue;
    elapsed_ += world_.now_tick;
    set_clock_back(world_, network_.cluster().seats());
    decided_at_ = {};
    return true;
  }
}

template <Protocol P>
bool ViewLoopSearch<P>::advance_undecided(timed::RepeatedViews& views, unsigned number,
                                          const LoopCondition& condition) {
  while (number_ < number) {
    if (!advance(views, condition) || decided_ || !met_) return false;
  }
  return number_ == number;
}

// Goes on in the form in which worlds are compared. False, with nothing changed, if that is not exact.
template <Protocol P>
bool ViewLoopSearch<P>::renumber(timed::RepeatedViews& views) {
  const SeatSet seats = network_.cluster().seats();
  form_.copy_from(world_, seats);
  if (!bring_into_form(form_, network_.contexts(), gaps_)) return false;
  if (form_.network_round.number + kRoomAhead > timed::RepeatedViews::kToldViews) return false;
  world_.copy_from(form_, seats);
  tops_ = tops();
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
    if (meets_ && slowest() > part.first && !waiting().empty()) {
      if (auto world = name()) {
        *world += std::to_string(number_ % part.period);
        const auto [before, is_new] = seen.emplace(*std::move(world), number_);
        if (!is_new) {
          Loop loop{.first_round = before->second, .length = number_ - before->second, .part = part};
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
  loop.waiting = waiting();
  IdentitySet idle = network_.cluster().identities() - network_.cluster().compromised;
  for (unsigned number = loop.first_round; number <= loop.last_round(); ++number)
    idle = idle - views.leaders_at(number);
  loop.assumptions = {.healed = true, .fair = idle.empty(), .order = Assumptions::Arrival::kOne};
  Trace trace;
  for (unsigned time = 0; time < times; ++time) {
    network_.trace = time == 0 ? &trace : nullptr;
    const bool comes_round = advance_undecided(views, number_ + loop.length, condition);
    network_.trace = nullptr;
    if (!comes_round || name() != first) return time;
    if (time > 0) continue;
    loop.assumptions.liars = liars_in(trace, network_.cluster());
    if (is_quiet(trace)) loop.assumptions.order = Assumptions::Arrival::kAny;
  }
  return times;
}

template <Protocol P>
std::optional<LoopEnds> ViewLoopSearch<P>::ends(Schedule& schedule, const Loop& loop, std::uint32_t until) {
  timed::RepeatedViews views(schedule, network_.cluster().seat_count, loop.part.last, loop.part.period);
  views.repeat(loop.first_round, loop.length);
  LoopEnds ends{.tells_progress = kTellsProgress<P>};
  network_.trace = &ends.trace;
  start(views, {});
  const unsigned round = loop.last_round() + 1;
  for (bool goes_on = true; goes_on && (number_ <= round || elapsed_ < until);) {
    if (number_ == loop.first_round) {
      ends.from = elapsed_;
      ends.before = holdings_in(world_, network_);
    }
    if (number_ == round) {
      ends.to = elapsed_;
      ends.after = holdings_in(world_, network_);
      if (elapsed_ >= until) break;
    }
    const std::size_t told = ends.trace.size();
    const std::uint32_t before = elapsed_;
    goes_on = number_ + kRoomAhead <= timed::RepeatedViews::kToldViews && run_view(views, {});
    for (Event& event : std::span(ends.trace).subspan(told)) event.time += before;
  }
  network_.trace = nullptr;
  return ends.from > 0 && ends.to > 0 ? std::optional(std::move(ends)) : std::nullopt;
}

template <Protocol P>
std::optional<unsigned> ViewLoopSearch<P>::decides(Schedule& schedule, const Loop& loop) {
  timed::RepeatedViews views(schedule, network_.cluster().seat_count, loop.part.last, loop.part.period);
  views.repeat(loop.first_round, loop.length);
  const unsigned since = kIsSingleShot<P> ? 1 : loop.first_round;
  const auto all_decided = [&](unsigned view, std::uint32_t tick) {
    for (Seat seat : able()) {
      if (decided_in_[index_of(seat)] < view || decided_at_[index_of(seat)] < tick) return false;
    }
    return true;
  };
  const unsigned last = loop.last_round() + kLoopRepetitions * loop.length;
  bool goes_on = true;
  for (start(views, {}); goes_on && !all_decided(since, 0) && number_ <= last;) goes_on = advance(views, {});
  const bool lasts =
      !goes_on && !world_.overflowed && world_.now_tick >= kLongView && all_decided(number_, world_.now_tick / 2 + 1);
  if (able().empty() || !(all_decided(since, 0) || lasts)) return std::nullopt;
  unsigned view = 0;
  for (Seat seat : able()) view = std::max(view, decided_in_[index_of(seat)]);
  return view;
}

}  // namespace nika
