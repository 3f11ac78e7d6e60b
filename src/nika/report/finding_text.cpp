#include "nika/report/finding_text.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "nika/base/printable.hpp"
#include "nika/base/wide.hpp"
#include "nika/report/schedule_words.hpp"

namespace nika::report {
namespace {

Cluster cluster_of(const Scenario& scenario) { return cast_of(scenario).value(); }

std::string compromised_text(const Cluster& cluster) {
  std::string text;
  for (Identity id : cluster.compromised) {
    const auto twins = static_cast<std::size_t>(cluster.seats_of_identity(id).size() - 1);
    if (twins == 0) {
      text += fmt::format("{}{} lies", text.empty() ? "" : ", ", name_of(id));
      continue;
    }
    text += fmt::format("{}{} with {}", text.empty() ? "" : ", ", name_of(id),
                        twins == 1 ? "a twin" : plural(twins, "twin"));
  }
  return text.empty() ? "nobody compromised" : text;
}

// Notes are for the story.
bool look_alike(const RoundPlan& one, RoundPlan other) {
  other.note = one.note;
  return one == other;
}

std::string order_text(const Cluster& cluster, const Order& order) {
  const std::string words = words_of(cluster, order);
  return words.empty() ? "" : "; order: " + words;
}

std::string plan_text(const Cluster& cluster, const RoundPlan& plan) {
  std::string text = to_text(cluster, plan) + order_text(cluster, plan.order);
  for (const ReceiverOrder& own : plan.receiver_orders) {
    const std::string words = words_of(cluster, own.order);
    text += fmt::format("; order of {}: {}", name_of(cluster, own.receiver), words.empty() ? "fifo" : words);
  }
  if (!plan.gives_up.empty()) text += fmt::format("; gives up: {}", names_of(cluster, plan.gives_up));
  return text;
}

std::string steps_text(const Cluster& cluster, const std::vector<Step>& steps, const LieWords& words) {
  std::string text;
  for (const Step& step : steps) {
    text += text.empty() ? "" : ", ";
    const std::string to = name_of(cluster, step.to);
    text += step.says           ? fmt::format("{} to {}", words_of(cluster, step.from, *step.says, words), to)
            : step.message != 0 ? fmt::format("{}#{} to {}", name_of(cluster, step.from), step.message, to)
            : step.timer == 0   ? fmt::format("timer of {}", to)
                                : fmt::format("timer {} of {}", step.timer + 1, to);
  }
  return text.empty() ? "none" : text;
}

// Lines of a heading and what belongs to it.
class Lines {
 public:
  Lines(std::string_view indent, std::size_t columns) : indent_(indent), columns_(columns) {}
  void add(std::string_view heading, const std::string& text) {
    const std::string first = fmt::format("{}{:<12}", indent_, heading);
    text_ += wrapped(text, std::string(first.size(), ' '), first, columns_);
  }
  const std::string& text() const { return text_; }

 private:
  std::string_view indent_;
  std::size_t columns_;
  std::string text_;
};

void add_rounds(Lines& lines, const Cluster& cluster, const Scenario& scenario) {
  for (std::size_t r = 0; r < scenario.rounds.size();) {
    std::size_t end = r + 1;
    while (end < scenario.rounds.size() && look_alike(scenario.rounds[end], scenario.rounds[r])) ++end;
    const std::string which = end == r + 1
                                  ? fmt::format("{:<6} {}", unit_of(scenario), r + 1)
                                  : fmt::format("{:<6} {}-{}", fmt::format("{}s", unit_of(scenario)), r + 1, end);
    lines.add(which, plan_text(cluster, scenario.rounds[r]));
    r = end;
  }
  if (scenario.heal_rounds == 0) return;
  std::string leaders;
  for (Identity id : scenario.heal_leaders) leaders += " " + name_of(id);
  lines.add("healing",
            fmt::format("{}, everyone connected, led by{}{}", plural(scenario.heal_rounds, unit_of(scenario)), leaders,
                        order_text(cluster, scenario.heal_order)));
}

std::string coins_text(const std::vector<std::uint8_t>& coins) {
  std::string text;
  for (const std::uint8_t coin : coins) text += coin == 0 ? '0' : '1';
  return text + ", then by parity";
}

std::string turn_steps_text(const Cluster& cluster, const std::vector<TurnStep>& steps,
                            std::span<const std::string_view> kinds) {
  std::string text;
  for (const TurnStep& step : steps) {
    std::string to;
    for (Seat seat : step.to) to += " " + name_of(cluster, seat);
    text += fmt::format("{}{} {} {} to{}", text.empty() ? "" : ", ", name_of(cluster, step.from),
                        step.kind < kinds.size() ? kinds[step.kind] : "?", step.number, to);
  }
  return text.empty() ? "nothing first" : text;
}

void add_turns(Lines& lines, const Cluster& cluster, const Scenario& scenario,
               std::span<const std::string_view> kinds) {
  for (std::size_t i = 0; i < scenario.turns.size(); ++i) {
    const CoinTurn& turn = scenario.turns[i];
    lines.add(fmt::format("turn {}", i + 1), turn_steps_text(cluster, turn.before, kinds));
    for (const std::size_t coin : {0U, 1U}) {
      lines.add(fmt::format("  coin {}", coin),
                fmt::format("{}; then the rest, and turn {}", turn_steps_text(cluster, turn.after[coin], kinds),
                            turn.next[coin] + 1));
    }
  }
}

std::string conflict_text(const store::EvidenceRecord& evidence) {
  return fmt::format("at height {} {} committed {} and {} committed {}", evidence.height, evidence.claims[0].seat,
                     evidence.claims[0].value, evidence.claims[1].seat, evidence.claims[1].value);
}

// A leader that is blocked for ever is the only claim, without a value.
std::string standstill_text(const store::Finding& finding) {
  const store::EvidenceRecord& evidence = finding.evidence;
  const std::string seats = fmt::format("{}", fmt::join(evidence.seats, " "));
  if (!evidence.why.empty()) {
    return fmt::format("{} leads and can never propose: {}", evidence.claims.empty() ? seats : evidence.claims[0].seat,
                       evidence.why);
  }
  if (finding.kind == "no decision whatever the coin shows") {
    return fmt::format(
        "{} never decide, whatever the coin shows: for both values each turn comes back to a world that a turn "
        "begins with, and so it goes on for ever (proved)",
        seats);
  }
  const std::string_view have = evidence.seats.size() == 1 ? "has" : "have";
  if (evidence.since == 0) return fmt::format("{} {} decided nothing, and all that was sent has arrived", seats, have);
  return fmt::format(
      "{} {} decided nothing since {} {}, when {}", seats, have, unit_of(finding.scenario), evidence.since,
      finding.kind == "no further decision" ? "all had decided in a healed network" : "the network healed");
}

std::string left_behind_text(const store::EvidenceRecord& evidence) {
  return fmt::format("at height {} {} committed {}, but {} never {} up", evidence.height, evidence.claims[0].seat,
                     evidence.claims[0].value, fmt::join(evidence.seats, " "),
                     evidence.seats.size() == 1 ? "catches" : "catch");
}

std::string heat_text(const store::Finding& finding) {
  const store::EvidenceRecord& evidence = finding.evidence;
  std::string locks;
  for (const store::ClaimRecord& claim : evidence.claims)
    locks += fmt::format("{} {} is locked on {}", locks.empty() ? ":" : ",", claim.seat, claim.value);
  return fmt::format("{} from {} {} on{}; {}", finding.kind, unit_of(finding.scenario), evidence.since, locks,
                     evidence.why);
}

std::string unresponsive_text(const store::Finding& finding) {
  return fmt::format("{} {}, led by {}, decided nothing although the network had healed and all were in its view",
                     unit_of(finding.scenario), finding.evidence.since, fmt::join(finding.evidence.seats, " "));
}

std::string deadlock_text(const store::Finding& finding) {
  const store::EvidenceRecord& evidence = finding.evidence;
  return fmt::format("nothing is on its way and no timer runs{}, but {} still {} to decide",
                     evidence.since == 0 ? "" : fmt::format(" since {} {}", unit_of(finding.scenario), evidence.since),
                     fmt::join(evidence.seats, " "), evidence.seats.size() == 1 ? "has" : "have");
}

// For a property of which nothing is known but its evidence.
std::string evidence_text(const store::Finding& finding) {
  const store::EvidenceRecord& evidence = finding.evidence;
  std::string text = finding.kind;
  const auto add = [&](std::string_view separator, const std::string& more) {
    text += (text.empty() ? "" : std::string(separator)) + more;
  };
  if (!evidence.why.empty()) add(": ", evidence.why);
  if (!evidence.seats.empty()) add("; ", fmt::format("about {}", fmt::join(evidence.seats, " ")));
  if (evidence.since > 0) add("; ", fmt::format("since {} {}", unit_of(finding.scenario), evidence.since));
  if (evidence.height > 0) add("; ", fmt::format("at height {}", evidence.height));
  for (const store::ClaimRecord& claim : evidence.claims) {
    add("; ", claim.value.empty() ? claim.seat : fmt::format("{} committed {}", claim.seat, claim.value));
  }
  return text;
}

std::string shown_by(const store::Finding& finding) {
  const store::EvidenceRecord& evidence = finding.evidence;
  if (finding.property == "agreement" && evidence.claims.size() == 2) return conflict_text(evidence);
  if (finding.property == "termination" && !evidence.seats.empty()) return standstill_text(finding);
  if (finding.property == "totality" && !evidence.seats.empty() && evidence.claims.size() == 1) {
    return left_behind_text(evidence);
  }
  const std::string_view name = std::string_view(finding.property).substr(0, finding.property.find(':'));
  if (name == "temperature" && evidence.since > 0) return heat_text(finding);
  if (name == "responsiveness" && !evidence.seats.empty()) return unresponsive_text(finding);
  if (name == "deadlock" && !evidence.seats.empty()) return deadlock_text(finding);
  return evidence_text(finding);
}

}  // namespace

std::string cast_text(const Scenario& scenario) {
  std::string bugs;
  for (const std::string& bug : scenario.bugs) bugs += (bugs.empty() ? " with bug " : ", ") + bug;
  const std::string lists = scenario.unls.empty() ? "" : "; who counts whom: " + unls_text(scenario.unls);
  return printable(fmt::format("{}{}: {}, {}; f = {}{}", scenario.protocol, bugs, plural(scenario.node_count, "node"),
                               compromised_text(cluster_of(scenario)), scenario.fault_count, lists));
}

std::string schedule_text(const Scenario& scenario, std::string_view indent, std::span<const std::string_view> kinds,
                          std::size_t columns, std::span<const KindLeaves> leaves) {
  const Cluster cluster = cluster_of(scenario);
  Lines lines(indent, columns);
  if (const std::string inputs = inputs_of(cluster, scenario); !inputs.empty()) lines.add("inputs", inputs);
  add_rounds(lines, cluster, scenario);
  for (const Crash& crash : scenario.crashes) lines.add("crash", words_of(cluster, crash));
  for (const Rule& rule : scenario.rules) {
    lines.add("rule", fmt::format("{}: {}", rounds_of(rule, unit_of(scenario)), words_of(cluster, rule, kinds)));
  }
  const std::string_view unit = scenario.faults_count_messages ? "message" : "protocol round";
  for (const Outage& outage : scenario.outages)
    lines.add("outage", fmt::format("{} {}: {}", unit, outage.protocol_round, words_of(cluster, outage)));
  for (const Lie& lie : scenario.lies)
    lines.add("lie", fmt::format("{} {}: {}", unit, lie.protocol_round, words_of(cluster, lie, {kinds, leaves})));
  if (scenario.timing) lines.add("clock", words_of(cluster, *scenario.timing));
  if (scenario.steps) lines.add("steps", steps_text(cluster, *scenario.steps, LieWords{kinds, leaves}));
  if (!scenario.coins.empty()) lines.add("coins", coins_text(scenario.coins));
  add_turns(lines, cluster, scenario, kinds);
  return lines.text();
}

std::string violation_text(const store::Finding& finding) {
  const Cluster cluster = cluster_of(finding.scenario);
  std::string text = fmt::format("{}: {}", finding.property, shown_by(finding));
  if (cluster.compromised.size() > finding.scenario.fault_count) {
    text += fmt::format(", with {} where f = {}: a demonstration, not a finding",
                        plural(static_cast<std::size_t>(cluster.compromised.size()), "compromised node"),
                        finding.scenario.fault_count);
  }
  return printable(text);
}

std::string shrinking_text(const store::Finding& finding) {
  if (finding.shrink_runs == 0) return "";
  const auto length_of = [](const Scenario& s) {
    return s.steps ? plural(s.steps->size(), "step") : plural(s.rounds.size(), "round");
  };
  const std::string runs =
      fmt::format("{} run{}", grouped(Wide{finding.shrink_runs}), finding.shrink_runs == 1 ? "" : "s");
  if (!finding.is_cut_short) return fmt::format("shrunk from {} in {}", length_of(finding.original), runs);
  return fmt::format("shrinking from {} was cut short after {}", length_of(finding.original), runs);
}

std::string histories_text(const store::Finding& finding, std::string_view indent) {
  if (finding.evidence.claims.size() != 2) return "";
  std::map<unsigned, std::array<std::string, 2>> rows;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const store::CommitEntry& entry : finding.evidence.claims[side].history) {
      std::string& cell = rows[entry.height][side];
      cell += (cell.empty() ? "" : " then ") + printable(entry.value);
    }
  }
  if (rows.empty()) return "";
  std::string text = fmt::format("{}{:>6}   {:<14} {}\n", indent, "height", printable(finding.evidence.claims[0].seat),
                                 printable(finding.evidence.claims[1].seat));
  for (const auto& [height, values] : rows) {
    std::string line = fmt::format("{}{:>6}   {:<14} {:<14} {}", indent, height, values[0], values[1],
                                   height == finding.evidence.height ? "<- they disagree" : "");
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  return text;
}

}  // namespace nika::report
