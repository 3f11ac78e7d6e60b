// nika shrink: makes a finding or a violating scenario as small as it gets.
#include <fmt/format.h>

#include <memory>

#include "nika/base/printable.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/store/finding_files.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::cli {
namespace {

struct ShrinkArguments {
  std::string file;
  PropertyArguments asked;
  std::string out;
  bool json = false;
};

Result<store::Finding> shrink_file(const ShrinkArguments& arguments, const RecordedRun& recorded) {
  Findings findings(*recorded.runner, {"", "", true, &catch_interrupts()});
  const Property& property = *recorded.run.outcome.violation()->property;
  if (auto added = findings.add(property, recorded.recording.scenario, std::nullopt); !added)
    return tl::unexpected(Error{arguments.file + ": " + added.error().message});
  store::Finding finding = findings.all().front().finding;
  if (recorded.recording.finding) {
    finding.original = recorded.recording.finding->original;
    finding.origin = recorded.recording.finding->origin;
  }
  return finding;
}

// Whether it is in a file now. What was found is told in any case.
bool write_shrunk(const ShrinkArguments& arguments, const RecordedRun& recorded, const store::Finding& finding) {
  if (arguments.out.empty()) return false;
  const auto written = store::write_text_file(arguments.out, store::to_json(finding, words_of(*recorded.runner)));
  if (!written) print_error("the shrunk finding could not be stored: " + written.error().message);
  return written.has_value();
}

Json json_of_shrunk(const ShrinkArguments& arguments, const RecordedRun& recorded, const store::Finding& finding,
                    bool is_stored) {
  const Scenario& scenario = finding.scenario;
  Json json = json_of("shrink", arguments.file, recorded);
  json["shrunk"] = Json{{"file", is_stored ? Json(arguments.out) : Json(nullptr)},
                        {"rounds", scenario.rounds.size()},
                        {"heal_rounds", scenario.heal_rounds},
                        {"steps", scenario.steps ? Json(scenario.steps->size()) : Json(nullptr)},
                        {"nodes", scenario.node_count},
                        {"shrink_runs", finding.shrink_runs},
                        {"cut_short", finding.is_cut_short},
                        {"loop", json_of_loop(finding.loop)},
                        {"trace_fingerprint", store::text_of(store::fingerprint_of(finding.trace.events))}};
  return json;
}

std::string length_of(const Scenario& scenario) {
  if (scenario.steps) return fmt::format("{} rounds and {} steps", scenario.rounds.size(), scenario.steps->size());
  return fmt::format("{} rounds and {} of healing", scenario.rounds.size(), scenario.heal_rounds);
}

Result<int> run_shrink(const ShrinkArguments& arguments, const Registry& registry) {
  const auto recorded = run_recorded(arguments.file, registry, arguments.asked);
  if (!recorded) return tl::unexpected(recorded.error());
  if (!recorded->difference().empty()) return refuse_difference(arguments.file, *recorded);
  if (recorded->run.outcome.violation() == nullptr)
    return bad_input(arguments.file + ": the scenario violates nothing, so there is nothing to shrink");
  const auto finding = shrink_file(arguments, *recorded);
  if (!finding) return tl::unexpected(finding.error());
  const bool is_stored = write_shrunk(arguments, *recorded, *finding);
  if (arguments.json) {
    print_json(json_of_shrunk(arguments, *recorded, *finding, is_stored));
    return kExitViolated;
  }
  fmt::print("shrunk from {} to {} in {} runs{}\n{}\n{}{}\n", length_of(recorded->recording.scenario),
             length_of(finding->scenario), grouped(finding->shrink_runs),
             finding->is_cut_short ? ", then it was cut short: it may get smaller" : "",
             report::cast_text(finding->scenario),
             report::schedule_text(finding->scenario, "  ", recorded->runner->kinds(), terminal_columns(),
                                   recorded->runner->leaves()),
             report::violation_text(*finding));
  print_loop(finding->loop);
  if (is_stored) fmt::print("replay it: {} replay {}\n", program_name(), printable(arguments.out));
  return kExitViolated;
}

}  // namespace

void add_shrink_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("shrink", "Make a finding or a violating scenario as small as it gets");
  const auto arguments = std::make_shared<ShrinkArguments>();
  command.required("FILE", arguments->file, "a finding, an attack or a scenario");
  add_property_option(command, arguments->asked);
  command.option("--out", arguments->out, "write the shrunk finding here", "FILE");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(
      "Example:\n"
      "  NIKA shrink scenario.json --out small.json\n"
      "Exit codes: 1 it violates and was shrunk, 2 bad file or nothing to shrink, 4 not the recorded trace.");
  command.on_run([arguments, &registry] { return run_shrink(*arguments, registry); });
}

}  // namespace nika::cli
