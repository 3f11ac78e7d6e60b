#include "nika/protocols/one_step/handover.hpp"

#include "nika/protocols/one_step/one_step.hpp"

namespace nika::one_step {

Judgement HandoverMonitor::judge(const Sight& sight) const {
  const auto states = sight.states<OneStep>();
  if (states.empty()) return Judgement::unknown(Unjudged::kNotPromised);
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  const SeatSet honest = sight.cluster.seats_of_identities(sight.cluster.identities() - sight.faulty());
  for (Seat decider : honest) {
    const Bits decided = states[index_of(decider)].decided;
    if (decided.empty()) continue;
    for (Seat other : honest) {
      const Bits handed_over = states[index_of(other)].handed_over;
      if (handed_over.empty() || handed_over == decided) continue;
      Evidence evidence;
      evidence.kind = "another value is handed over";
      evidence.height = Height(1);
      evidence.seats = SeatSet::single(decider) | SeatSet::single(other);
      (void)evidence.claims.push_back({decider, value_of(decided)});
      (void)evidence.claims.push_back({other, value_of(handed_over)});
      return Judgement::violated(evidence);
    }
  }
  return Judgement::holds();
}

}  // namespace nika::one_step
