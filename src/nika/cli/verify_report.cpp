#include "nika/cli/verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nika/automata/trace.hpp"
#include "nika/cli/console.hpp"

namespace nika::cli {
namespace {

using automata::Trace;
using automata::TraceStep;

Json named_values(const automata::NamedValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

Json steps_json(const std::vector<TraceStep>& steps) {
  Json list = Json::array();
  for (const TraceStep& step : steps) {
    list.push_back({{"count", step.count},
                    {"rule", step.rule},
                    {"from", step.source},
                    {"to", step.target},
                    {"changed", named_values(step.changed)}});
  }
  return list;
}

}  // namespace

std::string text_report(const automata::Automaton& automaton, const WorkResult& result) {
  const Paint paint;
  std::size_t width = 8;
  for (const automata::Specification& specification : automaton.specifications)
    width = std::max(width, specification.name.size());
  std::string out = fmt::format("{:<{}}  {:<8}  {:>8}  {:>7}\n", "property", width, "verdict", "seconds", "queries");
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    const auto& [outcome, seconds] = result.properties[i];
    const Verdict verdict = verdict_of(outcome);
    out += fmt::format("{:<{}}  {}  {:>8.3f}  {:>7}", automaton.specifications[i].name, width,
                       paint.verdict(verdict, fmt::format("{:<8}", name_of(verdict))), seconds, outcome.queries);
    if (verdict == Verdict::kUnknown) out += "  " + outcome.reason;
    if (!outcome.by_symmetry_with.empty()) out += "  by symmetry with " + outcome.by_symmetry_with;
    if (!outcome.note.empty()) out += "  " + outcome.note;
    out += "\n";
  }
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    if (!result.properties[i].outcome.counterexample) continue;
    out += fmt::format("\n{} is violated\n", automaton.specifications[i].name);
    out += printed(trace_of(automaton, *result.properties[i].outcome.counterexample));
  }
  return out;
}

std::string json_report(const automata::Automaton& automaton, const WorkResult& result) {
  Json properties = Json::array();
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    const auto& [outcome, seconds] = result.properties[i];
    Json entry = {{"name", automaton.specifications[i].name},
                  {"verdict", name_of(verdict_of(outcome))},
                  {"seconds", std::round(seconds * 1e6) / 1e6},
                  {"queries", outcome.queries}};
    if (verdict_of(outcome) == Verdict::kUnknown) entry["reason"] = outcome.reason;
    if (!outcome.by_symmetry_with.empty()) entry["by_symmetry_with"] = outcome.by_symmetry_with;
    if (!outcome.note.empty()) entry["note"] = outcome.note;
    if (outcome.counterexample) {
      const Trace trace = trace_of(automaton, *outcome.counterexample);
      entry["counterexample"] = {{"parameters", named_values(trace.parameters)},
                                 {"initial", named_values(trace.initial)},
                                 {"steps", steps_json(trace.steps)},
                                 {"loop", steps_json(trace.loop)}};
    }
    properties.push_back(std::move(entry));
  }
  Json report = {{"properties", std::move(properties)},
                 {"preparation_seconds", std::round(result.preparation_seconds * 1e6) / 1e6}};
  return lines_of(report);
}

}  // namespace nika::cli
