// A loop: rounds of a schedule that bring the world back to where it was, without a decision. What it is proved by
// stands in explore/loop.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "nika/model/event.hpp"
#include "nika/model/progress.hpp"

namespace nika {

// Under which assumptions a loop runs: the weakest class of schedules that it belongs to.
struct Assumptions {
  enum class Arrival : std::uint8_t { kOne, kAny };
  // What honest seats hear in the loop of the seats of compromised nodes: nothing; not all that these send to them; all
  // of it. Where nobody is compromised, nothing.
  enum class Liars : std::uint8_t { kSilent, kSelective, kActive };

  bool healed = false;            // every message between honest seats arrives, at once, and nobody honest is down
  bool fair = false;              // every honest node leads in the loop
  Arrival order = Arrival::kOne;  // kAny: it runs in whatever order honest seats handle what arrives together
  Liars liars = Liars::kSilent;

  bool operator==(const Assumptions&) const = default;
  // Whether whatever these assume the others assume too.
  bool are_no_stronger_than(const Assumptions& others) const {
    return healed >= others.healed && fair >= others.fair && order >= others.order && liars <= others.liars;
  }
};

// Where to look for a loop: among the rounds first..last of a schedule, behind which the last `period` of them come
// again and again.
struct LoopPart {
  unsigned first = 0;
  unsigned last = 0;
  unsigned period = 0;

  bool operator==(const LoopPart&) const = default;
};

// In a timed run views take the place of rounds: the loop begins when the first honest seat has entered `first_round`.
struct Loop {
  unsigned first_round = 0;  // of the loop; it is the first that comes again
  unsigned length = 0;       // in rounds
  bool proved = false;       // else the world came back once, and did not when it was run again
  Assumptions assumptions{};
  SeatSet waiting{};  // the seats that have to decide and never do
  LoopPart part{};    // of the schedule, in which it was found

  unsigned last_round() const { return first_round + length - 1; }
  bool operator==(const Loop&) const = default;
};

// What a seat holds after a round, and the view that it is in.
struct Holding {
  Round view{};
  Progress progress{};

  bool operator==(const Holding&) const = default;
};

// What the seats hold when a loop begins and when it has come round, and how it came to that.
struct LoopEnds {
  bool tells_progress = false;  // else the protocol tells views only
  std::array<Holding, kMaxSeats> before{};
  std::array<Holding, kMaxSeats> after{};
  // After which network round or tick it begins, and has come round.
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Trace trace{};  // of the run from its start until then, or longer if that was asked for
};

struct Sight;
// What has to be true of a run after every round of a loop for it to count; nothing if any loop counts.
using LoopCondition = std::function<bool(const Sight&)>;

}  // namespace nika
