#include "nika/automata/trace.hpp"

#include <fmt/format.h>

namespace nika::automata {
namespace {

std::vector<TraceStep> follow(const Automaton& automaton, const std::vector<Step>& steps,
                              Configuration& configuration) {
  std::vector<TraceStep> result;
  for (const Step& step : steps) {
    const Rule& rule = automaton.rules[step.rule];
    const Configuration before = configuration;
    for (std::int64_t i = 0; i < step.count; ++i) fire(rule, configuration);
    TraceStep entry{
        rule.id, automaton.variable_name(rule.source), automaton.variable_name(rule.target), step.count, {}};
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

void print_steps(const std::vector<TraceStep>& steps, std::string& out) {
  for (const TraceStep& step : steps) {
    const std::string move = fmt::format("{:>4} × rule {}: {} → {}", step.count, step.rule, step.source, step.target);
    out += fmt::format("    {:<44} {}\n", move, joined(step.changed));
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
  trace.steps = follow(automaton, counterexample.steps, configuration);
  trace.loop = follow(automaton, counterexample.loop, configuration);
  return trace;
}

std::string printed(const Trace& trace) {
  std::string out = fmt::format("  with {}\n  start: {}\n", joined(trace.parameters), joined(trace.initial));
  print_steps(trace.steps, out);
  if (trace.loop.empty()) return out + "  and then nothing more need happen\n";
  out += "  and then for ever:\n";
  print_steps(trace.loop, out);
  return out;
}

}  // namespace nika::automata
