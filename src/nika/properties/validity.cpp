#include "nika/properties/validity.hpp"

#include <algorithm>

namespace nika {
namespace {

// Whether a client has made this request.
bool is_request(const Sight& sight, ValueId value) {
  if (!sight.cluster.is_client(value.seat())) return false;
  return !sight.tells_requests() || value.round().number <= sight.requests(value.seat());
}

// Whether this seat may have proposed it: a liar whatever it likes, an honest node what is not of a later view than it
// has seen. A broadcast has one sender.
bool may_have_made(const Sight& sight, Seat seat, ValueId value) {
  const Identity maker = sight.cluster.identity(seat);
  if (sight.promises.is_broadcast && !sight.leaders_of(Round(1)).contains(maker)) return false;
  if (sight.faulty().contains(maker) || !sight.tells_rounds()) return true;
  return value.round() <= std::max(sight.current_round(seat), Round(1));
}

// Seats may share one input, and whoever has it may have proposed it.
bool is_proposal(const Sight& sight, ValueId value) {
  for (Seat seat : sight.cluster.seats()) {
    if (sight.cluster.input_of[index_of(seat)] == value.seat() && may_have_made(sight, seat, value)) return true;
  }
  return false;
}

bool is_valid(const Sight& sight, ValueId value) {
  if (value.is_nameless()) return true;  // nothing is asked for by it
  if (index_of(value.seat()) >= sight.cluster.seat_count) return false;
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
