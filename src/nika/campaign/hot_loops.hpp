// Lassos of one execution that are proved: its first rounds, after which it is hot, and some of the last of these
// repeated for ever. The whole world comes back (explore/loop.hpp, view_loop.hpp), nothing is decided in between, and
// it is hot all the way. What partial states say of a lasso is only where to look.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "nika/campaign/session.hpp"
#include "nika/properties/partial_trail.hpp"

namespace nika {

struct HotLoop {
  LoopPart part;  // of the schedule, behind whose last round the last `period` are repeated
  Loop loop;      // proved
  // Another protocol goes on deciding under the same rounds: it is not the network alone that stops this one.
  bool repaired_decides = false;

  bool operator==(const HotLoop&) const = default;
};

// Whether a loop is taken although others come before it. It may note what it found out about it.
using Preference = std::function<bool(HotLoop&)>;

// The first of an execution, whose states after each of its rounds are given: with the fewest rounds of the schedule,
// and of them the fewest repeated. The first that is preferred, or else the first. Nothing if there is none that can be
// proved.
std::optional<HotLoop> find_hot_loop(Looping& looping, Schedule& schedule, std::span<const PartialSystemState> trail,
                                     const Preference& prefers = {});

// Whether another protocol goes on deciding under the same rounds.
bool decides_on_and_on(Looping& other, Schedule& schedule, const HotLoop& hot);

// How often it comes back and stays hot, of so many times.
unsigned repeat_hot_loop(Looping& looping, Schedule& schedule, const HotLoop& hot, unsigned times);

}  // namespace nika
