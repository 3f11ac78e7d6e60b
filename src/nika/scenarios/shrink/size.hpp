// How large a scenario is, as one total order in which shrinking only ever goes down.
#pragma once

#include <array>

#include "nika/model/scenario.hpp"

namespace nika::shrink {

// What is counted, most important first.
enum Place : std::size_t {
  kHealRounds,
  kRounds,
  kNodes,
  kSeats,
  kSteps,
  kFaults,          // rules, crashes, outages and lies
  kEarlyTimers,     // seats that give up a round, or whose timers run out before what arrives in the same tick
  kReceiverOrders,  // orders of single receivers
  kRoundsDown,
  kLostMemories,
  kExtent,      // messages that rules touch
  kDisturbing,  // rules that do anything but deliver
  kDelays,      // ticks and rounds
  kReceivers,   // of lies
  kTwists,      // how far lies are from the truth
  kLiars,
  kInputs,
  kBlocks,  // of partitions and outages
  kOrders,  // other than fifo
  kLeaders,
  kPartitionChanges,
  kLeaderChanges,
  kLateNames,  // of leaders
  kTurns,      // steps of another seat than the one before
  kPlaceCount,
};

using Size = std::array<unsigned, kPlaceCount>;
Size size_of(const Scenario& scenario);

}  // namespace nika::shrink
