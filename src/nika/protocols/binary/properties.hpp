// What is promised of binary values beyond the properties that every protocol has: BV-Justification and BV-Obligation
// of Tholoniat and Gramoli, section 3.1. Justification is the validity of DBFT as well. BV-Uniformity is totality, and
// since t + 1 correct processes always have the same value, BV-Termination follows from obligation.
#pragma once

#include "nika/model/property.hpp"
#include "nika/protocols/binary/bits.hpp"

namespace nika::binary {

// If a correct process delivers or decides v, some correct process has begun with v.
struct JustificationMonitor {
  static constexpr bool kOnlyByName = true;

  ValueId value{};  // the first one that was not
  Height height{};
  Seat seat{};
  std::uint8_t is_broken = 0;
  std::uint8_t unused = 0;  // no padding: monitors are compared as bytes

  void committed(const Sight& sight, Seat by, Commit commit);
  bool is_settled(const Sight&) const { return is_broken != 0; }
  Judgement judge(const Sight& sight) const;
};

// If at least t + 1 correct processes begin with v, every correct process delivers v in the end. Of network rounds:
// when the network has healed for as long as the protocol asks for.
struct ObligationMonitor {
  static constexpr bool kOnlyByName = true;

  SeatSet down{};  // at some time while the network was healed: they owe nothing

  void passed(const Sight& sight) {
    if (sight.healing_since != Round(0)) down |= sight.down;
  }
  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kJustification = property_of<JustificationMonitor>(
    "justification", "of 0 and 1 honest nodes commit only what an honest node began with");
inline constexpr Property kObligation = property_of<ObligationMonitor>(
    "obligation", "of 0 and 1 honest nodes deliver what f + 1 honest nodes broadcast, once the network has healed");

}  // namespace nika::binary
