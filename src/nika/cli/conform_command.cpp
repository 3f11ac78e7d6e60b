// nika conform: whether runs of a protocol are runs of the threshold automaton that is said to describe it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/base/printable.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/cli/bug_options.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/counterexample_report.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/conform/campaign.hpp"
#include "nika/store/finding_files.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::cli {
namespace {

constexpr unsigned kMaxThreads = 256;

constexpr const char* kExamples =
    "Examples:\n"
    "  NIKA conform bracha models/reliable-broadcast.ta\n"
    "      every run with twins in two rounds, and 10,000 drawn ones with twins, liars and any order of delivery\n"
    "  NIKA conform bracha models/reliable-broadcast.ta --runs 1000000 --json\n"
    "  NIKA conform bracha models/reliable-broadcast.ta --bug quorum-2f\n"
    "      a flawed protocol does what the automaton does not allow: the first such step is told\n"
    "  NIKA conform bracha models/reliable-broadcast.ta --scenario findings/conform-bracha-twins.json\n"
    "      one scenario, for example that of a finding\n"
    "  NIKA conform dbft models/dbft-broken.ta --bug silent-deciders --counterexample round_termination\n"
    "      the other way: what NIKA verify refutes of the automaton becomes a run of the protocol with the same flaw\n"
    "Exit codes: 0 every step fits, 1 one does not, or the counterexample happens, 2 bad usage or input, 3 unknown,\n"
    "4 internal error.";

struct ConformArguments {
  std::string protocol;
  std::string model;
  std::string scenario;
  std::string counterexample;
  std::string findings = "findings";
  BugArguments bugs;
  conform::Request request;
  bool json = false;
};

struct Told {
  const conform::Finding* finding = nullptr;
  std::string file;
};

// Rule 3 in line order: "3: echoed -> ready".
std::string text_of(const automata::Automaton& automaton, std::size_t rule) {
  const automata::Rule& r = automaton.rules[rule];
  return fmt::format("{}: {} -> {}", r.id, automaton.variable_name(r.source), automaton.variable_name(r.target));
}

std::vector<std::string> never_taken(const automata::Automaton& automaton, const std::vector<std::uint64_t>& taken) {
  std::vector<std::string> rules;
  for (std::size_t r = 0; r < taken.size(); ++r) {
    if (taken[r] == 0 && !automaton.rules[r].is_stay()) rules.push_back(text_of(automaton, r));
  }
  return rules;
}

std::size_t rules_to_cover(const automata::Automaton& automaton) {
  const auto moves = [](const automata::Rule& rule) { return !rule.is_stay(); };
  return static_cast<std::size_t>(std::ranges::count_if(automaton.rules, moves));
}

// Stores the scenario that shows the step.
std::string store(const conform::Finding& finding, const Runner& runner, const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  const std::string path = fmt::format("{}/conform-{}-{}.json", directory, runner.name(), name_of(finding.source));
  if (auto written = store::write_text_file(path, store::to_json(finding.scenario, words_of(runner))); !written) {
    print_error(written.error().message);
    return {};
  }
  return path;
}

std::string seat_text(const Scenario& scenario, Seat seat) {
  const auto cast = cast_of(scenario);
  return cast ? name_of(*cast, seat) : fmt::format("seat {}", index_of(seat));
}

void print_part(const conform::Part& part) {
  if (!part.skipped.empty()) {
    fmt::print("{:<18} none: {}\n", name_of(part.source), part.skipped);
    return;
  }
  fmt::print("{:<18} {} runs, {} steps, {} of them sent something new{}{}\n", name_of(part.source), grouped(part.runs),
             grouped(part.steps), grouped(part.moves),
             part.cut_short > 0
                 ? fmt::format("; {} followed until a memory was lost or a buffer was full", grouped(part.cut_short))
                 : "",
             part.misfits > 0 ? fmt::format("; {} runs do not fit", grouped(part.misfits)) : "");
}

void print_text(const conform::Request& request, const conform::Outcome& outcome, const std::vector<Told>& told) {
  const Paint paint;
  for (const conform::Part& part : outcome.parts) print_part(part);
  const automata::Automaton& automaton = *request.automaton;
  fmt::print("{} of {} rules of {} were taken", outcome.rules_covered(), rules_to_cover(automaton), automaton.name);
  const auto rest = never_taken(automaton, outcome.taken);
  fmt::print("{}\n", rest.empty() ? "" : fmt::format("; never: {}", fmt::join(rest, ", ")));
  for (const Told& one : told) {
    const conform::Finding& finding = *one.finding;
    fmt::print("{} run {}, {} {}: {}: {}\n", name_of(finding.source), to_string(finding.index),
               finding.scenario.steps ? "step" : "network round", finding.misfit.time,
               seat_text(finding.scenario, finding.misfit.seat), finding.misfit.what);
    if (!one.file.empty()) fmt::print("  {}\n", printable(one.file));
  }
  const conform::Part total = outcome.total();
  switch (outcome.conclusion) {
    case Conclusion::kViolated:
      fmt::print("{}: {} of {} runs are none of the automaton\n", paint.conclusion(outcome.conclusion, "VIOLATED"),
                 grouped(total.misfits), grouped(total.runs));
      break;
    case Conclusion::kUnknown:
      fmt::print("{}: {}\n", paint.conclusion(outcome.conclusion, "UNKNOWN"), outcome.reason);
      break;
    default:
      fmt::print("{}: every step of {} runs is one of the automaton, in {:.1f} s\n",
                 paint.conclusion(outcome.conclusion, "NONE FOUND"), grouped(total.runs), outcome.seconds);
  }
}

Json json_of(const conform::Request& request, const conform::Outcome& outcome, const std::vector<Told>& told) {
  const conform::Part total = outcome.total();
  Json parts = Json::array();
  for (const conform::Part& part : outcome.parts) {
    parts.push_back({{"source", name_of(part.source)},
                     {"runs", part.runs},
                     {"steps", part.steps},
                     {"moves", part.moves},
                     {"misfits", part.misfits},
                     {"cut_short", part.cut_short}});
    if (!part.skipped.empty()) parts.back()["skipped"] = part.skipped;
  }
  Json findings = Json::array();
  for (const Told& one : told) {
    findings.push_back({{"source", name_of(one.finding->source)},
                        {"run", json_count(one.finding->index)},
                        {"seat", seat_text(one.finding->scenario, one.finding->misfit.seat)},
                        {"time", one.finding->misfit.time},
                        {"what", one.finding->misfit.what},
                        {"file", one.file.empty() ? Json(nullptr) : Json(one.file)}});
  }
  return Json{{"command", "conform"},
              {"protocol", request.runner->name()},
              {"bugs", request.bugs},
              {"automaton", request.automaton->name},
              {"verdict", name_of(outcome.conclusion)},
              {"reason", outcome.reason.empty() ? Json(nullptr) : Json(outcome.reason)},
              {"runs", total.runs},
              {"steps", total.steps},
              {"moves", total.moves},
              {"rules", rules_to_cover(*request.automaton)},
              {"rules_covered", outcome.rules_covered()},
              {"rules_never_taken", never_taken(*request.automaton, outcome.taken)},
              {"parts", parts},
              {"findings", findings},
              {"seconds", outcome.seconds}};
}

// One scenario as a campaign of one run.
Result<conform::Outcome> follow_file(const conform::Request& request, const std::string& file,
                                     const Registry& registry) {
  const auto recording = store::read_recording(file, words_in(registry));
  if (!recording) return tl::unexpected(recording.error());
  const Scenario& scenario = recording->scenario;
  if (scenario.protocol != request.runner->name())
    return bad_input(
        fmt::format("{}: is a scenario of {}, expected {}", file, scenario.protocol, request.runner->name()));
  conform::Outcome outcome;
  const auto run = conform::follow(request, scenario, outcome.taken);
  if (!run) return tl::unexpected(run.error());
  const auto source = scenario.steps ? conform::Source::kUniformSteps : conform::Source::kTwins;
  conform::Part part{source, 1, run->steps, run->moves, run->misfit ? 1U : 0U, run->was_cut_short ? 1U : 0U, "", {}};
  if (run->misfit) part.first = conform::Finding{source, 0, *run->misfit, scenario};
  outcome.parts = {part};
  outcome.conclusion = run->misfit ? Conclusion::kViolated : Conclusion::kNoneFound;
  return outcome;
}

Result<conform::Outcome> run_campaign(const conform::Request& request, const std::string& model) {
  LongProgress progress;
  conform::Watched watched{.stop = &catch_interrupts()};
  watched.progress = [&](std::uint64_t runs, std::uint64_t asked) { progress.show(progress.text_of(runs, asked)); };
  auto outcome = conform::run(request, watched);
  progress.clear();
  if (!outcome) return bad_input(model + ": " + outcome.error().message);
  return outcome;
}

int show_happening(const ConformArguments& arguments, const conform::Request& request, const Registry& registry) {
  const auto shown = conform::show_counterexamples(request, registry, arguments.counterexample, &catch_interrupts());
  if (!shown) return refuse(Error{arguments.model + ": " + shown.error().message});
  const auto files = store_shown(*shown, *request.runner, arguments.findings);
  if (arguments.json) {
    print_json(json_of_shown(request, *shown, files));
  } else {
    print_shown(request, *shown, files);
  }
  return exit_code_of(conclusion_of(*shown));
}

int run_conform(const ConformArguments& arguments, const Registry& registry) {
  if (const auto known = conform::pair_of(arguments.protocol); !known) return refuse(known.error());
  const auto runner = registry.find(arguments.protocol);
  if (!runner) return refuse(runner.error());
  const auto bugs = bugs_of(arguments.bugs, **runner);
  if (!bugs) return refuse(bugs.error());
  const auto automaton = automata::read_automaton(arguments.model);
  if (!automaton) return refuse(automaton.error());
  conform::Request request = arguments.request;
  request.pair = conform::pair_of(arguments.protocol, *automaton).value();
  request.runner = *runner;
  request.automaton = &*automaton;
  request.bugs = *bugs;
  if (request.threads == 0) request.threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
  if (!arguments.counterexample.empty()) return show_happening(arguments, request, registry);
  const auto outcome = arguments.scenario.empty() ? run_campaign(request, arguments.model)
                                                  : follow_file(request, arguments.scenario, registry);
  if (!outcome) return refuse(outcome.error());
  std::vector<Told> told;
  for (const conform::Part& part : outcome->parts) {
    if (!part.first) continue;
    const bool is_new = arguments.scenario.empty();
    told.push_back({&*part.first, is_new ? store(*part.first, **runner, arguments.findings) : arguments.scenario});
  }
  if (arguments.json) {
    print_json(json_of(request, *outcome, told));
  } else {
    print_text(request, *outcome, told);
  }
  return exit_code_of(outcome->conclusion);
}

}  // namespace

void add_conform_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("conform", "Check that runs of a protocol are runs of its threshold automaton");
  const auto arguments = std::make_shared<ConformArguments>();
  conform::Request& request = arguments->request;
  command.required("PROTOCOL", arguments->protocol, "one with a map: bracha, bv-broadcast, dbft, one-step");
  command.required("MODEL", arguments->model, "a .ta file, as NIKA verify reads it");
  add_bug_options(command, arguments->bugs);
  command.number("--nodes", request.nodes, {1, 10}, "n; as many faulty ones as they bear are t", "N");
  command.number("--faulty", request.faulty, {0, 5}, "f: of these, who have twins or lie", "N");
  command.number("--rounds", request.rounds, {0, 4}, "of the space of which every scenario is run", "N");
  command.number("--runs", request.runs, {0, 1'000'000'000}, "that are drawn: twins, liars and two kinds of orders",
                 "N");
  command.number("--seed", request.seed, {0, ~std::uint64_t{0}}, "of what is drawn", "N");
  command.number("--threads", request.threads, {1, kMaxThreads}, "(default: one for each core)", "N");
  command.option("--scenario", arguments->scenario, "follow this scenario or finding only", "FILE");
  command.option("--counterexample", arguments->counterexample,
                 "replay what refutes this property of the model, or all that are refuted, as a run", "NAME");
  command.option("--findings", arguments->findings, "where scenarios with a step that does not fit are stored", "DIR");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(kExamples);
  command.on_run([arguments, &registry] { return run_conform(*arguments, registry); });
}

}  // namespace nika::cli
