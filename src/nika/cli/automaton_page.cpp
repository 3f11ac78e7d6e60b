#include "nika/cli/automaton_page.hpp"

#include <fmt/format.h>

#include "nika/automata/printer.hpp"
#include "nika/automata/trace.hpp"
#include "nika/cli/console.hpp"
#include "nika/report/run_page.hpp"

namespace nika::cli {
namespace {

using automata::Automaton;

std::vector<report::PageCounter> counters_of(const automata::NamedValues& values) {
  std::vector<report::PageCounter> counters;
  for (const auto& [name, value] : values) counters.push_back({name, std::to_string(value)});
  return counters;
}

report::PageRule page_of(const Automaton& automaton, const automata::Rule& rule) {
  report::PageRule page;
  page.id = rule.id;
  page.source = rule.source - automaton.location_begin();
  page.target = rule.target - automaton.location_begin();
  page.guard = automata::printed(automaton, *rule.guard);
  for (const automata::Update& update : rule.updates) {
    page.updates.push_back(
        fmt::format("{} := {}", automaton.variable_name(update.variable), automata::printed(automaton, update.value)));
  }
  return page;
}

void add_path(report::PageAutomaton& page, const automata::Trace& trace) {
  page.parameters = counters_of(trace.parameters);
  page.initial = counters_of(trace.initial);
  const auto add = [&](const automata::TraceStep& step, bool is_in_loop) {
    page.steps.push_back(
        {step.rule_index, std::to_string(step.count), is_in_loop, step.unlocked, counters_of(step.configuration)});
  };
  for (const automata::TraceStep& step : trace.steps) add(step, false);
  for (const automata::TraceStep& step : trace.loop) add(step, true);
}

// What holds of nothing is no success.
std::string verdict_of(const automata::Outcome& outcome) {
  const bool is_vacuous = outcome.verdict == automata::Verdict::holds && !outcome.vacuity.empty();
  return is_vacuous ? "vacuous" : automata::to_string(outcome.verdict);
}

std::string verdict_text(const automata::Outcome& outcome, const std::string& property) {
  std::string text = fmt::format("{}: {}", property, verdict_of(outcome));
  for (const std::string& more : {outcome.reason, outcome.vacuity, outcome.vacuity_undecided, outcome.note})
    if (!more.empty()) text += "; " + more;
  return text;
}

}  // namespace

report::Page page_of(const Automaton& automaton, std::size_t position, const automata::Outcome& outcome) {
  const automata::Specification& property = automaton.specifications[position];
  report::Page page;
  page.program = version_text();
  page.title = fmt::format("{}: {}", automaton.name, property.name);
  page.event_layout = report::event_layout();
  report::PageAutomaton drawn;
  drawn.property = property.name;
  drawn.verdict = verdict_of(outcome);
  drawn.caption = {automata::printed(automaton, *property.formula), verdict_text(outcome, property.name)};
  for (const automata::Location& location : automaton.locations) drawn.locations.push_back(location.name);
  drawn.shared = automaton.shared;
  for (const automata::Rule& rule : automaton.rules) drawn.rules.push_back(page_of(automaton, rule));
  if (outcome.counterexample) add_path(drawn, automata::trace_of(automaton, *outcome.counterexample));
  page.automaton = std::move(drawn);
  return page;
}

}  // namespace nika::cli
