// The loop of a scenario as it is told: proved if it can be, with what the seats hold at its ends and what the repaired
// protocol does in the same schedule.
#pragma once

#include <optional>

#include "nika/campaign/loops.hpp"
#include "nika/campaign/registry.hpp"
#include "nika/store/loop_record.hpp"

namespace nika {

// A scenario on the protocol without the flaw.
struct RepairedSide {
  const Runner* runner = nullptr;
  Scenario scenario;
};

// The same scenario without its bugs, or on the protocol that repairs this one. Nothing if it is not known, or does not
// have the same seats and kinds of messages.
std::optional<RepairedSide> repaired_side_of(const Runner& runner, const Scenario& scenario);

// Whether a property is about decisions that do not come, so that a loop shows more of what breaks it.
bool is_about_progress(std::string_view property);

// Where a loop is looked for first: where the scenario goes on as it ends, or in rounds of its own that keep it hot, as
// whoever asks for confirmed lassos wants it.
enum class LoopPlace : std::uint8_t { kAtItsEnd, kWhereItIsHot };
LoopPlace place_for(const Property& property);

// The loop that is told: the first that is proved in that place, or else in the other one; or else the first that was
// seen. None if there is none, or the scenario can have none. An error if it does not fit the protocol.
Result<std::optional<Loop>> endless_loop_of(const Runner& runner, const Scenario& scenario, OrderProof orders,
                                            LoopPlace place = LoopPlace::kAtItsEnd);

// The same as a record. With the trace of the run that shows the scenario, if it is given, what the loop did that is
// not in it is kept too.
Result<std::optional<store::LoopRecord>> told_loop_of(const Runner& runner, const Scenario& scenario,
                                                      const std::optional<RepairedSide>& repaired,
                                                      const Trace* recorded, LoopPlace place = LoopPlace::kAtItsEnd);

}  // namespace nika
