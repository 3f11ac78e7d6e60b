// nika show: tells a finding or a scenario round by round.
#include <fmt/format.h>

#include <memory>

#include "nika/cli/commands.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/report/loop_story.hpp"

namespace nika::cli {
namespace {

struct ShowArguments {
  std::string file;
  PropertyArguments asked;
  bool json = false;
};

Json json_of_story(const report::Story& story, const Cluster& cluster) {
  Json json = Json::array();
  for (const report::RoundStory& round : story.rounds) {
    Json seats = Json::object();
    for (const report::SeatStory& seat : round.seats) seats[name_of(cluster, seat.seat)] = seat.deeds;
    json.push_back(Json{{"round", round.number},
                        {"time", round.time.empty() ? Json(nullptr) : Json(round.time)},
                        {"heals", round.heals},
                        {"leaders", round.leaders},
                        {"network", round.network},
                        {"choices", round.choices},
                        {"note", round.note.empty() ? Json(nullptr) : Json(round.note)},
                        {"seats", seats}});
  }
  return json;
}

Result<int> run_show(const ShowArguments& arguments, const Registry& registry) {
  const auto recorded = run_recorded(arguments.file, registry, arguments.asked);
  if (!recorded) return tl::unexpected(recorded.error());
  const report::Story story = report::story_of(recorded->recording.scenario, recorded->view());
  if (arguments.json) {
    Json json = json_of("show", arguments.file, *recorded);
    json["setting"] = story.setting;
    json["story"] = json_of_story(story, recorded->run.cluster);
    print_json(json);
  } else {
    const Cluster& cluster = recorded->run.cluster;
    fmt::print("{}\n\n{}", Paint().bold(report::cast_text(recorded->recording.scenario)),
               recorded->loop ? report::loop_story_text(report::story_of_loop(recorded->recording.scenario,
                                                                              recorded->view(), *recorded->loop),
                                                        cluster, *recorded->loop, terminal_columns())
                              : report::story_text(story, cluster, terminal_columns()));
    print_judgements(*recorded);
    print_loop(recorded->loop);
  }
  if (!recorded->difference().empty()) return refuse_difference(arguments.file, *recorded);
  return exit_code_of(recorded->run.outcome.verdict());
}

}  // namespace

void add_show_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("show", "Tell a finding or a scenario round by round");
  const auto arguments = std::make_shared<ShowArguments>();
  command.required("FILE", arguments->file, "a finding, an attack or a scenario");
  add_property_option(command, arguments->asked);
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(
      "Example:\n"
      "  NIKA show findings/FILE.json    leaders, partitions, proposals, votes, certificates, timeouts, commits\n"
      "Exit codes: 0 holds, 1 violated, 2 bad file, 3 unknown, 4 not the recorded trace.");
  command.on_run([arguments, &registry] { return run_show(*arguments, registry); });
}

}  // namespace nika::cli
