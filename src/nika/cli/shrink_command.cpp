// nika shrink: makes a finding or a violating scenario as small as it gets.
#include <fmt/format.h>

#include <memory>

#include "nika/cli/commands.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/finding_text.hpp"

namespace nika::cli {
namespace {

struct ShrinkArguments {
  std::string file;
  std::string property;
  std::string out;
  bool json = false;
};

Result<StoredFinding> shrink_file(const ShrinkArguments& arguments, const RecordedRun& recorded) {
  const Scenario& scenario = recorded.recording.scenario;
  Violation violation{kind_of(recorded.run.outcome), scenario, std::nullopt};
  const auto discoveries = discover(*recorded.runner, {&violation, 1}, {true, &catch_interrupts()});
  if (!discoveries) return tl::unexpected(Error{arguments.file + ": " + discoveries.error().message});
  auto finding = finding_of(*recorded.runner, discoveries->front(), "");
  if (!finding) return tl::unexpected(finding.error());
  if (recorded.recording.finding) {
    finding->original = recorded.recording.finding->original;
    finding->origin = recorded.recording.finding->origin;
  }
  if (!arguments.out.empty()) {
    const std::string text = store::to_json(*finding, words_of(*recorded.runner));
    if (auto written = store::write_text_file(arguments.out, text); !written) return tl::unexpected(written.error());
  }
  return StoredFinding{*std::move(finding), arguments.out, std::nullopt};
}

Json json_of_shrunk(const ShrinkArguments& arguments, const RecordedRun& recorded, const StoredFinding& stored) {
  const Scenario& scenario = stored.finding.scenario;
  Json json = json_of("shrink", arguments.file, recorded);
  json["shrunk"] = Json{{"file", stored.file.empty() ? Json(nullptr) : Json(stored.file)},
                        {"rounds", scenario.rounds.size()},
                        {"heal_rounds", scenario.heal_rounds},
                        {"nodes", scenario.node_count},
                        {"shrink_runs", stored.finding.shrink_runs},
                        {"trace_fingerprint", stored.finding.trace.fingerprint}};
  return json;
}

int run_shrink(const ShrinkArguments& arguments, const Registry& registry) {
  const auto recorded = run_recorded(arguments.file, registry, arguments.property);
  if (!recorded) return refuse(recorded.error());
  if (recorded->differs_from_record()) return refuse_difference(arguments.file, *recorded);
  if (recorded->run.outcome.verdict != Verdict::kViolated) {
    print_error(arguments.file + ": the scenario violates nothing, so there is nothing to shrink");
    return kExitBadInput;
  }
  const auto stored = shrink_file(arguments, *recorded);
  if (!stored) return refuse(stored.error());
  if (arguments.json) {
    print_json(json_of_shrunk(arguments, *recorded, *stored));
    return kExitViolated;
  }
  const Scenario& before = recorded->recording.scenario;
  fmt::print("shrunk from {} rounds and {} of healing to {} and {} in {} runs\n{}\n{}{}\n", before.rounds.size(),
             before.heal_rounds, stored->finding.scenario.rounds.size(), stored->finding.scenario.heal_rounds,
             grouped(stored->finding.shrink_runs), report::cast_text(stored->finding.scenario),
             report::schedule_text(stored->finding.scenario, "  ", recorded->runner->kinds()),
             report::violation_text(stored->finding));
  if (!stored->file.empty()) fmt::print("replay it: {} replay {}\n", program_name(), stored->file);
  return kExitViolated;
}

}  // namespace

void add_shrink_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("shrink", "Make a finding or a violating scenario as small as it gets");
  const auto arguments = std::make_shared<ShrinkArguments>();
  command.required("FILE", arguments->file, "a finding, an attack or a scenario");
  add_property_option(command, arguments->property);
  command.option("--out", arguments->out, "write the shrunk finding here", "FILE");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(
      "Example:\n"
      "  NIKA shrink scenario.json --out small.json\n"
      "Exit codes: 1 it violates and was shrunk, 2 bad file or nothing to shrink, 4 not the recorded trace.");
  command.on_run([arguments, &registry] { return run_shrink(*arguments, registry); });
}

}  // namespace nika::cli
