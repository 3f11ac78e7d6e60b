#include "nika/automata/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "nika/automata/printer.hpp"

namespace nika::automata {
namespace {

// The comparisons with shared variables in the guards of all rules, as they are written, each once.
using Thresholds = std::map<std::string, FormulaPtr>;

void collect_thresholds(const Automaton& automaton, const FormulaPtr& formula, Thresholds& found) {
  const Expression difference = formula->left - formula->right;
  const bool reads = std::any_of(difference.terms().begin(), difference.terms().end(),
                                 [&](const auto& term) { return automaton.is_shared(term.first); });
  if (formula->kind == Formula::Kind::comparison && reads) found.emplace(printed(automaton, *formula), formula);
  for (const FormulaPtr& child : formula->children) collect_thresholds(automaton, child, found);
}

NamedValues occupied(const Automaton& automaton, const Configuration& configuration) {
  NamedValues values;
  for (std::uint32_t i = automaton.shared_begin(); i < configuration.size(); ++i) {
    if (configuration[i] != 0) values.emplace_back(automaton.variable_name(i), configuration[i]);
  }
  return values;
}

std::string guard_text(const Automaton& automaton, const Formula& guard) {
  const bool is_true = guard.kind == Formula::Kind::constant && guard.value;
  return is_true ? "" : printed(automaton, guard);
}

std::vector<TraceStep> follow(const Automaton& automaton, const std::vector<Step>& steps, const Thresholds& thresholds,
                              Configuration& configuration) {
  std::vector<TraceStep> result;
  for (const Step& step : steps) {
    const Rule& rule = automaton.rules[step.rule];
    const Configuration before = configuration;
    fire(rule, configuration, step.count);
    TraceStep entry;
    entry.rule = rule.id;
    entry.source = automaton.variable_name(rule.source);
    entry.target = automaton.variable_name(rule.target);
    entry.count = step.count;
    entry.rule_index = step.rule;
    entry.line = rule.line;
    entry.guard = guard_text(automaton, *rule.guard);
    entry.configuration = occupied(automaton, configuration);
    for (const auto& [text, threshold] : thresholds) {
      if (!satisfies(*threshold, before) && satisfies(*threshold, configuration)) entry.unlocked.push_back(text);
    }
    for (std::uint32_t i = 0; i < configuration.size(); ++i) {
      if (configuration[i] != before[i]) entry.changed.emplace_back(automaton.variable_name(i), configuration[i]);
    }
    result.push_back(std::move(entry));
  }
  return result;
}

std::string joined(const NamedValues& values) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values) parts.push_back(fmt::format("{} = {}", name, value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_steps(const std::vector<TraceStep>& steps, bool with_configurations, std::string& out) {
  for (const TraceStep& step : steps) {
    const std::string move = fmt::format("{:>4} × rule {}: {} → {}", step.count, step.rule, step.source, step.target);
    out += fmt::format("    {:<44} {}\n", move, joined(with_configurations ? step.configuration : step.changed));
    std::string about = step.line > 0 ? fmt::format("line {}", step.line) : "";
    if (!step.guard.empty()) about += fmt::format("{}when {}", about.empty() ? "" : ", ", step.guard);
    if (!step.unlocked.empty()) about += fmt::format("; unlocks {}", fmt::join(step.unlocked, ", "));
    if (!about.empty()) out += fmt::format("           {}\n", about);
  }
}

}  // namespace

Trace trace_of(const Automaton& automaton, const Counterexample& counterexample) {
  Trace trace;
  Configuration configuration = counterexample.initial;
  for (std::uint32_t i = 0; i < configuration.size(); ++i) {
    NamedValues& list = automaton.is_parameter(i) ? trace.parameters : trace.initial;
    if (automaton.is_parameter(i) || configuration[i] != 0)
      list.emplace_back(automaton.variable_name(i), configuration[i]);
  }
  Thresholds thresholds;
  for (const Rule& rule : automaton.rules) collect_thresholds(automaton, rule.guard, thresholds);
  trace.steps = follow(automaton, counterexample.steps, thresholds, configuration);
  trace.loop = follow(automaton, counterexample.loop, thresholds, configuration);
  return trace;
}

std::string printed(const Trace& trace, bool with_configurations) {
  std::string out = fmt::format("  with {}\n  start: {}\n", joined(trace.parameters), joined(trace.initial));
  print_steps(trace.steps, with_configurations, out);
  if (trace.loop.empty()) return out + "  and then nothing more need happen\n";
  out += "  and then for ever:\n";
  print_steps(trace.loop, with_configurations, out);
  return out;
}

}  // namespace nika::automata
