#include "nika/store/scenario_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/store/json_parts.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

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

}  // namespace

std::string ScenarioReader::seats_text() const {
  std::string names;
  for (Seat seat : cluster_.seats()) names += " " + name_of(cluster_, seat);
  return "only the seats" + names;
}

std::string ScenarioReader::nodes_text() const {
  return fmt::format("a node from A to {}", name_of(static_cast<Identity>(scenario_.node_count - 1)));
}

void ScenarioReader::read_all(const LocatedJson& root, const VocabularyOf& words_of) {
  check_version(reading_, root, "scenario", 1);
  const JsonObject object(reading_, root,
                          {"format", "version", "about",  "protocol",   "bugs",         "nodes",   "faults", "copies",
                           "unls",   "inputs",  "rounds", "heal",       "rules",        "crashes", "timing", "steps",
                           "liars",  "outages", "lies",   "lies_go_on", "faults_count", "coins",   "turns"});
  if (object.text("format") != "nika-scenario") {
    const LocatedJson* format = object.find("format");
    complain(format != nullptr ? *format : root, "\"nika-scenario\"");
  }
  scenario_.about = text_in(object, "about");
  read_protocol(object, words_of);
  read_cluster(object);
  // Everything else names seats, which only a sound cluster has.
  if (reading_.error()) return;
  read_unls(object);
  read_inputs(object);
  for (Identity id : identities_in(object, "liars")) {
    if (scenario_.liars.contains(id))
      complain(*object.find("liars"), fmt::format("each liar once, not {} twice", name_of(id)));
    scenario_.liars.insert(id);
  }
  cluster_.compromised |= scenario_.liars;
  read_timing(object);
  read_heal(object);
  read_rounds(object, root);
  if (reading_.error()) return;
  for (const LocatedJson& node : object.items("rules", Kind::kArray)) read_rule(node);
  for (const LocatedJson& node : object.items("crashes", Kind::kArray)) read_crash(node);
  read_lies(object);
  if (const LocatedJson* steps = object.find("steps")) read_steps(*steps);
  read_coins(object);
  read_turns(object);
  if (!scenario_.timing || reading_.error()) return;
  if (const auto sound = check_synchrony(scenario_); !sound) reading_.complain(*object.find("timing"), sound.error());
}

void ScenarioReader::read_rounds(const JsonObject& object, const LocatedJson& root) {
  const auto rounds = object.items("rounds", Kind::kArray);
  if (rounds.empty() || rounds.size() > kMaxRound - scenario_.heal_rounds) {
    const LocatedJson* place = object.find("rounds");
    return reading_.complain(
        place != nullptr ? place->offset : root.offset, fmt::format("{} rounds", rounds.size()),
        fmt::format("1 to {} besides the {} of healing", kMaxRound - scenario_.heal_rounds, scenario_.heal_rounds));
  }
  for (const LocatedJson& node : rounds) read_round(node);
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
  scenario_.client_count = static_cast<std::uint8_t>(words_.clients);
  const auto cluster = make_cluster(scenario_.node_count, scenario_.copies, scenario_.client_count);
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

// {"A B C": "A B C D"}: whom A, B and C count.
void ScenarioReader::read_unls(const JsonObject& object) {
  if (object.find("unls") == nullptr) return;
  const auto nodes_in = [&](std::string_view text) {
    IdentitySet nodes;
    for (const std::string_view word : words_in(text)) {
      const auto id = identity_named(cluster_, word);
      if (!id || nodes.contains(*id)) return IdentitySet{};
      nodes.insert(*id);
    }
    return nodes;
  };
  for (const LocatedJson& item : object.items("unls", Kind::kObject)) {
    const IdentitySet owners = nodes_in(item.name);
    const IdentitySet trusted = item.kind == Kind::kString ? nodes_in(item.text) : IdentitySet{};
    if (owners.empty()) {
      return reading_.complain(item.name_offset, describe({.kind = Kind::kString, .text = item.name}),
                               "nodes such as \"A B C\", each once");
    }
    if (trusted.empty()) return complain(item, "whom they count, such as \"A B C D\"");
    for (Identity owner : owners) {
      if (scenario_.unls.size() <= index_of(owner)) scenario_.unls.resize(index_of(owner) + 1);
      if (!scenario_.unls[index_of(owner)].empty()) {
        return complain(item, fmt::format("one list for each node, not two for {}", name_of(owner)));
      }
      scenario_.unls[index_of(owner)] = trusted;
    }
  }
  if (const auto sound = set_unls(cluster_, scenario_.unls); !sound) {
    reading_.complain(*object.find("unls"), sound.error());
  }
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

// ["A", "B"]; nothing if there is no such member.
SeatSet ScenarioReader::seat_list_in(const JsonObject& object, std::string_view name) {
  SeatSet set;
  if (object.find(name) == nullptr) return set;
  for (const LocatedJson& item : object.items(name, Kind::kArray)) {
    const auto seat = seat_named(cluster_, item.text);
    if (item.kind != Kind::kString || !seat || set.contains(*seat)) {
      complain(item, seats_text() + ", each once");
      break;
    }
    set.insert(*seat);
  }
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
  for (Seat seat : cluster_.seats() - seen) {
    // A client that is not named is in touch with everybody.
    if (!cluster_.is_client(seat)) complain(node, fmt::format("every seat, also {}", name_of(cluster_, seat)));
    partition.block_of[index_of(seat)] = Partition::kEverywhere;
  }
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

void ScenarioReader::read_receiver_orders(const JsonObject& object, RoundPlan& plan) {
  if (object.find("orders") == nullptr) return;
  for (const LocatedJson& item : object.items("orders", Kind::kObject)) {
    const auto receiver = seat_named(cluster_, item.name);
    if (!receiver ||
        std::ranges::find(plan.receiver_orders, *receiver, &ReceiverOrder::receiver) != plan.receiver_orders.end()) {
      return reading_.complain(item.name_offset, describe({.kind = Kind::kString, .text = item.name}),
                               seats_text() + ", each once");
    }
    plan.receiver_orders.push_back({*receiver, order_in(item)});
  }
}

void ScenarioReader::read_round(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"leaders", "partition", "order", "orders", "gives_up", "note"});
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
  read_receiver_orders(object, plan);
  plan.gives_up = seat_list_in(object, "gives_up");
  scenario_.rounds.push_back(plan);
}

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
