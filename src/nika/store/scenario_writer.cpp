// The writing half of scenario_json.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "nika/store/json_parts.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

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
  return fmt::format("{{\"first\": {}, \"own_first\": {}}}",
                     json_text(joined(seats, " ", [&](Seat seat) { return name_of(cluster, seat); })), order.own_first);
}

std::string note_text(const std::string& note) { return note.empty() ? "" : ", \"note\": " + json_text(note); }

// Nothing where there is nothing to tell.
std::string order_member(const Cluster& cluster, const Order& order) {
  return order == Order::fifo() ? "" : ", \"order\": " + order_text(cluster, order);
}

std::string seat_list(const Cluster& cluster, SeatSet seats) {
  return "[" + joined(seats, ", ", [&](Seat seat) { return json_text(name_of(cluster, seat)); }) + "]";
}

std::string round_text(const Cluster& cluster, const RoundPlan& plan) {
  std::string text = fmt::format("    {{\"leaders\": {}, \"partition\": {}{}", leader_list(plan.leaders),
                                 json_text(partition_text(cluster, plan.partition)), order_member(cluster, plan.order));
  if (!plan.receiver_orders.empty()) {
    text += fmt::format(", \"orders\": {{{}}}", joined(plan.receiver_orders, ", ", [&](const ReceiverOrder& own) {
                          return json_text(name_of(cluster, own.receiver)) + ": " + order_text(cluster, own.order);
                        }));
  }
  if (!plan.gives_up.empty()) text += ", \"gives_up\": " + seat_list(cluster, plan.gives_up);
  return text + note_text(plan.note) + "}";
}

std::string rounds_text(const Rule& rule) {
  if (rule.last_round == rule.first_round) return std::to_string(rule.first_round.number);
  if (rule.last_round == Round(kMaxRound)) return fmt::format("{}..", rule.first_round.number);
  return fmt::format("{}..{}", rule.first_round.number, rule.last_round.number);
}

std::string rule_text(const Cluster& cluster, const Rule& rule, std::span<const std::string_view> kinds) {
  // In the order of Action.
  static constexpr std::array<std::string_view, 7> kActions{"deliver", "drop", "delay", "withhold",
                                                            "links",   "late", "twice"};
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
  if (rule.action == Action::kLate || rule.action == Action::kTwice) {
    text += fmt::format(", \"by\": {}", rule.delay_rounds);
  }
  return text + note_text(rule.note) + "}";
}

std::string outage_text(const Cluster& cluster, const Outage& outage) {
  return fmt::format("    {{\"round\": {}, \"partition\": {}, \"withholds\": {}}}", outage.protocol_round,
                     json_text(partition_text(cluster, outage.partition)), outage.withholds);
}

// A field by its name, where the protocol's words are known.
std::string lie_text(const Cluster& cluster, const Lie& lie, const Vocabulary& words) {
  std::string text = fmt::format("    {{\"round\": {}, \"from\": {}, \"to\": {}, \"kind\": {}", lie.protocol_round,
                                 json_text(name_of(cluster, lie.from)), json_text(names(cluster, lie.to)),
                                 json_text(lie.kind < words.kinds.size() ? words.kinds[lie.kind] : "?"));
  if (!is_of_message(lie.twist)) {
    const bool is_known = lie.kind < words.leaves.size() && lie.field < words.leaves[lie.kind].size();
    text += fmt::format(", \"field\": {}", json_text(is_known ? words.leaves[lie.kind][lie.field].name : "?"));
  }
  text += fmt::format(", \"twist\": \"{}\"", name_of(lie.twist));
  if (lie.argument != 0) text += fmt::format(", \"argument\": {}", lie.argument);
  return text + "}";
}

std::string crash_text(const Cluster& cluster, const Crash& crash) {
  return fmt::format("    {{\"seat\": {}, \"down\": {}, \"up\": {}, \"memory\": {}}}",
                     json_text(name_of(cluster, crash.seat)), crash.down_from.number, crash.up_from.number,
                     crash.keeps_memory);
}

std::string timing_text(const Cluster& cluster, const Timing& timing) {
  const std::string first =
      timing.timers_first.empty() ? "" : ", \"timers_first\": " + seat_list(cluster, timing.timers_first);
  return fmt::format("{{\"delta\": {}, \"ticks\": {}, \"delay\": {}{}}}", timing.delta_ticks, timing.ticks,
                     timing.delay_ticks, first);
}

// All fields by their names, where the protocol's words are known.
std::string saying_text(const Saying& saying, const Vocabulary& words) {
  std::string fields;
  const std::size_t known = saying.kind < words.leaves.size() ? words.leaves[saying.kind].size() : 0;
  for (std::size_t i = 0; i < std::min(known, saying.fields.size()); ++i)
    fields +=
        fmt::format("{}{}: {}", i == 0 ? "" : ", ", json_text(words.leaves[saying.kind][i].name), saying.fields[i]);
  return fmt::format("\"says\": {}, \"fields\": {{{}}}",
                     json_text(saying.kind < words.kinds.size() ? words.kinds[saying.kind] : "?"), fields);
}

std::string step_text(const Cluster& cluster, const Step& step, const Vocabulary& words) {
  const std::string to = json_text(name_of(cluster, step.to));
  if (step.says) {
    return fmt::format("{{{}, \"of\": {}, \"to\": {}}}", saying_text(*step.says, words),
                       json_text(name_of(cluster, step.from)), to);
  }
  if (step.message != 0) {
    const std::string of = json_text(name_of(cluster, step.from));
    return fmt::format("{{\"message\": {}, \"of\": {}, \"to\": {}}}", step.message, of, to);
  }
  const std::string which = step.timer == 0 ? "" : fmt::format(", \"which\": {}", step.timer + 1);
  return fmt::format("{{\"timer\": {}{}}}", to, which);
}

// Three on a line: there are hundreds of them.
std::string steps_text(const Cluster& cluster, const std::vector<Step>& steps, const Vocabulary& words) {
  std::string text = "[";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += i == 0 ? "\n    " : i % 3 == 0 ? ",\n    " : ", ";
    text += step_text(cluster, steps[i], words);
  }
  return text + (steps.empty() ? "]" : "\n  ]");
}

std::string coins_text(const std::vector<std::uint8_t>& coins) {
  std::string text;
  for (const std::uint8_t coin : coins) text += coin == 0 ? '0' : '1';
  return json_text(text);
}

std::string turn_steps_text(const Cluster& cluster, const std::vector<TurnStep>& steps, const Vocabulary& words) {
  std::string text = "[";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += i == 0 ? "" : i % 6 == 0 ? ",\n      " : ", ";
    const std::string_view kind = steps[i].kind < words.kinds.size() ? words.kinds[steps[i].kind] : "?";
    text += json_text(fmt::format("{} {} {} -> {}", name_of(cluster, steps[i].from), kind, steps[i].number,
                                  names(cluster, steps[i].to)));
  }
  return text + "]";
}

std::string turn_text(const Cluster& cluster, const CoinTurn& turn, const Vocabulary& words) {
  const auto list = [&](const std::vector<TurnStep>& steps) { return turn_steps_text(cluster, steps, words); };
  std::string text = "    {\n";
  if (!turn.note.empty()) text += fmt::format("      \"note\": {},\n", json_text(turn.note));
  return text + fmt::format(
                    "      \"before\": {},\n      \"if_0\": {},\n      \"if_1\": {},\n      \"next\": [{}, {}]\n"
                    "    }}",
                    list(turn.before), list(turn.after[0]), list(turn.after[1]), turn.next[0] + 1, turn.next[1] + 1);
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

// Nodes that count the same nodes are told together.
std::string unls_member(const Scenario& scenario) {
  const auto names = [](IdentitySet nodes) {
    return json_text(joined(nodes, " ", [](Identity id) { return name_of(id); }));
  };
  std::string text;
  IdentitySet told;
  for (std::size_t i = 0; i < scenario.unls.size(); ++i) {
    if (scenario.unls[i].empty() || told.contains(static_cast<Identity>(i))) continue;
    IdentitySet owners;
    for (std::size_t j = i; j < scenario.unls.size(); ++j) {
      if (scenario.unls[j] == scenario.unls[i]) owners.insert(static_cast<Identity>(j));
    }
    told |= owners;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", names(owners), names(scenario.unls[i]));
  }
  return text.empty() ? "" : fmt::format("  \"unls\": {{{}}},\n", text);
}

}  // namespace

std::string to_json(const Scenario& scenario, const Vocabulary& words) {
  const Cluster cluster = cast_of(scenario).value();
  std::string text = "{\n  \"format\": \"nika-scenario\",\n  \"version\": 1,\n";
  if (!scenario.about.empty()) text += fmt::format("  \"about\": {},\n", json_text(scenario.about));
  text += fmt::format("  \"protocol\": {},\n  \"bugs\": [{}],\n", json_text(scenario.protocol),
                      joined(scenario.bugs, ", ", json_text));
  text += fmt::format("  \"nodes\": {},\n  \"faults\": {},\n  \"copies\": {{{}}},\n", scenario.node_count,
                      scenario.fault_count, copies_text(scenario));
  text += unls_member(scenario);
  if (!scenario.inputs.empty()) {
    text += fmt::format("  \"inputs\": {{{}}},\n", inputs_text(cluster, scenario.inputs));
  }
  text += fmt::format("  \"rounds\": [\n{}\n  ],\n",
                      joined(scenario.rounds, ",\n", [&](const RoundPlan& plan) { return round_text(cluster, plan); }));
  text += fmt::format("  \"heal\": {{\"rounds\": {}, \"leaders\": {}{}}}", scenario.heal_rounds,
                      leader_list(scenario.heal_leaders), order_member(cluster, scenario.heal_order));
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
  if (!scenario.liars.empty()) text += ",\n  \"liars\": " + leader_list(scenario.liars);
  if (!scenario.outages.empty()) {
    text += fmt::format(",\n  \"outages\": [\n{}\n  ]", joined(scenario.outages, ",\n", [&](const Outage& outage) {
                          return outage_text(cluster, outage);
                        }));
  }
  if (!scenario.lies.empty()) {
    text += fmt::format(",\n  \"lies\": [\n{}\n  ]",
                        joined(scenario.lies, ",\n", [&](const Lie& lie) { return lie_text(cluster, lie, words); }));
  }
  if (scenario.faults_count_messages) text += ",\n  \"faults_count\": \"messages\"";
  if (scenario.lies_go_on) text += ",\n  \"lies_go_on\": true";
  if (scenario.timing) text += ",\n  \"timing\": " + timing_text(cluster, *scenario.timing);
  if (scenario.steps) text += ",\n  \"steps\": " + steps_text(cluster, *scenario.steps, words);
  if (!scenario.coins.empty()) text += ",\n  \"coins\": " + coins_text(scenario.coins);
  if (!scenario.turns.empty()) {
    text += fmt::format(",\n  \"turns\": [\n{}\n  ]", joined(scenario.turns, ",\n", [&](const CoinTurn& turn) {
                          return turn_text(cluster, turn, words);
                        }));
  }
  return text + "\n}\n";
}

}  // namespace nika::store
