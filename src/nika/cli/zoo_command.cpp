// nika zoo: which way of searching finds which seeded bug, with how many executions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "nika/base/printable.hpp"
#include "nika/campaign/zoo.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"

namespace nika::cli {
namespace {

constexpr unsigned kMaxThreads = 256;

constexpr const char* kExamples =
    "Examples:\n"
    "  NIKA zoo                                        every strategy against every bug, 10,000 executions each\n"
    "  NIKA zoo --protocol pbft --budget 100000        the bugs of one protocol\n"
    "  NIKA zoo --bug none --json                      the protocols as they are: nobody may find anything\n"
    "  NIKA zoo --protocol hotstuff --bug no-lock --strategy fuzz-small --strategy fuzz-twins\n"
    "A cell tells the execution that was the first to break something, and the seconds until then; - is not found,\n"
    "n/a cannot be tried. docs/zoo.md tells what each strategy does, and what is counted.\n"
    "Exit codes: 0 nobody found anything in a correct protocol, 1 somebody did, 2 bad usage or input, 3 it was "
    "stopped.";

struct ZooArguments {
  zoo::Choice choice;
  zoo::Budget budget{.threads = 0};
  bool quiet = false;
  bool json = false;
};

std::string title_of(const zoo::Subject& subject) {
  return subject.bug.empty() ? std::string(subject.runner->name())
                             : fmt::format("{} {}", subject.runner->name(), subject.bug);
}

Json json_of(const zoo::Attempt& attempt) {
  const auto text_or_null = [](std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); };
  return Json{{"strategy", name_of(attempt.strategy)},
              {"found", attempt.found},
              {"executions", json_count(attempt.executions)},
              {"seconds", std::round(attempt.seconds * 1e3) / 1e3},
              {"property", text_or_null(attempt.property)},
              {"kind", text_or_null(attempt.kind)},
              {"unknown", json_count(attempt.unknown)},
              {"was_stopped", attempt.was_stopped},
              {"inapplicable", text_or_null(attempt.inapplicable)}};
}

Json json_of(const zoo::Row& row) {
  Json json;
  json["protocol"] = row.subject->runner->name();
  json["bug"] = row.subject->bug.empty() ? Json(nullptr) : Json(row.subject->bug);
  json["flawed"] = row.subject->is_flawed();
  json["property"] = names_of(row.subject->properties);
  json["found"] = row.is_found();
  json["attempts"] = Json::array();
  for (const zoo::Attempt& attempt : row.attempts) json["attempts"].push_back(json_of(attempt));
  return json;
}

std::string cell_of(const zoo::Attempt& attempt) {
  if (!attempt.inapplicable.empty()) return "n/a";
  if (attempt.found) return fmt::format("{} {:.1f}s", grouped(attempt.executions), attempt.seconds);
  return attempt.was_stopped ? "stopped" : "-";
}

// What was found, and what should not have been.
struct Summary {
  std::size_t flawed = 0;
  std::size_t flawed_found = 0;
  std::size_t correct = 0;
  std::size_t correct_found = 0;

  void add(const zoo::Row& row) {
    (row.subject->is_flawed() ? flawed : correct) += 1;
    if (row.is_found()) (row.subject->is_flawed() ? flawed_found : correct_found) += 1;
  }
};

class Table {
 public:
  explicit Table(const zoo::Plan& plan) {
    for (const zoo::Subject& subject : plan.subjects) width_ = std::max(width_, title_of(subject).size());
    std::string line = fmt::format("{:<{}}", "", width_);
    for (const zoo::Strategy strategy : plan.strategies) line += fmt::format("  {:>16}", name_of(strategy));
    fmt::print("{}\n", line);
  }
  void print(const zoo::Row& row) const {
    const Paint paint;
    const bool is_good = row.is_found() == row.subject->is_flawed();
    std::string line = paint.verdict(is_good ? Verdict::kHolds : Verdict::kViolated,
                                     fmt::format("{:<{}}", title_of(*row.subject), width_));
    for (const zoo::Attempt& attempt : row.attempts) line += fmt::format("  {:>16}", cell_of(attempt));
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

 private:
  std::size_t width_ = 0;
};

void print_summary(const Summary& summary, bool is_complete) {
  if (summary.flawed > 0) fmt::print("{} of {} flaws were found\n", summary.flawed_found, summary.flawed);
  if (summary.correct > 0) {
    fmt::print("something was found in {} of {} correct protocols\n", summary.correct_found, summary.correct);
  }
  if (!is_complete) fmt::print("stopped: the last row was cut short, and those after it are missing\n");
}

Result<int> run(ZooArguments a, const Registry& registry) {
  const auto plan = zoo::plan_of(registry, a.choice);
  if (!plan) return tl::unexpected(plan.error());
  if (a.budget.threads == 0) a.budget.threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
  LongProgress line;
  zoo::Watch watch;
  watch.stop = &catch_interrupts();
  if (!a.quiet) {
    watch.progress = [&](const zoo::Progress& p) {
      line.show(fmt::format("{}, {}: {} of {}  {:.0f} s", title_of(*p.subject), name_of(p.strategy),
                            grouped(p.executed), grouped(a.budget.executions), line.seconds()));
    };
  }
  Json rows = Json::array();
  Summary summary;
  std::optional<Table> table;
  if (!a.json) table.emplace(*plan);
  const auto done = zoo::run(*plan, a.budget, watch, [&](const zoo::Row& row) {
    line.clear();
    summary.add(row);
    rows.push_back(json_of(row));
    if (table) table->print(row);
  });
  line.clear();
  if (!done) return tl::unexpected(done.error());
  if (a.json) {
    Json names = Json::array();
    for (const zoo::Strategy strategy : plan->strategies) names.push_back(name_of(strategy));
    print_json(Json{{"command", "zoo"},
                    {"budget", a.budget.executions},
                    {"seed", a.budget.seed},
                    {"strategies", names},
                    {"was_stopped", !*done},
                    {"seconds", std::round(line.seconds() * 1e3) / 1e3},
                    {"rows", rows}});
  } else {
    print_summary(summary, *done);
  }
  if (summary.correct_found > 0) return kExitViolated;
  return *done ? kExitHolds : kExitUnknown;
}

}  // namespace

void add_zoo_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("zoo", "Compare the strategies on all seeded bugs, with the same number of executions");
  const auto a = std::make_shared<ZooArguments>();
  command.option("--protocol", a->choice.protocol, "only this one (default: all)", "NAME");
  command.option("--bug", a->choice.bug, "only this bug; none: the protocols as they are (default: all, and none)",
                 "NAME");
  command.options("--strategy", a->choice.strategies, "only this one; may be given more than once (default: all)",
                  "NAME");
  command.number("--budget", a->budget.executions, {1, 1'000'000'000}, "executions of each strategy for each bug", "N");
  command.number("--seed", a->budget.seed, {0, ~0ULL}, "of everything random", "N");
  command.number("--threads", a->budget.threads, {1, kMaxThreads}, "(default: one for each core)", "N");
  command.flag("--quiet", a->quiet, "no progress on standard error");
  command.flag("--json", a->json, "one JSON object on standard output; see docs/json.md");
  command.footer(kExamples);
  command.on_run([a, &registry] { return run(*a, registry); });
}

}  // namespace nika::cli
