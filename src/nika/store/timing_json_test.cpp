// Timed scenarios as files.
#include <gtest/gtest.h>

#include <array>

#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
const Vocabulary kWords{kKinds, {}};

Result<Scenario> read(std::string_view timing, std::string_view rule = "") {
  const std::string text = R"({"format": "nika-scenario", "version": 1, "protocol": "p", "bugs": [], "nodes": 3,
"faults": 1, "copies": {"A": 2}, "rounds": [{"leaders": ["A"]}], "heal": {"rounds": 0, "leaders": []},
"rules": [)" + std::string(rule) +
                           R"(],
"timing": )" + std::string(timing) +
                           "}";
  return scenario_from_json(text, "s.json", [](std::string_view) -> Result<Vocabulary> { return kWords; });
}

std::string complaint(std::string_view timing, std::string_view rule = "") {
  const auto scenario = read(timing, rule);
  return scenario ? "" : scenario.error().message;
}

TEST(TimingJson, IsWrittenAndReadBackUnchanged) {
  const auto scenario = read(R"({"delta": 2, "ticks": 24})",
                             R"({"from": "A", "to": "B C", "kinds": ["vote"], "action": "delay", "ticks": 9})");
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  EXPECT_EQ(scenario->timing, (Timing{2, 24, 0}));
  const auto slow = read(R"({"delta": 4, "ticks": 250, "delay": 3})");
  ASSERT_TRUE(slow.has_value()) << slow.error().message;
  EXPECT_EQ(slow->timing, (Timing{4, 250, 3}));
  const auto timers = read(R"({"delta": 2, "ticks": 24, "delay": 0, "timers_first": ["A", "A'"]})");
  ASSERT_TRUE(timers.has_value()) << timers.error().message;
  EXPECT_EQ(timers->timing, (Timing{2, 24, 0, {Seat{0}, Seat{3}}}));
  for (const Scenario& written : {*scenario, *slow, *timers}) {
    const auto again = scenario_from_json(to_json(written, kWords), "s.json",
                                          [](std::string_view) -> Result<Vocabulary> { return kWords; });
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(*again, written);
  }
}

TEST(TimingJson, ARuleThatBreaksSynchronyIsAMistakeOfTheFile) {
  EXPECT_EQ(
      complaint(R"({"delta": 2, "ticks": 24})", R"({"from": "B", "to": "C", "action": "delay", "ticks": 3})"),
      "s.json:3:11: messages between honest seats take at most delta = 2 ticks in a synchronous network, but this rule "
      "keeps messages of B from C");
  EXPECT_NE(complaint(R"({"delta": 2, "ticks": 24})", R"({"to": "C", "action": "drop"})"), "");
  EXPECT_EQ(complaint(R"({"delta": 2, "ticks": 24})", R"({"from": "B", "to": "C", "action": "delay", "ticks": 2})"),
            "");
  EXPECT_EQ(complaint(R"({"delta": 2, "ticks": 24})", R"({"from": "A A'", "action": "drop"})"), "");
}

TEST(TimingJson, NumbersHaveBounds) {
  EXPECT_NE(complaint(R"({"delta": 0, "ticks": 24})"), "");
  EXPECT_NE(complaint(R"({"delta": 2, "ticks": 251})"), "");
  EXPECT_NE(complaint(R"({"delta": 2, "ticks": 24, "delay": 3})"), "");
  EXPECT_NE(complaint(R"({"ticks": 24})"), "");
  EXPECT_EQ(complaint(R"({"delta": 2, "ticks": 24, "timers_first": ["D"]})"),
            "s.json:4:54: read \"D\", expected only the seats A B C A', each once");
}

}  // namespace
}  // namespace nika::store
