// nika reproduce liveness: the rows of the paper's tables, with exact counts.
#include <gtest/gtest.h>

#include <map>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(ReproduceLiveness, HasARowForEachMethodWithThePapersBesideIt) {
  const Program nika;
  const Said said = nika.run("reproduce liveness --scenarios 500 --threads 2 --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  const Json json = said.json();
  EXPECT_EQ(json["was_stopped"], false);
  ASSERT_EQ(json["rows"].size(), 42U);  // the paper has no temperatures 10 and 15 of HotStuff, and confirms nothing
  unsigned without_paper = 0;
  for (const Json& row : json["rows"]) {
    for (const char* field : {"protocol", "rounds", "method", "threshold", "seconds", "trace_length", "safety_percent",
                              "liveness_percent", "false_positive_percent"}) {
      EXPECT_TRUE(row.contains(field)) << field;
      EXPECT_TRUE(row["paper"].is_null() || row["paper"].contains(field)) << field;
    }
    EXPECT_EQ(row["scenarios"], 500);
    EXPECT_EQ(row["unknown"], 0);
    without_paper += row["paper"].is_null() ? 1 : 0;
  }
  EXPECT_EQ(without_paper, 2U + 6U);
}

TEST(ReproduceLiveness, CountsWhatItCountedBeforeWhateverTheThreads) {
  const Program nika;
  std::map<std::string, int> reported;
  for (const char* threads : {"1", "3"}) {
    const Said said = nika.run(
        std::string("reproduce liveness --protocol two-phase-hotstuff --scenarios 3000 --json --threads ") + threads);
    const Json rows = said.json()["rows"];
    for (const Json& row : rows) {
      EXPECT_EQ(row["forks"], 0);
      if (row["rounds"] == 20) reported[row["method"].get<std::string>()] += row["reported"].get<int>();
    }
  }
  EXPECT_EQ(reported["temperature"], 2 * 6);
  EXPECT_EQ(reported["lasso"], 2 * 14);
  EXPECT_EQ(reported["large-timeout"], 2 * 168);
}

TEST(ReproduceLiveness, TellsATable) {
  const Program nika;
  const Said said = nika.run("reproduce liveness --protocol hotstuff --scenarios 100");
  EXPECT_EQ(said.exit_code, 0);
  for (const char* piece : {"liveness%", "temperature", "5 rounds", "large-timeout", "paper:", "section VII-C"}) {
    EXPECT_NE(said.out.find(piece), std::string::npos) << piece << " in\n" << said.out;
  }
}

TEST(ReproduceLiveness, RefusesWhatBelongsToAttacks) {
  const Program nika;
  EXPECT_EQ(nika.run("reproduce liveness --protocol bracha").exit_code, 2);
  EXPECT_EQ(nika.run("reproduce liveness --scenarios 0").exit_code, 2);
  EXPECT_EQ(nika.run("reproduce liveness --only fab-stuck").exit_code, 2);
  EXPECT_EQ(nika.run("reproduce attacks --scenarios 5").exit_code, 2);
}

}  // namespace
}  // namespace nika::tests
