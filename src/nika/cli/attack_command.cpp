// nika attack: the named attacks, each on the flawed protocol and on the repaired one.
#include <fmt/format.h>

#include <memory>

#include "nika/campaign/attack_run.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/known_attacks.hpp"
#include "nika/cli/pages.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/attack_text.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/report/loop_text.hpp"
#include "nika/report/story.hpp"

namespace nika::cli {
namespace {

struct AttackArguments {
  std::string name;
  bool list = false;
  bool all = false;
  bool json = false;
  std::string html;
};

Json json_of(const store::Attack& attack) {
  return Json{{"name", attack.name},       {"protocol", attack.flawed.protocol},  {"property", attack.property},
              {"rounds", attack.rounds()}, {"paper_rounds", attack.paper_rounds}, {"source", attack.source}};
}

Json json_of(const store::Attack& attack, const AttackRun& run) {
  Json json = json_of(attack);
  json["bugs"] = attack.flawed.bugs;
  json["reproduced"] = run.reproduced();
  json["repaired_survives"] = run.repaired_survives();
  const Judgement* violation = run.flawed.violation();
  const std::string_view why = violation == nullptr ? std::string_view() : violation->evidence.why;
  json["kind"] = violation == nullptr ? Json(nullptr) : Json(violation->evidence.kind);
  json["blocked"] = why.empty() ? Json(nullptr) : Json(why);
  json["loop"] = json_of_loop(run.loop);
  const auto& repaired = run.repaired.judgements[0];
  json["repaired_verdict"] = name_of(repaired.verdict);
  json["repaired_reason"] = repaired.verdict == Verdict::kUnknown ? Json(text_of(repaired.unjudged)) : Json(nullptr);
  return json;
}

void print_row(const store::Attack& attack, const AttackRun& run) {
  const Paint paint;
  const auto mark = [&](bool good) {
    return paint.verdict(good ? Verdict::kHolds : Verdict::kViolated, good ? "✓" : "✗");
  };
  fmt::print("{:<36} {:<18} {}        {:<14} {:>6}   {}\n", attack.name, attack.flawed.protocol, mark(run.reproduced()),
             attack.property, attack.rounds(), mark(run.repaired_survives()));
}

int list_attacks(const Attacks& attacks, bool as_json) {
  Json list = Json::array();
  for (const store::Attack& attack : attacks) {
    list.push_back(json_of(attack));
    if (!as_json) fmt::print("{:<36} {:<14} {}\n", attack.name, attack.property, attack.source);
  }
  if (as_json) print_json(Json{{"command", "attack"}, {"attacks", list}});
  return kExitHolds;
}

Result<int> run_all(const Registry& registry, const Attacks& attacks, bool as_json) {
  Json list = Json::array();
  std::size_t succeeded = 0;
  if (!as_json) {
    fmt::print("{:<36} {:<18} {:<8} {:<14} {:>6}   {}\n", "attack", "protocol", "scripted", "violates", "rounds",
               "repaired survives");
  }
  for (const store::Attack& attack : attacks) {
    const auto run = stage(registry, attack);
    if (!run) return tl::unexpected(run.error());
    succeeded += run->succeeded() ? 1 : 0;
    list.push_back(json_of(attack, *run));
    if (!as_json) print_row(attack, *run);
  }
  if (as_json) {
    print_json(Json{{"command", "attack"}, {"attacks", list}});
  } else {
    fmt::print("{} of {} attacks break the flawed protocol and not the repaired one\n", succeeded, attacks.size());
  }
  return succeeded == attacks.size() ? kExitHolds : kExitViolated;
}

Result<RecordedRun> traced_side(const Registry& registry, const Scenario& scenario, const Property& property) {
  const auto runner = registry.find(scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  auto run = run_traced(**runner, scenario, only(property));
  if (!run) return tl::unexpected(run.error());
  return RecordedRun{*runner, only(property), {scenario, std::nullopt, ""}, *std::move(run)};
}

void print_side(const RecordedRun& side, bool tells_story) {
  const Scenario& scenario = side.recording.scenario;
  fmt::print("{}",
             report::schedule_text(scenario, "  ", side.runner->kinds(), terminal_columns(), side.runner->leaves()));
  if (tells_story) {
    const report::Story story = report::story_of(scenario, side.view());
    fmt::print("\n{}", report::story_text(story, side.run.cluster, terminal_columns()));
  }
  print_judgements(side);
}

Result<void> print_attack(const Registry& registry, const store::Attack& attack, const AttackRun& run) {
  const Paint paint;
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  fmt::print("{}\n{}\n", paint.bold(attack.name), report::introduction_of(attack, terminal_columns()));
  const auto flawed = traced_side(registry, attack.flawed, **property);
  if (!flawed) return tl::unexpected(flawed.error());
  fmt::print("{}\n", paint.bold("flawed:   " + report::cast_text(attack.flawed)));
  print_side(*flawed, true);
  if (stops(attack)) fmt::print("{}\n", report::loop_text(run.loop));
  const auto repaired = traced_side(registry, attack.repaired, **property);
  if (!repaired) return tl::unexpected(repaired.error());
  fmt::print("\n{}\n{}", paint.bold("repaired: " + report::cast_text(attack.repaired)),
             report::wrapped(attack.repair, "  ", "  ", terminal_columns()));
  print_side(*repaired, false);
  if (const std::string told = report::repaired_text(run.loop); !told.empty()) fmt::print("{}\n", told);
  return {};
}

Result<void> write_page_of(const Registry& registry, const store::Attack& attack, const std::string& file) {
  const auto page = page_of_attack(registry, attack);
  if (!page) return tl::unexpected(page.error());
  return write_page(*page, file);
}

Result<int> run_one(const Registry& registry, const store::Attack& attack, const AttackArguments& a) {
  const auto run = stage(registry, attack);
  if (!run) return tl::unexpected(run.error());
  if (!a.html.empty() && run->reproduced()) {
    if (auto written = write_page_of(registry, attack, a.html); !written) return tl::unexpected(written.error());
  }
  if (a.json) {
    Json json = json_of(attack, *run);
    json["about"] = attack.about;
    json["steps"] = attack.steps;
    json["repair"] = attack.repair;
    print_json(Json{{"command", "attack"}, {"attacks", Json::array({json})}});
  } else if (auto printed = print_attack(registry, attack, *run); !printed) {
    return tl::unexpected(printed.error());
  }
  return run->succeeded() ? kExitHolds : kExitViolated;
}

Result<int> run_attack(const AttackArguments& a, const Registry& registry) {
  if ((a.name.empty() ? 0 : 1) + (a.list ? 1 : 0) + (a.all ? 1 : 0) != 1) {
    return bad_input(named("expected the name of an attack, --list or --all, one of them; see NIKA attack --help"));
  }
  if (!a.html.empty()) {
    if (a.name.empty()) return bad_input("read --html without the name of an attack, expected both");
    if (auto sound = check_page_output(a.html); !sound) return tl::unexpected(sound.error());
  }
  const auto attacks = a.name.empty() ? all_attacks(registry) : attack_named(registry, a.name);
  if (!attacks) return tl::unexpected(attacks.error());
  if (a.list) return list_attacks(*attacks, a.json);
  return a.all ? run_all(registry, *attacks, a.json) : run_one(registry, attacks->front(), a);
}

}  // namespace

void add_attack_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("attack", "Stage a known attack on a flawed protocol and on its repair");
  const auto arguments = std::make_shared<AttackArguments>();
  command.positional("NAME", arguments->name, "an attack of --list, or the path of an attack file");
  command.flag("--list", arguments->list, "the attacks there are");
  command.flag("--all", arguments->all, "stage all of them and print a table");
  command.option("--html", arguments->html, "draw it too: a page as NIKA report makes it", "FILE");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(
      "Examples:\n"
      "  NIKA attack --list\n"
      "  NIKA attack diembft-quorum-2f      its source, its steps, what happens, and what the repair makes of it\n"
      "  NIKA attack --all                  does every attack break the flawed protocol and no repaired one?\n"
      "  NIKA attack zyzzyva-fork --html fork.html   the same as a page to look at\n"
      "  NIKA attack my-attack.json         an attack of your own; docs/scenarios.md describes the file\n"
      "Exit codes: 0 every attack is reproduced and every repair survives, 1 not so, 2 bad usage or input.");
  command.on_run([arguments, &registry] { return run_attack(*arguments, registry); });
}

}  // namespace nika::cli
