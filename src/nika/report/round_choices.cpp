#include "nika/report/round_choices.hpp"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "nika/report/schedule_words.hpp"

namespace nika::report {
namespace {

bool is_in_force(const Rule& rule, const Scenario& scenario, unsigned number) {
  // A rule without a last round ends when the network heals.
  const bool ends_with_healing = rule.last_round == Round(kMaxRound);
  const std::size_t last = ends_with_healing ? scenario.rounds.size() : rule.last_round.number;
  return rule.first_round.number <= number && number <= last;
}

std::string noted(std::string text, const std::string& note) {
  return note.empty() ? text : fmt::format("{} ({})", text, note);
}

void add_crashes(std::vector<std::string>& lines, const Scenario& scenario, const Cluster& cluster, unsigned number) {
  for (const Crash& crash : scenario.crashes) {
    const std::string seat = name_of(cluster, crash.seat);
    const unsigned down = crash.down_from.number;
    const unsigned up = crash.up_from.number;
    if (number == down) lines.push_back(fmt::format("{} crashes, until round {}", seat, up));
    if (number > down && number < up) lines.push_back(fmt::format("{} is down", seat));
    if (number == up)
      lines.push_back(fmt::format("{} recovers {} its memory", seat, crash.keeps_memory ? "with" : "without"));
  }
}

void add_orders(std::vector<std::string>& lines, const Cluster& cluster, const RoundPlan& plan) {
  constexpr std::string_view kWhat = "what arrives together in this order:";
  if (const std::string words = words_of(cluster, plan.order); !words.empty()) {
    lines.push_back(fmt::format("seats handle {} {}", kWhat, words));
  }
  for (const ReceiverOrder& own : plan.receiver_orders) {
    const std::string words = words_of(cluster, own.order);
    lines.push_back(fmt::format("{} handles {} {}", name_of(cluster, own.receiver), kWhat,
                                words.empty() ? "own first, then by name" : words));
  }
}

}  // namespace

std::vector<std::string> choices_of(const Scenario& scenario, const TraceView& view, unsigned number) {
  std::vector<std::string> lines;
  for (const Rule& rule : scenario.rules) {
    if (is_in_force(rule, scenario, number))
      lines.push_back(noted(words_of(view.cluster, rule, view.kinds), rule.note));
  }
  RoundPlan plan;
  plan.order = scenario.heal_order;
  if (number >= 1 && number <= scenario.rounds.size()) plan = scenario.rounds[number - 1];
  add_orders(lines, view.cluster, plan);
  for (Seat seat : plan.gives_up) lines.push_back(name_of(view.cluster, seat) + " gives up as the round begins");
  add_crashes(lines, scenario, view.cluster, number);
  return lines;
}

MessageWatch::Fate MessageWatch::fate_of(const Event& event) {
  const Key key{event.message, event.peer};
  switch (event.kind) {
    case EventKind::kLate:
      late_since_.try_emplace(key, event.time);
      return usual_ticks_ ? Fate::kNothing : Fate::kPutOff;
    case EventKind::kRepeated: arrivals_.try_emplace(key, 0); return Fate::kWillRepeat;
    case EventKind::kDelivered: return arrival_of(event);
    default: return Fate::kNothing;
  }
}

MessageWatch::Fate MessageWatch::arrival_of(const Event& event) {
  const Key key{event.message, event.seat};
  if (const auto repeated = arrivals_.find(key); repeated != arrivals_.end() && ++repeated->second == 2) {
    return Fate::kComesAgain;
  }
  const auto late = late_since_.find(key);
  if (late == late_since_.end()) return Fate::kNothing;
  const std::uint32_t took = event.time - late->second;
  late_since_.erase(late);
  return took > usual_ticks_.value_or(0) || !usual_ticks_ ? Fate::kComesLate : Fate::kNothing;
}

std::string_view MessageWatch::words_of(Fate fate) {
  switch (fate) {
    case Fate::kPutOff: return "is put off";
    case Fate::kComesLate: return "comes now, late";
    case Fate::kWillRepeat: return "will come a second time";
    case Fate::kComesAgain: return "comes a second time";
    case Fate::kNothing: break;
  }
  return "";
}

std::vector<std::string> MessageWatch::changes_in(std::span<const Event> events) const {
  // The kind of message, its sender, the field and what it said and says; then which messages, and whom they were for.
  using Change = std::tuple<std::uint8_t, Seat, Height, ValueId, ValueId>;
  std::map<Change, std::pair<std::set<std::uint32_t>, SeatSet>> found;
  for (const Event& event : events) {
    if (event.kind != EventKind::kChanged) continue;
    auto& [numbers, receivers] = found[{event.message_kind, event.seat, event.height, event.value, event.other}];
    numbers.insert(event.message);
    receivers.insert(event.peer);
  }
  const LieWords words{view_.kinds, view_.leaves};
  std::vector<std::string> lines;
  for (const auto& [change, what] : found) {
    const auto& [kind, from, field, before, after] = change;
    const LeafName* leaf = words.leaf(kind, field.number);
    const LeafType type = leaf == nullptr ? LeafType::kNumber : leaf->shown;
    lines.push_back(fmt::format(
        "{} #{} of {} to {} lies: {} is {} and not {}", words.kind(kind), fmt::join(what.first, " #"),
        name_of(view_.cluster, from), names_of(view_.cluster, what.second),
        leaf == nullptr ? fmt::format("field {}", field.number + 1) : leaf->name,
        report::words_of(view_.cluster, type, after.packed), report::words_of(view_.cluster, type, before.packed)));
  }
  return lines;
}

std::vector<std::string> MessageWatch::watch(std::span<const Event> events) {
  // The kind of message, its sender and what became of it; then which messages, and whom they were for.
  std::map<std::tuple<Fate, std::uint8_t, Seat>, std::pair<std::set<std::uint32_t>, SeatSet>> found;
  for (const Event& event : events) {
    const Fate fate = fate_of(event);
    if (fate == Fate::kNothing) continue;
    const bool arrives = event.kind == EventKind::kDelivered;
    auto& [numbers, receivers] = found[{fate, event.message_kind, arrives ? event.peer : event.seat}];
    numbers.insert(event.message);
    receivers.insert(arrives ? event.seat : event.peer);
  }
  std::vector<std::string> lines = changes_in(events);
  for (const auto& [key, what] : found) {
    const auto& [fate, kind, from] = key;
    lines.push_back(fmt::format("{} #{} of {} to {} {}", kind < view_.kinds.size() ? view_.kinds[kind] : "message",
                                fmt::join(what.first, " #"), name_of(view_.cluster, from),
                                names_of(view_.cluster, what.second), words_of(fate)));
  }
  return lines;
}

}  // namespace nika::report
