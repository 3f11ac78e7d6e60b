// Findings: they replay to the recorded trace, tell what happened, and cannot be shrunk further.
#include <gtest/gtest.h>

#include <set>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

std::string found_by(const Program& nika, const std::string& words) {
  const Said said = nika.run(words + " --json");
  EXPECT_EQ(said.exit_code, 1);
  return said.json()["findings"][0]["file"];
}

TEST(Finding, ReplaysToTheRecordedTrace) {
  const Program nika;
  const std::string file = found_by(nika, "twins diembft --bug quorum-2f --assignment static");
  const Said said = nika.run("replay " + file + " --json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.json()["verdict"], "violated");
  EXPECT_EQ(said.json()["identical"], true);
  EXPECT_EQ(said.json()["trace_fingerprint"], said.json()["recorded_fingerprint"]);
  EXPECT_EQ(nika.run("replay " + file + " --trace").out, nika.run("replay " + file + " --trace").out);
}

TEST(Finding, OfAnotherShardIsNotWrittenOver) {
  const Program nika;
  std::set<std::string> files;
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"}) {
    const std::string words = "twins diembft --bug quorum-2f --rounds 4 --findings fs --json --shard ";
    const auto json = nika.run(words + shard).json();
    for (const auto& finding : json["findings"]) {
      files.insert(finding["file"]);
      const std::string stored = nika.read(finding["file"]);
      EXPECT_NE(stored.find(std::string(finding["trace_fingerprint"])), std::string::npos) << shard;
    }
  }
  EXPECT_EQ(files.size(), 6U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(nika.path("fs")), {}), 6);
  for (const std::string& file : files) EXPECT_EQ(nika.run("replay " + file).exit_code, 1) << file;
}

// What is stored for the time of the search must not take away what was there.
TEST(Finding, ThatWasStoredUnshrunkStaysWhenItIsFoundAgain) {
  const Program nika;
  const std::string words = "twins diembft --bug quorum-2f --assignment static";
  const std::string whole = found_by(nika, words + " --no-shrink");
  const std::string before = nika.read(whole);
  EXPECT_NE(found_by(nika, words), whole);
  EXPECT_EQ(nika.read(whole), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(nika.path("findings")), {}), 2);
}

TEST(Finding, ThatWasEditedIsAnErrorOfOneLine) {
  const Program nika;
  const std::string text = nika.read(found_by(nika, "twins diembft --bug quorum-2f --assignment static"));
  for (const auto& [old, edited] : {std::pair<std::string, std::string>{"\"agreement\"", "\"termination\""},
                                    {"two values of one round", "values of different rounds"},
                                    {"\"height\": 1", "\"height\": 2"}}) {
    std::string other = text;
    const std::size_t at = other.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    nika.write("other.json", other.replace(at, old.size(), edited));
    const Said said = nika.run("replay other.json");
    EXPECT_EQ(said.exit_code, 2) << edited;
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  }
}

TEST(Finding, IsShownRoundByRound) {
  const Program nika;
  const Said said = nika.run("show " + found_by(nika, "twins diembft --bug quorum-2f --assignment static"));
  EXPECT_EQ(said.exit_code, 1);
  for (const char* piece : {"round 1  leader A  {A* B C | D A'*}", "proposes A1 on genesis", "votes for A'1",
                            "certifies A1", "COMMITS A1 at height 1", "<- they disagree"}) {
    EXPECT_NE(said.out.find(piece), std::string::npos) << piece << " in\n" << said.out;
  }
}

TEST(Finding, FoundAsItWasCanBeShrunkLater) {
  const Program nika;
  const std::string shrunk = found_by(nika, "twins diembft --bug quorum-2f --assignment static --findings a");
  const std::string whole =
      found_by(nika, "twins diembft --bug quorum-2f --assignment static --findings b --no-shrink");
  const Said said = nika.run("shrink " + whole + " --out small.json --json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.json()["shrunk"]["rounds"], 4);
  EXPECT_EQ(nika.read("small.json"), nika.read(shrunk));
  const Said again = nika.run("shrink small.json --out smaller.json --json");
  EXPECT_EQ(again.json()["shrunk"]["trace_fingerprint"], said.json()["shrunk"]["trace_fingerprint"]);
}

TEST(Scenario, ThatHoldsReplaysWithExitCodeZero) {
  const Program nika;
  nika.write("calm.json", R"({"format": "nika-scenario", "version": 1, "protocol": "diembft", "bugs": [], "nodes": 4,
    "faults": 1, "copies": {"A": 2}, "rounds": [{"leaders": ["A"], "partition": "A B C D A'"}],
    "heal": {"rounds": 3, "leaders": ["A"]}})");
  const Said said = nika.run("replay calm.json --json");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.json()["verdict"], "holds");
  EXPECT_EQ(said.json()["identical"], nullptr);
  EXPECT_EQ(nika.run("shrink calm.json").exit_code, 2);
}

// Where nothing can be stored, what was found is told all the same.
TEST(Findings, AreToldWhereTheyCannotBeStored) {
  const Program nika;
  const std::string attack = NIKA_ATTACKS "/diembft-quorum-2f.json";
  const Said shrunk = nika.run("shrink " + attack + " --out /proc/x.json --json");
  EXPECT_EQ(shrunk.exit_code, 1);
  EXPECT_TRUE(shrunk.json()["shrunk"]["file"].is_null());
  EXPECT_NE(shrunk.err.find("the shrunk finding could not be stored: /proc/x.json"), std::string::npos) << shrunk.err;
  const Said searched = nika.run("reproduce attacks --only diembft-quorum-2f --seconds 60 --findings /proc/x --json");
  EXPECT_EQ(searched.exit_code, 0) << searched.err;
  EXPECT_EQ(searched.json()["rows"][0]["found"], true);
  EXPECT_TRUE(searched.json()["rows"][0]["file"].is_null());
  EXPECT_NE(searched.err.find("what was found could not be stored: "), std::string::npos) << searched.err;
}

}  // namespace
}  // namespace nika::tests
