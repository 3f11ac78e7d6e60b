// What models/one-step.ta calls handover: if a correct process decides v in one step, every correct process hands v
// over to the consensus underneath. It is why that decides v too.
#pragma once

#include "nika/model/property.hpp"

namespace nika::one_step {

struct HandoverMonitor {
  static constexpr bool kOnlyByName = true;

  std::uint64_t unused = 0;  // all that it asks for is in the states

  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kHandover = property_of<HandoverMonitor>(
    "handover", "of one-step: what an honest node decides in one step, honest nodes hand over to the slow consensus");

}  // namespace nika::one_step
