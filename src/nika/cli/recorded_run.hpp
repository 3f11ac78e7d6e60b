// A finding or scenario file, read and run again: what replay, show and shrink begin with.
#pragma once

#include <optional>
#include <string>

#include "nika/campaign/findings.hpp"
#include "nika/cli/arguments.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/property_options.hpp"
#include "nika/report/trace_text.hpp"

namespace nika::cli {

struct RecordedRun {
  const Runner* runner = nullptr;
  Properties properties;  // that it was judged by
  store::Recording recording;
  TracedRun run;
  bool is_as_recorded = true;               // it was judged by what it was recorded for, and can be compared with it
  std::optional<store::LoopRecord> loop{};  // of a run that breaks a property about progress

  report::TraceView view() const {
    return {run.cluster, runner->kinds(), run.trace, runner->notes(), runner->leaves()};
  }
  // What it shows if it breaks a property; the first of them if it breaks several.
  std::optional<store::Finding> finding() const;
  // In what it is not the recorded run, in one line; nothing if it is, or if there is nothing to compare with.
  std::string difference() const;
};

// Without a property a finding is judged by what it breaks, and a scenario by agreement.
Result<RecordedRun> run_recorded(const std::string& file, const Registry& registry, const PropertyArguments& asked);
void add_property_option(Command& command, PropertyArguments& asked);

// "agreement: holds", "termination: unknown: the network never heals", one line for each judgement.
void print_judgements(const RecordedRun& recorded);
// What every command that runs a file tells a script.
Json json_of(const std::string& command, const std::string& file, const RecordedRun& recorded);
Json json_of_loop(const std::optional<store::LoopRecord>& loop);  // null if there is none
// What the loop is, and what the repaired protocol does in its schedule, a line each. Nothing if there is none.
void print_loop(const std::optional<store::LoopRecord>& loop, std::string_view indent = "");
Json json_of_evidence(const store::EvidenceRecord& evidence);

// One line about a run that is not the recorded one, and the exit code for it.
int refuse_difference(const std::string& file, const RecordedRun& recorded);

}  // namespace nika::cli
