// The unique node lists of a scenario file.
#include <gtest/gtest.h>

#include <array>

#include "nika/store/scenario_json.hpp"

namespace nika::store {
namespace {

std::string scenario_with(std::string_view lists) {
  return R"({
  "format": "nika-scenario",
  "version": 1,
  "protocol": "some",
  "bugs": [],
  "nodes": 4,
  "faults": 1,
  "copies": {"A": 2},
  "unls": )" +
         std::string(lists) + R"(,
  "rounds": [
    {"leaders": ["A"], "partition": "A B C D A'"}
  ],
  "heal": {"rounds": 0, "leaders": []}
}
)";
}

Result<Scenario> read(std::string_view lists) {
  return scenario_from_json(scenario_with(lists), "s.json",
                            [](std::string_view) -> Result<Vocabulary> { return Vocabulary{}; });
}

TEST(UnlsJson, SayWhoCountsWhom) {
  const std::string_view lists = R"({"A C": "A B C", "D": "B D"})";
  const auto scenario = read(lists);
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  const IdentitySet three{Identity{0}, Identity{1}, Identity{2}};
  EXPECT_EQ(scenario->unls, (std::vector<IdentitySet>{three, {}, three, {Identity{1}, Identity{3}}}));
  EXPECT_EQ(to_json(*scenario, {}), scenario_with(lists));
}

TEST(UnlsJson, MistakesAreNamedWithTheirPlace) {
  const std::vector<std::array<std::string, 2>> mistakes{
      {R"({"A X": "A B"})", "s.json:9:12: read \"A X\", expected nodes such as \"A B C\", each once"},
      {R"({"A": "A A"})", "s.json:9:17: read \"A A\", expected whom they count, such as \"A B C D\""},
      {R"({"A": 1})", "s.json:9:17: read 1, expected whom they count, such as \"A B C D\""},
      {R"({"A B": "A B", "B": "B C"})", "s.json:9:31: read \"B C\", expected one list for each node, not two for B"},
      {R"({"A": "B C"})", "s.json:9:11: the unique node list of A leaves out A, expected one with itself in it"},
  };
  for (const auto& [lists, expected] : mistakes) EXPECT_EQ(read(lists).error().message, expected);
}

}  // namespace
}  // namespace nika::store
