// Totality: what one honest seat has committed before the network heals, every honest seat commits when it has.
#pragma once

#include "nika/properties/healing_watch.hpp"

namespace nika {

struct TotalityMonitor {
  static constexpr bool kNamesNobody = true;  // before healing only a height is remembered

  HealingWatch healing{};

  void passed(const Sight& sight) { healing.passed(sight); }
  bool is_settled(const Sight& sight) const {
    return (sight.healing_since != Round(0) || sight.is_quiet) && behind(sight).empty();
  }
  Judgement judge(const Sight& sight) const;

 private:
  SeatSet behind(const Sight& sight) const;
};

inline constexpr Property kTotality =
    property_of<TotalityMonitor>("totality", "what one honest node has committed, all do once the network has healed");

}  // namespace nika
