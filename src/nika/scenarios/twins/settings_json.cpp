#include "nika/scenarios/twins/settings_json.hpp"

#include <nlohmann/json.hpp>

namespace nika::twins {
namespace {

using Kind = LocatedJson::Kind;

// Reads a word with one of the parsers of settings.hpp.
template <class Value>
void read_word(JsonReading& reading, const JsonObject& object, std::string_view name, Value& value,
               Result<Value> (*parse)(std::string_view)) {
  const std::string text = object.text(name);
  if (reading.error()) return;
  const auto parsed = parse(text);
  if (parsed) {
    value = *parsed;
  } else {
    reading.complain(*object.find(name), parsed.error());
  }
}

void read_crashes(JsonReading& reading, const JsonObject& object, Settings& settings) {
  const auto items = object.items("crashes", Kind::kArray);
  if (items.empty() || reading.error()) return;
  const auto cluster = cluster_of(settings);
  if (!cluster) return reading.complain(items.front(), cluster.error());
  for (const LocatedJson& item : items) {
    const JsonObject crash(reading, item, {"seat", "down", "up", "memory"});
    const std::string name = crash.text("seat");
    const Round down(crash.number("down", {1, kMaxRound}));
    const Round up(crash.number("up", {down.number + 1U, 255}));
    const bool memory = crash.boolean("memory");
    if (reading.error()) return;
    const auto seat = seat_named(*cluster, name);
    if (!seat) return reading.complain(*crash.find("seat"), seat.error());
    settings.crashes.push_back({*seat, down, up, memory});
  }
}

void read_sizes(const JsonObject& object, Settings& settings) {
  settings.nodes = object.number("nodes", {1, kMaxSeats});
  settings.twins = object.number("twins", {0, kMaxSeats});
  settings.copies = object.number("copies", {2, kMaxSeats});
  if (object.find("clients") != nullptr) settings.clients = object.number("clients", {0, kMaxSeats});
  settings.partitions = object.number("partitions", {1, kMaxSeats});
  settings.at_most = object.boolean("at_most");
  settings.rounds = object.number("rounds", {1, kMaxRound});
  settings.heal_rounds = object.number("heal_rounds", {0, kMaxRound});
  if (object.find("faults") != nullptr) settings.faults = object.number("faults", {0, kMaxSeats});
}

void read_disturbances(JsonReading& reading, const JsonObject& object, Settings& settings) {
  const LocatedJson* node = object.find("disturbances");
  if (node == nullptr) return;
  const JsonObject read(reading, *node, {"late_rounds", "repeats", "early_timeouts", "receiver_orders", "crashes"});
  settings.disturbances = {read.number("late_rounds", {0, kMaxRound}), read.boolean("repeats"),
                           read.boolean("early_timeouts"), read.boolean("receiver_orders"),
                           read.number("crashes", {0, kMaxSeats})};
}

}  // namespace

namespace {

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// Written only: indices of an asynchronous network are those of its seed.
std::string steps_json(nlohmann::ordered_json json, const Settings& settings) {
  json["network"] = "steps";
  json["rounds"] = settings.rounds;
  if (settings.faults) json["faults"] = *settings.faults;
  json["leaders"] = to_text(settings.leaders);
  json["schedule"] = schedule_text(*settings.steps);
  json["timeouts"] = settings.steps->timers;
  json["steps"] = settings.steps->max_steps;
  json["step3"] = to_text(settings.step3);
  json["seed"] = settings.seed;
  return text_of(json);
}

// Written only, like those.
std::string clock_json(nlohmann::ordered_json json, const Settings& settings) {
  json["network"] = "ticks";
  json["rounds"] = settings.rounds;
  json["heal_leaders"] = name_of(settings.heal_leaders);
  if (settings.faults) json["faults"] = *settings.faults;
  json["leaders"] = to_text(settings.leaders);
  json["delta"] = settings.clock->delta_ticks;
  json["ticks"] = settings.clock->ticks;
  json["step3"] = to_text(settings.step3);
  json["seed"] = settings.seed;
  return text_of(json);
}

}  // namespace

std::string to_json(const Settings& settings) {
  nlohmann::ordered_json json;
  json["protocol"] = settings.protocol;
  json["bugs"] = settings.bugs;
  json["nodes"] = settings.nodes;
  json["twins"] = settings.twins;
  json["copies"] = settings.copies;
  if (settings.clients > 0) json["clients"] = settings.clients;
  if (!settings.unls.empty()) json["unls"] = unls_text(settings.unls);
  if (settings.steps) return steps_json(json, settings);
  if (settings.clock) return clock_json(json, settings);
  json["partitions"] = settings.partitions;
  json["at_most"] = settings.at_most;
  json["rounds"] = settings.rounds;
  json["heal_rounds"] = settings.heal_rounds;
  if (settings.heal_leaders != HealLeaders::kLeading) json["heal_leaders"] = name_of(settings.heal_leaders);
  if (settings.heal_rotations != HealRotations::kOne) json["heal_rotations"] = name_of(settings.heal_rotations);
  if (settings.heal_orders != HealOrders::kFifo) json["heal_orders"] = name_of(settings.heal_orders);
  if (settings.faults) json["faults"] = *settings.faults;
  json["leaders"] = to_text(settings.leaders);
  json["assignment"] = name_of(settings.assignment);
  json["order"] = name_of(settings.order);
  json["step1"] = to_text(settings.step1);
  json["step2"] = to_text(settings.step2);
  json["step3"] = to_text(settings.step3);
  json["seed"] = settings.seed;
  if (settings.granularity != Granularity::kRound) json["granularity"] = name_of(settings.granularity);
  if (settings.one_way) json["one_way"] = true;
  if (settings.disturbances.any()) {
    const Disturbances& d = settings.disturbances;
    json["disturbances"] = {{"late_rounds", d.late_rounds},
                            {"repeats", d.repeats},
                            {"early_timeouts", d.early_timeouts},
                            {"receiver_orders", d.receiver_orders},
                            {"crashes", d.crashes}};
  }
  if (!settings.crashes.empty()) {
    const Cluster cluster = cluster_of(settings).value();
    for (const Crash& crash : settings.crashes) {
      json["crashes"].push_back({{"seat", name_of(cluster, crash.seat)},
                                 {"down", crash.down_from.number},
                                 {"up", crash.up_from.number},
                                 {"memory", crash.keeps_memory}});
    }
  }
  return text_of(json);
}

Settings settings_in(JsonReading& reading, const LocatedJson& node) {
  const JsonObject object(
      reading, node,
      {"protocol",     "bugs",        "nodes",          "twins",       "copies",  "partitions",  "at_most",
       "rounds",       "heal_rounds", "heal_leaders",   "faults",      "leaders", "assignment",  "order",
       "step1",        "step2",       "step3",          "seed",        "crashes", "granularity", "one_way",
       "disturbances", "clients",     "heal_rotations", "heal_orders", "unls"});
  Settings settings;
  settings.protocol = object.text("protocol");
  for (const LocatedJson& item : object.items("bugs", Kind::kArray)) {
    if (item.kind != Kind::kString) reading.complain(item, "the name of a bug");
    settings.bugs.push_back(item.text);
  }
  read_sizes(object, settings);
  if (object.find("heal_leaders") != nullptr) {
    read_word(reading, object, "heal_leaders", settings.heal_leaders, parse_heal_leaders);
  }
  if (object.find("heal_rotations") != nullptr) {
    read_word(reading, object, "heal_rotations", settings.heal_rotations, parse_heal_rotations);
  }
  if (object.find("heal_orders") != nullptr) {
    read_word(reading, object, "heal_orders", settings.heal_orders, parse_heal_orders);
  }
  if (object.find("unls") != nullptr) read_word(reading, object, "unls", settings.unls, parse_unls);
  read_word(reading, object, "leaders", settings.leaders, parse_leaders);
  read_word(reading, object, "assignment", settings.assignment, parse_assignment);
  read_word(reading, object, "order", settings.order, parse_order);
  read_word(reading, object, "step1", settings.step1, parse_selection);
  read_word(reading, object, "step2", settings.step2, parse_selection);
  read_word(reading, object, "step3", settings.step3, parse_selection);
  if (object.find("granularity") != nullptr) {
    read_word(reading, object, "granularity", settings.granularity, parse_granularity);
  }
  if (object.find("one_way") != nullptr) settings.one_way = object.boolean("one_way");
  const LocatedJson* seed = object.find("seed");
  if (seed == nullptr || !seed->number) {
    reading.complain(seed != nullptr ? *seed : node, "a \"seed\" from 0 to 2^64 - 1");
  } else {
    settings.seed = *seed->number;
  }
  read_disturbances(reading, object, settings);
  read_crashes(reading, object, settings);
  return settings;
}

}  // namespace nika::twins
