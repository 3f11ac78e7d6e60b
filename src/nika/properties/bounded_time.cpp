#include "nika/properties/bounded_time.hpp"

namespace nika {

// Nothing may happen for several ticks, so that what is seen first after the bound may be a decision that is too late.
void BoundedTimeMonitor::passed(const Sight& sight, unsigned limit) {
  if (is_settled(sight, limit)) return;
  if (!sight.is_within_threshold(sight.faulty_or_down())) is_excused = 1;
  const bool anything = sight.commits.top() > Height(0);
  if (anything && sight.time <= limit) {
    has_decided = 1;
  } else if (sight.time >= limit) {
    is_late = 1;
  }
}

Judgement BoundedTimeMonitor::judge(const Sight& sight, unsigned limit) const {
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (sight.is_asynchronous) return Judgement::unknown(Unjudged::kNoRounds);
  if (limit == 0) return Judgement::unknown(Unjudged::kNoLimit);
  if (has_decided != 0) return Judgement::holds();
  if (is_excused != 0) return Judgement::unknown(Unjudged::kTooManyFaulty);
  if (is_late == 0) return Judgement::unknown(Unjudged::kCutShort);
  Evidence evidence;
  evidence.kind = "no decision in time";
  return Judgement::violated(evidence);
}

}  // namespace nika
