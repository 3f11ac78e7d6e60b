// The writing half of scenario_json.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Items, class ToText>
std::string joined(const Items& items, std::string_view separator, const ToText& to_text) {
  std::string result;
  bool first = true;
  for (const auto& item : items) {
    if (!first) result += separator;
    first = false;
    result += to_text(item);
  }
  return result;
}

std::string names(const Cluster& cluster, SeatSet seats) {
  return joined(seats, " ", [&](Seat seat) { return name_of(cluster, seat); });
}

template <class Identities>
std::string leader_list(const Identities& leaders) {
  return "[" + joined(leaders, ", ", [](Identity id) { return json_text(name_of(id)); }) + "]";
}

std::string partition_text(const Cluster& cluster, const Partition& partition) {
  return links_text(cluster, reach_of(partition, cluster.seat_count));
}

// The seats that come first, up to where the rest follows in seat order anyway.
std::string order_text(const Cluster& cluster, const Order& order) {
  std::vector<Seat> seats;
  for (Seat seat : cluster.seats()) seats.push_back(seat);
  std::ranges::sort(seats, {}, [&](Seat seat) { return std::pair(order.rank[index_of(seat)], seat); });
  std::size_t tail = seats.size();
  while (tail > 0 && (tail == seats.size() || seats[tail - 1] < seats[tail])) --tail;
  seats.resize(tail);
  return fmt::format(", \"order\": {{\"first\": {}, \"own_first\": {}}}",
                     json_text(joined(seats, " ", [&](Seat seat) { return name_of(cluster, seat); })), order.own_first);
}

std::string note_text(const std::string& note) { return note.empty() ? "" : ", \"note\": " + json_text(note); }

std::string round_text(const Cluster& cluster, const RoundPlan& plan) {
  return fmt::format("    {{\"leaders\": {}, \"partition\": {}{}{}}}", leader_list(plan.leaders),
                     json_text(partition_text(cluster, plan.partition)),
                     plan.order == Order::fifo() ? "" : order_text(cluster, plan.order), note_text(plan.note));
}

std::string rounds_text(const Rule& rule) {
  if (rule.last_round == rule.first_round) return std::to_string(rule.first_round.number);
  if (rule.last_round == Round(kMaxRound)) return fmt::format("{}..", rule.first_round.number);
  return fmt::format("{}..{}", rule.first_round.number, rule.last_round.number);
}

std::string rule_text(const Cluster& cluster, const Rule& rule, std::span<const std::string_view> kinds) {
  static constexpr std::array<std::string_view, 4> kActions{"deliver", "drop", "delay", "withhold"};
  const Rule any;
  std::string text = "    {";
  if (rule.first_round != any.first_round || rule.last_round != any.last_round) {
    text += fmt::format("\"rounds\": {}, ", json_text(rounds_text(rule)));
  }
  if (rule.kinds != any.kinds) {
    std::vector<std::string_view> named;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if ((rule.kinds >> k & 1U) != 0) named.push_back(kinds[k]);
    }
    text += fmt::format("\"kinds\": [{}], ", joined(named, ", ", json_text));
  }
  if (rule.action == Action::kLinks) {
    return text + fmt::format("\"links\": {}{}}}", json_text(links_text(cluster, rule.reach)), note_text(rule.note));
  }
  if (rule.from != any.from) text += fmt::format("\"from\": {}, ", json_text(names(cluster, rule.from)));
  if (rule.to != any.to) text += fmt::format("\"to\": {}, ", json_text(names(cluster, rule.to)));
  text += fmt::format("\"action\": \"{}\"", kActions[static_cast<std::size_t>(rule.action)]);
  if (rule.action == Action::kDelay) text += fmt::format(", \"ticks\": {}", rule.delay_ticks);
  return text + note_text(rule.note) + "}";
}

std::string crash_text(const Cluster& cluster, const Crash& crash) {
  return fmt::format("    {{\"seat\": {}, \"down\": {}, \"up\": {}, \"memory\": {}}}",
                     json_text(name_of(cluster, crash.seat)), crash.down_from.number, crash.up_from.number,
                     crash.keeps_memory);
}

std::string inputs_text(const Cluster& cluster, const std::vector<std::string>& inputs) {
  std::string text;
  for (std::size_t s = 0; s < inputs.size(); ++s) {
    if (inputs[s].empty()) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", json_text(name_of(cluster, static_cast<Seat>(s))),
                        json_text(inputs[s]));
  }
  return text;
}

std::string copies_text(const Scenario& scenario) {
  std::string text;
  for (std::size_t i = 0; i < scenario.copies.size(); ++i) {
    if (scenario.copies[i] < 2) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", json_text(name_of(static_cast<Identity>(i))),
                        scenario.copies[i]);
  }
  return text;
}

}  // namespace

std::string to_json(const Scenario& scenario, const Vocabulary& words) {
  const Cluster cluster = make_cluster(scenario.node_count, scenario.copies).value();
  std::string text = "{\n  \"format\": \"nika-scenario\",\n  \"version\": 1,\n";
  if (!scenario.about.empty()) text += fmt::format("  \"about\": {},\n", json_text(scenario.about));
  text += fmt::format("  \"protocol\": {},\n  \"bugs\": [{}],\n", json_text(scenario.protocol),
                      joined(scenario.bugs, ", ", json_text));
  text += fmt::format("  \"nodes\": {},\n  \"faults\": {},\n  \"copies\": {{{}}},\n", scenario.node_count,
                      scenario.fault_count, copies_text(scenario));
  if (!scenario.inputs.empty()) {
    text += fmt::format("  \"inputs\": {{{}}},\n", inputs_text(cluster, scenario.inputs));
  }
  text += fmt::format("  \"rounds\": [\n{}\n  ],\n",
                      joined(scenario.rounds, ",\n", [&](const RoundPlan& plan) { return round_text(cluster, plan); }));
  text += fmt::format("  \"heal\": {{\"rounds\": {}, \"leaders\": {}{}}}", scenario.heal_rounds,
                      leader_list(scenario.heal_leaders),
                      scenario.heal_order == Order::fifo() ? "" : order_text(cluster, scenario.heal_order));
  if (!scenario.rules.empty()) {
    text += fmt::format(",\n  \"rules\": [\n{}\n  ]", joined(scenario.rules, ",\n", [&](const Rule& rule) {
                          return rule_text(cluster, rule, words.kinds);
                        }));
  }
  if (!scenario.crashes.empty()) {
    text +=
        fmt::format(",\n  \"crashes\": [\n{}\n  ]",
                    joined(scenario.crashes, ",\n", [&](const Crash& crash) { return crash_text(cluster, crash); }));
  }
  if (scenario.timing) {
    text += fmt::format(",\n  \"timing\": {{\"delta\": {}, \"ticks\": {}, \"delay\": {}}}",
                        scenario.timing->delta_ticks, scenario.timing->ticks, scenario.timing->delay_ticks);
  }
  return text + "\n}\n";
}

}  // namespace nika::store
