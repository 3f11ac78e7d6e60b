#include "nika/properties/responsiveness.hpp"

#include <algorithm>

#include "nika/properties/hot_state.hpp"

namespace nika {
namespace {

// Where each seat decides once, those that have still to.
SeatSet undecided(const Sight& sight) { return correct_seats(sight) - sight.commits.seats(); }

using Step = ResponsivenessMonitor::Step;

bool has_clients(const Sight& sight) { return sight.cluster.client_count() > 0; }

// What honest seats have committed, or clients where these decide, all together: it grows whenever one of them decides
// something.
std::uint16_t decisions(const Sight& sight) {
  unsigned sum = 0;
  for (Seat seat : has_clients(sight) ? sight.cluster.client_seats() : correct_seats(sight))
    sum += sight.commits.top_of(seat).number;
  return static_cast<std::uint16_t>(sum);
}

// Nobody honest is down, and no client is or has forgotten what it asked for.
bool are_all_there(const Sight& sight) {
  const SeatSet clients = sight.cluster.client_seats();
  return ((correct_seats(sight) | clients) & sight.down).empty() && (clients & sight.amnesiac).empty();
}

// How the next round begins.
Step step_of(const Sight& sight) {
  if (!are_all_there(sight)) return Step::kNone;
  const SeatSet correct = correct_seats(sight);
  Round first = sight.now.next();
  Round last{};
  for (Seat seat : sight.cluster.seats()) {
    const Round view = sight.current_round(seat);
    last = std::max(last, view);
    if (correct.contains(seat)) first = std::min(first, view);
  }
  if (last > sight.now.next() || first < sight.now) return Step::kNone;
  return first == sight.now.next() ? Step::kTogether : Step::kNearly;
}

}  // namespace

// Of the round that has passed. Its leader has to know what was sent to it in the round before, so that the first round
// to heal does not count where that is more than its own view asks for: what clients want, or, in a chain, the votes of
// the view before, which everybody has left.
bool ResponsivenessMonitor::counts(const Sight& sight) const {
  const bool rests_on_the_round_before = has_clients(sight) || sight.promises.leaders_in_a_row > 1;
  if (rests_on_the_round_before && sight.healing_since == sight.now) return false;
  return sight.healing_since != Round(0) && sight.is_led_by_honest(sight.now, sight.faulty()) && are_all_there(sight);
}

void ResponsivenessMonitor::count(const Sight& sight) {
  const unsigned needed = sight.promises.leaders_in_a_row;
  const bool is_anything_left =
      !sight.promises.is_single_shot || decisions(sight) > decided || !undecided(sight).empty();
  const bool does_count = is_anything_left && counts(sight);
  const bool is_together = does_count && step == Step::kTogether;
  const bool is_near = does_count && step != Step::kNone && needed > 1;
  if (decisions(sight) > decided) {
    if (is_together || is_near) was_judged = 1;
    row = near_row = 0;
    return;
  }
  row = is_together ? static_cast<std::uint8_t>(row + 1) : std::uint8_t{0};
  near_row = is_near ? static_cast<std::uint8_t>(near_row + 1) : std::uint8_t{0};
  if (row >= needed || near_row >= 2 * needed) failed = sight.now;
}

// Of the tick that has passed. Nothing may have happened for several ticks before it.
void ResponsivenessMonitor::count_in_time(const Sight& sight) {
  const bool has_decided = decisions(sight) > decided;
  if (view != Round(0) && sight.decision_ticks() > 0 && sight.is_led_by_honest(view, sight.faulty())) {
    const bool is_late = sight.time > since + sight.decision_ticks();
    if (is_late || (sight.now > view && !has_decided && row == 0)) failed = view;
    if (has_decided) row = was_judged = 1;
  }
  if (sight.now > view) row = 0;
  if (sight.now > view || has_decided) since = static_cast<std::uint16_t>(sight.time);
  view = sight.now;
  decided = decisions(sight);
}

void ResponsivenessMonitor::passed(const Sight& sight) {
  if (failed != Round(0) || sight.promises.is_broadcast || sight.is_asynchronous) return;
  if (sight.delta_ticks > 0) {
    if (!has_clients(sight)) count_in_time(sight);
    return;
  }
  count(sight);
  decided = decisions(sight);
  step = step_of(sight);
}

void ResponsivenessMonitor::folded(const Sight& sight) { decided = decisions(sight); }

// Where each decides once, nothing is left when all have. A run in network rounds goes on after a view has failed: what
// comes of it, a loop or a decision in the next view, is part of what is told.
bool ResponsivenessMonitor::is_settled(const Sight& sight) const {
  if (failed != Round(0)) return sight.delta_ticks > 0;
  return sight.promises.is_single_shot && undecided(sight).empty();
}

Judgement ResponsivenessMonitor::judge(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (!sight.promises.is_responsive) return Judgement::unknown(Unjudged::kNotPromised);
  if (failed == Round(0)) {
    if (was_judged != 0) return Judgement::holds();
    const bool could_be = sight.healing_since != Round(0) || sight.delta_ticks > 0 || is_settled(sight);
    return Judgement::unknown(could_be ? Unjudged::kNoSuchRound : Unjudged::kNoHealing);
  }
  Evidence evidence;
  evidence.kind = "the view of an honest leader decides nothing";
  evidence.since = failed;
  evidence.seats = sight.cluster.seats_of_identities(sight.leaders_of(failed));
  return Judgement::violated(evidence);
}

}  // namespace nika
