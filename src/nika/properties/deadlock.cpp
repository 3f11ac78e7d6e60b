#include "nika/properties/deadlock.hpp"

namespace nika {
namespace {

bool are_all_clients_down(const Sight& sight) {
  return sight.cluster.client_count() > 0 && (sight.cluster.client_seats() - sight.down).empty();
}

// Honest seats that have something left to decide. Who is down owes nothing, and neither does anybody to a broadcast
// whose sender is faulty, unless somebody has delivered.
SeatSet waiting(const Sight& sight, IdentitySet faulty) {
  const Cluster& cluster = sight.cluster;
  const bool single = sight.promises.is_single_shot;
  if (cluster.client_count() > 0) return cluster.client_seats() - sight.down - sight.commits.seats();
  const SeatSet correct = cluster.seats_of_identities(cluster.identities() - faulty);
  const bool is_owed = !sight.promises.is_broadcast || !(sight.leaders_of(Round(1)) - faulty).empty();
  if (!is_owed && (sight.commits.seats() & correct).empty()) return {};
  return single ? correct - sight.commits.seats() : correct;
}

}  // namespace

void DeadlockMonitor::passed(const Sight& sight) {
  if (!sight.is_at_rest) {
    since = {};
  } else if (was_at_rest == 0) {
    since = sight.now;
  }
  was_at_rest = sight.is_at_rest ? 1 : 0;
}

Judgement DeadlockMonitor::judge(const Sight& sight) const {
  const IdentitySet faulty = sight.faulty_or_down();
  if (const Unjudged why = sight.excess_of(faulty); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (are_all_clients_down(sight)) return Judgement::unknown(Unjudged::kNobodyAsks);
  const SeatSet stuck = sight.is_at_rest ? waiting(sight, faulty) : SeatSet{};
  if (stuck.empty()) return Judgement::holds();
  Evidence evidence;
  evidence.kind = "nothing can ever happen";
  evidence.since = since;
  evidence.seats = stuck;
  return Judgement::violated(evidence);
}

}  // namespace nika
