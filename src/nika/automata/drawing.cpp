#include "nika/automata/drawing.hpp"

#include <fmt/format.h>

#include "nika/automata/printer.hpp"

namespace nika::automata {
namespace {

// Quotation marks and backslashes end a text in the language of Graphviz.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<std::vector<Mark>> marks_of(const Automaton& automaton, const Counterexample* run) {
  std::vector<std::vector<Mark>> marks(automaton.rules.size());
  if (run == nullptr) return marks;
  std::uint32_t number = 0;
  for (const Step& step : run->steps) marks[step.rule].push_back({++number, step.count, false});
  for (const Step& step : run->loop) marks[step.rule].push_back({++number, step.count, true});
  return marks;
}

std::string text_of(const std::vector<Mark>& marks) {
  std::string out = marks.size() == 1 ? "step " : "steps ";
  for (std::size_t i = 0; i < marks.size(); ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", marks[i].number);
    if (marks[i].count != 1) out += fmt::format(" ×{}", marks[i].count);
  }
  return out;
}

std::string dot_graph(const Automaton& automaton, const Drawing& drawing) {
  std::string out = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=circle, fontsize=11];\n", automaton.name);
  if (!drawing.caption.empty()) {
    std::string caption;
    for (const std::string& line : drawing.caption) caption += escaped(line) + "\\l";
    out += fmt::format("  labelloc=t;\n  labeljust=l;\n  label=\"{}\";\n", caption);
  }
  const std::vector<std::vector<Mark>> marks = marks_of(automaton, drawing.run);
  for (std::uint32_t i = 0; i < automaton.locations.size(); ++i) {
    const std::string& name = automaton.locations[i].name;
    const std::int64_t first = drawing.run == nullptr ? 0 : drawing.run->initial[automaton.location_begin() + i];
    out += first == 0 ? fmt::format("  {};\n", name)
                      : fmt::format("  {0} [label=\"{0}\\n{1}\", color=red];\n", name, first);
  }
  for (std::size_t i = 0; i < automaton.rules.size(); ++i) {
    const Rule& rule = automaton.rules[i];
    if (rule.is_stay() && marks[i].empty()) continue;
    std::string label = printed(automaton, *rule.guard);
    for (const Update& update : rule.updates) {
      label += fmt::format("\\n{} := {}", automaton.variable_name(update.variable), printed(automaton, update.value));
    }
    if (!marks[i].empty()) label += "\\n" + text_of(marks[i]);
    out += fmt::format("  {} -> {} [label=\"{}: {}\", fontsize=9{}];\n", automaton.variable_name(rule.source),
                       automaton.variable_name(rule.target), rule.id, label,
                       marks[i].empty() ? "" : ", color=red, fontcolor=red, penwidth=2");
  }
  return out + "}\n";
}

}  // namespace nika::automata
