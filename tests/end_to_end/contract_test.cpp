// What scripts rely on: the figures, the fields and the exit codes of `nika twins --json`.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(Twins, TwoTwinsOfFourNodesForkInEightOf62StaticScenarios) {
  const Program nika;
  const Said said = nika.run("twins diembft --nodes 4 --twins 2 --partitions 2 --rounds 7 --assignment static --json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.err, "");
  const Json json = said.json();
  EXPECT_EQ(json["scenarios"], 62);
  EXPECT_EQ(json["executed"], 62);
  EXPECT_EQ(json["violating"], 8);
  EXPECT_EQ(json["unknown"], 54);  // two liars where f = 1: what does not fork shows nothing
  EXPECT_EQ(json["verdict"], "violated");
}

// The search once let the network heal after the usual seven rounds, and closed for that reason.
TEST(Twins, AnUnboundedSearchThatLeavesOutRoundsProvesNothing) {
  const Program nika;
  const Said said = nika.run("twins diembft --nodes 2 --leaders A --rounds unbounded --exhaustive --json");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_EQ(said.json()["verdict"], "unknown");
  EXPECT_GT(said.json()["rounds_explored"], 20);
}

TEST(Twins, AQuorumOf2fForksInSixOf15StaticScenarios) {
  const Program nika;
  const Said said = nika.run(
      "twins diembft --bug quorum-2f --nodes 4 --twins 1 --partitions 2 --rounds 7 --assignment static --json");
  EXPECT_EQ(said.exit_code, 1);
  const Json json = said.json();
  EXPECT_EQ(json["scenarios"], 15);
  EXPECT_EQ(json["violating"], 6);
  ASSERT_FALSE(json["findings"].empty());
  const Json finding = json["findings"][0];
  EXPECT_EQ(finding["property"], "agreement");
  EXPECT_EQ(finding["kind"], "two values of one round");
  EXPECT_EQ(finding["rounds"], 4);
  EXPECT_TRUE(std::filesystem::exists(nika.path(finding["file"])));
}

TEST(Twins, ConflictingVotesForkWithoutAnyPartition) {
  const Program nika;
  const Json json = nika.run("twins diembft --bug conflicting-votes --partitions 1 --json").json();
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["scenarios"], 1);
  EXPECT_EQ(json["violating"], 1);
}

TEST(Twins, ForgettingThePreferredRoundForksWithACrashAndRecovery) {
  const Program nika;
  const Said said = nika.run({"twins", "diembft", "--bug", "forgotten-preferred-round", "--crash", "A'@4..6", "--step3",
                              "random:2000", "--json"});
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.json()["verdict"], "violated");
  EXPECT_EQ(said.json()["executed"], 2000);
}

TEST(Twins, TheCorrectProtocolHolds) {
  const Program nika;
  const Said said = nika.run("twins diembft --rounds 3 --json");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.json()["verdict"], "holds");
  EXPECT_EQ(said.json()["covered"], 3375);
  EXPECT_EQ(said.json()["findings"], Json::array());
  EXPECT_FALSE(std::filesystem::exists(nika.path("findings")));
}

TEST(Twins, TheNumberOfThreadsChangesNothingButTheTime) {
  std::string first;
  for (const char* threads : {"1", "2", "4"}) {
    const Program nika;
    const std::string words = "twins diembft --bug quorum-2f --rounds 4 --max-findings 3 --json --threads ";
    Json json = nika.run(words + threads).json();
    EXPECT_EQ(json["executed"], 50625);
    json.erase("seconds");
    json.erase("scenarios_per_second");
    std::string text = json.dump();
    for (const Json& finding : json["findings"]) text += nika.read(finding["file"]);
    if (first.empty()) first = text;
    EXPECT_EQ(text, first) << threads << " threads";
  }
}

TEST(Twins, ShardsAndRangesAddUpToTheWhole) {
  const Program nika;
  const std::string words = "twins diembft --bug quorum-2f --rounds 3 --max-findings 0 --json ";
  const int whole = nika.run(words).json()["violating"];
  int sum = 0;
  for (const char* part : {"--shard 1/3", "--shard 2/3", "--shard 3/3"})
    sum += int{nika.run(words + part).json()["violating"]};
  EXPECT_EQ(sum, whole);
  sum = 0;
  for (const char* part : {"--range 0..1000", "--range 1000..3375"})
    sum += int{nika.run(words + part).json()["violating"]};
  EXPECT_EQ(sum, whole);
}

TEST(Twins, ExactSymmetryCountsTheSameViolationsWithFewerRuns) {
  const Program nika;
  const std::string words = "twins diembft --bug quorum-2f --rounds 3 --max-findings 0 --json ";
  const Json all = nika.run(words).json();
  const Json classes = nika.run(words + "--symmetry=exact").json();
  EXPECT_EQ(classes["violating"], all["violating"]);
  EXPECT_EQ(classes["covered"], all["covered"]);
  EXPECT_LT(classes["executed"], all["executed"]);
  EXPECT_EQ(classes["weights_are_exact"], true);
}

// With all orders the healing rounds still have a fixed one, and a sender breaks ties between messages alike.
TEST(Twins, ExactSymmetryCountsAsThePlainSweepDoes) {
  const Program nika;
  for (const char* space :
       {"diembft --bug quorum-2f --rounds 2 --order all", "diembft --bug quorum-2f --rounds 2 --order all --heal 0",
        "diembft --bug quorum-2f --rounds 2 --leaders B", "bracha --bug quorum-2f --rounds 2 --order all",
        "hotstuff --rounds 2 --leaders B,C", "zyzzyva --rounds 1",
        "zyzzyva --nodes 3 --rounds 2 --order all --heal 0 --leaders all"}) {
    const std::string words = std::string("twins ") + space + " --max-findings 0 --json ";
    const Json all = nika.run(words).json();
    const Json classes = nika.run(words + "--symmetry=exact").json();
    for (const char* field : {"violating", "unknown", "committed", "covered", "properties"})
      EXPECT_EQ(classes[field], all[field]) << space << ": " << field;
    EXPECT_EQ(classes["weights_are_exact"], true);
  }
  EXPECT_EQ(nika.run("twins diembft --bug quorum-2f --rounds 2 --order all --symmetry=exact --max-findings 0 --json")
                .json()["violating"],
            708);
  EXPECT_EQ(nika.run("twins zyzzyva --rounds 1 --symmetry --dry-run --json").json()["classes"], 5);
}

TEST(Twins, SymmetryByNamesFindsNothingIsNotTheSameAsHolds) {
  const Program nika;
  const Said said = nika.run("twins diembft --rounds 3 --symmetry --json");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_EQ(said.json()["verdict"], "unknown");
  EXPECT_EQ(said.json()["weights_are_exact"], false);
}

TEST(Twins, WhatOutWritesInRuns) {
  const Program nika;
  const std::string space =
      "twins diembft --bug quorum-2f --rounds 3 --step3 random:500 --seed 9 --max-findings 0 --json ";
  const Json direct = nika.run(space).json();
  EXPECT_EQ(nika.run(space + "--out some.indices").json()["written"], 500);
  const Json read = nika.run("twins --in some.indices --max-findings 0 --json").json();
  EXPECT_EQ(read["scenarios"], 500);
  EXPECT_EQ(read["violating"], direct["violating"]);
}

struct TableRow {
  const char* space;
  Json step1, step2, replacement, no_replacement;
};

TEST(Twins, ADryRunPrintsEveryRowOfTable1) {
  const Program nika;
  const std::vector<TableRow> table{
      {"--nodes 4 --twins 1 --partitions 2 --rounds 4", 15, 15, 50625, 32760},
      {"--nodes 4 --twins 1 --partitions 3 --rounds 4", 25, 25, 390625, 303600},
      {"--nodes 4 --twins 1 --partitions 2 --rounds 7", 15, 15, 170859375, 32432400},
      {"--nodes 4 --twins 1 --partitions 3 --rounds 7", 25, 25, 6103515625, 2422728000},
      {"--nodes 7 --twins 2 --partitions 2 --rounds 4", 255, 510, 67652010000, 66858962040},
      {"--nodes 7 --twins 2 --partitions 3 --rounds 4", 3025, 6050, 1339743006250000, 1338414738091200},
      {"--nodes 7 --twins 2 --partitions 2 --rounds 7", 255, 510, "8974106778510000000", "8610573167320924800"},
      {"--nodes 7 --twins 2 --partitions 3 --rounds 7", 3025, 6050, "296679557486907031250000000",
       "295651178144351773039296000"},
  };
  for (const TableRow& row : table) {
    const Said said = nika.run(std::string("twins diembft --dry-run --json ") + row.space);
    EXPECT_EQ(said.exit_code, 0);
    const Json json = said.json();
    EXPECT_EQ(json["step1"], row.step1) << row.space;
    EXPECT_EQ(json["step2"], row.step2) << row.space;
    EXPECT_EQ(json["step3"], row.replacement) << row.space;
    EXPECT_EQ(json["scenarios"], row.replacement) << row.space;
    EXPECT_EQ(json["step3_by_assignment"]["no-replacement"], row.no_replacement) << row.space;
    EXPECT_EQ(json["step3_by_assignment"]["static"], row.step2) << row.space;
  }
}

TEST(Twins, ADryRunCountsTheClasses) {
  const Program nika;
  const Json json = nika.run("twins diembft --dry-run --symmetry --json").json();
  EXPECT_EQ(json["scenarios"], 170859375);
  EXPECT_EQ(json["classes"], 14513707);
}

TEST(Help, EveryCommandExplainsItselfWithAnExample) {
  const Program nika;
  for (const char* command : {"", "twins", "attack", "replay", "show", "shrink", "protocols"}) {
    const Said said = nika.run(std::string(command) + " --help");
    EXPECT_EQ(said.exit_code, 0) << command;
    EXPECT_NE(said.out.find("Example"), std::string::npos) << command;
    EXPECT_EQ(said.err, "") << command;
  }
}

TEST(Protocols, AreListedWithTheirBugs) {
  const Program nika;
  const Json json = nika.run("protocols --json").json();
  ASSERT_FALSE(json["protocols"].empty());
  EXPECT_EQ(json["protocols"][0]["name"], "diembft");
  EXPECT_EQ(json["protocols"][0]["bugs"][0], "quorum-2f");
  EXPECT_EQ(json["protocols"][0]["kinds"][0], "proposal");
}

}  // namespace
}  // namespace nika::tests
