#include "nika/properties/healing_watch.hpp"

#include <algorithm>

namespace nika {

void HealingWatch::passed(const Sight& sight) {
  if (sight.delta_ticks > 0) count_ticks(sight);
  if (sight.healing_since == Round(0)) {
    top_before = sight.commits.top();
    return;
  }
  if (sight.delta_ticks > 0) return;
  down |= sight.down;
  count_turns(sight);
}

void HealingWatch::begin_anew(const Sight& sight) {
  const SeatSet were_down = down;
  *this = {};
  down = were_down;
  top_before = sight.commits.top();
}

unsigned HealingWatch::needed_turns(const Sight& sight) {
  return heal_rounds_after(sight.healing_since.number - 1U, sight.promises.heal_rounds);
}

bool HealingWatch::can_be_judged_yet(const Sight& sight) const {
  const unsigned left = sight.last_round > sight.now ? sight.last_round.number - sight.now.number : 0U;
  return honest_turns + row + left >= std::max(1U, needed_turns(sight));
}

// Of the round that has passed. The first rounds of a row count once it is long enough.
void HealingWatch::count_turns(const Sight& sight) {
  const IdentitySet bad = faulty(sight);
  if (!sight.is_led_by_honest(sight.now, bad)) {
    row = 0;
    return;
  }
  ++row;
  ++honest_rounds;
  const unsigned needed = sight.promises.leaders_in_a_row;
  if (row < needed) return;
  const unsigned turns = row == needed ? needed : 1;
  for (unsigned back = 0; back < turns; ++back) led |= sight.leaders_of(Round(sight.now.number - back));
  honest_turns = static_cast<std::uint8_t>(honest_turns + turns);
  if (!(sight.cluster.identities() - bad - led).empty()) return;
  ++fair_turns;
  led = {};
}

bool HealingWatch::is_fair(const Sight& sight, unsigned rounds) const {
  const auto honest = static_cast<unsigned>((sight.cluster.identities() - faulty(sight)).size());
  return fair_turns >= std::max(1U, rounds / std::max(1U, honest));
}

// What passed since the last tick that was seen was spent in the view of that tick.
void HealingWatch::count_ticks(const Sight& sight) {
  const bool had_healed = sight.healing_since != Round(0) && last_view >= sight.healing_since;
  if (had_healed && sight.is_led_by_honest(last_view, faulty(sight))) {
    honest_ticks = static_cast<std::uint16_t>(honest_ticks + sight.time - last_tick);
  }
  last_tick = static_cast<std::uint16_t>(sight.time);
  last_view = sight.now;
}

IdentitySet HealingWatch::faulty(const Sight& sight) const {
  IdentitySet result = sight.faulty();
  for (Seat seat : down - sight.cluster.client_seats()) result.insert(sight.cluster.identity(seat));
  return result;
}

Unjudged HealingWatch::obstacle(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(faulty(sight)); why != Unjudged::kJudged) return why;
  if (sight.is_quiet) return Unjudged::kJudged;
  if (sight.healing_since == Round(0)) return Unjudged::kNoHealing;
  if (sight.delta_ticks > 0) return obstacle_in_time(sight);
  const unsigned needed = needed_turns(sight);
  if (sight.promises.is_broadcast) {
    const unsigned rounds = sight.now.number - sight.healing_since.number + 1U;
    return rounds < needed ? Unjudged::kHealingTooShort : Unjudged::kJudged;
  }
  if (honest_rounds == 0) return Unjudged::kNoHonestLeader;
  if (honest_turns < needed) return Unjudged::kHealingTooShort;
  if (!sight.promises.outlasts_liars && is_anybody_two_faced(sight)) return Unjudged::kLiarsGoOn;
  return is_fair(sight, needed) ? Unjudged::kJudged : Unjudged::kUnfair;
}

bool HealingWatch::is_anybody_two_faced(const Sight& sight) const {
  for (Identity liar : sight.cluster.compromised) {
    if ((sight.cluster.seats_of_identity(liar) - sight.down).size() > 1) return true;
  }
  return false;
}

// A protocol with a clock states how long the view of any one honest leader takes, and such a leader may stay for ever:
// nobody else has to lead.
Unjudged HealingWatch::obstacle_in_time(const Sight& sight) const {
  if (honest_ticks == 0) return Unjudged::kNoHonestLeader;
  const std::uint32_t needed = sight.decision_ticks();
  return needed == 0 || honest_ticks <= needed ? Unjudged::kHealingTooShort : Unjudged::kJudged;
}

}  // namespace nika
