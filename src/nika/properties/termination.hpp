// Termination in the form that a finite run can break: the scheduled faults are over, the network has healed for as
// long as the protocol needs, honest nodes have led, and still some honest seat has decided nothing new. In a log a
// decision is new above all that was committed before, and as long as the healing lasts all of it is asked for again
// once every seat has decided; a protocol that decides once has to have decided, and clients ask only so often.
#pragma once

#include "nika/properties/healing_watch.hpp"

namespace nika {

struct TerminationMonitor {
  static constexpr bool kNamesNobody = true;  // before healing only a height is remembered
  // What honest seats have to decide yet: something since the network healed; something since all had; nothing that
  // could still be judged.
  enum class Owed : std::uint8_t { kSomething, kMore, kNothing };

  HealingWatch healing{};
  Owed owed = Owed::kSomething;
  Round since{};  // kMore: when all had decided

  void passed(const Sight& sight) {
    healing.passed(sight);
    if (sight.healing_since != Round(0)) renew(sight);
  }
  // Of heights only the one that decisions have to be above is remembered, and that until nothing is owed.
  bool can_fold(const Sight& sight) const {
    return sight.healing_since == Round(0) || owed == Owed::kNothing ||
           (owed == Owed::kMore && sight.commits.top() <= healing.top_before);
  }
  void folded(const Sight& sight) {
    if (owed != Owed::kNothing) healing.top_before = sight.commits.top();
  }
  bool is_settled(const Sight& sight) const {
    if (owed == Owed::kNothing) return true;
    if (!undecided(sight).empty()) return false;
    return sight.is_quiet || (sight.healing_since != Round(0) && !is_owed_more(sight, {}));
  }
  Judgement judge(const Sight& sight) const;

 private:
  void renew(const Sight& sight);
  // Whether the rest of the schedule is long enough to ask for another decision, after what was seen of it.
  static bool is_owed_more(const Sight& sight, const HealingWatch& watch);
  SeatSet undecided(const Sight& sight) const;
};

inline constexpr Property kTermination = property_of<TerminationMonitor>(
    "termination", "once the network has healed, every honest node decides something new");

}  // namespace nika
