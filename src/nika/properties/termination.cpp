#include "nika/properties/termination.hpp"

namespace nika {

SeatSet TerminationMonitor::undecided(const Sight& sight) const {
  if (all_decided != 0) return {};
  const SeatSet obliged = healing.obliged(sight);
  if (sight.promises.is_single_shot) return obliged - sight.commits.seats();
  SeatSet result;
  for (Seat seat : obliged) {
    if (sight.commits.top_of(seat) <= healing.top_before) result.insert(seat);
  }
  return result;
}

Judgement TerminationMonitor::judge(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(healing.faulty(sight)); why != Unjudged::kJudged)
    return Judgement::unknown(why);
  if (healing.obliged(sight).empty()) return Judgement::unknown(Unjudged::kNobodyAsks);
  const bool has_ended = sight.healing_since != Round(0) || sight.is_quiet;
  const SeatSet stuck = undecided(sight);
  if (has_ended && stuck.empty()) return Judgement::holds();
  // A broadcast promises a delivery only if it has one sender, who is honest.
  const IdentitySet senders = sight.leaders_of(Round(1));
  if (sight.promises.is_broadcast && (senders.size() != 1 || (senders - healing.faulty(sight)).empty()))
    return Judgement::unknown(Unjudged::kNoHonestSender);
  if (const Unjudged why = healing.obstacle(sight); why != Unjudged::kJudged) return Judgement::unknown(why);
  Evidence evidence;
  evidence.kind = "no decision after healing";
  evidence.since = sight.healing_since;
  evidence.seats = stuck;
  for (Seat seat : stuck) {
    const std::string_view why = sight.blocked(seat);
    if (why.empty() || !evidence.why.empty()) continue;
    evidence.kind = "no valid proposal exists";
    evidence.why = why;
    (void)evidence.claims.push_back({seat, {}});
  }
  return Judgement::violated(evidence);
}

}  // namespace nika
