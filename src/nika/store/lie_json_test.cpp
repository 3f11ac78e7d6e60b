#include <gtest/gtest.h>

#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "block-response"};
const std::vector<KindLeaves> kLeaves{
    {{"block", LeafType::kValue, LeafType::kValue}, {"certificate", LeafType::kAtomic, LeafType::kValue}}, {}};

Result<Vocabulary> words_of(std::string_view protocol) {
  return Vocabulary{kKinds, {}, {}, 0, protocol == "unreviewed" ? std::span<const KindLeaves>() : kLeaves};
}

std::string text_with(std::string_view faults, std::string_view protocol = "made-up") {
  return R"({
  "format": "nika-scenario",
  "version": 1,
  "protocol": ")" +
         std::string(protocol) + R"(",
  "bugs": [],
  "nodes": 4,
  "faults": 1,
  "copies": {},
  "rounds": [
    {"leaders": ["A"], "partition": "A B C D"}
  ],
  "heal": {"rounds": 0, "leaders": []},
)" + std::string(faults) +
         "\n}\n";
}

std::string complaint(std::string_view faults, std::string_view protocol = "made-up") {
  const auto scenario = scenario_from_json(text_with(faults, protocol), "s.json", words_of);
  return scenario ? "" : scenario.error().message;
}

constexpr std::string_view kFaults = R"(  "liars": ["A"],
  "outages": [
    {"round": 3, "partition": "A B | C D", "withholds": true}
  ],
  "lies": [
    {"round": 10, "from": "A", "to": "A C", "kind": "proposal", "field": "certificate", "twist": "seen", "argument": 1},
    {"round": 11, "from": "A", "to": "B", "kind": "block-response", "twist": "omit"}
  ],
  "faults_count": "messages",
  "lies_go_on": true)";

TEST(LieJson, OutagesAndLiesReadBackAsTheyWereWritten) {
  const auto scenario = scenario_from_json(text_with(kFaults), "s.json", words_of);
  ASSERT_TRUE(scenario) << scenario.error().message;
  ASSERT_EQ(scenario->lies.size(), 2U);
  EXPECT_EQ(scenario->lies[0], (Lie{10, Seat{0}, 0, SeatSet{Seat{0}, Seat{2}}, 1, Twist::kSeen, 1}));
  EXPECT_EQ(scenario->lies[1].twist, Twist::kOmit);
  EXPECT_EQ(scenario->liars, IdentitySet{Identity{0}});
  EXPECT_TRUE(scenario->lies_go_on && scenario->faults_count_messages);
  EXPECT_TRUE(scenario->outages[0].withholds);
  EXPECT_EQ(to_json(*scenario, *words_of("made-up")), text_with(kFaults));
}

TEST(LieJson, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(complaint(R"(  "lies": [{"round": 1, "from": "B", "to": "A", "kind": "proposal", "twist": "omit"}])"),
            "s.json:13:33: read \"B\", expected a liar: a node in \"liars\" or with a twin");
  const auto lie = [](std::string_view rest) {
    return R"(  "liars": ["A"], "lies": [{"round": 1, "from": "A", "to": "B", )" + std::string(rest) + "}]";
  };
  EXPECT_EQ(complaint(lie(R"("kind": "proposal", "field": "view", "twist": "raise")")),
            "s.json:13:94: read \"view\", expected a field that can be lied about: block, certificate");
  EXPECT_EQ(complaint(lie(R"("kind": "block-response", "field": "branch", "twist": "lower")")),
            "s.json:13:100: read \"branch\", expected \"omit\": nobody can lie about this kind of message");
  EXPECT_EQ(complaint(lie(R"("kind": "vote", "twist": "omit")")),
            "s.json:13:73: read \"vote\", expected a kind of message, one of proposal, block-response");
  EXPECT_EQ(
      complaint(lie(R"("kind": "proposal", "twist": "forge")")),
      "s.json:13:94: read \"forge\", expected one of omit, raise, lower, set, seen, own, leave-out, flip, repeat");
  EXPECT_EQ(complaint(lie(R"("kind": "proposal", "field": "block", "twist": "repeat")")),
            "s.json:13:85: read \"field\" of \"repeat\", expected none: the whole message");
  EXPECT_EQ(complaint(lie(R"("kind": "proposal", "twist": "omit")"), "unreviewed"),
            "s.json:13:28: read an object, expected no lie: what liars may say is not known of unreviewed");
}

}  // namespace
}  // namespace nika::store
