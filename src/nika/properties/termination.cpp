#include "nika/properties/termination.hpp"

namespace nika {

bool TerminationMonitor::is_owed_more(const Sight& sight, const HealingWatch& watch) {
  const bool is_log = !sight.promises.is_single_shot && !sight.promises.is_broadcast &&
                      sight.cluster.client_count() == 0 && sight.delta_ticks == 0;
  return is_log && watch.can_be_judged_yet(sight);
}

// Who owes a decision never becomes more.
void TerminationMonitor::renew(const Sight& sight) {
  const bool all_decided = undecided(sight).empty();
  if (owed == Owed::kSomething && !all_decided) return;
  if (all_decided) healing.begin_anew(sight);
  if (owed != Owed::kNothing && is_owed_more(sight, healing)) {
    if (all_decided) since = sight.now;
    owed = Owed::kMore;
    return;
  }
  // Who led, and when all had decided, is of no matter any more.
  healing.begin_anew(sight);
  healing.top_before = {};
  owed = Owed::kNothing;
  since = {};
}

SeatSet TerminationMonitor::undecided(const Sight& sight) const {
  if (owed == Owed::kNothing) return {};
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
  const Unjudged why_not = healing.obstacle(sight);
  const bool is_too_soon = why_not == Unjudged::kHealingTooShort || why_not == Unjudged::kNoHonestLeader;
  if (owed == Owed::kMore && is_too_soon) return Judgement::holds();
  if (why_not != Unjudged::kJudged) return Judgement::unknown(why_not);
  Evidence evidence;
  evidence.kind = owed == Owed::kMore ? "no further decision" : "no decision after healing";
  evidence.since = owed == Owed::kMore ? since : sight.healing_since;
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
