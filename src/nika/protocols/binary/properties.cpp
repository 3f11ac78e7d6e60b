#include "nika/protocols/binary/properties.hpp"

#include "nika/protocols/bv_broadcast/bv_broadcast.hpp"
#include "nika/protocols/dbft/dbft.hpp"
#include "nika/protocols/mmr/mmr.hpp"
#include "nika/protocols/one_step/one_step.hpp"

namespace nika::binary {
namespace {

bool is_broadcast(const Sight& sight) { return !sight.states<bv_broadcast::BvBroadcast>().empty(); }
template <class... Protocols>
bool is_one_of(const Sight& sight) {
  return (!sight.states<Protocols>().empty() || ...);
}
bool is_binary(const Sight& sight) {
  return is_broadcast(sight) || is_one_of<dbft::Dbft, mmr::Mmr14, mmr::Mmr14Conf, one_step::OneStep>(sight);
}

// As a replica has it from its context.
bool input_of(const Sight& sight, Seat seat) {
  const IdentitySet leaders = sight.leaders_of(Round(1));
  const unsigned owner = index_of(sight.cluster.input_of[index_of(seat)]);
  const bool is_of_node = owner < sight.cluster.node_count;
  return is_of_node ? leaders.contains(static_cast<Identity>(owner)) : !leaders.contains(sight.cluster.identity(seat));
}

// How many of these seats, of honest nodes, have this input.
int support_of(const Sight& sight, SeatSet honest, bool value) {
  SeatSet supporters;
  for (Seat seat : honest) {
    if (input_of(sight, seat) == value) supporters.insert(seat);
  }
  return supporters.size();
}

SeatSet seats_but(const Sight& sight, IdentitySet faulty) {
  return sight.cluster.seats_of_identities(sight.cluster.identities() - faulty);
}

bool is_justified(const Sight& sight, Bits bits) {
  const SeatSet honest = seats_but(sight, sight.faulty());
  for (const bool value : {false, true}) {
    if (bits.contains(value) && support_of(sight, honest, value) == 0) return false;
  }
  return true;
}

// Why nobody owes anything yet; kJudged if it does.
Unjudged why_not_yet(const Sight& sight) {
  if (sight.is_quiet) return Unjudged::kJudged;
  if (sight.is_asynchronous) return Unjudged::kCutShort;
  if (sight.healing_since == Round(0)) return Unjudged::kNoHealing;
  const unsigned rounds = sight.now.number - sight.healing_since.number + 1U;
  const unsigned needed = heal_rounds_after(sight.healing_since.number - 1U, sight.promises.heal_rounds);
  return rounds < needed ? Unjudged::kHealingTooShort : Unjudged::kJudged;
}

}  // namespace

void JustificationMonitor::committed(const Sight& sight, Seat by, Commit commit) {
  if (is_broken != 0 || !is_bits(commit.value) || is_justified(sight, bits_of(commit.value))) return;
  is_broken = 1;
  value = commit.value;
  height = commit.height;
  seat = by;
}

Judgement JustificationMonitor::judge(const Sight& sight) const {
  if (!is_binary(sight)) return Judgement::unknown(Unjudged::kNotPromised);
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (is_broken == 0) return Judgement::holds();
  Evidence evidence;
  evidence.kind = "a value that no honest node began with";
  evidence.height = height;
  evidence.seats = SeatSet::single(seat);
  (void)evidence.claims.push_back({seat, value});
  return Judgement::violated(evidence);
}

Judgement ObligationMonitor::judge(const Sight& sight) const {
  if (!is_broadcast(sight)) return Judgement::unknown(Unjudged::kNotPromised);
  IdentitySet faulty = sight.faulty();
  for (Seat seat : down) faulty.insert(sight.cluster.identity(seat));
  if (const Unjudged why = sight.excess_of(faulty); why != Unjudged::kJudged) return Judgement::unknown(why);
  const SeatSet honest = seats_but(sight, faulty);
  Evidence evidence;
  for (const bool value : {false, true}) {
    if (support_of(sight, honest, value) <= sight.cluster.fault_count) continue;
    for (Seat seat : honest) {
      // The height of a delivered set is its number, and sets only grow.
      if (Bits{sight.commits.top_of(seat).number}.contains(value)) continue;
      if (evidence.seats.empty()) (void)evidence.claims.push_back({seat, value_of(Bits::of(value))});
      evidence.seats.insert(seat);
    }
  }
  if (evidence.seats.empty()) return Judgement::holds();
  if (const Unjudged why = why_not_yet(sight); why != Unjudged::kJudged) return Judgement::unknown(why);
  evidence.kind = "a value of f + 1 honest nodes is not delivered";
  evidence.since = sight.healing_since;
  return Judgement::violated(evidence);
}

}  // namespace nika::binary
