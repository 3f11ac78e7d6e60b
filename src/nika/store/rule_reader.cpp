// Rules, crashes, clocks and steps of a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/store/scenario_reader.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

struct ActionName {
  Action action;
  std::string_view name;
};
constexpr std::array<ActionName, 6> kActions{{{Action::kDeliver, "deliver"},
                                              {Action::kDrop, "drop"},
                                              {Action::kDelay, "delay"},
                                              {Action::kWithhold, "withhold"},
                                              {Action::kLate, "late"},
                                              {Action::kTwice, "twice"}}};

}  // namespace

std::uint32_t ScenarioReader::kinds_in(std::span<const LocatedJson> items) {
  std::uint32_t kinds = 0;
  for (const LocatedJson& item : items) {
    const auto found = std::ranges::find(words_.kinds, item.text);
    if (item.kind != Kind::kString || found == words_.kinds.end()) {
      complain(item, fmt::format("a kind of message, one of {}", fmt::join(words_.kinds, ", ")));
      break;
    }
    kinds |= 1U << (found - words_.kinds.begin());
  }
  return kinds;
}

// "2..3": both rounds belong to it; "2" is "2..2"; "2.." goes on until the network heals.
void ScenarioReader::read_rule_rounds(const LocatedJson& node, Rule& rule) {
  const auto number = [](std::string_view digits) -> unsigned {
    if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != digits.npos) return 0;
    unsigned value = 0;
    for (const char c : digits) value = value * 10 + static_cast<unsigned>(c - '0');
    return value;
  };
  const std::string_view text = node.text;
  const std::size_t dots = text.find("..");
  const unsigned first = number(text.substr(0, dots));
  const unsigned last = dots == text.npos ? first : dots + 2 == text.size() ? kMaxRound : number(text.substr(dots + 2));
  if (node.kind != Kind::kString || first < 1 || last < first || last > kMaxRound) {
    return complain(node, fmt::format("rounds such as \"2..3\", from 1 to {}", kMaxRound));
  }
  rule.first_round = Round(first);
  rule.last_round = Round(last);
}

void ScenarioReader::read_action(const JsonObject& object, Rule& rule) {
  const std::string action = object.text("action");
  if (reading_.error()) return;
  std::vector<std::string_view> names;
  for (const ActionName& known : kActions) names.push_back(known.name);
  const auto found = std::ranges::find(names, action);
  if (found == names.end()) return complain(*object.find("action"), fmt::format("one of {}", fmt::join(names, ", ")));
  rule.action = kActions[static_cast<std::size_t>(found - names.begin())].action;
  const bool takes_rounds = rule.action == Action::kLate || rule.action == Action::kTwice;
  if (rule.action == Action::kDelay) {
    rule.delay_ticks = static_cast<std::uint8_t>(object.number("ticks", {1, 255}));
  } else if (const LocatedJson* ticks = object.find("ticks")) {
    reading_.complain(ticks->name_offset, fmt::format("\"ticks\" of \"{}\"", action), "them for \"delay\" only");
  }
  if (takes_rounds) {
    const unsigned least = rule.action == Action::kLate ? 1 : 0;
    rule.delay_rounds = static_cast<std::uint8_t>(object.number("by", {least, kMaxRound}));
  } else if (const LocatedJson* by = object.find("by")) {
    reading_.complain(by->name_offset, fmt::format("\"by\" of \"{}\"", action),
                      "a number of rounds for \"late\" and \"twice\" only");
  }
}

void ScenarioReader::read_rule(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"rounds", "kinds", "from", "to", "action", "ticks", "by", "links", "note"});
  Rule rule;
  rule.note = text_in(object, "note");
  if (const LocatedJson* rounds = object.find("rounds")) read_rule_rounds(*rounds, rule);
  if (object.find("kinds") != nullptr) rule.kinds = kinds_in(object.items("kinds", Kind::kArray));
  if (const LocatedJson* links = object.find("links")) {
    for (const std::string_view name : {"from", "to", "action", "ticks", "by"}) {
      if (const LocatedJson* other = object.find(name)) {
        reading_.complain(other->name_offset, fmt::format("\"{}\" beside \"links\"", name), "one or the other");
      }
    }
    rule.action = Action::kLinks;
    rule.reach = reach_in(*links);
  } else {
    if (const LocatedJson* from = object.find("from")) rule.from = seat_set_in(*from);
    if (const LocatedJson* to = object.find("to")) rule.to = seat_set_in(*to);
    read_action(object, rule);
  }
  if (reading_.error()) return;
  const auto sound =
      scenario_.timing ? check_synchrony(rule, *scenario_.timing, cluster_) : check_healing(rule, scenario_, cluster_);
  if (!sound) return reading_.complain(node, sound.error());
  scenario_.rules.push_back(rule);
}

void ScenarioReader::read_timing(const JsonObject& object) {
  const LocatedJson* node = object.find("timing");
  if (node == nullptr) return;
  const JsonObject timing(reading_, *node, {"delta", "ticks", "delay", "timers_first"});
  Timing& read = scenario_.timing.emplace();
  read.delta_ticks = static_cast<std::uint8_t>(timing.number("delta", {1, kMaxRound}));
  read.ticks = static_cast<std::uint8_t>(timing.number("ticks", {1, kMaxRound}));
  if (timing.find("delay") != nullptr) {
    read.delay_ticks = static_cast<std::uint8_t>(timing.number("delay", {0, read.delta_ticks}));
  }
  read.timers_first = seat_list_in(timing, "timers_first");
}

void ScenarioReader::read_crash(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"seat", "down", "up", "memory"});
  const std::string name = object.text("seat");
  Crash crash;
  crash.down_from = Round(object.number("down", {1, kMaxRound}));
  crash.up_from = Round(object.number("up", {crash.down_from.number + 1U, 255}));
  crash.keeps_memory = object.boolean("memory");
  if (reading_.error()) return;
  const auto seat = seat_named(cluster_, name);
  if (!seat) return complain(*object.find("seat"), seats_text());
  crash.seat = *seat;
  unsigned losses = crash.keeps_memory ? 0 : 1;
  for (const Crash& other : scenario_.crashes) {
    if (other.seat != crash.seat) continue;
    if (!other.keeps_memory) ++losses;
    if (other.down_from < crash.up_from && crash.down_from < other.up_from) {
      return reading_.complain(
          node.offset,
          fmt::format("a crash of {} in rounds {} to {}", name, crash.down_from.number, crash.up_from.number),
          fmt::format("a time outside its other crash, {} to {}", other.down_from.number, other.up_from.number));
    }
  }
  if (losses > ValueId::kMaxIncarnation) {
    return reading_.complain(node.offset, fmt::format("one more loss of memory of {}", name),
                             fmt::format("at most {} of one seat", ValueId::kMaxIncarnation));
  }
  scenario_.crashes.push_back(crash);
}

void ScenarioReader::read_steps(const LocatedJson& node) {
  if (node.kind != Kind::kArray) return complain(node, "a list of steps");
  std::vector<Step>& steps = scenario_.steps.emplace();
  for (const LocatedJson& item : node.items) {
    const JsonObject object(reading_, item, {"message", "of", "to", "timer", "which", "says", "fields"});
    const bool is_timer = object.find("timer") != nullptr;
    const bool is_said = !is_timer && object.find("says") != nullptr;
    const bool has_which = object.find("which") != nullptr;
    if (is_timer ? item.items.size() > (has_which ? 2U : 1U) : has_which) {
      return reading_.complain(item.offset, "a message and a timer", "a message that arrives, or a timer");
    }
    Step step;
    const auto seat = [&](const char* field) {
      const std::string name = object.text(field);
      const auto found = reading_.error() ? Result<Seat>(Seat{}) : seat_named(cluster_, name);
      if (!found) complain(*object.find(field), seats_text());
      return found.value_or(Seat{});
    };
    if (is_timer) {
      step.to = seat("timer");
      if (has_which) step.timer = static_cast<std::uint8_t>(object.number("which", {1, 255}) - 1);
    } else {
      step = {is_said ? 0 : object.number("message", {1, ~0U}), seat("to"), seat("of")};
    }
    if (is_said && !reading_.error()) read_saying(object, step);
    if (reading_.error()) return;
    steps.push_back(step);
  }
  check_steps(node, "steps");
}

// Steps are all that happens in an asynchronous run: there is no clock, nobody is parted and nothing heals.
void ScenarioReader::check_steps(const LocatedJson& node, std::string_view name) {
  const bool is_parted =
      std::ranges::any_of(scenario_.rounds, [](const RoundPlan& plan) { return plan.partition != Partition{}; });
  const std::string_view other = scenario_.timing             ? "\"timing\""
                                 : scenario_.heal_rounds > 0  ? "healing rounds"
                                 : is_parted                  ? "a partition"
                                 : !scenario_.rules.empty()   ? "rules"
                                 : !scenario_.crashes.empty() ? "crashes"
                                                              : "";
  if (other.empty()) return;
  reading_.complain(node.name_offset, fmt::format("\"{}\" beside {}", name, other), "one or the other");
}

}  // namespace nika::store
