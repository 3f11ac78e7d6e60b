#include "nika/properties/agreement.hpp"

namespace nika {

Judgement AgreementMonitor::judge(const Sight& sight) const {
  if (!sight.has_threshold()) return Judgement::unknown(Unjudged::kNoSuchThreshold);
  const Conflict& conflict = sight.commits.conflict();
  const bool within = sight.is_within_threshold(sight.faulty());
  const bool amnesia_counts = !within && sight.is_within_threshold(sight.cluster.compromised);
  if (amnesia_counts || (!conflict.found && !within)) return Judgement::unknown(Unjudged::kTooManyFaulty);
  if (!conflict.found) return Judgement::holds();
  Evidence evidence;
  const bool same_round = conflict.first_value.round() == conflict.second_value.round();
  evidence.kind = same_round ? "two values of one round" : "values of different rounds";
  evidence.height = conflict.height;
  evidence.seats = {conflict.first_seat, conflict.second_seat};
  (void)evidence.claims.push_back({conflict.first_seat, conflict.first_value});
  (void)evidence.claims.push_back({conflict.second_seat, conflict.second_value});
  return Judgement::violated(evidence);
}

}  // namespace nika
