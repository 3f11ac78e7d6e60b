#include "nika/automata/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "nika/automata/normal_form.hpp"
#include "nika/automata/oracle.hpp"
#include "nika/automata/round_shapes.hpp"

namespace nika::automata {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + separator.size();
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

Result<std::uint32_t> location_named(const Automaton& automaton, const std::string& name) {
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) {
    if (automaton.variable_name(i) == name) return i;
  }
  return bad_input(fmt::format("round switch: read \"{}\", expected a location", name));
}

// The locations from which a rule leads on, or into which one leads.
std::set<std::uint32_t> moved(const Automaton& automaton, bool from) {
  std::set<std::uint32_t> found;
  for (const Rule& rule : automaton.rules) {
    if (!rule.is_stay()) found.insert(from ? rule.source : rule.target);
  }
  return found;
}

// A location on a cycle of rules that do something.
std::optional<std::uint32_t> on_cycle(const Automaton& automaton) {
  std::set<std::uint32_t> left;  // locations that may still be on one
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) left.insert(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto location = left.begin(); location != left.end();) {
      const bool goes_on = std::any_of(automaton.rules.begin(), automaton.rules.end(), [&](const Rule& rule) {
        return !rule.is_stay() && rule.source == *location && left.count(rule.target) > 0;
      });
      changed = changed || !goes_on;
      location = goes_on ? std::next(location) : left.erase(location);
    }
  }
  if (left.empty()) return std::nullopt;
  return *left.begin();
}

bool reads(const Expression& expression, std::uint32_t variable) {
  return std::any_of(expression.terms().begin(), expression.terms().end(),
                     [&](const auto& term) { return term.first == variable; });
}

bool reads(const Formula& formula, std::uint32_t variable) {
  if (reads(formula.left, variable) || reads(formula.right, variable)) return true;
  return std::any_of(formula.children.begin(), formula.children.end(),
                     [&](const FormulaPtr& child) { return reads(*child, variable); });
}

// Who goes on leaves a final location while others may still be on their way; no rule may notice.
std::optional<std::string> objection_to_reading(const Automaton& automaton, const RoundSwitch& round_switch) {
  for (const Rule& rule : automaton.rules) {
    for (const auto& [from, to] : round_switch) {
      const std::uint32_t final = from;
      const bool is_noticed =
          reads(*rule.guard, final) || std::any_of(rule.updates.begin(), rule.updates.end(),
                                                   [&](const Update& update) { return reads(update.value, final); });
      if (is_noticed && !rule.is_stay())
        return fmt::format("rule {} reads '{}', which processes leave for the next round while this one goes on",
                           rule.id, automaton.variable_name(final));
    }
  }
  return std::nullopt;
}

std::optional<std::string> objection_to_shape(const Automaton& automaton, const RoundSwitch& round_switch) {
  const std::set<std::uint32_t> sources = moved(automaton, true);
  const std::set<std::uint32_t> targets = moved(automaton, false);
  std::set<std::uint32_t> finals;
  for (const auto& [from, to] : round_switch) {
    if (sources.count(from) > 0)
      return fmt::format("'{}' is not final: a rule leads out of it", automaton.variable_name(from));
    if (targets.count(to) > 0)
      return fmt::format("'{}' is no start location: a rule leads into it", automaton.variable_name(to));
    finals.insert(from);
  }
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) {
    if (sources.count(i) == 0 && finals.count(i) == 0)
      return fmt::format("no rule leads out of '{}', and the switch does not say where to go on from it",
                         automaton.variable_name(i));
  }
  if (const auto location = on_cycle(automaton))
    return fmt::format("not one round: a process can come back to '{}'", automaton.variable_name(*location));
  return objection_to_reading(automaton, round_switch);
}

// Locations that rules connect have the same number here: no process gets from one number to another.
std::vector<std::uint32_t> components(const Automaton& automaton) {
  std::vector<std::uint32_t> number(automaton.variable_count());
  for (std::uint32_t i = 0; i < number.size(); ++i) number[i] = i;
  for (const Rule& rule : automaton.rules) {
    const std::uint32_t old = number[rule.source];
    std::replace(number.begin(), number.end(), old, number[rule.target]);
  }
  return number;
}

// Wherever the processes of a round end, where they go on is a start of the automaton, with the same parameters: asked
// of every distribution over the final locations, reachable or not, that keeps their numbers in each component.
std::optional<std::string> objection_to_starts(const Automaton& automaton, const RoundSwitch& round_switch,
                                               const smt::Budget& budget) {
  const std::unique_ptr<smt::Solver> solver = smt::make_z3_solver();
  SymbolicConfiguration first;
  SymbolicConfiguration next;
  smt::Linear processes;
  const std::vector<std::uint32_t> component = components(automaton);
  std::map<std::uint32_t, smt::Linear> gone;  // by component: how many do not arrive
  for (std::uint32_t i = 0; i < automaton.variable_count(); ++i) {
    first.emplace_back(smt::IntVariable{i});
    next.push_back(automaton.is_parameter(i) ? first.back() : smt::Linear(0));
    solver->add(first.back() >= 0);
    if (!automaton.is_location(i)) continue;
    processes += first.back();
    gone[component[i]] += first.back();
  }
  std::uint32_t fresh = automaton.variable_count();
  for (const auto& [from, to] : round_switch) {
    const smt::Linear number{smt::IntVariable{fresh++}};
    solver->add(number >= 0);
    gone[component[from]] -= number;
    next[to] += number;
  }
  std::vector<smt::Formula> all;
  for (const auto* conditions : {&automaton.assumptions, &automaton.inits}) {
    for (const FormulaPtr& condition : *conditions) {
      solver->add(instantiate(*normal_form(*condition), first));
      all.push_back(instantiate(*negated_normal_form(*condition), next));
    }
  }
  solver->add(processes >= 1);
  for (const auto& [name, number] : gone) {
    solver->add(number >= 0);
    solver->add(number <= 0);
  }
  solver->add(smt::any_of(all));
  switch (solver->check(budget)) {
    case smt::Answer::unsatisfiable: return std::nullopt;
    case smt::Answer::unknown: return "whether the next round can start where this one ends: " + solver->reason();
    case smt::Answer::satisfiable: break;
  }
  std::string where;
  for (std::uint32_t i = 0; i < automaton.parameter_count(); ++i)
    where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", automaton.variable_name(i), solver->value({i}));
  for (std::uint32_t i = 0; i < round_switch.size(); ++i) {
    const std::int64_t number = solver->value({automaton.variable_count() + i});
    if (number > 0) where += fmt::format(", {} = {}", automaton.variable_name(round_switch[i].first), number);
  }
  return fmt::format("the next round cannot start where this one may end, with {}", where);
}

FormulaPtr with_absent(const FormulaPtr& formula, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& absent) {
  auto copy = std::make_shared<Formula>(*formula);
  for (Expression* side : {&copy->left, &copy->right}) {
    Expression more;
    for (const auto& [variable, factor] : side->terms()) {
      for (const auto& [present, missing] : absent) {
        if (present == variable) more += factor * Expression(smt::IntVariable{missing});
      }
    }
    *side += more;
  }
  for (FormulaPtr& child : copy->children) child = with_absent(child, absent);
  return copy;
}

}  // namespace

Result<RoundSwitch> parse_round_switch(const Automaton& automaton, const std::string& text) {
  RoundSwitch round_switch;
  std::set<std::uint32_t> seen;
  for (const std::string& part : split(text, ";")) {
    if (part.empty()) continue;
    const std::vector<std::string> sides = split(part, "->");
    if (sides.size() != 2)
      return bad_input(fmt::format("round switch: read \"{}\", expected \"final, … -> start\"", part));
    const Result<std::uint32_t> to = location_named(automaton, sides[1]);
    if (!to) return tl::unexpected(to.error());
    for (const std::string& name : split(sides[0], ",")) {
      const Result<std::uint32_t> from = location_named(automaton, name);
      if (!from) return tl::unexpected(from.error());
      if (!seen.insert(*from).second)
        return bad_input(fmt::format("round switch: '{}' goes on in two places, expected one", name));
      round_switch.emplace_back(*from, *to);
    }
  }
  if (round_switch.empty()) return bad_input("round switch: read nothing, expected \"final, … -> start; …\"");
  return round_switch;
}

std::optional<std::string> objection_to_rounds(const Automaton& automaton, const RoundSwitch& round_switch,
                                               const smt::Budget& budget) {
  if (auto objection = objection_to_shape(automaton, round_switch)) return objection;
  Oracle oracle(automaton, budget);
  for (std::uint32_t i = automaton.shared_begin(); i < automaton.location_begin(); ++i) {
    if (oracle.is_possible_initially(normal_atom(Expression(smt::IntVariable{i}) - Expression(1))))
      return fmt::format("'{}' may start above 0, and each round has variables of its own that start at 0",
                         automaton.variable_name(i));
  }
  return objection_to_starts(automaton, round_switch, budget);
}

Automaton round_with_all(const Automaton& automaton) {
  Automaton round = automaton;
  std::erase_if(round.rules, [](const Rule& rule) { return rule.is_stay(); });
  return round;
}

Automaton round_with_absent(const Automaton& automaton, const smt::Budget& budget) {
  Automaton round = round_with_all(automaton);
  Oracle oracle(automaton, budget);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> absent;
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) {
    if (!oracle.is_possible_initially(normal_atom(Expression(smt::IntVariable{i}) - Expression(1)))) continue;
    absent.emplace_back(i, round.variable_count());
    round.locations.push_back({"absent from " + automaton.variable_name(i), {}});
  }
  for (auto* conditions : {&round.assumptions, &round.inits}) {
    for (FormulaPtr& condition : *conditions) condition = with_absent(condition, absent);
  }
  return round;
}

bool is_round_termination(const Automaton& automaton, const RoundSwitch& round_switch, const Formula& formula) {
  if (formula.kind != Formula::Kind::implication || formula.children.size() != 2) return false;
  const Formula& fair = *formula.children[0];
  const Formula& good = *formula.children[1];
  if (fair.kind != Formula::Kind::eventually || fair.children[0]->kind != Formula::Kind::always) return false;
  if (fair.children[0]->children[0]->is_temporal() || good.kind != Formula::Kind::eventually) return false;
  const auto empty = emptied_by(automaton, *good.children[0]);
  if (!empty) return false;
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) {
    const bool is_final =
        std::any_of(round_switch.begin(), round_switch.end(), [&](const auto& entry) { return entry.first == i; });
    if (!is_final && std::find(empty->begin(), empty->end(), i) == empty->end()) return false;
  }
  return true;
}

}  // namespace nika::automata
