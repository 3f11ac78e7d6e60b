#include "nika/cli/verify_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "nika/campaign/watch.hpp"

namespace nika::cli {
namespace {

using automata::Automaton;
using automata::RoundSwitch;

constexpr const char* kReduction =
    "reduction of Bertrand, Konnov, Lazić and Widder, CONCUR 2019, whose conditions were checked";

std::string names_of(const Automaton& automaton, const std::vector<std::uint32_t>& locations) {
  std::vector<std::string> names;
  for (const std::uint32_t location : locations) names.push_back(automaton.variable_name(location));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Which properties hold of a round, of those that are asked about.
struct Held {
  std::vector<bool> holds;
  bool abandoned = false;
};

Held held_of(Automaton round, const std::vector<bool>& asked, WorkOrder order, double seconds) {
  Held held{std::vector<bool>(asked.size(), false), false};
  if (std::find(asked.begin(), asked.end(), true) == asked.end()) return held;
  if (order.timeout_seconds > 0) {
    order.timeout_seconds -= seconds;
    if (order.timeout_seconds <= 0) return held;
  }
  std::vector<std::size_t> numbers;
  std::vector<automata::Specification> wanted;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!asked[i]) continue;
    numbers.push_back(i);
    wanted.push_back(round.specifications[i]);
  }
  round.specifications = std::move(wanted);
  const WorkResult result = verify_all(round, order);
  held.abandoned = result.abandoned;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    held.holds[numbers[i]] = verdict_of(result.properties[i].outcome) == Verdict::kHolds;
  }
  return held;
}

// What follows for later rounds from properties that hold in every round.
class Consequences {
 public:
  Consequences(const Automaton& automaton, const RoundSwitch& round_switch, const std::vector<bool>& holds)
      : automaton_(automaton), round_switch_(round_switch) {
    for (std::size_t i = 0; i < holds.size(); ++i) {
      if (!holds[i]) continue;
      if (auto inheritance = inheritance_of(automaton, round_switch, *automaton.specifications[i].formula))
        inheritances_.emplace_back(automaton.specifications[i].name, std::move(*inheritance));
    }
  }

  std::string of(const automata::Formula& formula) const {
    if (const auto own = inheritance_of(automaton_, round_switch_, formula)) {
      return fmt::format("; once a round starts without {}, nobody is in {} in it or in any later one",
                         names_of(automaton_, own->starts), names_of(automaton_, own->ends));
    }
    const auto trigger = trigger_of(automaton_, formula);
    if (!trigger) return "";
    for (const auto& [name, inheritance] : inheritances_) {
      if (!triggers(round_switch_, *trigger, inheritance)) continue;
      return fmt::format("; once somebody is in {}, by {} nobody is in {} in any later round",
                         names_of(automaton_, trigger->some), name, names_of(automaton_, inheritance.ends));
    }
    return "";
  }

 private:
  const Automaton& automaton_;
  const RoundSwitch& round_switch_;
  std::vector<std::pair<std::string, automata::Inheritance>> inheritances_;
};

// What is known of the property without looking at later rounds, if that is all.
std::optional<RoundsVerdict> settled_by_one_round(const automata::Outcome& outcome) {
  switch (verdict_of(outcome)) {
    case Verdict::kViolated: return RoundsVerdict{Verdict::kViolated, "in the first round"};
    case Verdict::kUnknown: return RoundsVerdict{Verdict::kUnknown, "nor in one round: " + outcome.reason};
    default: break;
  }
  if (is_vacuous(outcome)) return RoundsVerdict{Verdict::kUnknown, "in one round it holds vacuously"};
  return std::nullopt;
}

}  // namespace

Result<automata::RoundSwitch> checked_switch(const Automaton& automaton, const std::string& text) {
  Result<RoundSwitch> round_switch = automata::parse_round_switch(automaton, text);
  if (!round_switch) return round_switch;
  if (const auto objection = objection_to_rounds(automaton, *round_switch, {}))
    return bad_input("the reduction to one round does not apply: " + *objection);
  return round_switch;
}

RoundsReport verify_rounds(const Automaton& automaton, const RoundSwitch& round_switch, const RoundsOrder& order,
                           const WorkResult& one_round) {
  const Watch watch;
  const std::size_t count = automaton.specifications.size();
  RoundsReport report;
  report.properties.resize(count);
  std::vector<bool> asked(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const auto settled = settled_by_one_round(one_round.properties[i].outcome);
    asked[i] = !settled;
    if (settled) report.properties[i] = *settled;
  }
  const Held partial =
      held_of(round_with_absent(automaton, order.work.options.budget), asked, order.work, order.spent_seconds);
  std::vector<bool> left = asked;
  for (std::size_t i = 0; i < count; ++i) left[i] = asked[i] && !partial.holds[i];
  const Held full = held_of(round_with_all(automaton), left, order.work, order.spent_seconds + watch.seconds());
  report.abandoned = partial.abandoned || full.abandoned;
  std::string terminates;
  for (std::size_t i = 0; i < count; ++i) {
    const automata::Specification& property = automaton.specifications[i];
    const bool holds = partial.holds[i] || full.holds[i];  // of every round is of every round that everybody enters
    if (holds && is_round_termination(automaton, round_switch, *property.formula)) terminates = property.name;
  }
  const Consequences consequences(automaton, round_switch, partial.holds);
  for (std::size_t i = 0; i < count; ++i) {
    RoundsVerdict& verdict = report.properties[i];
    if (!asked[i]) continue;
    if (partial.holds[i]) {
      verdict = {Verdict::kHolds, "in every round" + consequences.of(*automaton.specifications[i].formula)};
    } else if (full.holds[i] && !terminates.empty()) {
      verdict = {
          Verdict::kHolds,
          fmt::format("in every round, if everybody goes on and all rounds before it are fair as {} says", terminates)};
    } else if (full.holds[i]) {
      verdict.text =
          "it holds of rounds that everybody enters, and no property says that every round ends: expected one "
          "\"<>[](FAIR) -> <>(all but final locations are empty)\" that holds";
    } else {
      verdict.text = "it holds of the first round; whether of rounds in which one may stay anywhere is not known";
    }
  }
  return report;
}

std::string rounds_text(const Automaton& automaton, const RoundsReport& report) {
  std::size_t width = 8;
  for (const automata::Specification& property : automaton.specifications)
    width = std::max(width, property.name.size());
  std::string out = fmt::format("\nfor all rounds, round-rigid, with {}\n({})\n", report.round_switch, kReduction);
  const Paint paint;
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    const auto& [verdict, text] = report.properties[i];
    out += fmt::format("{:<{}}  {}  {}\n", automaton.specifications[i].name, width,
                       paint.verdict(verdict, fmt::format("{:<8}", name_of(verdict))), text);
  }
  return out;
}

void add_rounds(const RoundsReport& report, Json& json) {
  json["rounds"] = {{"switch", report.round_switch}, {"schedules", "round-rigid"}, {"reduction", kReduction}};
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    json["properties"][i]["all_rounds"] = {{"verdict", name_of(report.properties[i].verdict)},
                                           {"text", report.properties[i].text}};
  }
}

int exit_code_of(const RoundsReport& report) {
  Verdict worst = Verdict::kHolds;
  for (const RoundsVerdict& property : report.properties) {
    if (property.verdict == Verdict::kViolated) return kExitViolated;
    if (property.verdict == Verdict::kUnknown) worst = Verdict::kUnknown;
  }
  return exit_code_of(worst);
}

}  // namespace nika::cli
