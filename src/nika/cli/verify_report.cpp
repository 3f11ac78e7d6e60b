#include "nika/cli/verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nika/automata/printer.hpp"
#include "nika/automata/trace.hpp"
#include "nika/automata/vacuity.hpp"
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

Json steps_json(const std::vector<TraceStep>& steps, bool with_configurations) {
  Json list = Json::array();
  for (const TraceStep& step : steps) {
    list.push_back({{"count", step.count},
                    {"rule", step.rule},
                    {"from", step.source},
                    {"to", step.target},
                    {"changed", named_values(step.changed)},
                    {"rule_index", step.rule_index},
                    {"line", step.line},
                    {"guard", step.guard.empty() ? "true" : step.guard},
                    {"unlocked", step.unlocked}});
    if (with_configurations) list.back()["configuration"] = named_values(step.configuration);
  }
  return list;
}

std::size_t width_of_names(const automata::Automaton& automaton) {
  std::size_t width = 8;
  for (const automata::Specification& specification : automaton.specifications)
    width = std::max(width, specification.name.size());
  return width;
}

// What stands after the numbers of a property.
std::string remarks_on(const automata::Automaton& automaton, const automata::Outcome& outcome) {
  std::string out;
  if (outcome.verdict == automata::Verdict::unknown) out += "  " + outcome.reason;
  if (!outcome.by_symmetry_with.empty()) out += "  by symmetry with " + outcome.by_symmetry_with;
  if (!outcome.note.empty()) out += "  " + outcome.note;
  if (is_vacuous(outcome)) return out + "  " + outcome.vacuity;
  if (!outcome.unreached.empty()) {
    out += fmt::format("  although it names {}, which no run reaches", quoted_names(automaton, outcome.unreached));
  }
  if (!outcome.vacuity_undecided.empty()) {
    out += fmt::format("  whether only vacuously is undecided: {}", outcome.vacuity_undecided);
  }
  return out;
}

// The worst of all: violated, then unknown, then vacuous.
std::string_view overall_word(const WorkResult& result) {
  for (const std::string_view word : {"violated", "unknown", "vacuous"}) {
    for (const PropertyResult& property : result.properties) {
      if (word_for(property.outcome) == word) return word;
    }
  }
  return "holds";
}

// How a property is told apart that holds and says nothing, or may do so.
void add_vacuity(const automata::Automaton& automaton, const automata::Outcome& outcome, Json& entry) {
  if (is_vacuous(outcome)) entry["vacuity"] = outcome.vacuity;
  if (!outcome.vacuity_undecided.empty()) entry["vacuity_undecided"] = outcome.vacuity_undecided;
  if (outcome.unreached.empty()) return;
  entry["unreached"] = Json::array();
  for (const std::uint32_t location : outcome.unreached) {
    entry["unreached"].push_back(automaton.variable_name(location));
  }
}

}  // namespace

std::string table_head(const automata::Automaton& automaton) {
  return fmt::format("{:<{}}  {:<8}  {:>8}  {:>7}\n", "property", width_of_names(automaton), "verdict", "seconds",
                     "queries");
}

std::string table_line(const automata::Automaton& automaton, const FinishedProperty& property) {
  const Paint paint;
  const auto& [outcome, seconds] = property.result;
  const Verdict colour = is_vacuous(outcome) ? Verdict::kUnknown : verdict_of(outcome);
  return fmt::format("{:<{}}  {}  {:>8.3f}  {:>7}{}\n", automaton.specifications[property.property].name,
                     width_of_names(automaton), paint.verdict(colour, fmt::format("{:<8}", word_for(outcome))), seconds,
                     outcome.queries, remarks_on(automaton, outcome));
}

std::string counterexamples_text(const automata::Automaton& automaton, const WorkResult& result,
                                 bool with_configurations) {
  std::string out;
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    if (!result.properties[i].outcome.counterexample) continue;
    const automata::Specification& specification = automaton.specifications[i];
    out += fmt::format("\n{} is violated: {}\n", specification.name, printed(automaton, *specification.formula));
    out += printed(trace_of(automaton, *result.properties[i].outcome.counterexample), with_configurations);
  }
  return out;
}

std::vector<std::string> caption_of(const automata::Automaton& automaton, const automata::Outcome& outcome) {
  const automata::Specification& property = automaton.specifications.front();
  const bool is_verb = word_for(outcome) == name_of(Verdict::kHolds);
  std::vector<std::string> lines = {fmt::format("{}: {} {}{}: {}", automaton.name, property.name, is_verb ? "" : "is ",
                                                word_for(outcome), printed(automaton, *property.formula))};
  if (verdict_of(outcome) == Verdict::kUnknown) lines.push_back(outcome.reason);
  if (!outcome.counterexample) return lines;
  std::string parameters;
  for (const auto& [name, value] : trace_of(automaton, *outcome.counterexample).parameters) {
    parameters += fmt::format("{}{} = {}", parameters.empty() ? "with " : ", ", name, value);
  }
  lines.push_back(parameters);
  return lines;
}

std::string json_report(const automata::Automaton& automaton, const WorkResult& result, bool with_configurations,
                        const RoundsReport* rounds) {
  Json properties = Json::array();
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    const auto& [outcome, seconds] = result.properties[i];
    Json entry = {{"name", automaton.specifications[i].name},
                  {"formula", printed(automaton, *automaton.specifications[i].formula)},
                  {"verdict", word_for(outcome)},
                  {"seconds", std::round(seconds * 1e6) / 1e6},
                  {"queries", outcome.queries}};
    if (verdict_of(outcome) == Verdict::kUnknown) entry["reason"] = outcome.reason;
    if (!outcome.by_symmetry_with.empty()) entry["by_symmetry_with"] = outcome.by_symmetry_with;
    if (!outcome.note.empty()) entry["note"] = outcome.note;
    add_vacuity(automaton, outcome, entry);
    if (outcome.counterexample) {
      const Trace trace = trace_of(automaton, *outcome.counterexample);
      entry["counterexample"] = {{"parameters", named_values(trace.parameters)},
                                 {"initial", named_values(trace.initial)},
                                 {"steps", steps_json(trace.steps, with_configurations)},
                                 {"loop", steps_json(trace.loop, with_configurations)}};
    }
    properties.push_back(std::move(entry));
  }
  Json report = {{"command", "verify"},
                 {"verdict", overall_word(result)},
                 {"properties", std::move(properties)},
                 {"preparation_seconds", std::round(result.preparation_seconds * 1e6) / 1e6}};
  if (rounds != nullptr) add_rounds(*rounds, report);
  if (!result.warnings.empty()) report["warnings"] = result.warnings;
  return lines_of(report);
}

}  // namespace nika::cli
