// The choices of a scenario in words, one at a time: for the schedule as a whole and for the story of each round.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/model/leaves.hpp"
#include "nika/model/scenario.hpp"

namespace nika::report {

// How a protocol calls its messages and what can be lied about in them.
struct LieWords {
  std::span<const std::string_view> kinds;
  std::span<const KindLeaves> leaves;

  std::string kind(unsigned number) const { return number < kinds.size() ? std::string(kinds[number]) : "message"; }
  // Null if there is no such field, or if its name is not known.
  const LeafName* leaf(unsigned kind, unsigned field) const {
    return kind < leaves.size() && field < leaves[kind].size() ? &leaves[kind][field] : nullptr;
  }
};

// "A B'".
std::string names_of(const Cluster& cluster, SeatSet seats);
// "own first, then A' A B", "reversed"; nothing for the usual order.
std::string words_of(const Cluster& cluster, const Order& order);
// "vote messages from A to B are dropped", "vote messages travel only A B | C D". Without rounds and note.
std::string words_of(const Cluster& cluster, const Rule& rule, std::span<const std::string_view> kinds);
// What a schedule counts: a "round", or a "view" where time passes in ticks.
std::string_view unit_of(const Scenario& scenario);
// "round 2", "rounds 2 to 3", "every round", "from round 2 on".
std::string rounds_of(const Rule& rule, std::string_view unit);
// "A has v1, A' has v2"; nothing if every seat has a value of its own.
std::string inputs_of(const Cluster& cluster, const Scenario& scenario);
// "C is down from round 2 and up from round 4, without its memory".
std::string words_of(const Cluster& cluster, const Crash& crash);
// "A tells B C another justify in its prepare: left out", "A keeps its prepare from B". Without the round.
std::string words_of(const Cluster& cluster, const Lie& lie, const LieWords& words);
// "A says est with round 1, value 0": what a liar makes up. Without the receiver.
std::string words_of(const Cluster& cluster, Seat from, const Saying& saying, const LieWords& words);
// "A B | C D, the rest is withheld until healing".
std::string words_of(const Cluster& cluster, const Outage& outage);
// What a field says in a trace, see brief_of in model/twist.hpp: "A2", "{A B}", "3", "yes".
std::string words_of(const Cluster& cluster, LeafType type, std::uint16_t brief);
// "delta is 2 ticks; messages that no rule is about take 0 ticks; …".
std::string words_of(const Cluster& cluster, const Timing& timing);

}  // namespace nika::report
