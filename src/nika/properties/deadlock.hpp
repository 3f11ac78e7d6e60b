// Deadlock: nothing is on its way, no timer runs, and an honest seat has not decided. Then nothing will ever happen. It
// asks for no healing: a protocol that can lose messages has to keep a timer. A log is never done, so every honest seat
// of a log waits for something; where clients decide, those do that have decided nothing.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

// It is judged at the end of a run: before, a crashed seat may come back and begin anew.
struct DeadlockMonitor {
  static constexpr bool kOnlyByName = true;
  static constexpr bool kNamesNobody = true;
  static constexpr bool kAsksForRest = true;

  Round since{};  // the round or view in which it came to rest
  std::uint8_t was_at_rest = 0;

  void passed(const Sight& sight);
  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kDeadlock = property_of<DeadlockMonitor>(
    "deadlock", "while an honest node has not decided, a message is on its way or a timer runs");

}  // namespace nika
