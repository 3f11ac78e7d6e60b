// Termination in the form that a finite run can break: the scheduled faults are over, the network has healed for as
// long as the protocol needs, honest nodes have led, and still some honest seat has decided nothing new. In a log a
// decision is new above all that was committed before; a protocol that decides once has to have decided.
#pragma once

#include "nika/properties/healing_watch.hpp"

namespace nika {

struct TerminationMonitor {
  static constexpr bool kNamesNobody = true;  // before healing only a height is remembered

  HealingWatch healing{};
  std::uint8_t all_decided = 0;  // while the network healed; who owes a decision never becomes more
  std::uint8_t unused = 0;

  void passed(const Sight& sight) {
    healing.passed(sight);
    if (sight.healing_since != Round(0) && undecided(sight).empty()) all_decided = 1;
  }
  // Of heights only the one that decisions have to be above is remembered, and that until all are.
  bool can_fold(const Sight& sight) const { return sight.healing_since == Round(0) || all_decided != 0; }
  void folded(const Sight& sight) { healing.top_before = sight.commits.top(); }
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
