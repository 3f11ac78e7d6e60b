#include "nika/properties/hot_state.hpp"

#include <array>

namespace nika {
namespace {

template <class Predicate>
bool any_of(SeatSet seats, const Predicate& holds) {
  for (Seat seat : seats) {
    if (holds(seat)) return true;
  }
  return false;
}

// What correct seats hold, and whose locks conflict with whose.
struct Locks {
  explicit Locks(const Sight& sight) : seats(correct_seats(sight)) {
    for (Seat seat : seats) held[index_of(seat)] = sight.progress(seat);
    for (Seat one : seats) {
      for (Seat other : seats) {
        if (one < other && locks_conflict(sight, one, other)) {
          rivals[index_of(one)].insert(other);
          rivals[index_of(other)].insert(one);
        }
      }
    }
  }

  bool any_conflict() const {
    return any_of(seats, [&](Seat seat) { return !rivals[index_of(seat)].empty(); });
  }
  bool can_be_certified(Seat holder, int votes) const {
    return !held[index_of(holder)].locked.is_genesis() && (seats - rivals[index_of(holder)]).size() >= votes;
  }
  bool has_executed_a_lock(const Sight& sight, Seat seat) const {
    const Held executed = held[index_of(seat)].executed;
    return !executed.is_genesis() && any_of(seats, [&](Seat holder) {
      const Held lock = held[index_of(holder)].locked;
      return !lock.is_genesis() && sight.extends(seat, executed, lock);
    });
  }

  SeatSet seats;
  std::array<Progress, kMaxSeats> held{};
  std::array<SeatSet, kMaxSeats> rivals{};
};

}  // namespace

SeatSet correct_seats(const Sight& sight) {
  return sight.cluster.seats_of_identities(sight.cluster.identities() - sight.faulty()) - sight.cluster.client_seats();
}

bool locks_conflict(const Sight& sight, Seat one, Seat other) {
  const Held mine = sight.progress(one).locked;
  const Held theirs = sight.progress(other).locked;
  if (mine == theirs || mine.is_genesis() || theirs.is_genesis()) return false;
  return !sight.extends(one, mine, theirs) && !sight.extends(other, theirs, mine);
}

bool is_hot(const Sight& sight) {
  const Locks locks(sight);
  if (!locks.any_conflict()) return false;
  const int votes = sight.certificate_votes();
  const auto can_go_on = [&](Seat seat) { return locks.can_be_certified(seat, votes); };
  const auto has_not_executed = [&](Seat seat) { return !locks.has_executed_a_lock(sight, seat); };
  return !any_of(locks.seats, can_go_on) && any_of(locks.seats, has_not_executed);
}

}  // namespace nika
