// The choices of a scenario in words, one at a time: for the schedule as a whole and for the story of each round.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/model/scenario.hpp"

namespace nika::report {

// "A B'".
std::string names_of(const Cluster& cluster, SeatSet seats);
// "own first, then A' A B", "reversed"; nothing for the usual order.
std::string words_of(const Cluster& cluster, const Order& order);
// "vote messages from A to B are dropped", "vote messages travel only A B | C D". Without rounds and note.
std::string words_of(const Cluster& cluster, const Rule& rule, std::span<const std::string_view> kinds);
// "round 2", "rounds 2 to 3", "every round", "from round 2 on".
std::string rounds_of(const Rule& rule);
// "A has v1, A' has v2"; nothing if every seat has a value of its own.
std::string inputs_of(const Cluster& cluster, const Scenario& scenario);
// "C is down from round 2 and up from round 4, without its memory".
std::string words_of(const Cluster& cluster, const Crash& crash);
// "delta is 2 ticks; messages that no rule is about take 0 ticks; …".
std::string words_of(const Cluster& cluster, const Timing& timing);

}  // namespace nika::report
