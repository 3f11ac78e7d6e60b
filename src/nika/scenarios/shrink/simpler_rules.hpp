// What makes a rule of a scenario simpler: fewer rounds, fewer kinds of messages, fewer links that it touches, shorter
// delays, or none. Pure, as the other proposals.
#pragma once

#include <vector>

#include "nika/model/scenario.hpp"

namespace nika::shrink {

// How many messages at most a rule touches: rounds times kinds times links. All kinds at once count as one more than
// can be named.
unsigned extent_of(const Rule& rule, const Scenario& scenario, const Cluster& cluster);

// Every rule that is one step simpler. Each has a smaller extent, or the same and a shorter delay, or delivers.
std::vector<Rule> simpler_rules(const Rule& rule, const Scenario& scenario, const Cluster& cluster);

}  // namespace nika::shrink
