// nika replay: runs a finding or a scenario again and says whether it is the run that was recorded.
#include <fmt/format.h>

#include <memory>

#include "nika/campaign/told_loops.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/report/loop_text.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::cli {
namespace {

struct ReplayArguments {
  std::string file;
  PropertyArguments asked;
  bool trace = false;
  bool loop = false;
  bool json = false;
};

void print_replay(const RecordedRun& recorded) {
  const Paint paint;
  fmt::print("{}\n{}", paint.bold(report::cast_text(recorded.recording.scenario)),
             report::schedule_text(recorded.recording.scenario, "  ", recorded.runner->kinds(), terminal_columns(),
                                   recorded.runner->leaves()));
  print_judgements(recorded);
  const bool is_recorded = recorded.recording.finding && recorded.is_as_recorded;
  fmt::print("trace: {} events, fingerprint {}{}\n", recorded.run.trace.size(),
             store::text_of(store::fingerprint_of(recorded.run.trace)),
             is_recorded ? ", byte for byte the recorded one" : "");
}

// Also where the run breaks nothing.
Result<void> look_for_loop(RecordedRun& recorded) {
  const Scenario& scenario = recorded.recording.scenario;
  if (recorded.loop) return {};
  if (!can_loop(scenario)) return bad_input("a loop is looked for in scenarios of network rounds or ticks only");
  auto loop =
      told_loop_of(*recorded.runner, scenario, repaired_side_of(*recorded.runner, scenario), &recorded.run.trace);
  if (!loop) return tl::unexpected(loop.error());
  recorded.loop = *std::move(loop);
  return {};
}

Result<int> run_replay(const ReplayArguments& arguments, const Registry& registry) {
  auto recorded = run_recorded(arguments.file, registry, arguments.asked);
  if (!recorded) return tl::unexpected(recorded.error());
  const bool differs = !recorded->difference().empty();
  if (arguments.loop) {
    if (auto looked = look_for_loop(*recorded); !looked)
      return tl::unexpected(Error{arguments.file + ": " + looked.error().message});
  }
  if (arguments.json) {
    Json json = json_of("replay", arguments.file, *recorded);
    if (arguments.trace) {
      json["trace"] = Json::array();
      for (const Event& event : recorded->run.trace) json["trace"].push_back(report::line_of(recorded->view(), event));
    }
    print_json(json);
  } else if (arguments.trace) {
    fmt::print("{}", report::trace_text(recorded->view()));
  } else if (!differs) {
    print_replay(*recorded);
    print_loop(recorded->loop);
    if (arguments.loop && !recorded->loop) fmt::print("{}\n", report::loop_text(std::nullopt));
  }
  return differs ? refuse_difference(arguments.file, *recorded) : exit_code_of(recorded->run.outcome.verdict());
}

}  // namespace

void add_replay_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("replay", "Run a finding or a scenario again, to the same trace");
  const auto arguments = std::make_shared<ReplayArguments>();
  command.required("FILE", arguments->file, "a finding, an attack or a scenario");
  add_property_option(command, arguments->asked);
  command.flag("--trace", arguments->trace, "print every event, one on a line");
  command.flag("--loop", arguments->loop,
               "look for a loop also where nothing is violated: does it go on like this for ever?");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(
      "Examples:\n"
      "  NIKA replay findings/FILE.json            is it the recorded run, and does it still violate?\n"
      "  NIKA replay findings/FILE.json --trace    all that happened\n"
      "  NIKA replay attacks/fab-stuck.json        does it stand still for ever?\n"
      "Exit codes: 0 holds, 1 violated, 2 bad file, 3 unknown, 4 not the recorded trace.");
  command.on_run([arguments, &registry] { return run_replay(*arguments, registry); });
}

}  // namespace nika::cli
