// What scripts rely on: the figures, the fields and the exit codes of `nika fuzz --json`, and what findings of it show.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(Fuzz, HotStuffWithoutItsLockIsFoundOutByOneLie) {
  const Program nika;
  const Said said = nika.run("fuzz hotstuff --bug no-lock -c 1 -d 1 -r 24 --runs 2000 --json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.err, "");
  const Json json = said.json();
  EXPECT_EQ(json["command"], "fuzz");
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["runs"], 2000);
  EXPECT_GT(json["violations"]["agreement"], 0);
  EXPECT_EQ(json["violations"]["integrity"], json["violations"]["agreement"]);  // who follows the fork decides twice
  EXPECT_EQ(json["violations"]["termination"], 0);
  EXPECT_EQ(json["violations"]["validity"], 0);
  EXPECT_GT(json["effective"], 0);
  EXPECT_LE(json["faults"]["changed"], json["faults"]["matched"]);
  ASSERT_EQ(json["findings"].size(), 2U);
  const std::string file = json["findings"][0]["file"];
  const Said replayed = nika.run("replay " + file);
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_NE(replayed.out.find("byte for byte the recorded one"), std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.find("another justify in its prepare"), std::string::npos) << replayed.out;
  const Said shown = nika.run("show " + file);
  EXPECT_NE(shown.out.find("lies: justify is genesis and not"), std::string::npos) << shown.out;
}

TEST(Fuzz, ACorrectProtocolAndTheSameCountsOnAnyNumberOfThreads) {
  const Program nika;
  Json one = nika.run("fuzz diembft -c 2 -d 2 -r 12 --runs 3000 --threads 1 --json").json();
  Json two = nika.run("fuzz diembft -c 2 -d 2 -r 12 --runs 3000 --threads 2 --json").json();
  EXPECT_EQ(one["verdict"], "none_found");
  for (Json* json : {&one, &two}) {
    json->erase("seconds");
    json->erase("runs_per_second");
  }
  EXPECT_EQ(one, two);
}

// Blind draws need more than 20,000 runs for it.
TEST(Fuzz, AGuideFindsWhatBlindDrawsDoNot) {
  const Program nika;
  const std::string settings = "fuzz bracha --bug quorum-2f -c 2 -d 2 -r 15 --runs 8000 --json";
  EXPECT_EQ(nika.run(settings).json()["verdict"], "none_found");
  const Said said = nika.run(settings + " --guide coverage");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.json()["settings"]["guide"], "coverage");
  const std::string file = said.json()["findings"][0]["file"];
  const Said replayed = nika.run("replay " + file);
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_NE(replayed.out.find("byte for byte the recorded one"), std::string::npos) << replayed.out;
  EXPECT_EQ(nika.run("fuzz bracha --guide coverage --exhaustive").exit_code, 2);
  EXPECT_EQ(nika.run("fuzz bracha --guide coverage --sampling artifact").exit_code, 2);
}

// A primary of PBFT forgets what was prepared: told with the faults that were planned and what came of them.
TEST(Fuzz, LostCertificatesOfPbftAreFoundByThePapersLies) {
  const Program nika;
  const Said said = nika.run("fuzz pbft --bug lost-certificate --mutations paper --runs 2000 --json");
  EXPECT_EQ(said.exit_code, 1);
  const Json json = said.json();
  EXPECT_EQ(json["settings"]["mutations"], "paper");
  EXPECT_GT(json["violations"]["agreement"], 0);
  EXPECT_EQ(json["faults"]["planned_lies"], 2000);
  EXPECT_EQ(json["faults"]["planned_outages"], 2000);
  EXPECT_LE(json["effective"], json["faults"]["changed"]);
  EXPECT_EQ(json["exhaustive"], false);
  EXPECT_EQ(json["configurations"], nullptr);
  EXPECT_FALSE(json["findings"].empty());
}

TEST(Fuzz, EveryConfigurationOfASmallBound) {
  const Program nika;
  const Said said = nika.run("fuzz tendermint -c 1 -d 0 -r 8 --mutations paper --exhaustive --json");
  EXPECT_EQ(said.exit_code, 0);
  const Json json = said.json();
  EXPECT_EQ(json["verdict"], "holds");
  EXPECT_EQ(json["configurations"], 24 * 8 * 16 * 3 * 3 * 3);  // leaders, rounds, receivers, lies of three kinds
  EXPECT_LT(json["runs"], json["configurations"]);
  EXPECT_GT(json["effective"], 0);
  const Said drawn = nika.run("fuzz tendermint --scope any --exhaustive");
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_NE(drawn.err.find("it needs --scope small"), std::string::npos) << drawn.err;
}

TEST(Fuzz, LiarsWithTwinsBreakMoreThanLiarsAlone) {
  const Program nika;
  const std::string command = "fuzz tendermint --bug quorum-2f -c 1 -d 1 --runs 5000 --max-findings 0 --json";
  const Json alone = nika.run(command).json();
  const Json both = nika.run(command + " --twins").json();
  EXPECT_EQ(both["settings"]["twins"], true);
  EXPECT_EQ(alone["violations"]["agreement"], 20);
  EXPECT_EQ(both["violations"]["agreement"], 134);
}

TEST(Fuzz, BadInputIsOneLine) {
  const Program nika;
  const Said unknown = nika.run("fuzz sync-hotstuff");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("sync-hotstuff cannot be fuzzed"), std::string::npos) << unknown.err;
  EXPECT_EQ(nika.run("fuzz diembft --bug no-lock").exit_code, 2);
  EXPECT_EQ(nika.run("fuzz diembft -c 9").exit_code, 2);
  const Said untested = nika.run("fuzz diembft --mutations paper");
  EXPECT_EQ(untested.exit_code, 2);
  EXPECT_NE(untested.err.find("the paper on ByzzFuzz did not test diembft"), std::string::npos) << untested.err;
  EXPECT_EQ(nika.run("fuzz diembft --scope large").exit_code, 2);
}

}  // namespace
}  // namespace nika::tests
