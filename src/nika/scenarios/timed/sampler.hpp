// Timed scenarios at random: an adversary that decides, for each view, kind of message and compromised seat, on the
// grid of ticks, how long whose messages take. Messages between honest seats take at most Δ. Never runs anything.
#pragma once

#include <vector>

#include "nika/base/random.hpp"
#include "nika/model/scenario.hpp"

namespace nika::timed {

// The clock of runs that are drawn.
struct Clock {
  unsigned delta_ticks = 2;  // Δ
  unsigned ticks = 60;       // how long a run lasts

  bool operator==(const Clock&) const = default;
};

struct Adversary {
  unsigned views = 2;                  // whose messages it delays; later ones take what the scenario's timing says
  bool goes_on = false;                // what is drawn for the last of these views is so in all later ones, too
  unsigned kinds = 0;                  // of messages in the protocol
  unsigned longest_ticks = 12;         // of its delays; what takes longer is lost
  std::vector<IdentitySet> leaders{};  // one of these leads each of its views; if empty the scenario says who does
  // If not empty: nothing is lost, and only messages of these kinds, the first ones of the protocol, are delayed, each
  // by 0 to so many ticks, drawn for each view, sender and receiver ("Liveness Checking of the HotStuff Protocol
  // Family", section VI-C).
  std::vector<unsigned> longest_of_kind{};
};

// Each node alone.
std::vector<IdentitySet> anybody(unsigned node_count);

// The same scenario with rules, a delay of messages that no rule is about, and compromised seats whose timers go before
// what arrives in the same tick, drawn from `random`.
Scenario sample(Scenario scenario, const Adversary& adversary, Random& random);

}  // namespace nika::timed
