#include "nika/cli/steps_report.hpp"

#include <fmt/format.h>

namespace nika::cli {

std::string step_choices_text(const twins::Settings& settings) {
  const unsigned timeouts = settings.steps->timers;
  if (timeouts == 0) return "the order of all deliveries; no timer runs out";
  return fmt::format("the order of all deliveries, when up to {} timer{} run{} out", grouped(timeouts),
                     timeouts == 1 ? "" : "s", timeouts == 1 ? "s" : "");
}

void print_steps_heading(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const twins::Settings& s = request.campaign.settings;
  fmt::print("  leaders of rounds 1 to {}: {}, in turn; then nobody\n", s.rounds, to_text(s.leaders));
  if (!request.campaign.exhaustive) {
    fmt::print("  drawn   {} orders of delivery from seed {}: {}, at most {} steps each\n", grouped(outcome.scenarios),
               s.seed, schedule_text(*s.steps), grouped(s.steps->max_steps));
  }
  fmt::print("  free    {}\n", step_choices_text(s));
}

void print_step_search(const TwinsOutcome& outcome) {
  const StepSearchResult& search = *outcome.steps;
  const bool is_whole = outcome.is_whole;
  fmt::print("{} orders of delivery by {} distinct worlds and {} {} between them, on 1 thread: {:.2f} s\n",
             is_whole ? "covered all" : "searched some", grouped(search.worlds), grouped(search.transitions),
             search.was_reduced ? "turns" : "steps", outcome.seconds);
  fmt::print("in {} of {} worlds in which a run can end honest nodes committed something\n",
             grouped(outcome.tally.committed), grouped(outcome.tally.scenarios));
}

void add_step_search(Json& json, const StepSearchResult& search) {
  json["distinct_worlds"] = search.worlds;
  json["executions"] = search.transitions;
  json["memory_was_full"] = search.memory_was_full;
  json["reduced"] = search.was_reduced;
}

}  // namespace nika::cli
