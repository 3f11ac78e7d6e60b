// nika show: tells a finding or a scenario round by round.
#include <fmt/format.h>

#include <memory>

#include "nika/cli/commands.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/report/story.hpp"

namespace nika::cli {
namespace {

struct ShowArguments {
  std::string file;
  std::string property;
  bool json = false;
};

Json json_of_story(const std::vector<report::RoundStory>& rounds, const Cluster& cluster) {
  Json json = Json::array();
  for (const report::RoundStory& round : rounds) {
    Json seats = Json::object();
    for (const report::SeatStory& seat : round.seats) seats[name_of(cluster, seat.seat)] = seat.deeds;
    json.push_back(Json{{"round", round.number},
                        {"heals", round.heals},
                        {"leaders", round.leaders},
                        {"network", round.network},
                        {"note", round.note.empty() ? Json(nullptr) : Json(round.note)},
                        {"seats", seats}});
  }
  return json;
}

Result<void> print_story(const RecordedRun& recorded, const std::vector<report::RoundStory>& rounds) {
  const Paint paint;
  fmt::print("{}\n\n{}", paint.bold(report::cast_text(recorded.recording.scenario)),
             report::story_text(rounds, recorded.run.cluster));
  if (recorded.run.outcome.verdict != Verdict::kViolated) {
    fmt::print("{}\n", paint.verdict(recorded.run.outcome.verdict, fmt::format("{}: {}", name_of(recorded.properties),
                                                                               name_of(recorded.run.outcome.verdict))));
    return {};
  }
  const auto finding = finding_shown_by(recorded);
  if (!finding) return tl::unexpected(finding.error());
  fmt::print("{}\n{}", paint.verdict(Verdict::kViolated, report::violation_text(*finding)),
             report::histories_text(*finding, ""));
  return {};
}

int run_show(const ShowArguments& arguments, const Registry& registry) {
  const auto recorded = run_recorded(arguments.file, registry, arguments.property);
  if (!recorded) return refuse(recorded.error());
  const auto rounds = report::story_of(recorded->recording.scenario, recorded->view());
  if (arguments.json) {
    Json json = json_of("show", arguments.file, *recorded);
    json["story"] = json_of_story(rounds, recorded->run.cluster);
    print_json(json);
  } else if (auto printed = print_story(*recorded, rounds); !printed) {
    return refuse(printed.error());
  }
  if (recorded->differs_from_record()) return refuse_difference(arguments.file, *recorded);
  return exit_code_of(recorded->run.outcome.verdict);
}

}  // namespace

void add_show_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("show", "Tell a finding or a scenario round by round");
  const auto arguments = std::make_shared<ShowArguments>();
  command.required("FILE", arguments->file, "a finding, an attack or a scenario");
  add_property_option(command, arguments->property);
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(
      "Example:\n"
      "  NIKA show findings/FILE.json    leaders, partitions, proposals, votes, certificates, timeouts, commits\n"
      "Exit codes: 0 holds, 1 violated, 2 bad file, 3 unknown, 4 not the recorded trace.");
  command.on_run([arguments, &registry] { return run_show(*arguments, registry); });
}

}  // namespace nika::cli
