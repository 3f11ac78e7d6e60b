// The reading half of scenario_json.hpp. After the first complaint reading goes on with harmless values.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/base/located_json.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

constexpr std::array<std::string_view, 4> kActions{"deliver", "drop", "delay", "withhold"};

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = text.find_first_not_of(' ');
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(' ', end);
  }
  return words;
}

class ScenarioReader {
 public:
  explicit ScenarioReader(JsonReading& reading) : reading_(reading) {}

  Scenario read(const LocatedJson& root, const VocabularyOf& words_of) {
    read_all(root, words_of);
    return std::move(scenario_);
  }

 private:
  void read_all(const LocatedJson& root, const VocabularyOf& words_of);
  void read_protocol(const JsonObject& object, const VocabularyOf& words_of);
  void read_cluster(const JsonObject& object);
  void read_copies(const JsonObject& object);
  void read_inputs(const JsonObject& object);
  void read_heal(const JsonObject& object);
  void read_round(const LocatedJson& node);
  void read_rule(const LocatedJson& node);
  void read_rule_rounds(const LocatedJson& node, Rule& rule);
  void read_action(const JsonObject& object, Rule& rule);
  void read_crash(const LocatedJson& node);
  void read_timing(const JsonObject& object);
  Partition partition_in(const LocatedJson& node);
  Order order_in(const LocatedJson& node);
  Reach reach_in(const LocatedJson& node);
  std::vector<Seat> seats_in(const LocatedJson& node, std::string_view text);
  SeatSet seat_set_in(const LocatedJson& node);
  std::vector<Identity> identities_in(const JsonObject& object, std::string_view name);
  std::uint32_t kinds_in(std::span<const LocatedJson> items);
  static std::string text_in(const JsonObject& object, std::string_view name) {
    return object.find(name) == nullptr ? "" : object.text(name);
  }
  std::string seats_text() const;
  std::string nodes_text() const;
  void complain(const LocatedJson& at, std::string_view expected) { reading_.complain(at, expected); }

  JsonReading& reading_;
  Scenario scenario_;
  Cluster cluster_;
  Vocabulary words_;
};

std::string ScenarioReader::seats_text() const {
  std::string names;
  for (Seat seat : cluster_.seats()) names += " " + name_of(cluster_, seat);
  return "only the seats" + names;
}

std::string ScenarioReader::nodes_text() const {
  return fmt::format("a node from A to {}", name_of(static_cast<Identity>(scenario_.node_count - 1)));
}

void ScenarioReader::read_all(const LocatedJson& root, const VocabularyOf& words_of) {
  const JsonObject object(reading_, root,
                          {"format", "version", "about", "protocol", "bugs", "nodes", "faults", "copies", "inputs",
                           "rounds", "heal", "rules", "crashes", "timing"});
  if (object.text("format") != "nika-scenario") {
    const LocatedJson* format = object.find("format");
    complain(format != nullptr ? *format : root, "\"nika-scenario\"");
  }
  object.number("version", {1, 1});
  scenario_.about = text_in(object, "about");
  read_protocol(object, words_of);
  read_cluster(object);
  // Everything else names seats, which only a sound cluster has.
  if (reading_.error()) return;
  read_inputs(object);
  read_timing(object);
  read_heal(object);
  const auto rounds = object.items("rounds", Kind::kArray);
  if (rounds.empty() || rounds.size() > kMaxRound - scenario_.heal_rounds) {
    const LocatedJson* place = object.find("rounds");
    reading_.complain(
        place != nullptr ? place->offset : root.offset, fmt::format("{} rounds", rounds.size()),
        fmt::format("1 to {} besides the {} of healing", kMaxRound - scenario_.heal_rounds, scenario_.heal_rounds));
    return;
  }
  for (const LocatedJson& node : rounds) read_round(node);
  for (const LocatedJson& node : object.items("rules", Kind::kArray)) read_rule(node);
  for (const LocatedJson& node : object.items("crashes", Kind::kArray)) read_crash(node);
  if (!scenario_.timing || reading_.error()) return;
  if (const auto sound = check_synchrony(scenario_); !sound) reading_.complain(*object.find("timing"), sound.error());
}

void ScenarioReader::read_protocol(const JsonObject& object, const VocabularyOf& words_of) {
  scenario_.protocol = object.text("protocol");
  if (reading_.error()) return;
  const auto words = words_of(scenario_.protocol);
  if (!words) return reading_.complain(*object.find("protocol"), words.error());
  words_ = *words;
  for (const LocatedJson& item : object.items("bugs", Kind::kArray)) {
    if (item.kind != Kind::kString || std::ranges::find(words_.bugs, item.text) == words_.bugs.end()) {
      return complain(item, words_.bugs.empty() ? fmt::format("no bug: {} has none", scenario_.protocol)
                                                : fmt::format("one of {}", fmt::join(words_.bugs, ", ")));
    }
    if (std::ranges::find(scenario_.bugs, item.text) != scenario_.bugs.end()) return complain(item, "each bug once");
    scenario_.bugs.push_back(item.text);
  }
}

void ScenarioReader::read_cluster(const JsonObject& object) {
  scenario_.node_count = static_cast<std::uint8_t>(object.number("nodes", {1, kMaxSeats}));
  scenario_.fault_count = static_cast<std::uint8_t>(object.number("faults", {0, scenario_.node_count}));
  read_copies(object);
  if (reading_.error()) return;
  const auto cluster = make_cluster(scenario_.node_count, scenario_.copies);
  if (cluster) {
    cluster_ = *cluster;
  } else {
    reading_.complain(*object.find("copies"), cluster.error());
  }
}

void ScenarioReader::read_copies(const JsonObject& object) {
  std::vector<std::uint8_t> copies(scenario_.node_count, 0);
  for (const LocatedJson& item : object.items("copies", Kind::kObject)) {
    const std::size_t identity = item.name.size() == 1 ? static_cast<std::size_t>(item.name[0] - 'A') : copies.size();
    if (identity >= copies.size() || copies[identity] != 0) {
      return reading_.complain(item.name_offset, describe({.kind = Kind::kString, .text = item.name}),
                               nodes_text() + ", each once");
    }
    if (!item.number || *item.number < 1 || *item.number > kMaxSeats) {
      return complain(item, fmt::format("a number of seats from 1 to {}", kMaxSeats));
    }
    copies[identity] = static_cast<std::uint8_t>(*item.number);
  }
  for (std::uint8_t& count : copies) count = std::max<std::uint8_t>(count, 1);
  while (!copies.empty() && copies.back() == 1) copies.pop_back();
  scenario_.copies = copies;
}

void ScenarioReader::read_inputs(const JsonObject& object) {
  const auto items = object.items("inputs", Kind::kObject);
  if (items.empty()) return;
  scenario_.inputs.resize(cluster_.seat_count);
  for (const LocatedJson& item : items) {
    const auto seat = seat_named(cluster_, item.name);
    if (!seat || !scenario_.inputs[index_of(*seat)].empty()) {
      return reading_.complain(item.name_offset, describe({.kind = Kind::kString, .text = item.name}),
                               seats_text() + ", each once");
    }
    if (item.kind != Kind::kString || item.text.empty()) return complain(item, "the name of a value, such as \"v1\"");
    scenario_.inputs[index_of(*seat)] = item.text;
  }
}

std::vector<Identity> ScenarioReader::identities_in(const JsonObject& object, std::string_view name) {
  std::vector<Identity> identities;
  for (const LocatedJson& item : object.items(name, Kind::kArray)) {
    const auto identity = identity_named(cluster_, item.text);
    if (item.kind != Kind::kString || !identity) {
      complain(item, nodes_text());
      break;
    }
    identities.push_back(*identity);
  }
  return identities;
}

void ScenarioReader::read_heal(const JsonObject& object) {
  const LocatedJson* node = object.find("heal");
  if (node == nullptr) return;
  const JsonObject heal(reading_, *node, {"rounds", "leaders", "order"});
  scenario_.heal_rounds = static_cast<std::uint8_t>(heal.number("rounds", {0, kMaxRound - 1}));
  scenario_.heal_leaders = identities_in(heal, "leaders");
  if (const LocatedJson* order = heal.find("order")) scenario_.heal_order = order_in(*order);
  if (scenario_.heal_leaders.size() > kMaxRound) {
    reading_.complain(node->offset, fmt::format("{} leaders", scenario_.heal_leaders.size()),
                      fmt::format("at most {}", kMaxRound));
  }
  if (scenario_.heal_rounds > 0 && scenario_.heal_leaders.empty()) {
    reading_.complain(node->offset, "healing without a leader", "at least one in \"leaders\"");
  }
}

std::vector<Seat> ScenarioReader::seats_in(const LocatedJson& node, std::string_view text) {
  std::vector<Seat> seats;
  for (const std::string_view word : words_in(text)) {
    const auto seat = seat_named(cluster_, word.substr(0, kMaxSeats + 1));
    if (!seat || std::ranges::find(seats, *seat) != seats.end()) {
      complain(node, seat ? fmt::format("each seat once, not {} twice", word) : seats_text());
      break;
    }
    seats.push_back(*seat);
  }
  return seats;
}

SeatSet ScenarioReader::seat_set_in(const LocatedJson& node) {
  SeatSet set;
  if (node.kind != Kind::kString) complain(node, "seats such as \"A B\"");
  for (Seat seat : seats_in(node, node.text)) set.insert(seat);
  return set;
}

Partition ScenarioReader::partition_in(const LocatedJson& node) {
  Partition partition;
  if (node.kind != Kind::kString) complain(node, "blocks such as \"A B | C D\"");
  SeatSet seen;
  std::uint8_t block = 0;
  for (std::size_t begin = 0; begin <= node.text.size() && !reading_.error(); ++block) {
    const std::size_t end = std::min(node.text.find('|', begin), node.text.size());
    const auto seats = seats_in(node, std::string_view(node.text).substr(begin, end - begin));
    if (seats.empty()) complain(node, "at least one seat in each block");
    for (Seat seat : seats) {
      if (seen.contains(seat)) complain(node, fmt::format("each seat once, not {} twice", name_of(cluster_, seat)));
      seen.insert(seat);
      partition.block_of[index_of(seat)] = block;
    }
    begin = end + 1;
  }
  for (Seat seat : cluster_.seats() - seen) complain(node, fmt::format("every seat, also {}", name_of(cluster_, seat)));
  partition.normalize(cluster_.seat_count);
  return partition;
}

// "A B | C" as a partition, or "A B -> C, C <-> D": these links and no others. A seat always hears itself.
Reach ScenarioReader::reach_in(const LocatedJson& node) {
  const std::string_view text = node.text;
  if (node.kind != Kind::kString || text.find("->") == text.npos) {
    return reach_of(partition_in(node), cluster_.seat_count);
  }
  Reach reach{};
  for (Seat seat : cluster_.seats()) reach[index_of(seat)].insert(seat);
  for (std::size_t begin = 0; begin <= text.size() && !reading_.error();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view link = text.substr(begin, end - begin);
    const std::size_t arrow = std::min(link.find("->"), link.size());
    const bool both_ways = arrow > 0 && arrow < link.size() && link[arrow - 1] == '<';
    const auto from = seats_in(node, link.substr(0, both_ways ? arrow - 1 : arrow));
    const auto to = seats_in(node, link.substr(std::min(arrow + 2, link.size())));
    if (from.empty() || to.empty()) complain(node, "links such as \"A B -> C, C <-> D\"");
    for (Seat sender : from) {
      for (Seat receiver : to) {
        reach[index_of(sender)].insert(receiver);
        if (both_ways) reach[index_of(receiver)].insert(sender);
      }
    }
    begin = end + 1;
  }
  return reach;
}

Order ScenarioReader::order_in(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"first", "own_first"});
  Order order;
  order.own_first = object.boolean("own_first");
  const std::string first = object.text("first");
  std::uint8_t rank = 0;
  SeatSet placed;
  for (Seat seat : seats_in(node, first)) {
    order.rank[index_of(seat)] = rank++;
    placed.insert(seat);
  }
  for (Seat seat : cluster_.seats() - placed) order.rank[index_of(seat)] = rank++;
  return order;
}

void ScenarioReader::read_round(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"leaders", "partition", "order", "note"});
  RoundPlan plan;
  plan.note = text_in(object, "note");
  for (Identity id : identities_in(object, "leaders")) {
    if (plan.leaders.contains(id))
      complain(*object.find("leaders"), fmt::format("each leader once, not {} twice", name_of(id)));
    plan.leaders.insert(id);
  }
  if (plan.leaders.empty()) reading_.complain(node.offset, "a round without a leader", "at least one in \"leaders\"");
  const LocatedJson* partition = object.find("partition");
  // Without a partition everybody can talk to everybody.
  if (partition != nullptr) plan.partition = partition_in(*partition);
  if (const LocatedJson* order = object.find("order")) plan.order = order_in(*order);
  scenario_.rounds.push_back(plan);
}

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
  const auto found = std::ranges::find(kActions, action);
  if (found == kActions.end()) {
    return complain(*object.find("action"), fmt::format("one of {}", fmt::join(kActions, ", ")));
  }
  rule.action = static_cast<Action>(found - kActions.begin());
  const LocatedJson* ticks = object.find("ticks");
  if (rule.action == Action::kDelay) {
    rule.delay_ticks = static_cast<std::uint8_t>(object.number("ticks", {1, 255}));
  } else if (ticks != nullptr) {
    reading_.complain(ticks->name_offset, fmt::format("\"ticks\" of \"{}\"", action), "them for \"delay\" only");
  }
}

void ScenarioReader::read_rule(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"rounds", "kinds", "from", "to", "action", "ticks", "links", "note"});
  Rule rule;
  rule.note = text_in(object, "note");
  if (const LocatedJson* rounds = object.find("rounds")) read_rule_rounds(*rounds, rule);
  if (object.find("kinds") != nullptr) rule.kinds = kinds_in(object.items("kinds", Kind::kArray));
  if (const LocatedJson* links = object.find("links")) {
    for (const std::string_view name : {"from", "to", "action", "ticks"}) {
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
  const JsonObject timing(reading_, *node, {"delta", "ticks", "delay"});
  Timing& read = scenario_.timing.emplace();
  read.delta_ticks = static_cast<std::uint8_t>(timing.number("delta", {1, kMaxRound}));
  read.ticks = static_cast<std::uint8_t>(timing.number("ticks", {1, kMaxRound}));
  if (timing.find("delay") != nullptr) {
    read.delay_ticks = static_cast<std::uint8_t>(timing.number("delay", {0, read.delta_ticks}));
  }
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
  scenario_.crashes.push_back(crash);
}

}  // namespace

Scenario scenario_in(JsonReading& reading, const LocatedJson& node, const VocabularyOf& words_of) {
  return ScenarioReader(reading).read(node, words_of);
}

Result<Scenario> scenario_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of) {
  JsonReading reading(file, text);
  const LocatedJson root = reading.parse();
  Scenario scenario;
  if (!reading.error()) scenario = scenario_in(reading, root, words_of);
  if (reading.error()) return tl::unexpected(*reading.error());
  return scenario;
}

Result<Scenario> read_scenario(const std::string& path, const VocabularyOf& words_of) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return scenario_from_json(*text, path, words_of);
}

}  // namespace nika::store
