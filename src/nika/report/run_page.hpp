// A recorded run as a page shows it. Made from a scenario and the trace of its run; runs nothing.
#pragma once

#include "nika/report/page.hpp"
#include "nika/report/story.hpp"

namespace nika::report {

// What the bytes of events mean, for every run.
PageEvents event_layout();

// Without title and verdict. `scheduled_round` as story_of() wants it.
PageRun run_page_of(const Scenario& scenario, const TraceView& view, const ScheduledRound& scheduled_round = {});

}  // namespace nika::report
