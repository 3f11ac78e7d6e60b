#include "nika/properties/healing_watch.hpp"

namespace nika {

void HealingWatch::passed(const Sight& sight) {
  if (sight.healing_since == Round(0)) {
    top_before = sight.commits.top();
    return;
  }
  down |= sight.down;
  const IdentitySet leaders = sight.leaders[sight.now.number];
  const bool is_honest = !leaders.empty() && (leaders & faulty(sight)).empty();
  row = is_honest ? static_cast<std::uint8_t>(row + 1) : std::uint8_t{0};
  if (is_honest) ++honest_rounds;
  if (row >= sight.promises.leaders_in_a_row) ++honest_turns;
}

IdentitySet HealingWatch::faulty(const Sight& sight) const {
  IdentitySet result = sight.faulty();
  for (Seat seat : down - sight.cluster.client_seats()) result.insert(sight.cluster.identity(seat));
  return result;
}

Unjudged HealingWatch::obstacle(const Sight& sight) const {
  if (!sight.has_threshold()) return Unjudged::kNoSuchThreshold;
  if (!sight.is_within_threshold(faulty(sight))) return Unjudged::kTooManyFaulty;
  if (sight.is_quiet) return Unjudged::kJudged;
  if (sight.healing_since == Round(0)) return Unjudged::kNoHealing;
  const unsigned needed = heal_rounds_after(sight.healing_since.number - 1U, sight.promises.heal_rounds);
  if (sight.promises.is_broadcast) {
    const unsigned rounds = sight.now.number - sight.healing_since.number + 1U;
    return rounds < needed ? Unjudged::kHealingTooShort : Unjudged::kJudged;
  }
  if (honest_rounds == 0) return Unjudged::kNoHonestLeader;
  return honest_turns < needed ? Unjudged::kHealingTooShort : Unjudged::kJudged;
}

}  // namespace nika
