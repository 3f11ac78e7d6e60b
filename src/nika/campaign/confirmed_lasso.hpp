// What one run cannot judge by itself: its lasso is a candidate, and is looked for again as a loop that is proved.
#pragma once

#include "nika/campaign/hot_loops.hpp"

namespace nika {

// Whether the run has a lasso that is to be confirmed.
bool has_candidate(const Outcome& outcome);
// The first hot loop of a run that is proved, see hot_loops.hpp.
std::optional<HotLoop> hot_loop_of(Session& session, Schedule& schedule);
// Judges it anew, after a run of this schedule that has a candidate: violated if some part of the schedule, repeated
// from a round after which the run is hot, is proved to keep it hot for ever (hot_loops.hpp); else it stays unknown.
void confirm_lasso(Session& session, Schedule& schedule, Outcome& outcome);

// An error if lassos are asked for, of a search that does not run its schedules one by one.
Result<void> check_no_lasso(const Properties& properties);

}  // namespace nika
