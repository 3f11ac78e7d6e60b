// What scripts rely on: the fields and exit codes of `nika zoo`.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(Zoo, TellsWhichStrategyFindsWhichBug) {
  const Program nika;
  const Said said = nika.run("zoo --protocol bracha --budget 200 --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  const Json json = said.json();
  EXPECT_EQ(json["command"], "zoo");
  EXPECT_EQ(json["budget"], 200);
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["was_stopped"], false);
  EXPECT_EQ(json["strategies"].size(), 9U);
  ASSERT_EQ(json["rows"].size(), 4U);
  const Json& correct = json["rows"][0];
  EXPECT_EQ(correct["protocol"], "bracha");
  EXPECT_EQ(correct["bug"], nullptr);
  EXPECT_EQ(correct["flawed"], false);
  EXPECT_EQ(correct["found"], false);
  const Json& broken = json["rows"][2];
  EXPECT_EQ(broken["bug"], "quorum-2f");
  EXPECT_EQ(broken["flawed"], true);
  EXPECT_EQ(broken["found"], true);
  const Json& drawn = broken["attempts"][0];
  EXPECT_EQ(drawn["strategy"], "twins");
  EXPECT_EQ(drawn["found"], true);
  EXPECT_EQ(drawn["property"], "agreement");
  EXPECT_EQ(drawn["inapplicable"], nullptr);
  EXPECT_LE(drawn["executions"], 200);
}

TEST(Zoo, PrintsATableAndRefusesWhatThereIsNot) {
  const Program nika;
  const Said said =
      nika.run("zoo --protocol bracha --bug quorum-2f --strategy twins --strategy fuzz-small --budget 200");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.out.find("bracha quorum-2f"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("1 of 1 flaws were found"), std::string::npos) << said.out;
  const Said refused = nika.run("zoo --protocol bracha --bug no-lock");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "nika: protocol bracha has no bug \"no-lock\"\n");
}

}  // namespace
}  // namespace nika::tests
