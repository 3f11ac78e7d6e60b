// nika fuzz: bounded random faults, with lies that keep the structure of messages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "nika/base/printable.hpp"
#include "nika/campaign/fuzz_generations.hpp"
#include "nika/campaign/fuzz_search.hpp"
#include "nika/cli/bug_options.hpp"
#include "nika/cli/campaign_options.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/property_options.hpp"
#include "nika/cli/told_finding.hpp"
#include "nika/report/finding_text.hpp"

namespace nika::cli {
namespace {

constexpr unsigned kMaxThreads = 256;

constexpr const char* kExamples =
    "Examples:\n"
    "  NIKA fuzz hotstuff --bug no-lock -c 1 -d 1 -r 24 --runs 100000    a leader that proposes on an old certificate\n"
    "  NIKA fuzz diembft -c 2 -d 2 -r 12 --runs 1000000 --threads 2      a correct protocol: none found\n"
    "  NIKA fuzz fast-hotstuff --scope any --network drop --json         one object for a script\n"
    "  NIKA fuzz pbft --bug lost-certificate -c 1 -d 1 --exhaustive       exact counts of all configurations\n"
    "Exit codes: 0 holds or none found, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.";

struct FuzzArguments {
  std::string protocol;
  BugArguments bugs;
  unsigned nodes = 4;
  unsigned faults = ~0U;
  std::string liars;
  std::string unl;
  unsigned lies = 1;
  unsigned outages = 1;
  unsigned first_round = 1;
  unsigned fault_rounds = 8;
  std::string scope = "small";
  std::string mutations = "all";
  std::string sampling = "uniform";
  std::string network = "withhold";
  bool lies_go_on = false;
  bool liars_lead = false;
  bool twins = false;
  bool exhaustive = false;
  std::string guide = "none";
  std::uint64_t runs = 200;
  std::uint64_t seed = 1;
  PropertyArguments asked{.property = "agreement,validity,integrity,termination", .temperature = {}, .time_bound = {}};
  unsigned threads = 0;
  bool stop_at_first = false;
  std::string findings = "findings";
  unsigned max_findings = 1;
  bool no_shrink = false;
  CampaignArguments campaign;
  std::vector<std::string> words;  // the command line
  bool quiet = false;
  bool json = false;
};

// "A,C" or "AC".
Result<IdentitySet> liars_of(const std::string& names) {
  IdentitySet liars;
  for (const char name : names) {
    if (name == ',') continue;
    if (name < 'A' || name >= static_cast<char>('A' + kMaxSeats))
      return bad_input(fmt::format("--liars: read \"{}\", expected names of nodes, such as D or A,C", names));
    const auto liar = static_cast<Identity>(name - 'A');
    if (liars.contains(liar))
      return bad_input(fmt::format("--liars: read \"{}\", expected each liar once, not {} twice", names, name));
    liars.insert(liar);
  }
  return liars;
}

// Whom there are, and who of them lies.
Result<void> read_cast(const FuzzArguments& a, const Runner& runner, byzzfuzz::Settings& settings) {
  auto liars = liars_of(a.liars);
  if (!liars) return tl::unexpected(liars.error());
  settings.liars = *liars;
  if (!a.unl.empty()) {
    auto unls = parse_unls(a.unl);
    if (!unls) return tl::unexpected(unls.error());
    settings.unls = *std::move(unls);
  }
  settings.nodes = a.nodes;
  const unsigned tolerated = (a.nodes - 1) / runner.resilience();
  settings.faults = a.faults != ~0U ? a.faults : a.liars.empty() ? tolerated : static_cast<unsigned>(liars->size());
  return {};
}

Result<FuzzRequest> request_of(const FuzzArguments& a, const Registry& registry) {
  FuzzRequest request;
  const auto runner = registry.find(a.protocol);
  if (!runner) return tl::unexpected(runner.error());
  auto bugs = bugs_of(a.bugs, **runner);
  if (!bugs) return tl::unexpected(bugs.error());
  auto properties = properties_of(a.asked, registry.properties());
  if (!properties) return tl::unexpected(properties.error());
  request.runner = *runner;
  request.properties = *std::move(properties);
  byzzfuzz::Settings& settings = request.settings;
  settings.bugs = *std::move(bugs);
  if (auto read = read_cast(a, **runner, settings); !read) return tl::unexpected(read.error());
  settings.lies = a.lies;
  settings.outages = a.outages;
  settings.first_round = a.first_round;
  settings.last_round = a.first_round + a.fault_rounds - 1;
  settings.scope = a.scope == "small" ? byzzfuzz::Scope::kSmall
                   : a.scope == "any" ? byzzfuzz::Scope::kAny
                                      : byzzfuzz::Scope::kBaseline;
  settings.mutations = a.mutations == "all" ? byzzfuzz::Mutations::kAll : byzzfuzz::Mutations::kPaper;
  settings.sampling = a.sampling == "uniform" ? byzzfuzz::Sampling::kUniform : byzzfuzz::Sampling::kArtifact;
  settings.withholds = a.network == "withhold";
  settings.lies_go_on = a.lies_go_on;
  settings.liars_lead = a.liars_lead;
  settings.has_twins = a.twins;
  settings.guide = a.guide == "coverage" ? byzzfuzz::Guide::kCoverage
                   : a.guide == "rounds" ? byzzfuzz::Guide::kRounds
                                         : byzzfuzz::Guide::kNone;
  if (settings.guide != byzzfuzz::Guide::kNone && a.exhaustive)
    return bad_input("--exhaustive tries everything: --guide does not go with it");
  settings.runs = a.runs;
  settings.seed = a.seed;
  set_protocol(settings, **runner, request.properties);
  if (auto sound = byzzfuzz::check(settings); !sound) return tl::unexpected(sound.error());
  if (auto sound = store::check_findings_directory(a.findings); !sound) return tl::unexpected(sound.error());
  request.threads = a.threads == 0 ? std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads) : a.threads;
  request.is_exhaustive = a.exhaustive;
  request.stops_at_first = a.stop_at_first;
  if (a.campaign.other_program && a.campaign.file.empty()) return bad_input("--other-program needs --campaign");
  request.place = place_of(a.campaign, a.words);
  request.seconds = a.campaign.seconds;
  request.findings = a.findings;
  request.max_findings = a.max_findings;
  request.shrinks = !a.no_shrink;
  return request;
}

double rate_of(const FuzzOutcome& outcome) {
  return outcome.seconds > 0 ? std::round(static_cast<double>(outcome.tally.executed) / outcome.seconds) : 0;
}

// Of all runs: faults that were planned, and the messages that they came to, counted for each receiver.
Json json_of_faults(const byzzfuzz::Settings& s, const Tally& tally) {
  return Json{{"planned_lies", json_count(tally.executed * Wide{s.faults > 0 ? s.lies : 0U})},
              {"planned_outages", json_count(tally.executed * Wide{s.outages})},
              {"matched", json_count(tally.faults.matched)},
              {"changed", json_count(tally.faults.changed)},
              {"omitted", json_count(tally.faults.omitted)},
              {"cut", json_count(tally.faults.cut)}};
}

Json json_of_campaign(const FuzzRequest& request, const FuzzOutcome& outcome) {
  const byzzfuzz::Settings& s = request.settings;
  const Tally& tally = outcome.tally;
  Json json;
  json["command"] = "fuzz";
  json["settings"] = Json::parse(byzzfuzz::to_json(s));
  json["property"] = names_of(request.properties);
  json["verdict"] = name_of(outcome.conclusion);
  json["reason"] = outcome.reason.empty() ? Json(nullptr) : Json(outcome.reason);
  json["exhaustive"] = request.is_exhaustive;
  json["configurations"] = request.is_exhaustive ? json_count(tally.scenarios) : Json(nullptr);
  json["runs"] = json_count(tally.executed);
  json["seconds"] = std::round(outcome.seconds * 1e6) / 1e6;
  json["runs_per_second"] = rate_of(outcome);
  json["effective"] = json_count(tally.faults.effective);
  json["faults"] = request.is_exhaustive ? Json(nullptr) : json_of_faults(s, tally);
  json["committed"] = json_count(tally.committed);
  json["violating"] = json_count(tally.violating);
  json["unknown"] = json_count(tally.unknown);
  json["violations"] = Json::object();
  for (std::size_t p = 0; p < request.properties.size(); ++p)
    json["violations"][title_of(*request.properties[p])] = json_count(tally.properties[p].violating);
  json["properties"] = json_of_properties(request.properties, tally);
  json["findings"] = Json::array();
  for (const ToldFinding& finding : outcome.findings) json["findings"].push_back(json_of(finding));
  return json;
}

void print_heading(const FuzzRequest& request) {
  const byzzfuzz::Settings& s = request.settings;
  fmt::print("{}\n", Paint().bold("ByzzFuzz: " + report::cast_text(cast_for(s))));
  const std::string rounds = s.first_round == 1 ? fmt::format("the first {}", s.last_round)
                                                : fmt::format("rounds {} to {}", s.first_round, s.last_round);
  fmt::print("  c = {} rounds with lies and d = {} with outages among {}, scope {}, what is cut off is {}\n", s.lies,
             s.outages, rounds, name_of(s.scope), s.withholds ? "withheld until healing" : "lost");
}

// "12 of 480 (2.5 %)"
std::string share_text(Wide part, Wide all) {
  return fmt::format("{} of {} ({:.4g} %)", grouped(part), grouped(all),
                     100 * static_cast<double>(part) / static_cast<double>(all));
}

void print_what_ran(const FuzzRequest& request, const FuzzOutcome& outcome) {
  const Tally& tally = outcome.tally;
  fmt::print("{} runs on {} thread{}: {:.2f} s, {} runs a second\n", grouped(tally.executed), request.threads,
             request.threads == 1 ? "" : "s", outcome.seconds, grouped(fmt::format("{:.0f}", rate_of(outcome))));
  if (request.is_exhaustive) {
    fmt::print("they stand for {} equally likely configurations; a lie was effective in {}\n", grouped(tally.scenarios),
               share_text(tally.faults.effective, tally.scenarios));
    return;
  }
  const byzzfuzz::Settings& s = request.settings;
  fmt::print(
      "{} lies and {} outages were planned; a lie was effective, that is changed a message on its way, in {} runs\n",
      grouped(tally.executed * Wide{s.faults > 0 ? s.lies : 0U}), grouped(tally.executed * Wide{s.outages}),
      grouped(tally.faults.effective));
  fmt::print("of {} messages that lies were about {} were changed and {} omitted; outages cut off {}\n",
             grouped(tally.faults.matched), grouped(tally.faults.changed), grouped(tally.faults.omitted),
             grouped(tally.faults.cut));
}

void print_report(const FuzzRequest& request, const FuzzOutcome& outcome) {
  const Tally& tally = outcome.tally;
  const Paint paint;
  print_heading(request);
  print_what_ran(request, outcome);
  const std::string_view unit = request.is_exhaustive ? "configurations" : "runs";
  fmt::print("in {} of {} {} honest nodes committed something\n", grouped(tally.committed), grouped(tally.scenarios),
             unit);
  const std::string names = names_of(request.properties);
  const auto say = [&](std::string_view word) { return paint.conclusion(outcome.conclusion, word); };
  switch (outcome.conclusion) {
    case Conclusion::kViolated:
      fmt::print("{}: {} {} break {}\n", say("VIOLATED"),
                 request.is_exhaustive ? share_text(tally.violating, tally.scenarios)
                                       : fmt::format("{} of {}", grouped(tally.violating), grouped(tally.executed)),
                 unit, names_of(broken_ones(request.properties, tally)));
      break;
    case Conclusion::kUnknown:
      fmt::print("{}: no violation of {} was found, but\n  {}\n", say("UNKNOWN"), names, outcome.reason);
      break;
    case Conclusion::kHolds:
      fmt::print("{}: {} in all {} configurations\n", say("HOLDS"), names, grouped(tally.scenarios));
      break;
    case Conclusion::kNoneFound:
      fmt::print("{}: no violation of {} in {} {}\n", say("NONE FOUND"), names, grouped(outcome.judged()), unit);
  }
  print_properties(request.properties, tally);
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) print_finding(i + 1, outcome.findings[i], *request.runner);
}

Result<int> run(const FuzzArguments& arguments, const Registry& registry) {
  const auto request = request_of(arguments, registry);
  if (!request) return tl::unexpected(request.error());
  LongProgress line;
  FuzzWatch watch;
  watch.stop = &catch_interrupts();
  if (!arguments.quiet) {
    watch.progress = [&](const FuzzProgress& p) {
      if (p.is_shrinking) return line.show("shrinking what was found");
      if (!arguments.exhaustive)
        return line.show(progress_text({p.executed, p.asked, p.tally, request->properties}, line));
      line.show(fmt::format("{} of {} choices of leaders and outages  {:.0f} s", grouped(p.executed), grouped(p.asked),
                            line.seconds()));
    };
  }
  const auto outcome = request->is_exhaustive                              ? search_fuzz(*request, watch)
                       : request->settings.guide != byzzfuzz::Guide::kNone ? run_guided_fuzz(*request, watch)
                                                                           : run_fuzz(*request, watch);
  line.clear();
  if (!outcome) return tl::unexpected(outcome.error());
  if (arguments.json) {
    print_json(json_of_campaign(*request, *outcome));
  } else {
    print_report(*request, *outcome);
  }
  if (outcome->storing_error) print_error("a finding could not be stored: " + outcome->storing_error->message);
  if (outcome->can_go_on) tell_how_to_go_on(request->place);
  return exit_code_of(outcome->conclusion);
}

}  // namespace

void add_fuzz_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("fuzz", "ByzzFuzz: bounded random outages, and lies that keep the structure of messages");
  const auto a = std::make_shared<FuzzArguments>();
  command.group("The faults");
  command.required("PROTOCOL", a->protocol, "see NIKA protocols");
  add_bug_options(command, a->bugs);
  command.number("--nodes", a->nodes, {1, kMaxSeats}, "nodes", "N");
  command.number("--faults", a->faults, {0, kMaxSeats},
                 "f, and as many liars (default: as many as n > 3f allows, or n > 5f of xrp-lcp)", "N");
  command.option("--liars", a->liars, "who lies, such as D or A,C (default: the first nodes)", "NODES");
  command.option("--unl", a->unl,
                 "unique node lists, where each node counts the nodes of its own: A-D:A-E,E-G:C-G (default: everybody "
                 "counts everybody); lies are told to nodes of one list then",
                 "LISTS");
  command.number("-c", a->lies, {0, byzzfuzz::kMaxLies}, "protocol rounds in which liars lie", "N");
  command.number("-d", a->outages, {0, byzzfuzz::kMaxOutages}, "protocol rounds in which the network is parted", "N");
  command.number("-r", a->fault_rounds, {1, byzzfuzz::kMaxFaultRound}, "among so many protocol rounds", "N");
  command.number("--first-round", a->first_round, {1, byzzfuzz::kMaxFaultRound}, "the first of these", "N");
  command.choice("--scope", a->scope, {"small", "any", "baseline"},
                 "of lies: small ones stay near the truth, any are anything of the field's type; baseline: any, in the "
                 "n-th messages of their senders, whatever round these are of");
  command.choice("--mutations", a->mutations, {"all", "paper"},
                 "lies of each type of field, or only those with which the paper tested the protocol");
  command.choice("--sampling", a->sampling, {"uniform", "artifact"},
                 "of what becomes of a message: each way alike, or as in the program of the paper's authors, in which "
                 "nearly half of all lies do nothing");
  command.choice("--network", a->network, {"withhold", "drop"},
                 "what a parted network cuts off comes when it heals, or is lost");
  command.flag("--lies-go-on", a->lies_go_on, "lies also when the network has healed");
  command.flag("--liars-lead", a->liars_lead, "liars lead until the network heals (default: everybody in turn)");
  command.flag("--twins", a->twins, "each liar has a twin: two correct copies of one identity, both of which may lie");
  command.flag("--exhaustive", a->exhaustive, "every configuration instead of --runs drawn ones, with exact counts");
  command.choice("--guide", a->guide, {"coverage", "rounds", "none"},
                 "none draws every configuration; coverage changes single faults of those that reached something new, "
                 "after 1,024 runs; rounds keeps what led there and draws later rounds anew: faults last, orders of "
                 "arrival are drawn, and c and d are means");
  command.number("--runs", a->runs, {1, 1'000'000'000'000}, "fault configurations to draw", "N");
  command.number("--seed", a->seed, {0, ~0ULL}, "of everything random", "N");
  command.group("What to judge and to tell");
  command.option("--property", a->asked.property, "properties with commas, or all (see NIKA twins --help)", "WHICH");
  add_limit_options(command, a->asked);
  command.number("--threads", a->threads, {1, kMaxThreads}, "(default: one for each core)", "N");
  command.flag("--stop-at-first", a->stop_at_first, "stop soon after something is violated");
  add_campaign_options(command, a->campaign);
  command.option("--findings", a->findings, "where findings are stored; made when there is one", "DIR");
  command.number("--max-findings", a->max_findings, {0, 1000}, "violating runs of each kind that become findings", "N");
  command.flag("--no-shrink", a->no_shrink, "store findings as they were found");
  command.flag("--quiet", a->quiet, "no progress on standard error");
  command.flag("--json", a->json, "one JSON object on standard output; see docs/json.md");
  command.footer(kExamples);
  command.on_run([a, &command, &registry] {
    a->words = command.words();
    return run(*a, registry);
  });
}

}  // namespace nika::cli
