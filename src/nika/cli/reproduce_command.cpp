// nika reproduce: what papers report, done again. attacks: looks for every known attack without knowing it, and tells
// what that took. The others have files of their own: reproduce_liveness.hpp and so on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "nika/base/printable.hpp"
#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/attack_search.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/known_attacks.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/cli/reproduce_byzzfuzz.hpp"
#include "nika/cli/reproduce_limitations.hpp"
#include "nika/cli/reproduce_liveness.hpp"
#include "nika/cli/reproduce_overlap.hpp"
#include "nika/cli/reproduce_verification.hpp"
#include "nika/store/finding_files.hpp"

namespace nika::cli {
namespace {

struct ReproduceArguments {
  std::string what;
  double seconds = 600;
  std::uint64_t repaired = 100'000;
  std::uint64_t seed = 1;
  std::string guide = "coverage";
  unsigned threads = 0;
  std::string only;
  std::string findings;
  bool hints = false;
  bool json = false;
  LivenessArguments liveness;
  std::uint64_t runs = 0;
  std::string sampling = "uniform";
  std::string protocol;
  unsigned nodes = 0;
  bool has_attack_options = false;
  bool has_liveness_options = false;
  bool has_byzzfuzz_options = false;
  bool has_overlap_options = false;
  VerificationArguments verification;
  bool has_verification_options = false;
};

// The source's rounds; where it does not count them, those of the script.
unsigned rounds_in_source(const store::Attack& attack) {
  return attack.paper_rounds > 0 ? attack.paper_rounds : attack.rounds();
}

// Writes what was found and shrunk; the file's name, or nothing if nothing is to be written.
Result<std::string> store_found(const Registry& registry, const store::Attack& attack, const AttackFound& result,
                                const std::string& directory) {
  if (directory.empty() || !result.found) return std::string();
  const auto runner = registry.find(result.smallest.protocol);
  if (!runner) return tl::unexpected(runner.error());
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  Findings findings(**runner, {directory, "", false, nullptr});
  if (auto added = findings.add(**property, result.smallest, std::nullopt); !added)
    return tl::unexpected(added.error());
  if (findings.storing_error()) return tl::unexpected(*findings.storing_error());
  return findings.all().front().file;
}

// Unknown is not success, nor is a search that was cut short.
bool is_satisfied(const AttackFound& result) {
  return result.found && result.repaired_found == 0 && result.repaired_unknown == 0;
}

Json json_of(const store::Attack& attack, const AttackFound& result) {
  Json json;
  json["name"] = attack.name;
  json["found"] = result.found;
  json["tried"] = json_count(result.tried);
  json["seconds"] = std::round(result.seconds * 1e3) / 1e3;
  json["rounds_shrunk"] = result.found ? Json(result.smallest.rounds.size()) : Json(nullptr);
  json["cut_short"] = result.was_stopped;
  json["rounds_paper"] = rounds_in_source(attack);
  json["rounds_script"] = attack.rounds();
  json["common"] = json_count(result.common);
  json["repaired_tried"] = json_count(result.repaired_tried);
  json["repaired_found"] = json_count(result.repaired_found);
  json["repaired_unknown"] = json_count(result.repaired_unknown);
  json["loop"] = json_of_loop(result.loop);
  return json;
}

void print_row(const store::Attack& attack, const AttackFound& result) {
  const Paint paint;
  const std::string found = result.found ? "yes" : "no";
  const std::string shrunk = result.found ? std::to_string(result.smallest.rounds.size()) : "-";
  std::string repaired = result.repaired_found == 0 ? fmt::format("nothing found in {}", grouped(result.repaired_tried))
                                                    : fmt::format("BROKEN: {} of {}", grouped(result.repaired_found),
                                                                  grouped(result.repaired_tried));
  if (result.repaired_unknown > 0) repaired += fmt::format(", {} unknown", grouped(result.repaired_unknown));
  fmt::print("{:<36} {}  {:>13} {:>9.1f} {:>7} {:>6} {:>7}   {}\n", attack.name,
             paint.verdict(result.found ? Verdict::kHolds : Verdict::kViolated, fmt::format("{:<5}", found)),
             grouped(result.tried), result.seconds, shrunk, rounds_in_source(attack), attack.rounds(), repaired);
  std::fflush(stdout);
}

SearchBudget budget_of(const ReproduceArguments& a) {
  SearchBudget budget;
  budget.guide = a.guide == "none" ? GuideChoice::kNone : GuideChoice::kCoverage;
  budget.seconds = a.seconds;
  budget.least_repaired = a.repaired;
  budget.seed = a.seed;
  budget.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  budget.takes_hints = a.hints;
  budget.stop = &catch_interrupts();
  return budget;
}

Result<int> reproduce_attacks(const ReproduceArguments& a, const Registry& registry) {
  const auto attacks = a.only.empty() ? all_attacks(registry) : attack_named(registry, a.only);
  if (!attacks) return tl::unexpected(attacks.error());
  if (auto sound = store::check_findings_directory(a.findings); !a.findings.empty() && !sound)
    return tl::unexpected(sound.error());
  SearchBudget budget = budget_of(a);
  ProgressLine progress;
  Json rows = Json::array();
  std::size_t found = 0;
  std::size_t broken = 0;
  std::size_t satisfied = 0;
  if (!a.json) {
    fmt::print("{:<36} {:<5}  {:>13} {:>9} {:>7} {:>6} {:>7}   {}\n", "attack", "found", "tried", "seconds", "shrunk",
               "paper", "script", "repaired");
  }
  for (const store::Attack& attack : *attacks) {
    if (budget.is_stopped()) break;
    const Watch watch;
    budget.progress = [&](Wide tried) {
      progress.show(fmt::format("{}: {} tried  {:.0f} s", attack.name, grouped(tried), watch.seconds()));
    };
    const auto result = search_for(registry, attack, budget);
    if (!result) return tl::unexpected(result.error());
    progress.clear();
    found += result->found ? 1 : 0;
    broken += result->repaired_found > 0 ? 1 : 0;
    satisfied += is_satisfied(*result) ? 1 : 0;
    const auto file = store_found(registry, attack, *result, a.findings);
    const std::string name = file.value_or("");
    rows.push_back(json_of(attack, *result));
    rows.back()["file"] = name.empty() ? Json(nullptr) : Json(name);
    if (!a.json) print_row(attack, *result);
    if (!a.json) print_loop(result->loop, "  ");
    if (!a.json && !name.empty()) fmt::print("  {}\n", printable(name));
    if (!file) print_error("what was found could not be stored: " + file.error().message);
  }
  if (a.json) {
    print_json(Json{{"command", "reproduce"},
                    {"what", a.what},
                    {"seed", a.seed},
                    {"guide", a.guide},
                    {"hints", a.hints},
                    {"rows", rows}});
  } else {
    fmt::print("{} of {} attacks were found by search; {} repaired protocols were broken\n", found, attacks->size(),
               broken);
    if (budget.is_stopped()) fmt::print("stopped: the last line is of a search that was cut short\n");
  }
  return satisfied == attacks->size() && !budget.is_stopped() ? kExitHolds : kExitUnknown;
}

Result<int> verification(const ReproduceArguments& a) {
  if (a.has_attack_options || a.has_liveness_options || a.has_byzzfuzz_options || a.has_overlap_options ||
      !a.protocol.empty())
    return bad_input("verification takes --models, --paper, --threads and --json only");
  VerificationArguments arguments = a.verification;
  arguments.threads = a.threads;
  arguments.json = a.json;
  return reproduce_verification(arguments);
}

Result<int> reproduce_the_liveness_tables(const ReproduceArguments& a, const Registry& registry) {
  LivenessArguments arguments = a.liveness;
  arguments.protocol = a.protocol;
  arguments.seed = a.seed;
  arguments.threads = a.threads;
  arguments.json = a.json;
  return reproduce_liveness(arguments, registry);
}

// What each of them takes besides --seed, --threads and --json: options of another one are refused, not passed over.
Result<int> reproduce(const ReproduceArguments& a, const Registry& registry) {
  if (a.what == "verification") return verification(a);
  if (a.has_verification_options) return bad_input("--models and --paper are options of verification");
  const bool has_tables_options = a.has_liveness_options || a.has_byzzfuzz_options || !a.protocol.empty();
  if (a.what == "attacks") {
    if (has_tables_options || a.has_overlap_options)
      return bad_input(
          "--scenarios, --runs, --sampling, --protocol and --nodes are options of liveness, byzzfuzz and overlap, not "
          "of attacks");
    return reproduce_attacks(a, registry);
  }
  if (a.what == "limitations") {
    if (has_tables_options || a.has_overlap_options || !a.only.empty() || !a.findings.empty())
      return bad_input("limitations takes --seconds, --repaired, --guide, --hints, --seed, --threads and --json only");
    return reproduce_limitations(budget_of(a), a.json, registry);
  }
  if (a.what == "overlap") {
    if (a.has_attack_options || has_tables_options)
      return bad_input("overlap takes --nodes, --threads and --json only");
    return reproduce_overlap({a.nodes, a.threads, a.json}, registry);
  }
  if (a.what == "byzzfuzz") {
    if (a.has_attack_options || a.has_liveness_options || a.has_overlap_options)
      return bad_input("byzzfuzz takes --runs, --sampling, --protocol, --seed, --threads and --json only");
    return reproduce_byzzfuzz({a.runs, a.protocol, a.seed, a.threads, a.sampling, a.json}, registry);
  }
  if (a.what != "liveness") {
    return bad_input(
        fmt::format("read \"{}\", expected attacks, limitations, liveness, byzzfuzz, overlap or verification", a.what));
  }
  if (a.has_attack_options || a.has_byzzfuzz_options || a.has_overlap_options)
    return bad_input("liveness takes --scenarios, --protocol, --seed, --threads and --json only");
  return reproduce_the_liveness_tables(a, registry);
}

}  // namespace

void add_reproduce_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("reproduce", "Find the known attacks by search; do the experiments of papers again");
  const auto arguments = std::make_shared<ReproduceArguments>();
  command.required("WHAT", arguments->what,
                   "attacks; limitations: the table of docs/limitations.md; liveness: the tables of docs/liveness.md; "
                   "byzzfuzz: those of docs/fuzz.md; overlap: that of docs/xrp_lcp.md; verification: that of "
                   "docs/verify.md");
  command.number("--seed", arguments->seed, {0, UINT64_MAX}, "of the scenarios", "N");
  command.number("--threads", arguments->threads, {1, 256}, "(default: one for each core)", "N");
  command.option("--protocol", arguments->protocol,
                 "one protocol of the tables of liveness or byzzfuzz (default: all of them)", "PROTOCOL");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.group("Options of attacks and limitations", &arguments->has_attack_options);
  command.number("--seconds", arguments->seconds, {0.0, 1e6}, "for each attack", "SECONDS");
  command.number("--repaired", arguments->repaired, {1, 1'000'000'000}, "schedules of a repaired protocol, at least",
                 "N");
  command.choice("--guide", arguments->guide, {"coverage", "none"},
                 "coverage: continue from partial states that were new; none: blind");
  command.flag("--hints", arguments->hints,
               "search where each attack's file says, instead of one setting for all: rounds, leaders, crashes, delta");
  command.option("--only", arguments->only, "one attack of NIKA attack --list, or the path of an attack file",
                 "ATTACK");
  command.option("--findings", arguments->findings, "write what was found into this directory, for NIKA show", "DIR");
  command.group("Options of liveness", &arguments->has_liveness_options);
  command.number("--scenarios", arguments->liveness.scenarios, {1, 10'000'000}, "for each protocol and length", "N");
  command.group("Options of byzzfuzz", &arguments->has_byzzfuzz_options);
  command.number("--runs", arguments->runs, {1, 1'000'000'000}, "of each row (default: as many as the paper)", "N");
  command.choice("--sampling", arguments->sampling, {"uniform", "artifact"}, "see NIKA fuzz --help");
  command.group("Options of overlap", &arguments->has_overlap_options);
  command.number("--nodes", arguments->nodes, {7, 10}, "(default: 7 to 10)", "N");
  command.group("Options of verification", &arguments->has_verification_options);
  command.option("--models", arguments->verification.models, "where bv-broadcast.ta and the models of DBFT are", "DIR");
  command.option("--paper", arguments->verification.paper,
                 "where the paper's own bv-broadcast.ta and dbft.ta are, or both as .mako.ta; (default: without them)",
                 "DIR");
  command.footer(
      "Examples:\n"
      "  NIKA reproduce attacks                           every attack, at most ten minutes for each\n"
      "  NIKA reproduce attacks --only fab-stuck --seed 7\n"
      "  NIKA reproduce attacks --only zyzzyva-fork --guide none\n"
      "  NIKA reproduce attacks --only fab-stuck --findings found    then: NIKA show found/FILE.json\n"
      "  NIKA reproduce limitations --seconds 60          six algorithms with known flaws: script, search, "
      "alternative\n"
      "  NIKA reproduce overlap --nodes 7                 how much node lists must overlap, all scenarios of a ledger\n"
      "  NIKA reproduce liveness                          temperature, lasso and timeouts beside the paper's tables\n"
      "  NIKA reproduce liveness --protocol two-phase-hotstuff --scenarios 1000000\n"
      "  NIKA reproduce byzzfuzz --runs 100000            violations by faults and scope beside the paper's tables\n"
      "  NIKA reproduce verification --threads 1          lines, properties, seconds and verdicts beside the paper's\n"
      "Exit codes of attacks, limitations: 0 all found and no repaired protocol broken or unknown, 2 bad usage or "
      "input, 3 not so;\n"
      "of the others: 0 all rows are there (of verification: and all decided), 2 bad usage or input, 3 not so.");
  command.on_run([arguments, &registry] { return reproduce(*arguments, registry); });
}

}  // namespace nika::cli
