// Proposes every scenario that is one simplification away from a given one. Pure: whether a proposal still violates is
// for whoever runs it. Every proposal is smaller in one total order, so that shrinking always ends.
#pragma once

#include <vector>

#include "nika/model/scenario.hpp"
#include "nika/scenarios/shrink/size.hpp"

namespace nika::shrink {

// In the order in which they are worth trying. None breaks a threshold that the scenario keeps: neither n > 3f (n > 2f
// of a timed one), nor f >= 1, nor the number of nodes beyond f that are compromised or lose their memory; and none
// breaks what healing or synchrony promise. Of a scenario that breaks termination the healing rounds and their leaders
// stay: they are the chance that the nodes had, and with less of it a standstill would prove less.
std::vector<Scenario> candidates(const Scenario& scenario, bool keeps_healing = false);

}  // namespace nika::shrink
