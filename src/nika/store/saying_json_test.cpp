// What liars say in the steps of an asynchronous scenario, written and read.
#include <gtest/gtest.h>

#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"est", "proposal"};
const std::vector<KindLeaves> kLeaves{
    {{"round", LeafType::kRound, LeafType::kRound}, {"value", LeafType::kFlag, LeafType::kFlag}},
    {{"certificate", LeafType::kAtomic, LeafType::kValue}}};

Result<Vocabulary> words_of(std::string_view) { return Vocabulary{kKinds, {}, {}, 0, kLeaves}; }

std::string text_with(std::string_view steps) {
  return R"({
  "format": "nika-scenario",
  "version": 1,
  "protocol": "made-up",
  "bugs": [],
  "nodes": 4,
  "faults": 1,
  "copies": {},
  "rounds": [
    {"leaders": ["A"], "partition": "A B C D"}
  ],
  "heal": {"rounds": 0, "leaders": []},
  "liars": ["D"],
  "steps": [
    )" + std::string(steps) +
         "\n  ]\n}\n";
}

std::string complaint(std::string_view step) {
  const auto scenario = scenario_from_json(text_with(step), "s.json", words_of);
  return scenario ? "" : scenario.error().message;
}

TEST(SayingJson, ReadsBackAsItWasWritten) {
  const std::string text =
      text_with(R"({"says": "est", "fields": {"round": 2, "value": 1}, "of": "D", "to": "B"}, {"timer": "C"})");
  const auto scenario = scenario_from_json(text, "s.json", words_of);
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->steps,
            (std::vector<Step>{{.to = Seat{1}, .from = Seat{3}, .says = Saying{0, {2, 1}}}, {.to = Seat{2}}}));
  EXPECT_EQ(to_json(*scenario, *words_of("")), text);
}

TEST(SayingJson, FieldsThatAreNotNamedAre0) {
  const auto scenario = scenario_from_json(text_with(R"({"says": "est", "of": "D", "to": "B"})"), "s.json", words_of);
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->steps->at(0).says, Saying{});
}

TEST(SayingJson, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(complaint(R"({"says": "est", "of": "B", "to": "A"})"),
            "s.json:15:27: read \"B\", expected a liar: a node in \"liars\", without a twin");
  EXPECT_EQ(complaint(R"({"says": "vote", "of": "D", "to": "A"})"),
            "s.json:15:14: read \"vote\", expected a kind of message, one of est, proposal");
  EXPECT_EQ(complaint(R"({"says": "proposal", "of": "D", "to": "A"})"),
            "s.json:15:14: read \"proposal\", expected a kind of message that a liar can make up");
  EXPECT_EQ(complaint(R"({"says": "est", "fields": {"view": 1}, "of": "D", "to": "A"})"),
            "s.json:15:32: read \"view\", expected a field of est: round, value");
  EXPECT_EQ(complaint(R"({"says": "est", "fields": {"value": 2}, "of": "D", "to": "A"})"),
            "s.json:15:41: read 2, expected a number from 0 to 1");
  EXPECT_EQ(complaint(R"({"says": "est", "message": 1, "of": "D", "to": "A"})"),
            "s.json:15:21: read \"message\" beside \"says\", expected one or the other");
}

}  // namespace
}  // namespace nika::store
