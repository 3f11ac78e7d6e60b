#include "nika/properties/validity.hpp"

#include <algorithm>

namespace nika {
namespace {

// Whether a client has made this request, which is not a version of it by somebody else.
bool is_request(const Sight& sight, ValueId value) {
  if (!sight.cluster.is_client(value.seat()) || value.incarnation() != 0) return false;
  return !sight.tells_requests() || value.round().number <= sight.requests(value.seat());
}

// A broadcast has one sender.
bool may_propose(const Sight& sight, Identity node) {
  return !sight.promises.is_broadcast || sight.leaders_of(Round(1)).contains(node);
}

// Whether this seat may have proposed it: an honest one has come to that value, by its own count or by its view.
bool may_have_made(const Sight& sight, Seat seat, ValueId value) {
  const Identity node = sight.cluster.identity(seat);
  if (!may_propose(sight, node)) return false;
  if (sight.faulty().contains(node)) return true;  // it may have forgotten what it made
  if (sight.tells_requests()) return value.round().number <= sight.requests(seat);
  return !sight.tells_rounds() || value.round() <= std::max(sight.current_round(seat), Round(1));
}

// A liar that may propose can say what looks like a value of others. Seats may share one input: whoever has it may have
// proposed it, and a value is named after any one of them.
bool is_proposal(const Sight& sight, ValueId value) {
  for (Identity liar : sight.cluster.compromised) {
    if (sight.cluster.are_lies_told && may_propose(sight, liar)) return true;
  }
  if (!sight.cluster.seats().contains(value.seat())) return false;
  const auto input_of = [&](Seat seat) { return sight.cluster.input_of[index_of(seat)]; };
  for (Seat seat : sight.cluster.seats()) {
    if (input_of(seat) == input_of(value.seat()) && may_have_made(sight, seat, value)) return true;
  }
  return false;
}

bool is_valid(const Sight& sight, ValueId value) {
  if (value.is_nameless()) return true;  // nothing is asked for by it
  return sight.cluster.client_count() > 0 ? is_request(sight, value) : is_proposal(sight, value);
}

}  // namespace

void ValidityMonitor::committed(const Sight& sight, Seat by, Commit commit) {
  if (is_broken != 0 || is_valid(sight, commit.value)) return;
  is_broken = 1;
  value = commit.value;
  height = commit.height;
  seat = by;
}

Judgement ValidityMonitor::judge(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (is_broken == 0) return Judgement::holds();
  Evidence evidence;
  evidence.kind = sight.cluster.client_count() > 0 ? "a request that no client made" : "a value that nobody proposed";
  evidence.height = height;
  evidence.seats = SeatSet::single(seat);
  (void)evidence.claims.push_back({seat, value});
  return Judgement::violated(evidence);
}

}  // namespace nika
