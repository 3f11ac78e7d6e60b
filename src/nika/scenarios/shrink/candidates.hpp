// Proposes every scenario that is one simplification away from a given one. Pure: whether a proposal still violates is
// for whoever runs it. Every proposal is smaller in one total order, so that shrinking always ends.
#pragma once

#include <array>
#include <vector>

#include "nika/model/outcome.hpp"
#include "nika/model/scenario.hpp"

namespace nika::shrink {

// How large a scenario is, most important first: healing rounds, rounds, nodes, seats, rules and crashes, rounds spent
// down, messages that rules touch, ticks of delay, inputs, blocks, orders other than fifo, leaders, changes of the
// partition, changes of the leaders, late names of leaders.
using Size = std::array<unsigned, 15>;
Size size_of(const Scenario& scenario);

// In the order in which they are worth trying. None breaks a threshold that the scenario keeps: neither n > 3f, nor f
// >= 1, nor the number of compromised nodes beyond f. Of a scenario that breaks termination the healing rounds and
// their leaders stay: they are the chance that the nodes had, and with less of it a standstill would prove less.
std::vector<Scenario> candidates(const Scenario& scenario, Property property = Property::kAgreement);

}  // namespace nika::shrink
