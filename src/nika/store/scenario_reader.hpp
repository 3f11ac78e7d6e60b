// The reading half of scenario_json.hpp. After the first complaint reading goes on with harmless values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nika/base/located_json.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::store {

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
  void read_unls(const JsonObject& object);
  void read_inputs(const JsonObject& object);
  void read_heal(const JsonObject& object);
  void read_rounds(const JsonObject& object, const LocatedJson& root);
  void read_round(const LocatedJson& node);
  void read_receiver_orders(const JsonObject& object, RoundPlan& plan);
  void read_rule(const LocatedJson& node);
  void read_rule_rounds(const LocatedJson& node, Rule& rule);
  void read_action(const JsonObject& object, Rule& rule);
  void read_crash(const LocatedJson& node);
  void read_lies(const JsonObject& object);
  void read_outage(const LocatedJson& node);
  void read_lie(const LocatedJson& node);
  void read_twist(const JsonObject& object, Lie& lie);
  void read_timing(const JsonObject& object);
  void read_steps(const LocatedJson& node);
  void read_saying(const JsonObject& object, Step& step);
  void check_steps(const LocatedJson& node, std::string_view name);
  void read_coins(const JsonObject& object);
  void read_turns(const JsonObject& object);
  void read_turn_steps(const JsonObject& turn, std::string_view name, std::vector<TurnStep>& steps);
  Partition partition_in(const LocatedJson& node);
  Order order_in(const LocatedJson& node);
  Reach reach_in(const LocatedJson& node);
  std::vector<Seat> seats_in(const LocatedJson& node, std::string_view text);
  SeatSet seat_set_in(const LocatedJson& node);
  SeatSet seat_list_in(const JsonObject& object, std::string_view name);
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

}  // namespace nika::store
