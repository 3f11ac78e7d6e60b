// Termination in the form that a finite run can break: the scheduled faults are over, the network has healed, honest
// nodes have led, and still no honest node decides anything. Judges what it is told and runs nothing.
#pragma once

#include <span>

#include "nika/model/cluster.hpp"
#include "nika/model/outcome.hpp"
#include "nika/model/scenario.hpp"

namespace nika {

// How far honest seats have come.
struct Progress {
  Height top{};         // the highest height that one of them committed
  SeatSet committed{};  // those that committed anything
};

struct Healing {
  Round first{};  // of the healing rounds; none were run if it is later than `last`
  Round last{};
  Progress before{};
  Progress after{};
  bool is_single_shot = false;  // one decision for each seat, instead of a growing log
};

struct Circumstances {
  const Cluster& cluster;
  std::span<const IdentitySet> leaders;  // by round
  std::span<const Crash> crashes;
};

// Nothing is promised, and so nothing is found, where more than f identities are compromised or down while the network
// heals, or where no honest one that is up leads. In a log a decision is a height that no honest seat had before: one
// seat that only catches up does not show that the others can go on.
Standstill standstill_of(const Healing& healing, const Circumstances& circumstances);

}  // namespace nika
