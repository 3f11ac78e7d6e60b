// The member functions of LoopSearch. Included by loop.hpp only.
#pragma once

#include <unordered_map>

#include "nika/explore/any_order.hpp"
#include "nika/explore/loop.hpp"

namespace nika {

template <Protocol P>
bool is_over(const World<P>& world, unsigned seat_count) {
  const auto runs = [](const Timer& timer) { return timer.duration != 0; };
  for (unsigned s = 0; s < seat_count; ++s) {
    if (std::ranges::any_of(world.timers[s], runs)) return false;
  }
  return world.pending_count == 0 && !world.overflowed;
}

template <Protocol P>
bool bring_into_form(World<P>& world, std::span<const Context> contexts, RoundGaps<P>& gaps, unsigned old_gap) {
  const auto seat_count = static_cast<unsigned>(contexts.size());
  bool exact = !world.overflowed && world.block_names.empty();
  Round slowest(255);
  for (unsigned s = 0; s < seat_count; ++s) slowest = std::min(slowest, P::current_round(world.states[s]));
  for (unsigned i = 0; i < world.pending_count; ++i) {
    auto& item = world.pending[i];
    const std::uint32_t now = item.wait == Wait::kForTick      ? world.now_tick
                              : item.wait == Wait::kForArrival ? world.network_round.number
                                                               : item.due;
    item.due -= std::min(item.due, now);
    // Who receives it may ask who led its round.
    exact = exact && (kIsBroadcast<P> || item.post.round.next() >= slowest);
  }
  forget(world, contexts);
  if (!fold(world, seat_count)) exact = exact && !Foldable<P>;
  exact = gaps.close(world, seat_count, old_gap) && (gaps.moves_together() || kIsBroadcast<P>) && exact;
  for (unsigned i = 0; i < world.pending_count; ++i) {
    if (world.pending[i].wait == Wait::kForArrival) world.pending[i].due += world.network_round.number;
  }
  return exact;
}

template <Protocol P>
std::optional<std::string> WorldNames<P>::name_of(const World<P>& world, std::span<const Context> contexts) {
  const auto seat_count = static_cast<unsigned>(contexts.size());
  form_.copy_from(world, SeatSet::first(seat_count));
  std::string name;
  if (is_over(world, seat_count)) {
    form_.network_round = {};
    write(name, form_, seat_count);
    return name;
  }
  if (!bring_into_form(form_, contexts, gaps_)) return std::nullopt;
  write(name, form_, seat_count);
  write_leaders(name, world, contexts);
  return name;
}

template <Protocol P>
void WorldNames<P>::write(std::string& name, const World<P>& world, unsigned seat_count) {
  const auto flush = [&] {
    name.append(reinterpret_cast<const char*>(writer_.bytes().data()), writer_.bytes().size());
    writer_.clear();
  };
  writer_.clear();
  writer_.write(world.network_round);
  writer_.write(world.down);
  writer_.write(world.amnesiac);
  for (unsigned s = 0; s < seat_count; ++s) {
    writer_.write(world.states[s]);
    writer_.write(world.timers[s]);
    writer_.write(world.incarnation[s]);
    flush();
  }
  writer_.write(world.pending_count);
  // In the order in which they were sent, which decides between messages that are otherwise alike.
  for (unsigned i = 0; i < world.pending_count; ++i) {
    write_pending(writer_, world.pending[i]);
    flush();
  }
  flush();
}

// Those of later rounds are the schedule's to say.
template <Protocol P>
void WorldNames<P>::write_leaders(std::string& name, const World<P>& world, std::span<const Context> contexts) {
  unsigned first = ~0U;
  for (unsigned s = 0; s < contexts.size(); ++s) {
    first = std::min<unsigned>(first, P::current_round(world.states[s]).number);
  }
  first = std::max(first, 2U) - 1U;
  const unsigned last = kIsBroadcast<P> ? 1 : world.network_round.number;  // of a broadcast the first leader counts
  for (unsigned round = kIsBroadcast<P> ? 1 : first; round <= last; ++round) {
    const auto leaders = contexts[0].leaders_of(Round(round)).bits();
    name.append(reinterpret_cast<const char*>(&leaders), sizeof leaders);
  }
}

template <Protocol P>
void LoopSearch<P>::start(const RepeatedRounds& rounds) {
  number_ = decided_round_ = renumbered_ = 0;
  decided_ = {};
  decided_in_ = {};
  network_.start(world_, rounds);
  note_decisions({});
}

template <Protocol P>
std::array<Height, kMaxSeats> LoopSearch<P>::tops() const {
  std::array<Height, kMaxSeats> result{};
  for (Seat seat : network_.cluster().seats()) result[index_of(seat)] = world_.commits.top_of(seat);
  return result;
}

template <Protocol P>
void LoopSearch<P>::note_decisions(const std::array<Height, kMaxSeats>& before) {
  for (Seat seat : network_.cluster().seats()) {
    if (world_.commits.top_of(seat) <= before[index_of(seat)]) continue;
    decided_.insert(seat);
    decided_round_ = decided_in_[index_of(seat)] = number_;
  }
}

template <Protocol P>
bool LoopSearch<P>::advance(RepeatedRounds& rounds) {
  const bool must = world_.network_round.number + kRoomAhead > kMaxRound;
  const bool should = Foldable<P> && number_ >= renumbered_ + kUnfoldedRounds;
  if ((must || should) && !renumber(rounds) && must) return false;
  const auto before = tops();
  ++number_;
  if (!network_.advance(world_, rounds)) return false;
  note_decisions(before);
  return !world_.overflowed;
}

// Folding forgets how much was committed, so that whatever is committed next counts as new.
template <Protocol P>
bool LoopSearch<P>::renumber(RepeatedRounds& rounds) {
  const SeatSet seats = network_.cluster().seats();
  form_.copy_from(world_, seats);
  if (!bring_into_form(form_, network_.contexts(), gaps_)) return false;
  if (form_.network_round.number + kRoomAhead > kMaxRound) return false;
  world_.copy_from(form_, seats);
  renumbered_ = number_;
  rounds.renumber(static_cast<int>(number_) - world_.network_round.number, !kIsBroadcast<P>);
  return true;
}

// A protocol in which everybody decides once is done when all have; in others there is always more to decide. Where
// clients decide, they are the ones that wait.
template <Protocol P>
SeatSet LoopSearch<P>::waiting() const {
  const Cluster& cluster = network_.cluster();
  const SeatSet able = cluster.client_count() > 0 ? cluster.client_seats() : cluster.honest_seats();
  return able - world_.down - world_.amnesiac - (kIsSingleShot<P> ? decided_ : SeatSet{});
}

template <Protocol P>
std::optional<Loop> LoopSearch<P>::find(Schedule& schedule, const LoopPart& part, const LoopCondition& condition) {
  RepeatedRounds rounds(schedule, network_.cluster().seat_count, part.last, part.period);
  std::unordered_map<std::string, unsigned> seen;  // the round after which there was such a world
  const unsigned last = part.last + kLoopRepetitions * part.period;
  for (start(rounds); number_ <= last;) {
    const bool counts = meets(condition);
    if (!counts && number_ >= part.last) return std::nullopt;
    if (!counts || decided_round_ == number_) seen.clear();
    if (counts && number_ + 1 >= part.first && !waiting().empty()) {
      // Rounds that lie apart by whole turns of the schedule are followed by the same ones.
      if (auto world = name()) {
        *world += std::to_string(number_ % part.period);
        const auto [before, is_new] = seen.emplace(*std::move(world), number_);
        if (!is_new) {
          Loop loop{.first_round = before->second + 1, .length = number_ - before->second, .part = part};
          loop.proved = repeat(rounds, loop, kLoopConfirmations + 1, condition) == kLoopConfirmations + 1;
          return loop;
        }
      }
    }
    if (!advance(rounds)) return std::nullopt;
  }
  return std::nullopt;
}

template <Protocol P>
unsigned LoopSearch<P>::repeat(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times,
                               const LoopCondition& condition) {
  RepeatedRounds rounds(schedule, network_.cluster().seat_count, part.last, part.period);
  Loop again = loop;
  return repeat(rounds, again, times, condition);
}

template <Protocol P>
unsigned LoopSearch<P>::last_decision(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times) {
  RepeatedRounds rounds(schedule, network_.cluster().seat_count, part.last, part.period);
  rounds.repeat(loop.first_round, loop.length);
  unsigned last = 0;
  for (start(rounds); number_ < loop.last_round() + (times - 1) * loop.length;) {
    if (!advance(rounds)) return last;
    if (decided_round_ == number_ && number_ >= loop.first_round) last = (number_ - loop.first_round) / loop.length + 1;
  }
  return last;
}

// Runs it from the start again; how often it came back. Says under which assumptions.
template <Protocol P>
unsigned LoopSearch<P>::repeat(RepeatedRounds& rounds, Loop& loop, unsigned times, const LoopCondition& condition) {
  rounds.repeat(loop.first_round, loop.length);
  if (!reach(rounds, loop)) return 0;
  const auto first = name();
  if (!first) return 0;
  loop.waiting = waiting();
  loop.assumptions = {.healed = !is_withheld(), .fair = true, .order = Assumptions::Arrival::kOne};
  IdentitySet idle = network_.cluster().identities() - network_.cluster().compromised;
  for (unsigned number = loop.first_round; number <= loop.last_round(); ++number) {
    const KeptRound& round = rounds.at(number);
    if (!round.forgets.empty()) return 0;
    loop.assumptions.healed = loop.assumptions.healed && is_healed(round);
    idle = idle - round.leaders;
  }
  loop.assumptions.fair = idle.empty();
  Trace trace;
  for (unsigned time = 0; time < times; ++time) {
    network_.trace = time == 0 ? &trace : nullptr;
    const bool comes_round = advance_undecided(rounds, loop.length, condition);
    network_.trace = nullptr;
    if (!comes_round || name() != first) return time;
    if (time > 0) continue;
    loop.assumptions.liars = liars_in(trace, network_.cluster());
    if (is_quiet(trace)) loop.assumptions.order = Assumptions::Arrival::kAny;
  }
  return times;
}

template <Protocol P>
bool LoopSearch<P>::advance_undecided(RepeatedRounds& rounds, unsigned count, const LoopCondition& condition) {
  for (unsigned i = 0; i < count; ++i) {
    if (!advance(rounds) || decided_round_ == number_ || !meets(condition)) return false;
  }
  return true;
}

template <Protocol P>
bool LoopSearch<P>::reach(RepeatedRounds& rounds, const Loop& loop) {
  start(rounds);
  while (number_ + 1 < loop.first_round) {
    if (!advance(rounds)) return false;
  }
  return true;
}

template <Protocol P>
bool LoopSearch<P>::runs_in_any_order(Schedule& schedule, const Loop& loop) {
  if (!loop.proved) return false;
  RepeatedRounds rounds(schedule, network_.cluster().seat_count, loop.part.last, loop.part.period);
  rounds.repeat(loop.first_round, loop.length);
  if (!reach(rounds, loop)) return false;
  return AnyOrder<P>(network_, rounds, loop, kRoomAhead).holds_from(world_);
}

template <Protocol P, class Network>
std::array<Holding, kMaxSeats> holdings_in(const World<P>& world, const Network& network) {
  std::array<Holding, kMaxSeats> result{};
  for (Seat seat : network.cluster().seats()) {
    const unsigned s = index_of(seat);
    result[s] = {P::current_round(world.states[s]), progress<P>(world.states[s], network.context_of(seat))};
  }
  return result;
}

// Without folding, which would give other names to what they hold.
template <Protocol P>
std::optional<LoopEnds> LoopSearch<P>::ends(Schedule& schedule, const Loop& loop, std::uint32_t until) {
  if (loop.last_round() + kRoomAhead > kMaxRound) return std::nullopt;
  RepeatedRounds rounds(schedule, network_.cluster().seat_count, loop.part.last, loop.part.period);
  rounds.repeat(loop.first_round, loop.length);
  LoopEnds ends{.tells_progress = kTellsProgress<P>, .from = loop.first_round - 1, .to = loop.last_round()};
  const unsigned last = std::max(ends.to, std::min<unsigned>(until, kMaxRound - kRoomAhead));
  network_.trace = &ends.trace;
  network_.start(world_, rounds);
  unsigned number = 0;
  for (bool goes_on = true; goes_on && number <= last; ++number) {
    if (number == ends.from) ends.before = holdings_in(world_, network_);
    if (number == ends.to) ends.after = holdings_in(world_, network_);
    if (number < last) goes_on = network_.advance(world_, rounds) && !world_.overflowed;
  }
  network_.trace = nullptr;
  return number > ends.to ? std::optional(std::move(ends)) : std::nullopt;
}

template <Protocol P>
std::optional<unsigned> LoopSearch<P>::decides(Schedule& schedule, const Loop& loop) {
  RepeatedRounds rounds(schedule, network_.cluster().seat_count, loop.part.last, loop.part.period);
  rounds.repeat(loop.first_round, loop.length);
  if (!reach(rounds, loop)) return std::nullopt;
  const SeatSet able = waiting() | (kIsSingleShot<P> ? decided_ : SeatSet{});
  const unsigned since = kIsSingleShot<P> ? 1 : loop.first_round;
  const auto is_done = [&] {
    for (Seat seat : able) {
      if (decided_in_[index_of(seat)] < since) return false;
    }
    return true;
  };
  const unsigned last = loop.last_round() + kLoopRepetitions * loop.length;
  while (!is_done()) {
    if (number_ >= last || !advance(rounds)) return std::nullopt;
  }
  unsigned round = 0;
  for (Seat seat : able) round = std::max(round, decided_in_[index_of(seat)]);
  return round;
}

template <Protocol P>
bool LoopSearch<P>::is_healed(const KeptRound& round) const {
  const SeatSet honest = network_.cluster().honest_seats();
  if (!(honest & (round.crashes | round.gives_up | world_.down)).empty()) return false;
  for (unsigned kind = 0; kind < std::variant_size_v<typename P::Message>; ++kind) {
    const Reach& reach = round.kind_links ? (*round.kind_links)[kind] : round.links.reach;
    for (Seat from : honest) {
      for (Seat to : honest) {
        const Fate fate = fate_of(round.rules, reach, {Round(1), static_cast<Kind>(kind), from, to});
        if (fate.action != Action::kDeliver && fate.action != Action::kTwice) return false;
      }
    }
  }
  return true;
}

// Whether something of an honest seat waits for a healing that does not come.
template <Protocol P>
bool LoopSearch<P>::is_withheld() const {
  const SeatSet honest = network_.cluster().honest_seats();
  for (unsigned i = 0; i < world_.pending_count; ++i) {
    const auto& item = world_.pending[i];
    if (item.wait == Wait::kToHeal && honest.contains(item.post.from) && !(honest & item.post.to).empty()) return true;
  }
  return false;
}

}  // namespace nika
