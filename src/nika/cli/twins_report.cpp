#include "nika/cli/twins_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "nika/report/finding_text.hpp"

namespace nika::cli {
namespace {

std::string text_of(const mpz_class& count) { return count.get_str(); }

double rate_of(const TwinsReport& report) {
  const auto covered = static_cast<double>(report.totals.covered);
  return report.seconds > 0 ? std::round(covered / report.seconds) : 0;
}

std::string plural(std::string_view count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == "1" ? "" : "s");
}

Json json_of(const StoredFinding& stored) {
  const store::Finding& finding = stored.finding;
  const auto side = [](const store::ConflictSide& s) { return Json{{"seat", s.seat}, {"value", s.value}}; };
  Json json;
  json["property"] = finding.property;
  json["kind"] = finding.kind;
  json["file"] = stored.file;
  json["rounds"] = finding.scenario.rounds.size();
  json["index"] = stored.index ? json_count(*stored.index) : Json(nullptr);
  json["nodes"] = finding.scenario.node_count;
  if (finding.standstill) {
    json["standstill"] = Json{{"since", finding.standstill->since}, {"undecided", finding.standstill->undecided}};
  } else {
    json["height"] = finding.height;
    json["first"] = side(finding.first);
    json["second"] = side(finding.second);
  }
  json["shrink_runs"] = finding.shrink_runs;
  json["trace_fingerprint"] = finding.trace.fingerprint;
  return json;
}

void print_step(const char* step, const std::string& what, const mpz_class& count) {
  fmt::print("  {}  {:<62} {}\n", step, what, grouped(text_of(count)));
}

std::string selected(const twins::Selection& selection) {
  return selection.kind == twins::Selection::Kind::kAll ? "" : ", " + to_text(selection);
}

void print_drawn(const TwinsRequest& request, const TwinsReport& report) {
  const twins::Settings& s = request.settings;
  print_step("leader", fmt::format("of a round ({})", to_text(s.leaders)), report.counts.step2 / report.counts.step1);
  fmt::print(
      "  drawn   {} of them from seed {}: in {} rounds a leader, and a partition for each of {} kinds of message{};\n"
      "          then {} rounds of healing\n",
      grouped(report.scenarios), s.seed, s.rounds, request.runner->kinds().size(), s.one_way ? ", some seats deaf" : "",
      s.heal_rounds);
}

void print_heading(const TwinsRequest& request, const TwinsReport& report) {
  const twins::Settings& s = request.settings;
  const Paint paint;
  Scenario cast;
  cast.protocol = s.protocol;
  cast.bugs = s.bugs;
  cast.node_count = static_cast<std::uint8_t>(s.nodes);
  cast.fault_count = static_cast<std::uint8_t>(s.faults.value_or(default_fault_count(s.nodes)));
  cast.copies = twins::copies_of(s);
  fmt::print("{}\n", paint.bold("Twins: " + report::cast_text(cast)));
  const unsigned seats = s.nodes + s.twins * (s.copies - 1);
  print_step("step 1",
             fmt::format("partitions of {} seats into {}{} blocks{}", seats, s.at_most ? "at most " : "", s.partitions,
                         selected(s.step1)),
             report.counts.step1);
  if (s.granularity == twins::Granularity::kPhase) return print_drawn(request, report);
  print_step("step 2", fmt::format("with leaders ({}){}", to_text(s.leaders), selected(s.step2)), report.counts.step2);
  if (report.counts.orders != 1) print_step("orders", "of delivery within a round", report.counts.orders);
  if (request.unbounded) {
    fmt::print("  step 3  any number of rounds\n");
    return;
  }
  print_step("step 3",
             fmt::format("assigned to {} rounds ({}{}), then {} of healing", s.rounds, name_of(s.assignment),
                         selected(s.step3), s.heal_rounds),
             report.counts.scenarios);
  if (!report.classes.empty()) {
    fmt::print("  classes {:<62} {}\n", "of scenarios that differ by names only", grouped(report.classes));
  }
}

void print_what_ran(const TwinsRequest& request, const TwinsReport& report) {
  const std::string rate =
      fmt::format("{:.2f} s, {} scenarios a second", report.seconds, grouped(fmt::format("{:.0f}", rate_of(report))));
  const std::string threads = plural(std::to_string(request.threads), "thread");
  if (report.search) {
    const SearchResult& search = *report.search;
    const std::string what =
        request.unbounded ? "searched" : fmt::format("covered {} scenarios by", grouped(search.covered));
    fmt::print("{} {} distinct worlds and {} runs of a round, on {}: {}\n", what, grouped(search.worlds),
               grouped(search.executions), threads, request.unbounded ? fmt::format("{:.2f} s", report.seconds) : rate);
    if (request.unbounded) {
      fmt::print("{} after {} rounds\n", search.closed ? "no new world appears" : "new worlds still appear",
                 search.rounds);
    }
    if (search.memory_was_full)
      fmt::print("memory was full: from then on worlds were run again instead of remembered\n");
  } else if (!report.classes.empty()) {
    fmt::print("ran {} classes that stand for {} scenarios, one by one, on {}: {}\n", grouped(report.totals.executed),
               grouped(report.totals.covered), threads, rate);
  } else {
    fmt::print("ran {} scenarios, one by one, on {}: {}\n", grouped(report.totals.executed), threads, rate);
  }
}

void print_verdict(const TwinsRequest& request, const TwinsReport& report) {
  const Paint paint;
  const std::string of = report.scenarios.empty() ? "" : fmt::format(" of {}", grouped(report.scenarios));
  switch (report.verdict) {
    case Verdict::kHolds:
      fmt::print("{}: {} in every scenario\n", paint.verdict(report.verdict, "HOLDS"),
                 holding_text(request.properties));
      return;
    case Verdict::kViolated: {
      std::string classes;
      if (!report.classes.empty()) classes = fmt::format(" ({} classes)", grouped(report.totals.violating_classes));
      const bool both = request.properties.agreement && request.properties.termination;
      fmt::print("{}: {}{} scenarios{} break {}\n", paint.verdict(report.verdict, "VIOLATED"),
                 grouped(report.totals.violating), of, classes,
                 both ? "agreement or termination" : name_of(request.properties));
      break;
    }
    case Verdict::kUnknown:
      fmt::print("{}: no violation found, but\n", paint.verdict(report.verdict, "UNKNOWN"));
      break;
  }
  if (!report.reason.empty()) fmt::print("  {}\n", report.reason);
}

void print_finding(std::size_t number, const StoredFinding& stored, std::span<const std::string_view> kinds) {
  const Paint paint;
  const store::Finding& finding = stored.finding;
  std::string origin;
  if (stored.index) origin = fmt::format(", found as scenario {}", grouped(*stored.index));
  if (finding.shrink_runs > 0) {
    origin +=
        fmt::format(", shrunk from {} rounds in {} runs", finding.original.rounds.size(), grouped(finding.shrink_runs));
  }
  fmt::print("\n{} {}{}\n", paint.bold(fmt::format("Finding {}:", number)), finding.kind, origin);
  fmt::print("  {}\n", report::cast_text(finding.scenario));
  fmt::print("{}", report::schedule_text(finding.scenario, "  ", kinds));
  fmt::print("  {}\n", paint.verdict(Verdict::kViolated, report::violation_text(finding)));
  fmt::print("{}", report::histories_text(finding, "  "));
  fmt::print("  replay it: {0} replay {1}\n  see it:    {0} show {1}\n", program_name(), stored.file);
}

void add_search(Json& json, const TwinsRequest& request, const SearchResult& search) {
  json["distinct_worlds"] = search.worlds;
  json["executions"] = search.executions;
  json["rounds_explored"] = search.rounds;
  json["memory_was_full"] = search.memory_was_full;
  json["unbounded"] = request.unbounded;
  json["closed"] = search.closed;
  json["worlds_by_round"] = search.worlds_by_round;
}

}  // namespace

Json json_of(const TwinsRequest& request, const TwinsReport& report) {
  Json json;
  json["command"] = "twins";
  json["protocol"] = request.settings.protocol;
  json["bugs"] = request.settings.bugs;
  json["property"] = name_of(request.properties);
  json["verdict"] = name_of(report.verdict);
  json["scenarios"] = report.scenarios.empty() ? Json(nullptr) : json_count(report.scenarios);
  json["executed"] = json_count(report.totals.executed);
  json["covered"] = json_count(report.totals.covered);
  json["violating"] = json_count(report.totals.violating);
  json["unknown"] = json_count(report.totals.unknown);
  if (!report.classes.empty()) {
    json["classes"] = json_count(report.classes);
    json["violating_classes"] = json_count(report.totals.violating_classes);
    json["symmetry"] = request.symmetry == twins::Symmetry::kExact ? "exact" : "names";
    json["weights_are_exact"] = report.weights_are_exact;
  }
  json["distinct_worlds"] = nullptr;
  if (report.search) add_search(json, request, *report.search);
  json["reason"] = report.reason.empty() ? Json(nullptr) : Json(report.reason);
  json["seconds"] = std::round(report.seconds * 1e6) / 1e6;
  json["scenarios_per_second"] = rate_of(report);
  json["findings"] = Json::array();
  for (const StoredFinding& finding : report.findings) json["findings"].push_back(json_of(finding));
  return json;
}

void print_report(const TwinsRequest& request, const TwinsReport& report) {
  print_heading(request, report);
  print_what_ran(request, report);
  print_verdict(request, report);
  for (std::size_t i = 0; i < report.findings.size(); ++i)
    print_finding(i + 1, report.findings[i], request.runner->kinds());
}

Json json_of_counts(const TwinsRequest& request, const TwinsReport& report) {
  const twins::Counts& counts = report.counts;
  Json json;
  json["command"] = "twins";
  json["protocol"] = request.settings.protocol;
  json["bugs"] = request.settings.bugs;
  json["dry_run"] = true;
  json["scenarios"] = json_count(report.scenarios);
  json["step1"] = json_count(text_of(counts.step1));
  json["step2"] = json_count(text_of(counts.step2));
  json["orders"] = json_count(text_of(counts.orders));
  json["step3"] = json_count(text_of(counts.scenarios));
  json["step3_by_assignment"] = Json{{"replacement", json_count(text_of(counts.replacement))},
                                     {"no-replacement", json_count(text_of(counts.no_replacement))},
                                     {"static", json_count(text_of(counts.statics))}};
  if (!report.classes.empty()) json["classes"] = json_count(report.classes);
  return json;
}

void print_counts(const TwinsRequest& request, const TwinsReport& report) {
  print_heading(request, report);
  if (report.scenarios != report.counts.scenarios.get_str()) {
    fmt::print("  of which {} are asked for\n", grouped(report.scenarios));
  }
}

}  // namespace nika::cli
