// Bounded time, the baseline of "Liveness Checking of the HotStuff Protocol Family": no honest seat has decided
// anything so many network rounds, or ticks of a timed run, after the start. It asks neither whether the network was
// parted nor who led, so most of what it tells is no fault of the protocol.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

struct BoundedTimeMonitor {
  static constexpr bool kOnlyByName = true;
  static constexpr bool kNamesNobody = true;
  static constexpr unsigned kUsualLimit = 0;  // none: there is no bound that suits every protocol
  static constexpr std::string_view kLimitName = "rounds or ticks";

  std::uint8_t has_decided = 0;  // in time
  std::uint8_t is_late = 0;
  std::uint8_t is_excused = 0;  // at some time until then more than f nodes were faulty or down

  void passed(const Sight& sight, unsigned limit);
  bool is_settled(const Sight&, unsigned limit) const { return limit == 0 || has_decided != 0 || is_late != 0; }
  Judgement judge(const Sight& sight, unsigned limit) const;
};

inline constexpr Property kBoundedTime = property_of<BoundedTimeMonitor>(
    "bounded-time", "an honest node decides something within a number of rounds or ticks, whatever happens");

}  // namespace nika
