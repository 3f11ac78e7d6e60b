// The hot state of "Liveness Checking of the HotStuff Protocol Family", Definition 3: correct processes hold locks on
// conflicting blocks, none of which can still gather a quorum of them, and somebody has not executed.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

// Replicas that count as correct: neither compromised nor without their memory. Clients hold no locks.
SeatSet correct_seats(const Sight& sight);

// Neither of the two locks is on the branch of the other. A replica knows the branch of its own lock, so each is asked
// about its own.
bool locks_conflict(const Sight& sight, Seat one, Seat other);

// (i) two correct seats hold conflicting locks; (ii) no lock of a correct seat can be certified by correct seats alone,
// those whose locks do not conflict with it, since liars may stay silent for ever; (iii) a correct seat has executed
// nothing that extends a lock of a correct seat: executing one of them would be progress.
// Only for protocols that tell their progress.
bool is_hot(const Sight& sight);

}  // namespace nika
