// What `nika twins --network steps` tells of orders of delivery, where it differs from scenarios of rounds.
#pragma once

#include "nika/cli/console.hpp"
#include "nika/cli/twins_options.hpp"

namespace nika::cli {

// The free choices, in words.
std::string step_choices_text(const twins::Settings& settings);
void print_steps_heading(const TwinsCommandRequest& request, const TwinsOutcome& outcome);
void print_step_search(const TwinsOutcome& outcome);
void add_step_search(Json& json, const StepSearchResult& search);

}  // namespace nika::cli
