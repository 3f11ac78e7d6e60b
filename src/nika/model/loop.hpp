// A loop: rounds of a schedule that bring the world back to where it was, without a decision. What it is proved by
// stands in explore/loop.hpp.
#pragma once

#include <cstdint>

#include "nika/base/ids.hpp"

namespace nika {

// Under which assumptions a loop runs: the weakest class of schedules that it belongs to.
struct Assumptions {
  enum class Arrival : std::uint8_t { kOne, kAny };

  bool healed = false;            // every message between honest seats arrives, at once, and nobody honest is down
  bool fair = false;              // every honest node leads in the loop
  Arrival order = Arrival::kOne;  // kAny: it runs whatever the order of arrival is

  bool operator==(const Assumptions&) const = default;
};

struct Loop {
  unsigned first_round = 0;  // of the loop; it is the first that comes again
  unsigned length = 0;       // in rounds
  bool proved = false;       // else the world came back once, and did not when it was run again
  Assumptions assumptions{};
  SeatSet waiting{};  // the seats that have to decide and never do

  unsigned last_round() const { return first_round + length - 1; }
  bool operator==(const Loop&) const = default;
};

// Where to look for a loop: among the rounds first..last of a schedule, behind which the last `period` of them come
// again and again.
struct LoopPart {
  unsigned first = 0;
  unsigned last = 0;
  unsigned period = 0;
};

}  // namespace nika
