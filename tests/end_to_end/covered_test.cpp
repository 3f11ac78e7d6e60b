// What a search says that it covered: no more than it did.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(Unbounded, JudgesAgreementOnly) {
  const Program nika;
  for (const char* words : {"--twins 0 --leaders A+B --property termination", "--faults 4 --property all",
                            "--heal 0 --property termination", "--property totality"}) {
    const Said said = nika.run(std::string("twins bracha --exhaustive --rounds unbounded ") + words);
    EXPECT_EQ(said.exit_code, 2) << words;
    EXPECT_EQ(said.err,
              "nika: --rounds unbounded judges agreement only: the network never heals, so that nothing else is due\n");
  }
}

TEST(Unbounded, NothingIsShownWithMoreThanFCompromised) {
  const Program nika;
  const Said said = nika.run("twins bracha --exhaustive --rounds unbounded --nodes 2 --json");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_EQ(said.json()["verdict"], "unknown");
  EXPECT_EQ(said.json()["reason"], "more than f nodes are compromised, down or without their memory");
}

TEST(Unbounded, NothingIsShownWhereSoFewNodesTolerateNoSuchF) {
  const Program nika;
  const Said said = nika.run("twins bracha --exhaustive --rounds unbounded --faults 4 --json");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_EQ(said.json()["reason"], "so few nodes tolerate no f faulty ones");
}

TEST(Unbounded, HoldsAndCountsNoScenarios) {
  const Program nika;
  const Said said = nika.run("twins bracha --exhaustive --rounds unbounded --json");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.json()["verdict"], "holds");
  for (const char* field : {"scenarios", "covered", "violating", "unknown", "committed", "space"})
    EXPECT_EQ(said.json()[field], nullptr) << field;
  const std::string some = nika.run("twins bracha --exhaustive --rounds unbounded --step1 random:3").err;
  EXPECT_EQ(some,
            "nika: --rounds unbounded takes every configuration of a round, so that step 1 and 2 select nothing\n");
}

TEST(Unbounded, AViolationIsToldByItsRounds) {
  const Program nika;
  const Said said = nika.run("twins bracha --bug quorum-2f --exhaustive --rounds unbounded --max-findings 0");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.out.find("VIOLATED: agreement, after 1 round at the earliest\n"), std::string::npos) << said.out;
  EXPECT_EQ(said.out.find("scenarios"), std::string::npos) << said.out;
}

TEST(Selected, ASampleIsNoWholeSpace) {
  const Program nika;
  for (const char* how : {"", " --exhaustive"}) {
    for (const char* step : {"--step1 random:1", "--step2 random:1"}) {
      const std::string words = std::string("twins diembft --bug quorum-2f --rounds 5 ") + step + how;
      const Said said = nika.run(words);
      EXPECT_EQ(said.exit_code, 0);
      EXPECT_NE(said.out.find("NONE FOUND: no violation of agreement in 1 of 759,375 scenarios\n"), std::string::npos)
          << words << "\n"
          << said.out;
      const Json json = nika.run(words + " --json").json();
      EXPECT_EQ(json["verdict"], "none_found");
      EXPECT_EQ(json["scenarios"], 1);
      EXPECT_EQ(json["space"], 759'375);
    }
  }
  EXPECT_EQ(nika.run("twins diembft --rounds 2 --step1 first:15 --json").json()["verdict"], "holds");
}

// Who comes back without memory goes through the rounds again whose leaders the search had forgotten.
TEST(Exhaustive, CountsLikeTheSweepWhereAnybodyLeadsAndMemoryIsLost) {
  const Program nika;
  for (const char* space :
       {"zyzzyva --bug certificate-before-later-votes --property all", "zyzzyva --heal 0 --leaders A,B",
        "fast-hotstuff --heal 0", "fast-hotstuff --property all", "diembft", "hotstuff --heal 1"}) {
    const std::string words = std::string("twins ") + space +
                              (std::string(space).find("--leaders") == std::string::npos ? " --leaders all" : "") +
                              " --twins 0 --crash B@2..3 --max-findings 0 --json --rounds 3";
    const Json swept = nika.run(words).json();
    const Json searched = nika.run(words + " --exhaustive").json();
    for (const char* field : {"verdict", "violating", "unknown", "committed", "covered", "properties"})
      EXPECT_EQ(searched[field], swept[field]) << space << ": " << field;
  }
}

// Every honest node has to lead as often as the protocol asks for, also where there are more of them, or of liars.
TEST(Healing, LastsLongEnoughToBeFair) {
  const Program nika;
  const auto rounds_of = [&](const std::string& words) {
    const std::string few = " --property termination --rounds 1 --step1 first:2 --json";
    return nika.run("twins " + words + few).json()["healing"]["rounds"].get<int>();
  };
  EXPECT_EQ(rounds_of("fab"), 10);
  EXPECT_EQ(rounds_of("fab --heal-leaders alternating"), 20);
  EXPECT_EQ(rounds_of("fab --nodes 13"), 13);
  EXPECT_EQ(rounds_of("hotstuff --nodes 7 --twins 2 --heal-leaders alternating"), 36);
}

// Asked for by name, every rotation and order is covered; the same words without --exhaustive run them one by one.
TEST(Exhaustive, LetsTheNetworkHealInEveryWayIfLivenessIsAskedForByName) {
  const Program nika;
  const std::string words =
      "twins fab --bug proofs-and-votes-bind-alike --rounds 3 --json --max-findings 0 --property ";
  const Json all = nika.run(words + "termination,responsiveness --exhaustive").json();
  EXPECT_EQ(all["healing"],
            Json({{"leaders", "both"}, {"rotations", "all"}, {"orders", "all"}, {"rounds", 20}, {"ways", 2880}}));
  EXPECT_EQ(all["scenarios"], 9'720'000);
  EXPECT_EQ(all["verdict"], "violated");
  EXPECT_EQ(all["properties"][0]["violating"], 0);
  EXPECT_EQ(all["properties"][1]["violating"], 33'120);
  EXPECT_EQ(nika.run(words + "all --exhaustive").json()["healing"]["ways"], 1);
  const std::string set = "responsiveness --heal-leaders both --heal-rotations all --heal-orders reversed";
  const Json searched = nika.run(words + set + " --exhaustive").json();
  const Json swept = nika.run(words + set).json();
  EXPECT_EQ(swept["executed"], 40'500);
  for (const char* field : {"verdict", "scenarios", "violating", "unknown", "committed", "covered", "properties"})
    EXPECT_EQ(searched[field], swept[field]) << field;
}

// A scenario that breaks it is replayed with its rotation and its order.
TEST(Exhaustive, AFindingHealsAsItDid) {
  const Program nika;
  const Said said = nika.run(
      "twins fab --bug proofs-and-votes-bind-alike --rounds 3 --property responsiveness --exhaustive --heal-orders "
      "reversed");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.out.find("order: reversed"), std::string::npos) << said.out;
  const Json finding = nika.run(
                               "twins fab --bug proofs-and-votes-bind-alike --rounds 3 --property responsiveness "
                               "--exhaustive --heal-orders reversed "
                               "--json")
                           .json()["findings"][0];
  const Said replayed = nika.run("replay " + finding["file"].get<std::string>() + " --json");
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_EQ(replayed.json()["verdict"], "violated");
}

TEST(Exhaustive, DoesNotStopAtTheFirst) {
  const Program nika;
  for (const char* network : {"", " --network steps"}) {
    const Said said = nika.run(std::string("twins bracha --exhaustive --stop-at-first") + network);
    EXPECT_EQ(said.exit_code, 2);
    EXPECT_EQ(said.err, "nika: --exhaustive and --stop-at-first exclude each other\n");
  }
}

}  // namespace
}  // namespace nika::tests
