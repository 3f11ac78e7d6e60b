// A finding or scenario file, read and run again: what replay, show and shrink begin with.
#pragma once

#include <string>

#include "nika/cli/arguments.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/finding_files.hpp"
#include "nika/report/trace_text.hpp"

namespace nika::cli {

struct RecordedRun {
  const Runner* runner = nullptr;
  Properties properties;  // that it was judged by
  store::Recording recording;
  TracedRun run;

  report::TraceView view() const { return {run.cluster, runner->kinds(), run.trace}; }
  // Nothing to compare with is no difference.
  bool differs_from_record() const { return recording.finding && recording.finding->trace != report::mark_of(view()); }
};

// `property` is "agreement", "termination" or "all". Without it a finding is judged by what it breaks, and a scenario
// by agreement.
Result<RecordedRun> run_recorded(const std::string& file, const Registry& registry, const std::string& property);
void add_property_option(Command& command, std::string& property);

// What a violating run shows, whether or not it was recorded as a finding.
Result<store::Finding> finding_shown_by(const RecordedRun& recorded);

// What every command that runs a file tells a script.
Json json_of(const std::string& command, const std::string& file, const RecordedRun& recorded);

// One line about a trace that is not the recorded one, and the exit code for it.
int refuse_difference(const std::string& file, const RecordedRun& recorded);

}  // namespace nika::cli
