#include "nika/automata/printer.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace nika::automata {
namespace {

const char* symbol_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::equal: return "==";
    case Comparison::not_equal: return "!=";
    case Comparison::less: return "<";
    case Comparison::less_or_equal: return "<=";
    case Comparison::greater: return ">";
    case Comparison::greater_or_equal: break;
  }
  return ">=";
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

// Operands that bind more weakly than their surroundings get parentheses.
std::string in_parentheses(const Automaton& automaton, const Formula& formula) {
  const bool atomic = formula.kind == Formula::Kind::constant || formula.kind == Formula::Kind::comparison ||
                      formula.kind == Formula::Kind::negation || formula.kind == Formula::Kind::always ||
                      formula.kind == Formula::Kind::eventually;
  return atomic ? printed(automaton, formula) : fmt::format("({})", printed(automaton, formula));
}

std::string joined_children(const Automaton& automaton, const Formula& formula, const std::string& separator) {
  std::vector<std::string> parts;
  for (const FormulaPtr& child : formula.children) parts.push_back(in_parentheses(automaton, *child));
  return joined(parts, separator);
}

void print_rule(const Automaton& automaton, const Rule& rule, std::string& out) {
  out += fmt::format("    {}: {} -> {}\n      when ({})\n      do {{", rule.id, automaton.variable_name(rule.source),
                     automaton.variable_name(rule.target), printed(automaton, *rule.guard));
  for (const Update& update : rule.updates) {
    out += fmt::format(" {}' == {};", automaton.variable_name(update.variable), printed(automaton, update.value));
  }
  out += " };\n";
}

void print_names(const std::string& keyword, const std::vector<std::string>& names, std::string& out) {
  if (!names.empty()) out += fmt::format("  {} {};\n", keyword, joined(names, ", "));
}

void print_conditions(const Automaton& automaton, const std::string& keyword, const std::vector<FormulaPtr>& conditions,
                      std::string& out) {
  out += fmt::format("\n  {} ({}) {{\n", keyword, conditions.size());
  for (const FormulaPtr& condition : conditions) out += fmt::format("    {};\n", printed(automaton, *condition));
  out += "  }\n";
}

}  // namespace

std::string printed(const Automaton& automaton, const Expression& expression) {
  std::string out;
  for (const auto& [variable, factor] : expression.terms()) {
    const std::string& name = automaton.variable_name(variable);
    if (out.empty() && factor < 0) {
      out += "-";
    } else if (!out.empty()) {
      out += factor < 0 ? " - " : " + ";
    }
    out += std::llabs(factor) == 1 ? name : fmt::format("{} * {}", std::llabs(factor), name);
  }
  if (out.empty()) return std::to_string(expression.constant());
  if (expression.constant() > 0) out += fmt::format(" + {}", expression.constant());
  if (expression.constant() < 0) out += fmt::format(" - {}", -expression.constant());
  return out;
}

std::string printed(const Automaton& automaton, const Formula& formula) {
  switch (formula.kind) {
    case Formula::Kind::constant: return formula.value ? "true" : "false";
    case Formula::Kind::comparison:
      return fmt::format("{} {} {}", printed(automaton, formula.left), symbol_of(formula.comparison),
                         printed(automaton, formula.right));
    case Formula::Kind::negation: return fmt::format("!({})", printed(automaton, *formula.children.front()));
    case Formula::Kind::always: return fmt::format("[]({})", printed(automaton, *formula.children.front()));
    case Formula::Kind::eventually: return fmt::format("<>({})", printed(automaton, *formula.children.front()));
    case Formula::Kind::conjunction: return joined_children(automaton, formula, " && ");
    case Formula::Kind::disjunction: return joined_children(automaton, formula, " || ");
    case Formula::Kind::implication: break;
  }
  return joined_children(automaton, formula, " -> ");
}

std::string printed(const Automaton& automaton, const Normal& formula) {
  if (formula.kind == Normal::Kind::constant) return formula.value ? "true" : "false";
  if (formula.kind == Normal::Kind::atom) return printed(automaton, formula.atom) + " >= 0";
  std::vector<std::string> parts;
  for (const NormalPtr& child : formula.children) {
    const bool is_simple = child->children.empty();
    parts.push_back(is_simple ? printed(automaton, *child) : fmt::format("({})", printed(automaton, *child)));
  }
  if (formula.kind == Normal::Kind::always) return "[]" + parts.front();
  if (formula.kind == Normal::Kind::eventually) return "<>" + parts.front();
  return joined(parts, formula.kind == Normal::Kind::conjunction ? " && " : " || ");
}

std::string printed(const Automaton& automaton) {
  std::string out = fmt::format("thresholdAutomaton {} {{\n", automaton.name);
  print_names("local", automaton.locals, out);
  print_names("shared", automaton.shared, out);
  print_names("parameters", automaton.parameters, out);
  print_names("unknowns", automaton.unknowns, out);
  print_conditions(automaton, "assumptions", automaton.assumptions, out);
  out += fmt::format("\n  locations ({}) {{\n", automaton.locations.size());
  for (const Location& location : automaton.locations) {
    out += fmt::format("    {}", location.name);
    if (!location.label.empty()) out += fmt::format(": [{}]", fmt::join(location.label, "; "));
    out += ";\n";
  }
  out += "  }\n";
  print_conditions(automaton, "inits", automaton.inits, out);
  out += fmt::format("\n  rules ({}) {{\n", automaton.rules.size());
  for (const Rule& rule : automaton.rules) print_rule(automaton, rule, out);
  out += fmt::format("  }}\n\n  specifications ({}) {{\n", automaton.specifications.size());
  for (const Specification& specification : automaton.specifications) {
    out += fmt::format("    {}: {};\n", specification.name, printed(automaton, *specification.formula));
  }
  return out + "  }\n}\n";
}

}  // namespace nika::automata
