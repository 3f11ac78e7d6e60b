// Termination in the form that a finite run can break: the scheduled faults are over, the network has healed for as
// long as the protocol needs, honest nodes have led, and still some honest seat has decided nothing new. In a log a
// decision is new above all that was committed before; a protocol that decides once has to have decided.
#pragma once

#include "nika/properties/healing_watch.hpp"

namespace nika {

struct TerminationMonitor {
  static constexpr bool kNamesNobody = true;  // before healing only a height is remembered

  HealingWatch healing{};

  void passed(const Sight& sight) { healing.passed(sight); }
  bool is_settled(const Sight& sight) const {
    return (sight.healing_since != Round(0) || sight.is_quiet) && undecided(sight).empty();
  }
  Judgement judge(const Sight& sight) const;

 private:
  SeatSet undecided(const Sight& sight) const;
};

inline constexpr Property kTermination = property_of<TerminationMonitor>(
    "termination", "once the network has healed, every honest node decides something new");

}  // namespace nika
