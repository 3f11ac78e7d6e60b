#include "nika/properties/termination.hpp"

namespace nika {
namespace {

// Whoever is down at some time while the network heals owes nothing.
IdentitySet crashed_while(const Healing& healing, const Circumstances& circumstances) {
  IdentitySet crashed;
  for (const Crash& crash : circumstances.crashes) {
    if (crash.down_from <= healing.last && crash.up_from > healing.first) {
      crashed.insert(circumstances.cluster.identity(crash.seat));
    }
  }
  return crashed;
}

}  // namespace

Standstill standstill_of(const Healing& healing, const Circumstances& circumstances) {
  const Cluster& cluster = circumstances.cluster;
  const IdentitySet faulty = cluster.compromised | crashed_while(healing, circumstances);
  if (faulty.size() > cluster.fault_count) return {};
  const IdentitySet honest = cluster.identities() - faulty;
  bool honest_leads = false;
  for (unsigned r = healing.first.number; r <= healing.last.number; ++r) {
    honest_leads = honest_leads || !(circumstances.leaders[r] & honest).empty();
  }
  if (!honest_leads) return {};
  SeatSet undecided = cluster.seats_of_identities(honest);
  bool went_on = healing.after.top > healing.before.top;
  if (healing.is_single_shot) {
    undecided = undecided - healing.after.committed;
    went_on = undecided.empty() || healing.after.committed != healing.before.committed;
  }
  if (went_on) return {};
  return {true, healing.first, undecided, {}, {}};
}

}  // namespace nika
