// Orders of delivery from the command line: drawn or all of them, with the verdicts, exit codes and files of the rest.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

const std::string kDrawn = "twins bracha --network steps --bug quorum-2f --step3 random:2000";

TEST(Steps, AreDrawnAndAFindingReplaysShowsAndShrinks) {
  const Program nika;
  const Said said = nika.run(kDrawn + " --json --threads 1");
  EXPECT_EQ(said.exit_code, 1);
  const auto json = said.json();
  EXPECT_EQ(json["network"], "steps");
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["scenarios"], 2000);
  EXPECT_EQ(json["violating"], 153);
  EXPECT_EQ(json["committed"], 2000);
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["index"], 16);
  EXPECT_EQ(finding["steps"], 16);
  const std::string file = finding["file"];
  const Said replayed = nika.run("replay " + file + " --json");
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_EQ(replayed.json()["identical"], true);
  const Said shown = nika.run("show " + file);
  EXPECT_NE(shown.out.find("step 16\n"), std::string::npos) << shown.out;
  EXPECT_EQ(shown.out.find("step 17\n"), std::string::npos);
  const Said shrunk = nika.run("shrink " + file + " --json");
  EXPECT_EQ(shrunk.json()["shrunk"]["trace_fingerprint"], finding["trace_fingerprint"]);

  const Said as_found = nika.run(kDrawn + " --json --threads 3 --no-shrink --findings whole");
  EXPECT_EQ(as_found.json()["violating"], 153);
  const std::string whole = as_found.json()["findings"][0]["file"];
  EXPECT_EQ(nika.run("replay " + whole + " --json").json()["identical"], true);
  EXPECT_EQ(nika.run("shrink " + whole + " --out small.json --json").json()["shrunk"]["steps"], 16);
  EXPECT_EQ(nika.read("small.json"), nika.read(file));
}

TEST(Steps, ADrawnOrderIsFoundAgainByItsIndex) {
  const Program nika;
  const auto json = nika.run(kDrawn + " --range 16..17 --json").json();
  EXPECT_EQ(json["scenarios"], 1);
  EXPECT_EQ(json["findings"][0]["index"], 16);
}

TEST(Steps, OfWhichNoneBreaksAnythingAreNoneFoundWithoutACountOfAll) {
  const Program nika;
  const Said said = nika.run("twins hotstuff --network steps --schedule priorities:3 --timeouts 8 --step3 random:100");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_NE(said.out.find("NONE FOUND: no violation of agreement in 100 drawn scenarios; how many orders of delivery "
                          "there are is not known\n"),
            std::string::npos)
      << said.out;
}

TEST(Steps, AllOrdersAreCoveredOrUnknown) {
  const Program nika;
  const Said holds = nika.run("twins bracha --network steps --exhaustive --leaders B --property all --json");
  EXPECT_EQ(holds.exit_code, 0);
  EXPECT_EQ(holds.json()["verdict"], "holds");
  EXPECT_EQ(holds.json()["distinct_worlds"], 5418);
  EXPECT_EQ(holds.json()["scenarios"], nullptr);
  const Said cut = nika.run("twins bracha --network steps --exhaustive --memory 2MiB --json");
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_EQ(cut.json()["verdict"], "unknown");
  EXPECT_EQ(cut.json()["memory_was_full"], true);
}

}  // namespace
}  // namespace nika::tests
