#include "nika/automata/round_shapes.hpp"

#include <algorithm>

#include "nika/automata/rounds.hpp"

namespace nika::automata {
namespace {

using Locations = std::vector<std::uint32_t>;

// The locations of a sum of some of them, each any positive number of times.
std::optional<Locations> summands(const Automaton& automaton, const Expression& expression) {
  Locations found;
  for (const auto& [variable, factor] : expression.terms()) {
    if (!automaton.is_location(variable) || factor <= 0) return std::nullopt;
    found.push_back(variable);
  }
  if (found.empty() || expression.constant() != 0) return std::nullopt;
  return found;
}

std::optional<Locations> joined(const Automaton& automaton, const Formula& formula,
                                std::optional<Locations> (*of)(const Automaton&, const Formula&)) {
  Locations all;
  for (const FormulaPtr& child : formula.children) {
    const auto some = of(automaton, *child);
    if (!some) return std::nullopt;
    all.insert(all.end(), some->begin(), some->end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool is_number(const Expression& expression, std::int64_t number) {
  return expression.terms().empty() && expression.constant() == number;
}

bool contains(const Locations& all, std::uint32_t one) { return std::find(all.begin(), all.end(), one) != all.end(); }

// Whoever goes on in one of the starts comes from one of the ends.
bool cover(const RoundSwitch& round_switch, const Locations& starts, const Locations& ends) {
  return std::all_of(round_switch.begin(), round_switch.end(),
                     [&](const auto& entry) { return !contains(starts, entry.second) || contains(ends, entry.first); });
}

std::optional<Locations> emptied_for_ever(const Automaton& automaton, const Formula& formula) {
  return formula.kind == Formula::Kind::always ? emptied_by(automaton, *formula.children[0]) : std::nullopt;
}

}  // namespace

std::optional<Locations> emptied_by(const Automaton& automaton, const Formula& formula) {
  if (formula.kind == Formula::Kind::conjunction) return joined(automaton, formula, emptied_by);
  if (formula.kind != Formula::Kind::comparison || formula.comparison != Comparison::equal) return std::nullopt;
  if (!is_number(formula.right, 0)) return std::nullopt;
  return summands(automaton, formula.left);
}

std::optional<Locations> occupied_by(const Automaton& automaton, const Formula& formula) {
  if (formula.kind == Formula::Kind::disjunction) return joined(automaton, formula, occupied_by);
  if (formula.kind != Formula::Kind::comparison) return std::nullopt;
  const bool is_positive =
      ((formula.comparison == Comparison::not_equal || formula.comparison == Comparison::greater) &&
       is_number(formula.right, 0)) ||
      (formula.comparison == Comparison::greater_or_equal && is_number(formula.right, 1));
  return is_positive ? summands(automaton, formula.left) : std::nullopt;
}

std::optional<Inheritance> inheritance_of(const Automaton& automaton, const RoundSwitch& round_switch,
                                          const Formula& formula) {
  if (formula.kind != Formula::Kind::implication || formula.children.size() != 2) return std::nullopt;
  const auto starts = emptied_by(automaton, *formula.children[0]);
  const auto ends = emptied_for_ever(automaton, *formula.children[1]);
  if (!starts || !ends || !cover(round_switch, *starts, *ends)) return std::nullopt;
  const bool are_starts = std::all_of(starts->begin(), starts->end(), [&](std::uint32_t start) {
    return std::any_of(round_switch.begin(), round_switch.end(),
                       [&](const auto& entry) { return entry.second == start; });
  });
  if (!are_starts) return std::nullopt;
  return Inheritance{*starts, *ends};
}

std::optional<Trigger> trigger_of(const Automaton& automaton, const Formula& formula) {
  if (formula.kind != Formula::Kind::always) return std::nullopt;
  const Formula& inner = *formula.children[0];
  if (inner.kind != Formula::Kind::implication || inner.children.size() != 2) return std::nullopt;
  const auto some = occupied_by(automaton, *inner.children[0]);
  const auto ends = emptied_for_ever(automaton, *inner.children[1]);
  if (!some || !ends) return std::nullopt;
  return Trigger{*some, *ends};
}

bool triggers(const RoundSwitch& round_switch, const Trigger& trigger, const Inheritance& inheritance) {
  return cover(round_switch, inheritance.starts, trigger.ends);
}

}  // namespace nika::automata
