// Coins and turns on disk: what is written is read again, and mistakes are told with their place.
#include <gtest/gtest.h>

#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"bval", "aux"};

Result<Vocabulary> words(std::string_view) { return Vocabulary{kKinds, {}}; }

Scenario scenario_with_turns() {
  Scenario scenario;
  scenario.protocol = "some";
  scenario.copies = {1, 1, 1, 2};
  scenario.rounds = {{.leaders = {Identity{1}}, .partition = {}, .order = {}}};
  scenario.coins = {0, 1, 1};
  CoinTurn turn;
  turn.before = {{0, 1, Seat{4}, {Seat{0}, Seat{4}}}, {1, 2, Seat{0}, {Seat{1}}}};
  turn.after[1] = {{0, 2, Seat{1}, {Seat{3}}}};
  turn.next = {1, 0};
  turn.note = "one";
  scenario.turns = {turn, {}};
  return scenario;
}

std::string text_with(std::string_view members) {
  return R"({"format": "nika-scenario", "version": 1, "protocol": "some", "bugs": [], "nodes": 2, "faults": 0,
"copies": {}, "rounds": [{"leaders": ["A"]}],
)" + std::string(members) +
         "}";
}

std::string complaint(std::string_view members) {
  const auto scenario = scenario_from_json(text_with(members), "f", words);
  return scenario ? "" : scenario.error().message;
}

TEST(TurnJson, IsReadAsItWasWritten) {
  const Scenario scenario = scenario_with_turns();
  const std::string text = to_json(scenario, words("").value());
  EXPECT_NE(text.find(R"("before": ["D' bval 1 -> A D'", "A aux 2 -> B"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("coins": "011")"), std::string::npos);
  EXPECT_NE(text.find(R"("next": [2, 1])"), std::string::npos);
  const auto again = scenario_from_json(text, "f", words);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, scenario);
}

TEST(TurnJson, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(complaint(R"("coins": "01")"), "");
  EXPECT_EQ(complaint(R"("coins": "021")"),
            "f:3:10: read \"021\", expected the coins of rounds 1, 2 and so on, such as \"0110\"");
  EXPECT_EQ(complaint(R"("turns": [])"), "f:3:10: read a list, expected 1 to 64 turns");
  EXPECT_EQ(complaint(R"("turns": [{"next": [1, 2]}])"),
            "f:3:20: read a list, expected \"next\": two turns from 1 to 1, for 0 and for 1");
  EXPECT_EQ(
      complaint(R"("turns": [{"before": ["A prepare 1 -> B"], "next": [1, 1]}])"),
      "f:3:23: read \"A prepare 1 -> B\", expected a sender, one of bval, aux, its number and who it reaches, such "
      "as \"A bval 1 -> B C\"");
  EXPECT_EQ(complaint(R"("turns": [{"before": ["A aux 1 -> C"], "next": [1, 1]}])"),
            "f:3:23: read \"A aux 1 -> C\", expected only the seats A B");
  EXPECT_EQ(complaint(R"("steps": [], "turns": [{"next": [1, 1]}])"),
            "f:3:14: read \"turns\" beside \"steps\", expected one or the other");
}

}  // namespace
}  // namespace nika::store
