#include "nika/report/schedule_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "nika/report/wrapped.hpp"

namespace nika::report {
namespace {

std::string kinds_of(std::uint32_t bits, std::span<const std::string_view> kinds) {
  std::vector<std::string_view> named;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if ((bits >> k & 1U) != 0) named.push_back(kinds[k]);
  }
  if (bits == Rule{}.kinds || named.size() == kinds.size()) return "messages";
  return named.empty() ? "no messages" : fmt::format("{} messages", fmt::join(named, ", "));
}

std::string whom(const Cluster& cluster, SeatSet seats) {
  if ((seats & cluster.seats()) == cluster.seats()) return "anyone";
  return seats.empty() ? "nobody" : names_of(cluster, seats);
}

std::string fate_of(const Rule& rule) {
  switch (rule.action) {
    case Action::kDeliver: return "are delivered";
    case Action::kDrop: return "are dropped";
    case Action::kDelay: return "are delayed by " + plural(rule.delay_ticks, "tick");
    case Action::kWithhold: return "are withheld until healing";
    case Action::kLate: return fmt::format("come {} late", plural(rule.delay_rounds, "round"));
    case Action::kTwice:
      return rule.delay_rounds == 0 ? "come twice"
                                    : fmt::format("come, and again {} later", plural(rule.delay_rounds, "round"));
    case Action::kLinks: break;
  }
  return "";
}

}  // namespace

std::string names_of(const Cluster& cluster, SeatSet seats) {
  std::string text;
  for (Seat seat : seats) text += (text.empty() ? "" : " ") + name_of(cluster, seat);
  return text;
}

std::string words_of(const Cluster& cluster, const Order& order) {
  if (order == Order::fifo()) return "";
  if (order == Order::reversed(cluster.seat_count)) return "reversed";
  std::vector<Seat> seats;
  for (Seat seat : cluster.seats()) seats.push_back(seat);
  std::ranges::stable_sort(seats, {}, [&](Seat seat) { return order.rank[index_of(seat)]; });
  std::string text = order.own_first ? "own first, then" : "";
  for (Seat seat : seats) text += (text.empty() ? "" : " ") + name_of(cluster, seat);
  return text;
}

std::string words_of(const Cluster& cluster, const Rule& rule, std::span<const std::string_view> kinds) {
  const std::string what = kinds_of(rule.kinds, kinds);
  if (rule.action == Action::kLinks) {
    const std::string links = links_text(cluster, rule.reach);
    return links.empty() ? what + " travel nowhere" : fmt::format("{} travel only {}", what, links);
  }
  return fmt::format("{} from {} to {} {}", what, whom(cluster, rule.from), whom(cluster, rule.to), fate_of(rule));
}

std::string_view unit_of(const Scenario& scenario) { return scenario.timing ? "view" : "round"; }

std::string rounds_of(const Rule& rule, std::string_view unit) {
  if (rule.first_round == rule.last_round) return fmt::format("{} {}", unit, rule.first_round.number);
  if (rule.last_round != Round(kMaxRound)) {
    return fmt::format("{}s {} to {}", unit, rule.first_round.number, rule.last_round.number);
  }
  if (rule.first_round == Round(1)) return fmt::format("every {}", unit);
  return fmt::format("from {} {} on", unit, rule.first_round.number);
}

std::string inputs_of(const Cluster& cluster, const Scenario& scenario) {
  std::string text;
  for (std::size_t s = 0; s < scenario.inputs.size(); ++s) {
    if (scenario.inputs[s].empty()) continue;
    text += fmt::format("{}{} has {}", text.empty() ? "" : ", ", name_of(cluster, static_cast<Seat>(s)),
                        scenario.inputs[s]);
  }
  return text;
}

std::string words_of(const Cluster& cluster, const Crash& crash) {
  return fmt::format("{} is down from round {} and up from round {}, {} its memory", name_of(cluster, crash.seat),
                     crash.down_from.number, crash.up_from.number, crash.keeps_memory ? "with" : "without");
}

namespace {

std::string twist_words(const Lie& lie) {
  switch (lie.twist) {
    case Twist::kOmit: return "not sent";
    case Twist::kRepeat: return "sent twice";
    case Twist::kRaise: return "one more";
    case Twist::kLower: return "one less";
    case Twist::kSet: return fmt::format("made of {}", lie.argument);
    case Twist::kSeen:
      return lie.argument == 0 ? "the one before" : fmt::format("an earlier one ({})", lie.argument + 1);
    case Twist::kOwn: return fmt::format("one of its own making ({})", lie.argument + 1);
    case Twist::kLeaveOut: return "left out";
    case Twist::kFlip:
      return lie.argument == 0 ? "the opposite" : fmt::format("with or without member {}", lie.argument + 1);
  }
  return "";
}

}  // namespace

std::string words_of(const Cluster& cluster, const Lie& lie, const LieWords& words) {
  const std::string from = name_of(cluster, lie.from);
  const std::string kind = words.kind(lie.kind);
  if (lie.twist == Twist::kOmit) return fmt::format("{} keeps its {} from {}", from, kind, names_of(cluster, lie.to));
  if (lie.twist == Twist::kRepeat)
    return fmt::format("{} sends its {} twice to {}", from, kind, names_of(cluster, lie.to));
  const LeafName* leaf = words.leaf(lie.kind, lie.field);
  return fmt::format("{} tells {} another {} in its {}: {}", from, names_of(cluster, lie.to),
                     leaf == nullptr ? fmt::format("field {}", lie.field + 1) : leaf->name, kind, twist_words(lie));
}

std::string words_of(const Cluster& cluster, Seat from, const Saying& saying, const LieWords& words) {
  std::string fields;
  for (unsigned i = 0; i < saying.fields.size(); ++i) {
    const LeafName* leaf = words.leaf(saying.kind, i);
    if (leaf == nullptr) break;
    const std::string value = leaf->type == LeafType::kValue
                                  ? name_of(cluster, ValueId(Round(1), from, saying.fields[i]))
                                  : fmt::format("{}", saying.fields[i]);
    fields += fmt::format("{}{} {}", fields.empty() ? " with " : ", ", leaf->name, value);
  }
  return fmt::format("{} says {}{}", name_of(cluster, from), words.kind(saying.kind), fields);
}

std::string words_of(const Cluster& cluster, const Outage& outage) {
  return fmt::format("messages travel only {}; others are {}",
                     links_text(cluster, reach_of(outage.partition, cluster.seat_count)),
                     outage.withholds ? "withheld until healing" : "lost");
}

std::string words_of(const Cluster& cluster, LeafType type, std::uint16_t brief) {
  ValueId value;
  value.packed = brief;
  switch (type) {
    case LeafType::kValue: return name_of(cluster, value);
    case LeafType::kIdentity: return brief < cluster.node_count ? name_of(static_cast<Identity>(brief)) : "nobody";
    case LeafType::kIdentities: {
      std::string text;
      for (Identity id : IdentitySet::from_bits(brief)) text += (text.empty() ? "" : " ") + name_of(id);
      return "{" + text + "}";
    }
    case LeafType::kFlag: return brief != 0 ? "yes" : "no";
    case LeafType::kList: return fmt::format("{} entries", brief);
    default: return std::to_string(brief);
  }
}

std::string words_of(const Cluster& cluster, const Timing& timing) {
  std::string text =
      fmt::format("delta is {}; the run lasts {}; messages that no rule is about take {}",
                  plural(timing.delta_ticks, "tick"), plural(timing.ticks, "tick"), plural(timing.delay_ticks, "tick"));
  if (!timing.timers_first.empty()) {
    text += fmt::format("; timers of {} run out before what arrives in the same tick",
                        names_of(cluster, timing.timers_first));
  }
  return text;
}

}  // namespace nika::report
