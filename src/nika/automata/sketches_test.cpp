// The exact solutions of every sketch that comes with the project: textbook algorithms whose thresholds were taken out.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "nika/automata/parser.hpp"
#include "nika/automata/synthesis.hpp"

namespace nika::automata {
namespace {

using Assignments = std::vector<Assignment>;

struct Expected {
  std::vector<std::string> unknowns;
  Assignments solutions;
};

const std::map<std::string, Expected> kExpected = {
    // 2t + 1 to accept after t + 1, or n - t after either of t + 1 and n - 2t.
    {"srikanth-toueg",
     {{"sn", "st", "s1", "an", "at", "a1"}, {{0, 1, 1, 0, 2, 1}, {0, 1, 1, 1, -1, 0}, {1, -2, 0, 1, -1, 0}}}},
    {"srikanth-toueg-unsolvable", {{"sn", "st", "s1", "an", "at", "a1"}, {}}},
    // (n + t + 1) / 2 echoes, t + 1 readies, 2t + 1 readies.
    {"reliable-broadcast", {{"en", "et", "e1", "rt", "r1", "dt", "d1"}, {{1, 1, 1, 1, 1, 2, 1}}}},
    // t + 1 and 2t + 1.
    {"bv-broadcast", {{"et", "e1", "dt", "d1"}, {{1, 1, 2, 1}}}},
    // more than (n + 3t) / 2 and more than (n - t) / 2.
    {"one-step", {{"dt", "mt"}, {{3, -1}}}},
    // more than half.
    {"naive-voting", {{"vn", "v1"}, {{1, 1}}}},
    // all votes, and one.
    {"nbac", {{"yn", "y1", "z1"}, {{1, 0, 1}}}},
};

Automaton sketch_of(const std::string& name) {
  const std::string path = std::string(NIKA_SOURCE_DIR) + "/models/sketches/" + name + ".ta";
  const Result<Automaton> sketch = read_automaton(path, {DivisionMeaning::exact, true});
  EXPECT_TRUE(sketch) << sketch.error().message;
  return sketch ? *sketch : Automaton{};
}

class Sketches : public testing::TestWithParam<std::string> {};

TEST_P(Sketches, HaveTheseSolutionsAndNoOthers) {
  const Automaton sketch = sketch_of(GetParam());
  const Expected& expected = kExpected.at(GetParam());
  EXPECT_EQ(sketch.unknowns, expected.unknowns);
  const SynthesisResult result = synthesize(sketch, {});
  EXPECT_TRUE(result.complete) << result.reason;
  EXPECT_TRUE(result.undecided.empty());
  Assignments solutions;
  for (const Solution& solution : result.solutions) {
    solutions.push_back(solution.values);
    EXPECT_TRUE(solution.vacuous.empty());
  }
  EXPECT_EQ(solutions, expected.solutions);
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, expected] : kExpected) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Sketches, testing::ValuesIn(names()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(SketchFiles, NoneIsForgotten) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(NIKA_SOURCE_DIR) + "/models/sketches")) {
    EXPECT_EQ(kExpected.count(entry.path().stem().string()), 1U) << entry.path();
  }
}

}  // namespace
}  // namespace nika::automata
