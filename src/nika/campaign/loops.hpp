// Loops of a scenario: whether it goes on for ever without a decision, proved as explore/loop.hpp says.
#pragma once

#include <optional>

#include "nika/campaign/runner.hpp"
#include "nika/model/loop.hpp"

namespace nika {

// Rounds of a scenario that may come again and again: the healing ones in whole turns of their leaders; without healing
// the last rounds, as many as there are, the shortest part first. In a timed scenario the views that nothing but rules
// for ever is said of, in turns of who leads after the scheduled ones; or the last views.
std::vector<LoopPart> loop_parts_of(const Scenario& scenario);

// Loops are of network rounds, or of the views of a timed scenario; an asynchronous one has none.
bool can_loop(const Scenario& scenario);

// Whether it is tried that a loop runs in any order of arrival, which may take as long as a second. Otherwise it is
// said to run in one, unless nothing arrives.
enum class OrderProof : std::uint8_t { kTried, kLeftOut };

// Of some parts, in their order: the first loop that is proved, or else the first that was seen. None where worlds
// cannot be compared. An error if the scenario does not fit the protocol, or can have none.
Result<std::optional<Loop>> find_loop(const Runner& runner, const Scenario& scenario,
                                      const std::vector<LoopPart>& parts, OrderProof orders = OrderProof::kTried);
Result<std::optional<Loop>> find_loop(const Runner& runner, const Scenario& scenario,
                                      OrderProof orders = OrderProof::kTried);

// How often a loop that was found there comes back without a decision, of so many times.
Result<unsigned> repeat_loop(const Runner& runner, const Scenario& scenario, const LoopPart& part, const Loop& loop,
                             unsigned times);

}  // namespace nika
