// The names, explanations and examples of the arguments of `nika twins`.
#include "nika/cli/twins_options.hpp"

namespace nika::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  nika twins diembft --bug quorum-2f --assignment static        find a fork, shrink it, store it\n"
    "  nika twins diembft --exhaustive                               cover all 15^7 scenarios at once\n"
    "  nika twins diembft --nodes 7 --twins 2 --rounds 4 --dry-run   count the scenarios of each step\n"
    "  nika twins diembft --step3 random:100000 --seed 7             a uniform sample without repetition\n"
    "  nika twins diembft --shard 3/16 --json                        one sixteenth, for a script\n"
    "  nika twins diembft --rounds 3 --property all --heal 8         also: do honest nodes go on after the faults?\n"
    "  nika twins zyzzyva --bug certificate-before-later-votes --granularity phase --leaders all --rounds 3 \\\n"
    "    --at-most --heal 0 --step3 random:1000000                   cut off single phases: a partition for each kind\n"
    "Exit codes: 0 holds, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.";

void add_space_options(CLI::App& command, TwinsArguments& a) {
  const auto group = "The space of scenarios";
  const auto option = [&](const char* name, std::string& value, const char* text, const char* type) {
    command.add_option(name, value, text)->type_name(type)->capture_default_str()->group(group);
  };
  command.add_option("--bug", a.bugs, "a seeded bug of the protocol; may be given more than once")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(group);
  option("--nodes", a.nodes, "nodes, without their twins", "N");
  option("--twins", a.twins, "how many nodes, from A on, are compromised: several seats, one identity", "N");
  option("--copies", a.copies, "seats of each compromised node", "N");
  option("--faults", a.faults, "f, what the protocol is told to tolerate (default: as many as n > 3f allows)", "N");
  option("--partitions", a.partitions, "blocks of each partition", "N");
  command.add_flag("--at-most", a.at_most, "partitions into fewer blocks as well")->group(group);
  option("--rounds", a.rounds, "scheduled rounds, or unbounded together with --exhaustive", "N");
  option("--heal", a.heal, "fully connected rounds after the scheduled ones", "N");
  option("--heal-leaders", a.heal_leaders,
         "of those rounds: leading (who leads before), honest, or alternating: honest, compromised and so on (default: "
         "honest "
         "if termination is judged)",
         "WHO");
  option("--leaders", a.leaders, "compromised, all, or a list such as A,B+C: A, or B and C together", "WHO");
  option("--assignment", a.assignment, "of configurations to rounds: replacement, no-replacement, static", "HOW");
  option("--order", a.order, "of messages that arrive together: fifo, reversed, sampled, all", "HOW");
  option("--granularity", a.granularity,
         "of partitions: round, or phase, where each kind of message has its own, drawn from --seed; needs --step3 "
         "random:X",
         "WHAT");
  command.add_flag("--one-way", a.one_way, "with --granularity phase: some seats hear nobody")->group(group);
  option("--step1", a.step1, "partitions to keep: all, first:X, random:X", "WHICH");
  option("--step2", a.step2, "partitions with leaders to keep: all, first:X, random:X", "WHICH");
  option("--step3", a.step3, "scenarios to keep: all, first:X, random:X", "WHICH");
  option("--seed", a.seed, "of everything random", "N");
  command
      .add_option("--crash", a.crashes,
                  "\"A'@4..6\": down from round 4, up from round 6 without its memory; \"A'@4..6:memory\" with it; "
                  "may be given more than once")
      ->type_name("CRASH")
      ->allow_extra_args(false)
      ->group(group);
}

void add_run_options(CLI::App& command, TwinsArguments& a) {
  const auto group = "What to run of it, and how";
  const auto option = [&](const char* name, std::string& value, const char* text, const char* type) {
    command.add_option(name, value, text)->type_name(type)->capture_default_str()->group(group);
  };
  option("--property", a.property,
         "what is judged: agreement, termination (does somebody honest decide while the network heals?), or all",
         "WHICH");
  option("--range", a.range, "a..b: every index with a <= index < b", "RANGE");
  option("--shard", a.shard, "i/n: the i-th of n nearly equal parts", "SHARD");
  command
      .add_flag("--symmetry{names}", a.symmetry,
                "one representative of each class of scenarios that differ by names only; --symmetry=exact keeps apart "
                "what ties broken by name could tell apart")
      ->group(group);
  command.add_flag("--exhaustive", a.exhaustive, "cover the whole space, running what scenarios share only once")
      ->group(group);
  option("--memory", a.memory, "that --exhaustive may use", "SIZE");
  option("--threads", a.threads, "(default: one for each core)", "N");
  option("--in", a.in, "run the scenarios of a file that --out wrote", "FILE");
  option("--out", a.out, "write the scenarios as a file of indices and run nothing", "FILE");
  command.add_flag("--dry-run", a.dry_run, "only count, exactly, and run nothing")->group(group);
}

void add_report_options(CLI::App& command, TwinsArguments& a) {
  const auto group = "What to tell";
  const auto option = [&](const char* name, std::string& value, const char* text, const char* type) {
    command.add_option(name, value, text)->type_name(type)->capture_default_str()->group(group);
  };
  option("--findings", a.findings, "where findings are stored; made when there is one", "DIR");
  option("--max-findings", a.max_findings, "violating scenarios of each kind that become findings", "N");
  command.add_flag("--no-shrink", a.no_shrink, "store findings as they were found")->group(group);
  command.add_flag("--json", a.json, "one JSON object on standard output; see docs/json.md")->group(group);
}

}  // namespace

void add_twins_options(CLI::App& command, TwinsArguments& a) {
  command.add_option("PROTOCOL", a.protocol, "see nika protocols");
  add_space_options(command, a);
  add_run_options(command, a);
  add_report_options(command, a);
  command.footer(kExamples);
  command.parse_complete_callback([&command, &a] {
    for (const CLI::Option* option : command.get_options()) {
      const bool describes = option->get_group() == "The space of scenarios" || option->get_name() == "PROTOCOL";
      if (describes && option->count() > 0) a.describes_space = true;
    }
  });
}

}  // namespace nika::cli
