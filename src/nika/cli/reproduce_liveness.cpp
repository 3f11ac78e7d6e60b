#include "nika/cli/reproduce_liveness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "nika/campaign/liveness_experiment.hpp"
#include "nika/campaign/liveness_methods.hpp"
#include "nika/campaign/liveness_tables.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"

namespace nika::cli {
namespace {

using liveness::Experiment;
using liveness::PaperRow;
using liveness::Row;

constexpr std::string_view kLoopCriterion =
    "no part of its own schedule, repeated from a round after which it is hot, is proved to keep it hot for ever";
constexpr std::string_view kPaperCriterion =
    "no two correct nodes hold conflicting locks at the end of the run (section VII-C of the paper)";

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : std::round(1e6 * static_cast<double>(part) / static_cast<double>(whole)) / 1e4;
}
double rounded(double number) { return std::round(number * 1e3) / 1e3; }
Json rounded(const std::optional<double>& number) { return number ? Json(rounded(*number)) : Json(nullptr); }

const PaperRow* paper_row_of(const Experiment& experiment, const Row& row) {
  const bool has_several = row.method == liveness::kTemperature;
  return liveness::paper_row(
      {experiment.protocol, experiment.rounds, row.method, has_several ? row.threshold : std::nullopt});
}

std::string_view unit_of(const Experiment& experiment, const Row& row) {
  if (!row.threshold) return "";
  return experiment.is_timed && row.method != liveness::kTemperature ? "ticks" : "rounds";
}

Json json_of(const Experiment& experiment, const PaperRow& row) {
  return Json{{"protocol", experiment.protocol},
              {"rounds", row.rounds},
              {"method", row.method},
              {"threshold", rounded(row.threshold)},
              {"threshold_unit", !row.threshold                         ? Json(nullptr)
                                 : row.method == liveness::kTemperature ? Json("rounds")
                                                                        : Json("seconds")},
              {"seconds", row.seconds},
              {"trace_length", rounded(row.trace_length)},
              {"safety_percent", row.safety_percent},
              {"liveness_percent", row.liveness_percent},
              {"false_positive_percent", row.false_positive_percent}};
}

Json json_of(const Experiment& experiment, const liveness::Loops& loops, std::uint64_t confirmed) {
  return Json{{"candidates", json_count(loops.candidates)},
              {"proved", json_count(confirmed)},
              {"unconfirmed", json_count(loops.candidates - confirmed)},
              {"healed", json_count(loops.healed)},
              {"fair", json_count(loops.fair)},
              {"repaired", experiment.repaired.empty() ? Json(nullptr) : Json(experiment.repaired)},
              {"repaired_decides", loops.repaired_decides ? json_count(*loops.repaired_decides) : Json(nullptr)}};
}

Json json_of(const Experiment& experiment, const Row& row) {
  const bool is_confirmed = row.method == liveness::kConfirmedLasso;
  const std::string_view unit = unit_of(experiment, row);
  const PaperRow* const paper = paper_row_of(experiment, row);
  return Json{{"protocol", experiment.protocol},
              {"rounds", experiment.rounds},
              {"method", row.method},
              {"threshold", rounded(row.threshold)},
              {"threshold_unit", unit.empty() ? Json(nullptr) : Json(unit)},
              {"seconds", rounded(row.seconds)},
              {"trace_length", rounded(row.trace_length)},
              {"safety_percent", percent(experiment.forked, experiment.executed)},
              {"liveness_percent", percent(row.reported, experiment.executed)},
              {"false_positive_percent", percent(row.false_positives, row.reported)},
              {"scenarios", json_count(experiment.executed)},
              {"forks", json_count(experiment.forked)},
              {"reported", json_count(row.reported)},
              {"false_positives", json_count(row.false_positives)},
              {"false_positive_percent_by_locks", percent(row.false_positives_by_locks, row.reported)},
              {"false_positives_by_locks", json_count(row.false_positives_by_locks)},
              {"unknown", json_count(experiment.unknown)},
              {"loops", is_confirmed ? json_of(experiment, experiment.loops, row.reported) : Json(nullptr)},
              {"paper", paper == nullptr ? Json(nullptr) : json_of(experiment, *paper)}};
}

std::string dash(const std::optional<double>& number, int digits = 1) {
  return number ? fmt::format("{:.{}f}", *number, digits) : "-";
}

void print_head() {
  fmt::print("{:<19} {:>6}  {:<15} {:>12} {:>7} {:>6} {:>7} {:>9} {:>7} {:>9}   {}\n", "protocol", "rounds", "method",
             "threshold", "seconds", "trace", "safety%", "liveness%", "false%", "by-locks%",
             "paper: threshold seconds trace safety% liveness% false%");
}

void print_row(const Experiment& experiment, const Row& row) {
  const std::string threshold =
      row.threshold ? fmt::format("{:.4g} {}", *row.threshold, unit_of(experiment, row)) : std::string("-");
  std::string paper = "-";
  if (const PaperRow* const p = paper_row_of(experiment, row)) {
    const std::string bound = p->threshold ? fmt::format("{:g}", *p->threshold) : "-";
    paper = fmt::format("{:>16} {:>7.0f} {:>5} {:>7} {:>9} {:>6}", bound, p->seconds, dash(p->trace_length, 0),
                        p->safety_percent, p->liveness_percent, p->false_positive_percent);
  }
  fmt::print("{:<19} {:>6}  {:<15} {:>12} {:>7.2f} {:>6} {:>7} {:>9} {:>7} {:>9}   {}\n", experiment.protocol,
             experiment.rounds, row.method, threshold, row.seconds, dash(row.trace_length),
             percent(experiment.forked, experiment.executed), percent(row.reported, experiment.executed),
             percent(row.false_positives, row.reported), percent(row.false_positives_by_locks, row.reported), paper);
}

void print_loops(const Experiment& e) {
  const auto row = std::ranges::find(e.rows, liveness::kConfirmedLasso, &Row::method);
  if (e.loops.candidates == 0 || row == e.rows.end()) return;
  fmt::print("  lassos: {}; loops that are proved: {}, healed {}, fair {}", grouped(e.loops.candidates),
             grouped(row->reported), grouped(e.loops.healed), grouped(e.loops.fair));
  if (e.loops.repaired_decides)
    fmt::print("; under the same rounds {} decides in {}", e.repaired, grouped(*e.loops.repaired_decides));
  fmt::print("\n");
}

void print_notes(const std::vector<Experiment>& experiments) {
  for (const Experiment& e : experiments) {
    fmt::print(
        "{}, {} rounds: {} of {} executions decide, after {:.2f} {} (deviation {:.2f}); {} hot states, {} "
        "transitions between them, {} on cycles",
        e.protocol, e.rounds, grouped(e.decided), grouped(e.executed), e.decision_mean, e.is_timed ? "ticks" : "rounds",
        e.decision_deviation, grouped(e.hot_states), grouped(e.hot_transitions), grouped(e.cyclic_transitions));
    if (e.unknown > 0) fmt::print("; {} unknown: a buffer was full", grouped(e.unknown));
    fmt::print("\n");
    print_loops(e);
  }
  fmt::print("false%: of what is reported; false if {}\n", kLoopCriterion);
  fmt::print("by-locks%: the same; false if {}\n", kPaperCriterion);
}

Result<std::vector<std::string_view>> protocols_of(const std::string& name) {
  if (name.empty()) return std::vector<std::string_view>(liveness::kProtocols.begin(), liveness::kProtocols.end());
  const auto* found = std::ranges::find(liveness::kProtocols, name);
  if (found == liveness::kProtocols.end()) {
    return bad_input(
        fmt::format("--protocol: read \"{}\", expected hotstuff, two-phase-hotstuff or sync-hotstuff", name));
  }
  return std::vector<std::string_view>{*found};
}

liveness::Options options_of(const LivenessArguments& a) {
  liveness::Options options;
  options.scenarios = a.scenarios;
  options.seed = a.seed;
  options.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  options.stop = &catch_interrupts();
  return options;
}

}  // namespace

Result<int> reproduce_liveness(const LivenessArguments& a, const Registry& registry) {
  const auto protocols = protocols_of(a.protocol);
  if (!protocols) return tl::unexpected(protocols.error());
  liveness::Options options = options_of(a);
  ProgressLine progress;
  Json rows = Json::array();
  std::vector<Experiment> experiments;
  if (!a.json) print_head();
  for (const std::string_view protocol : *protocols) {
    for (const unsigned rounds : liveness::kRounds) {
      const Watch watch;
      options.progress = [&](std::uint64_t run) {
        progress.show(fmt::format("{}, {} rounds: {} of {}  {:.0f} s", protocol, rounds, grouped(run),
                                  grouped(options.scenarios), watch.seconds()));
      };
      auto experiment = run_experiment(registry, protocol, rounds, options);
      progress.clear();
      if (!experiment) return tl::unexpected(experiment.error());
      if (experiment->was_stopped) break;
      for (const Row& row : experiment->rows) {
        rows.push_back(json_of(*experiment, row));
        if (!a.json) print_row(*experiment, row);
      }
      std::fflush(stdout);
      experiments.push_back(*std::move(experiment));
    }
  }
  const bool is_whole = experiments.size() == protocols->size() * liveness::kRounds.size();
  if (a.json) {
    print_json(Json{{"command", "reproduce"},
                    {"what", "liveness"},
                    {"seed", a.seed},
                    {"scenarios", a.scenarios},
                    {"false_positives_by", kLoopCriterion},
                    {"false_positives_by_locks", kPaperCriterion},
                    {"was_stopped", !is_whole},
                    {"rows", rows}});
  } else {
    print_notes(experiments);
    if (!is_whole) fmt::print("stopped: only what was finished is told\n");
  }
  return is_whole ? kExitHolds : kExitUnknown;
}

}  // namespace nika::cli
