// How the next step of an asynchronous run is drawn: uniformly, or by priorities as in probabilistic concurrency
// testing (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", 2010): the first
// message of the link with the highest priority is next, and at a few steps the link that is next falls behind all
// others. A bug that needs d links in a certain order is then met with a known probability.
#pragma once

#include <cstdint>
#include <string>

#include "nika/base/result.hpp"

namespace nika::steps {

enum class Draw : std::uint8_t { kUniform, kPriorities };

struct Drawing {
  Draw draw = Draw::kUniform;
  unsigned change_points = 2;    // of priorities
  unsigned expected_steps = 64;  // that the change points are spread over
  unsigned timers = 0;           // that may run out in one run; a network that loses nothing needs none
  unsigned max_steps = 10'000;   // after which a run ends, whatever is left
  bool tosses_coins = false;     // the first rounds' coins are drawn too, not by what the order is drawn by

  bool operator==(const Drawing&) const = default;
};

// "uniform", or "priorities:D" for bugs of depth D, which takes D - 1 change points.
Result<Drawing> parse_schedule(std::string_view text);
std::string schedule_text(const Drawing& drawing);

}  // namespace nika::steps
