#include "nika/properties/totality.hpp"

namespace nika {

SeatSet TotalityMonitor::behind(const Sight& sight) const {
  // Of an asynchronous run, all that was ever committed; of others, what was when the network began to heal.
  const Height owed = sight.is_quiet ? sight.commits.top() : healing.top_before;
  SeatSet result;
  for (Seat seat : healing.obliged(sight)) {
    if (sight.commits.top_of(seat) < owed) result.insert(seat);
  }
  return result;
}

Judgement TotalityMonitor::judge(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(healing.faulty(sight)); why != Unjudged::kJudged)
    return Judgement::unknown(why);
  if (healing.obliged(sight).empty()) return Judgement::unknown(Unjudged::kNobodyAsks);
  const bool has_ended = sight.healing_since != Round(0) || sight.is_quiet;
  const SeatSet missing = behind(sight);
  if (has_ended && missing.empty()) return Judgement::holds();
  if (const Unjudged why = healing.obstacle(sight); why != Unjudged::kJudged) return Judgement::unknown(why);
  Evidence evidence;
  evidence.kind = "a node never catches up";
  evidence.since = sight.healing_since;
  evidence.height = sight.is_quiet ? sight.commits.top() : healing.top_before;
  evidence.seats = missing;
  (void)evidence.claims.push_back({sight.commits.seat_at(evidence.height), sight.commits.at(evidence.height)});
  return Judgement::violated(evidence);
}

}  // namespace nika
