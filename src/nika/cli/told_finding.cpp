#include "nika/cli/told_finding.hpp"

#include <fmt/format.h>

#include "nika/base/printable.hpp"
#include "nika/cli/recorded_run.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::cli {

void print_properties(const Properties& properties, const Tally& total) {
  const bool are_told_apart = properties.size() > 1 && total.unknown > 0;
  for (std::size_t p = 0; p < properties.size(); ++p) {
    const PropertyTally& tally = total.properties[p];
    const Wide judged = total.scenarios - tally.unknown;
    if (tally.violating > 0) {
      fmt::print("  {}: broken in {} of {} scenarios\n", title_of(*properties[p]), grouped(tally.violating),
                 grouped(total.scenarios));
    } else if (are_told_apart && judged > 0) {
      fmt::print("  {}: judged in {} scenarios, broken in none\n", title_of(*properties[p]), grouped(judged));
    }
    for (std::size_t w = 0; w < tally.unknown_because.size(); ++w) {
      if (tally.unknown_because[w] == 0) continue;
      fmt::print("  {}: {} scenarios were not judged: {}\n", title_of(*properties[p]),
                 grouped(tally.unknown_because[w]), text_of(static_cast<Unjudged>(w)));
    }
  }
}

Properties broken_ones(const Properties& properties, const Tally& total) {
  Properties broken;
  for (std::size_t p = 0; p < properties.size(); ++p) {
    if (total.properties[p].violating > 0) (void)broken.push_back(properties[p]);
  }
  return broken;
}

Json json_of_properties(const Properties& properties, const Tally& total) {
  Json list = Json::array();
  for (std::size_t p = 0; p < properties.size(); ++p) {
    const PropertyTally& tally = total.properties[p];
    Json because = Json::object();
    for (std::size_t w = 0; w < tally.unknown_because.size(); ++w) {
      if (tally.unknown_because[w] > 0)
        because[std::string(text_of(static_cast<Unjudged>(w)))] = json_count(tally.unknown_because[w]);
    }
    list.push_back(Json{{"name", title_of(*properties[p])},
                        {"violating", json_count(tally.violating)},
                        {"unknown", json_count(tally.unknown)},
                        {"unknown_because", because}});
  }
  return list;
}

void print_finding(std::size_t number, const ToldFinding& told, const Runner& runner) {
  const Paint paint;
  const store::Finding& finding = told.finding;
  std::string origin;
  if (told.index) origin = fmt::format(", found as scenario {}", grouped(*told.index));
  if (finding.shrink_runs > 0) origin += ", " + report::shrinking_text(finding);
  fmt::print("\n{} {}{}\n", paint.bold(fmt::format("Finding {}:", number)), finding.kind, origin);
  fmt::print("  {}\n", report::cast_text(finding.scenario));
  fmt::print("{}", report::schedule_text(finding.scenario, "  ", runner.kinds(), terminal_columns(), runner.leaves()));
  fmt::print("  {}\n", paint.verdict(Verdict::kViolated, report::violation_text(finding)));
  fmt::print("{}", report::histories_text(finding, "  "));
  print_loop(finding.loop, "  ");
  if (told.file.empty()) return;
  fmt::print("  replay it: {} replay {}\n  see it:    {} show {}\n", program_name(), printable(told.file),
             program_name(), printable(told.file));
  if (finding.is_cut_short) fmt::print("  go on:     {} shrink {}\n", program_name(), printable(told.file));
}

Json json_of(const ToldFinding& told) {
  const store::Finding& finding = told.finding;
  Json json;
  json["property"] = finding.property;
  json["kind"] = finding.kind;
  json["file"] = told.file.empty() ? Json(nullptr) : Json(told.file);
  json["rounds"] = finding.scenario.rounds.size();
  if (finding.scenario.steps) json["steps"] = finding.scenario.steps->size();
  json["index"] = told.index ? json_count(*told.index) : Json(nullptr);
  json["nodes"] = finding.scenario.node_count;
  json["evidence"] = json_of_evidence(finding.evidence);
  json["loop"] = json_of_loop(finding.loop);
  json["shrink_runs"] = finding.shrink_runs;
  json["cut_short"] = finding.is_cut_short;
  json["trace_fingerprint"] = store::text_of(store::fingerprint_of(finding.trace.events));
  return json;
}

}  // namespace nika::cli
