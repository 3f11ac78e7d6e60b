// The names, explanations and examples of the arguments of `nika twins`.
#include "nika/cli/twins_options.hpp"

namespace nika::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  NIKA twins diembft --bug quorum-2f --assignment static        find a fork, shrink it, store it\n"
    "  NIKA twins diembft --exhaustive                               cover all 15^7 scenarios at once\n"
    "  NIKA twins diembft --nodes 7 --twins 2 --rounds 4 --dry-run   count the scenarios of each step\n"
    "  NIKA twins diembft --step3 random:100000 --seed 7             a uniform sample without repetition\n"
    "  NIKA twins diembft --shard 3/16 --json                        one sixteenth, for a script\n"
    "  NIKA twins diembft --rounds 3 --property all                  also: do honest nodes go on after the faults?\n"
    "  NIKA twins zyzzyva --bug certificate-before-later-votes --granularity kind --leaders all --rounds 3 \\\n"
    "    --at-most --heal 0 --step3 random:1000000                   a partition for each kind of message\n"
    "  NIKA twins bracha --network steps --exhaustive --property agreement,totality\n"
    "                                                                every order of delivery, with a lying sender\n"
    "  NIKA twins hotstuff --network steps --schedule priorities:3 --timeouts 8 --step3 random:100000\n"
    "                                                                drawn orders of delivery, timers at any step\n"
    "  NIKA twins sync-hotstuff --network ticks --nodes 5 --faults 2 --twins 2 --rounds 3 --step3 random:100000 \\\n"
    "    --property agreement,termination,responsiveness             drawn delays, on a clock\n"
    "  NIKA twins diembft --step3 random:100000000 --campaign night.db    survives a kill: the same command goes on\n"
    "Exit codes: 0 holds or none found, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.";

void add_space_options(Command& command, TwinsArguments& a) {
  command.group("The space of scenarios", &a.describes_space);
  command.positional("PROTOCOL", a.protocol, "see NIKA protocols");
  command.choice("--network", a.network, {"rounds", "steps", "ticks"},
                 "how messages travel: in rounds, where partitions decide what arrives; asynchronously, step by step: "
                 "nothing is lost, and everything arrives in any order; or by the clock, for synchronous protocols");
  add_bug_options(command, a.bugs);
  command.option("--nodes", a.nodes, "nodes, without their twins", "N");
  command.option("--twins", a.twins, "how many nodes, from A on, are compromised: several seats, one identity", "N");
  command.option("--copies", a.copies, "seats of each compromised node", "N");
  command.option("--unl", a.unl,
                 "unique node lists, where each node counts the nodes of its own: A-D:A-E,E-G:C-G lets A to D count A "
                 "to E, and E to G count C to G (default: everybody counts everybody)",
                 "LISTS");
  command.option("--faults", a.faults,
                 "f, what the protocol is told to tolerate (default: as many as n > 3f allows, or n > 2f of a "
                 "synchronous protocol)",
                 "N");
  command.option("--leaders", a.leaders,
                 "compromised, all, or a list such as A,B+C: A, or B and C together (default: compromised; with "
                 "--network steps all, who take turns; with ticks all)",
                 "WHO");
  command.option("--rounds", a.rounds,
                 "scheduled rounds, or unbounded together with --exhaustive; with --network steps, those that anybody "
                 "leads; with ticks, views",
                 "N");
  command.option("--step3", a.step3, "scenarios to keep: all, first:X, random:X", "WHICH");
  command.option("--seed", a.seed, "of everything random", "N");
}

void add_round_options(Command& command, TwinsArguments& a) {
  command.group("Of network rounds", &a.describes_rounds);
  command.option("--partitions", a.partitions, "blocks of each partition", "N");
  command.flag("--at-most", a.at_most, "partitions into fewer blocks as well");
  command.option("--heal", a.heal,
                 "fully connected rounds after the scheduled ones (default: 3; as many as the protocol needs to show "
                 "that it goes on if more than agreement is judged)",
                 "N");
  command.option(
      "--heal-leaders", a.heal_leaders,
      "of those rounds: leading (who leads before), honest, alternating: honest, compromised and so on, or both: each "
      "of the last two (default: honest if more than agreement is judged)",
      "WHO");
  command.option("--heal-rotations", a.heal_rotations, "how they take turns: one, in the order of their names, or all",
                 "WHICH");
  command.option(
      "--heal-orders", a.heal_orders,
      "of messages that arrive together in those rounds: fifo, reversed, both, or all: every order of those who can "
      "propose, own proposals first or not (default: one and fifo; with --exhaustive and termination or "
      "responsiveness by name: all rotations and orders, and both if one honest leader is enough to decide)",
      "WHICH");
  command.option("--assignment", a.assignment, "of configurations to rounds: replacement, no-replacement, static",
                 "HOW");
  command.option("--order", a.order, "of messages that arrive together: fifo, reversed, sampled, all", "HOW");
  command.option(
      "--granularity", a.granularity,
      "of partitions: round, or kind, where each kind of message has its own, drawn from --seed; needs --step3 "
      "random:X",
      "WHAT");
  command.flag("--one-way", a.one_way, "with --granularity kind: some seats hear nobody");
  command.option("--late", a.late, "with --granularity kind: messages arrive up to K rounds late", "K");
  command.flag("--repeats", a.repeats, "with --granularity kind: messages arrive twice");
  command.flag("--early-timeouts", a.early_timeouts,
               "with --granularity kind: seats give up although their round might succeed");
  command.flag("--receiver-orders", a.receiver_orders,
               "with --granularity kind: each receiver has an order of arrival of its own");
  command.option("--crashes", a.crash_count,
                 "with --granularity kind: at most N seats crash and come back before the network heals; memory is "
                 "lost only by what is faulty anyway, within f",
                 "N");
  command.option("--step1", a.step1, "partitions to keep: all, first:X, random:X", "WHICH");
  command.option("--step2", a.step2, "partitions with leaders to keep: all, first:X, random:X", "WHICH");
  command.options("--crash", a.crashes,
                  "\"A'@4..6\": down from round 4, up from round 6 without its memory; \"A'@4..6:memory\" with it; "
                  "may be given more than once",
                  "CRASH");
}

void add_step_options(Command& command, TwinsArguments& a) {
  command.group("Of steps (--network steps)", &a.describes_steps);
  command.option("--schedule", a.schedule,
                 "how the next step is drawn: uniform, or priorities:D, which meets bugs of depth D with a known "
                 "probability (probabilistic concurrency testing)",
                 "HOW");
  command.option("--timeouts", a.timeouts, "timers that may run out in one run, at any step", "N");
  command.option("--steps", a.max_steps, "after which a drawn run ends, whatever is left", "N");
}

void add_tick_options(Command& command, TwinsArguments& a) {
  command.group("Of ticks (--network ticks)", &a.describes_ticks);
  command.option("--delta", a.delta, "Δ, within which messages between honest nodes arrive, in ticks", "N");
  command.option("--ticks", a.ticks, "how long a run lasts (default: 8Δ for each view, and for two more)", "N");
}

void add_run_options(Command& command, TwinsArguments& a) {
  command.group("What to run of it, and how");
  command.option(
      "--property", a.asked.property,
      "what is judged, with commas: agreement, termination (does every honest node decide something new when the "
      "network has healed?), totality (does every honest node get what one has committed?), or all of these three; and "
      "only by name: validity, integrity (docs/findings.md), "
      "responsiveness, temperature, bounded-time, deadlock, lasso, confirmed-lasso (docs/liveness.md)",
      "WHICH");
  add_limit_options(command, a.asked);
  command.option("--range", a.range, "a..b: every index with a <= index < b", "RANGE");
  command.option(
      "--shard", a.shard,
      "i/n: the i-th of n nearly equal parts (default with --campaign: what a job array of Slurm, Open MPI or "
      "Kubernetes says, see docs/campaigns.md)",
      "SHARD");
  command.flag("--symmetry", a.symmetry, "names",
               "one representative of each class of scenarios that differ by names only; --symmetry=exact keeps apart "
               "what ties broken by name could tell apart");
  command.flag("--exhaustive", a.exhaustive, "cover the whole space, running what scenarios share only once");
  command.option("--memory", a.memory, "that --exhaustive may use (default: half of what is available)", "SIZE");
  command.flag("--stop-at-first", a.stop_at_first, "stop soon after something is violated; counts are then of a part");
  command.option("--threads", a.threads, "(default: one for each core)", "N");
  command.option("--in", a.in, "run the scenarios of a file that --out wrote", "FILE");
  command.option("--out", a.out, "write the scenarios as a file of indices and run nothing", "FILE");
  add_campaign_options(command, a.campaign);
  command.flag("--dry-run", a.dry_run, "only count, exactly, and run nothing");
}

void add_report_options(Command& command, TwinsArguments& a) {
  command.group("What to tell");
  command.option("--findings", a.findings, "where findings are stored; made when there is one", "DIR");
  command.option("--max-findings", a.max_findings, "violating scenarios of each kind that become findings", "N");
  command.option("--html", a.html, "draw each finding: FILE, FILE-2 and so on, pages as NIKA report makes them",
                 "FILE");
  command.flag("--quiet", a.quiet, "no progress on standard error");
  command.flag("--no-shrink", a.no_shrink, "store findings as they were found");
  command.flag("--json", a.json, "one JSON object on standard output; see docs/json.md");
}

}  // namespace

void add_twins_options(Command& command, TwinsArguments& a) {
  add_space_options(command, a);
  add_round_options(command, a);
  add_step_options(command, a);
  add_tick_options(command, a);
  add_run_options(command, a);
  add_report_options(command, a);
  command.footer(kExamples);
}

}  // namespace nika::cli
