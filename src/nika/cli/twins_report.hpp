// What `nika twins` tells, for people and for scripts.
#pragma once

#include "nika/cli/console.hpp"
#include "nika/cli/twins_options.hpp"

namespace nika::cli {

Json json_of(const TwinsCommandRequest& request, const TwinsOutcome& outcome);
void print_report(const TwinsCommandRequest& request, const TwinsOutcome& outcome);

// The counts of each step, for --dry-run.
Json json_of_counts(const TwinsCommandRequest& request, const TwinsOutcome& outcome);
void print_counts(const TwinsCommandRequest& request, const TwinsOutcome& outcome);

}  // namespace nika::cli
