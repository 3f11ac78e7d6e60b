#include "nika/protocols/honeybadger/common_subset.hpp"

#include "nika/protocols/honeybadger/acs.hpp"

namespace nika::honeybadger {
namespace {

// Whether a node has broadcast this value, by what it begins with; a liar may have broadcast any.
bool is_its_own(const Sight& sight, Identity node, ValueId value) {
  if (sight.faulty().contains(node)) return true;
  for (Seat seat : sight.cluster.seats_of_identity(node)) {
    if (sight.cluster.input_of[index_of(seat)] == value.seat()) return true;
  }
  return false;
}

}  // namespace

void CommonSubsetMonitor::break_by(Break how, Seat by, Commit commit) {
  broken = how;
  value = commit.value;
  height = commit.height;
  seat = by;
}

void CommonSubsetMonitor::committed(const Sight& sight, Seat by, Commit commit) {
  const unsigned n = sight.cluster.node_count;
  if (broken != Break::kNone || commit.height.number > n || sight.states<Acs>().empty()) return;
  ++slots[index_of(by)];
  if (!commit.value.is_nameless()) {
    ++values[index_of(by)];
    const auto node = static_cast<Identity>(commit.height.number - 1U);
    if (!is_its_own(sight, node, commit.value)) return break_by(Break::kNotItsOwn, by, commit);
  }
  const bool is_complete = slots[index_of(by)] == n;
  if (is_complete && values[index_of(by)] + sight.cluster.fault_count < n) break_by(Break::kTooFew, by, commit);
}

Judgement CommonSubsetMonitor::judge(const Sight& sight) const {
  if (sight.states<Acs>().empty()) return Judgement::unknown(Unjudged::kNotPromised);
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (broken == Break::kNone) return Judgement::holds();
  Evidence evidence;
  evidence.kind = broken == Break::kTooFew ? "fewer than n - f values" : "not the value of its node";
  evidence.height = height;
  evidence.seats = SeatSet::single(seat);
  (void)evidence.claims.push_back({seat, value});
  return Judgement::violated(evidence);
}

}  // namespace nika::honeybadger
