// What scripts rely on: the lines, the fields and the exit codes of `nika check`.
#include <gtest/gtest.h>

#include <algorithm>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(Check, TellsOneLineForEachCheckAndAVerdict) {
  const Program nika;
  const Said said = nika.run("check bracha --scenarios 20 --rounds 3");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(std::ranges::count(said.out, '\n'), 8);
  EXPECT_EQ(said.out.find("determinism"), 0U);
  EXPECT_NE(said.out.find("folding             -  not applicable: the protocol neither folds nor forgets\n"),
            std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find("bracha: nothing wrong in 6 of 7 checks; the others do not apply\n"), std::string::npos)
      << said.out;
}

TEST(Check, TellsScriptsWhatWasCompared) {
  const Program nika;
  const Said said = nika.run("check diembft --bug quorum-2f --scenarios 20 --rounds 2 --seed 3 --json");
  EXPECT_EQ(said.exit_code, 0);
  const Json json = said.json();
  EXPECT_EQ(json["command"], "check");
  EXPECT_EQ(json["protocol"], "diembft");
  EXPECT_EQ(json["bugs"], Json::array({"quorum-2f"}));
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["verdict"], "ok");
  ASSERT_EQ(json["checks"].size(), 7U);
  for (const Json& check : json["checks"]) {
    EXPECT_EQ(check["status"], "ok") << check;
    EXPECT_GT(check["cases"], 0) << check;
  }
  EXPECT_EQ(json["checks"][0]["cases"], 20);
}

TEST(Check, DoesNotCallASynchronousProtocolExplored) {
  const Program nika;
  const Json json = nika.run("check sync-hotstuff --scenarios 20 --json").json();
  EXPECT_EQ(json["checks"][6]["name"], "search");
  EXPECT_EQ(json["checks"][6]["status"], "not_applicable");
  EXPECT_EQ(json["checks"][6]["what"], "a synchronous protocol is not explored");
}

TEST(Check, BadUsageIsOneLineAndExitCodeTwo) {
  const Program nika;
  for (const char* words : {"check", "check paxos", "check bracha --bug none-such", "check bracha --scenarios 0"}) {
    const Said said = nika.run(words);
    EXPECT_EQ(said.exit_code, 2) << words;
    EXPECT_EQ(said.out, "") << words;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << words << ": " << said.err;
  }
}

}  // namespace
}  // namespace nika::tests
