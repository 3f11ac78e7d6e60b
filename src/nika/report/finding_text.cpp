#include "nika/report/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace nika::report {
namespace {

Cluster cluster_of(const Scenario& scenario) { return make_cluster(scenario.node_count, scenario.copies).value(); }

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string compromised_text(const Cluster& cluster) {
  std::string text;
  for (Identity id : cluster.compromised) {
    const auto twins = static_cast<std::size_t>(cluster.seats_of_identity(id).size() - 1);
    text += fmt::format("{}{} with {}", text.empty() ? "" : ", ", name_of(id),
                        twins == 1 ? "a twin" : plural(twins, "twin"));
  }
  return text.empty() ? "nobody compromised" : text;
}

std::string order_text(const Cluster& cluster, const Order& order) {
  if (order == Order::fifo()) return "";
  if (order == Order::reversed(cluster.seat_count)) return "  order reversed";
  std::vector<Seat> seats;
  for (Seat seat : cluster.seats()) seats.push_back(seat);
  std::ranges::stable_sort(seats, {}, [&](Seat seat) { return order.rank[index_of(seat)]; });
  std::string text = order.own_first ? "  order: own first, then" : "  order:";
  for (Seat seat : seats) text += " " + name_of(cluster, seat);
  return text;
}

std::string rounds_text(const Rule& rule) {
  if (rule.first_round == rule.last_round) return fmt::format("round {}", rule.first_round.number);
  if (rule.last_round != Round(kMaxRound)) {
    return fmt::format("rounds {} to {}", rule.first_round.number, rule.last_round.number);
  }
  return rule.first_round == Round(1) ? "every round" : fmt::format("from round {} on", rule.first_round.number);
}

std::string kinds_text(std::uint32_t bits, std::span<const std::string_view> kinds) {
  std::vector<std::string_view> named;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if ((bits >> k & 1U) != 0) named.push_back(kinds[k]);
  }
  return bits == Rule{}.kinds || named.empty() ? "messages" : fmt::format("{} messages", fmt::join(named, ", "));
}

std::string rule_text(const Cluster& cluster, const Rule& rule, std::span<const std::string_view> kinds) {
  static constexpr std::array<std::string_view, 4> kActions{"delivered", "dropped", "delayed",
                                                            "withheld until healing"};
  const auto who = [&](SeatSet seats) {
    if ((seats & cluster.seats()) == cluster.seats()) return std::string("anyone");
    std::string names;
    for (Seat seat : seats) names += (names.empty() ? "" : " ") + name_of(cluster, seat);
    return names;
  };
  const std::string what = fmt::format("{}: {}", rounds_text(rule), kinds_text(rule.kinds, kinds));
  if (rule.action == Action::kLinks) return fmt::format("{} only {}", what, links_text(cluster, rule.reach));
  std::string ticks;
  if (rule.action == Action::kDelay) ticks = " by " + plural(rule.delay_ticks, "tick");
  return fmt::format("{} from {} to {} are {}{}", what, who(rule.from), who(rule.to),
                     kActions[static_cast<std::size_t>(rule.action)], ticks);
}

// Notes are for the story.
bool look_alike(const RoundPlan& one, const RoundPlan& other) {
  return one.leaders == other.leaders && one.partition == other.partition && one.order == other.order;
}

std::string inputs_text(const Cluster& cluster, const std::vector<std::string>& inputs) {
  std::string text;
  for (std::size_t s = 0; s < inputs.size(); ++s) {
    if (inputs[s].empty()) continue;
    text += fmt::format("{}{} has {}", text.empty() ? "" : ", ", name_of(cluster, static_cast<Seat>(s)), inputs[s]);
  }
  return text;
}

}  // namespace

std::string cast_text(const Scenario& scenario) {
  std::string bugs;
  for (const std::string& bug : scenario.bugs) bugs += (bugs.empty() ? " with bug " : ", ") + bug;
  return fmt::format("{}{}: {}, {}; f = {}", scenario.protocol, bugs, plural(scenario.node_count, "node"),
                     compromised_text(cluster_of(scenario)), scenario.fault_count);
}

std::string schedule_text(const Scenario& scenario, std::string_view indent, std::span<const std::string_view> kinds) {
  const Cluster cluster = cluster_of(scenario);
  std::string text;
  if (!scenario.inputs.empty()) {
    text += fmt::format("{}{:<12}{}\n", indent, "inputs", inputs_text(cluster, scenario.inputs));
  }
  for (std::size_t r = 0; r < scenario.rounds.size();) {
    std::size_t end = r + 1;
    while (end < scenario.rounds.size() && look_alike(scenario.rounds[end], scenario.rounds[r])) ++end;
    const std::string which = end == r + 1 ? fmt::format("round  {}", r + 1) : fmt::format("rounds {}-{}", r + 1, end);
    text += fmt::format("{}{:<12}{}{}\n", indent, which, to_text(cluster, scenario.rounds[r]),
                        order_text(cluster, scenario.rounds[r].order));
    r = end;
  }
  if (scenario.heal_rounds > 0) {
    std::string leaders;
    for (Identity id : scenario.heal_leaders) leaders += " " + name_of(id);
    text += fmt::format("{}{:<12}{}, everyone connected, led by{}{}\n", indent, "healing",
                        plural(scenario.heal_rounds, "round"), leaders, order_text(cluster, scenario.heal_order));
  }
  for (const Crash& crash : scenario.crashes) {
    text += fmt::format("{}{:<12}{} is down from round {} and up from round {}, {} its memory\n", indent, "crash",
                        name_of(cluster, crash.seat), crash.down_from.number, crash.up_from.number,
                        crash.keeps_memory ? "with" : "without");
  }
  for (const Rule& rule : scenario.rules)
    text += fmt::format("{}{:<12}{}\n", indent, "rule", rule_text(cluster, rule, kinds));
  return text;
}

std::string violation_text(const store::Finding& finding) {
  if (finding.standstill) {
    const store::StandstillText& standstill = *finding.standstill;
    if (!standstill.blocked.empty()) {
      return fmt::format("{}: {} leads and can never propose: {}", finding.property, standstill.blocked_seat,
                         standstill.blocked);
    }
    return fmt::format("{}: from round {} on the network has healed, but no honest node decides ({} should)",
                       finding.property, standstill.since, fmt::join(standstill.undecided, " "));
  }
  return fmt::format("{}: at height {} {} committed {} and {} committed {}", finding.property, finding.height,
                     finding.first.seat, finding.first.value, finding.second.seat, finding.second.value);
}

std::string histories_text(const store::Finding& finding, std::string_view indent) {
  if (finding.standstill) return "";
  std::map<unsigned, std::pair<std::string, std::string>> rows;
  const auto then = [](std::string& cell, const std::string& value) { cell += (cell.empty() ? "" : " then ") + value; };
  for (const auto& entry : finding.first.history) then(rows[entry.height].first, entry.value);
  for (const auto& entry : finding.second.history) then(rows[entry.height].second, entry.value);
  std::string text = fmt::format("{}{:>6}   {:<14} {}\n", indent, "height", finding.first.seat, finding.second.seat);
  for (const auto& [height, values] : rows) {
    std::string line = fmt::format("{}{:>6}   {:<14} {:<14} {}", indent, height, values.first, values.second,
                                   height == finding.height ? "<- they disagree" : "");
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  return text;
}

}  // namespace nika::report
