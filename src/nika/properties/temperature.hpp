// Temperature checking of "Liveness Checking of the HotStuff Protocol Family" (Algorithm 1): so many hot states in a
// row are suspicious. A state is looked at after every network round, scheduled or healing, and in a timed run after
// every view that passes. It is a suspicion and no proof: what is hot under asynchrony may well cool down when it ends,
// and where the run itself shows that it does, nothing is called violated.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

struct TemperatureMonitor {
  static constexpr bool kOnlyByName = true;
  static constexpr bool kNamesNobody = true;
  static constexpr unsigned kUsualLimit = 5;  // the paper's
  static constexpr std::string_view kLimitName = "rounds";

  Round last{};                  // round or view that was looked at
  std::uint8_t temperature = 0;  // hot states in a row
  Round boiled_in{};             // when they were too many, if it has been hot since; else 0
  std::uint8_t has_cooled = 0;   // they were too many, and then a state was not hot
  std::uint8_t is_excused = 0;   // at some time until they were more than f nodes were faulty or down

  void passed(const Sight& sight, unsigned limit);
  bool is_settled(const Sight&) const { return false; }  // it may still cool down
  Judgement judge(const Sight& sight, unsigned limit) const;
};

inline constexpr Property kTemperature = property_of<TemperatureMonitor>(
    "temperature", "honest nodes do not hold locks that exclude each other for too many rounds (a suspicion)");

}  // namespace nika
