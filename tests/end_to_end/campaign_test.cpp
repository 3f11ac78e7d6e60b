// What scripts rely on: --campaign and `nika campaign`, their fields, exit codes and what they say of bad files.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

const std::string kWords = "twins diembft --bug quorum-2f --assignment static --rounds 7 --max-findings 2";

TEST(Campaigns, TellWhatWasRunAndFound) {
  const Program nika;
  EXPECT_EQ(nika.run(kWords + " --campaign a.db").exit_code, 1);
  const Said said = nika.run("campaign show a.db --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  const Json json = said.json();
  EXPECT_EQ(json["campaign"], "twins");
  EXPECT_EQ(json["executed"], 15);
  EXPECT_EQ(json["covered"], 15);
  EXPECT_EQ(json["violating"], 6);
  EXPECT_EQ(json["unknown"], 0);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["complete"], true);
  ASSERT_EQ(json["findings"].size(), 1U);  // the second one is the first by other names
  EXPECT_EQ(json["findings"][0]["property"], "agreement");
  EXPECT_EQ(json["findings"][0]["position"], json["findings"][0]["index"]);
  // Once more it runs nothing and says the same.
  Json again = nika.run(kWords + " --campaign a.db --json").json();
  EXPECT_EQ(again["executed"], 15);
  EXPECT_EQ(again["findings"].size(), 1U);
  EXPECT_EQ(nika.run("campaign show a.db --json").out, said.out);
  EXPECT_EQ(nika.run("campaign resume a.db --json").json()["violating"], 6);
}

TEST(Campaigns, AreListedAndExported) {
  const Program nika;
  nika.run(kWords + " --campaign a.db");
  nika.write("b.db", "no database at all, but a text");
  const Json list = nika.run("campaign list --json").json();
  ASSERT_EQ(list["campaigns"].size(), 2U);
  EXPECT_EQ(list["campaigns"][0]["complete"], true);
  EXPECT_EQ(list["campaigns"][0]["verdict"], "violated");
  EXPECT_NE(list["campaigns"][1]["error"], nullptr);
  EXPECT_EQ(nika.run("campaign export a.db").out,
            "property,verdict,count,reason\r\nagreement,holds,9,\r\nagreement,violated,6,\r\n");
  const Said lines = nika.run("campaign export a.db --table progress --format jsonl");
  EXPECT_EQ(Json::parse(lines.out)["last"], 15);
  EXPECT_EQ(nika.run("campaign export a.db --table other").exit_code, 2);
  const Said findings = nika.run("campaign export a.db --table findings --format jsonl");
  EXPECT_EQ(std::count(findings.out.begin(), findings.out.end(), '\n'), 1);
}

TEST(Campaigns, OfAJobArrayAreMergedToTheWhole) {
  const Program nika;
  const std::string words = "twins diembft --bug quorum-2f --rounds 4 --max-findings 3 --quiet --campaign ";
  EXPECT_EQ(nika.run(words + "whole.db").exit_code, 1);
  for (const char* id : {"10", "12", "14"}) {
    setenv("SLURM_ARRAY_TASK_ID", id, 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
    setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    const Said said = nika.run(words + "shard-" + id + ".db");
    EXPECT_NE(said.err.find("of a job array"), std::string::npos);
  }
  for (const char* name : {"ID", "COUNT", "MIN", "STEP"}) unsetenv((std::string("SLURM_ARRAY_TASK_") + name).c_str());
  const Said part = nika.run("campaign merge part.db shard-14.db shard-10.db");
  EXPECT_EQ(part.exit_code, 3);
  EXPECT_NE(part.err.find("were run by none of them"), std::string::npos);
  EXPECT_EQ(nika.run("campaign merge all.db shard-14.db shard-10.db shard-12.db").exit_code, 1);
  EXPECT_EQ(nika.run("campaign merge all.db shard-14.db shard-10.db").exit_code, 2);
  EXPECT_EQ(nika.run("campaign merge twice.db shard-14.db shard-14.db").exit_code, 2);
  EXPECT_EQ(nika.run("campaign show all.db --json").out, nika.run("campaign show whole.db --json").out);
  EXPECT_EQ(nika.run("campaign resume part.db --quiet").exit_code, 1);
  EXPECT_EQ(nika.run("campaign show part.db --json").out, nika.run("campaign show whole.db --json").out);
}

TEST(Campaigns, OfAnotherCommandOrOnBadFilesAreRefusedInOneLine) {
  const Program nika;
  nika.run(kWords + " --campaign a.db");
  nika.write("text.db", "no database at all, but a text");
  nika.write("empty.db", "");
  mkdir(nika.path("directory.db").c_str(), 0700);
  for (const std::string& words :
       {kWords + " --seed 2 --campaign a.db", std::string("fuzz bracha --campaign a.db"),
        kWords + " --campaign text.db", kWords + " --campaign directory.db", kWords + " --campaign no/such/place.db",
        kWords + " --campaign /dev/null", kWords + " --campaign b.db --out x",
        std::string("twins diembft --exhaustive --campaign b.db"),
        std::string("fuzz pbft --exhaustive --campaign b.db"), std::string("twins diembft --other-program"),
        std::string("campaign show text.db"), std::string("campaign show empty.db"),
        std::string("campaign show none.db"), std::string("campaign resume directory.db"), std::string("campaign"),
        std::string("campaign show"), std::string("campaign list none"), std::string("campaign merge a.db"),
        std::string("campaign other a.db")}) {
    const Said said = nika.run(words);
    EXPECT_EQ(said.exit_code, 2) << words << "\n" << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << words << "\n" << said.err;
    EXPECT_EQ(said.out, "") << words;
  }
  EXPECT_EQ(nika.read("text.db"), "no database at all, but a text");
  EXPECT_EQ(nika.run(kWords + " --campaign empty.db").exit_code, 1);  // a kill at the very first moment leaves that
}

TEST(Campaigns, KeepAllThatWasDoneWhenThereIsNoRoomLeft) {
  const Program nika;
  const std::string words =
      "fuzz bracha --bug quorum-2f -c 2 -d 2 -r 15 --guide coverage --property agreement --runs 40000 --quiet "
      "--campaign ";
  EXPECT_EQ(nika.run(words + "whole.db").exit_code, 1);
  unsigned refused = 0;
  // Files may grow a little more each time, so that it is full at other moments; then there is room.
  for (unsigned kibibytes = 4; kibibytes <= 164; kibibytes += 32) {
    const Said said = nika.run_with_file_size(kibibytes, words + "full.db");
    if (said.exit_code != 2) continue;
    ++refused;
    EXPECT_NE(said.err.find("full.db: could not be written"), std::string::npos) << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  }
  EXPECT_GT(refused, 1U);
  EXPECT_EQ(nika.run(words + "full.db").exit_code, 1);
  EXPECT_EQ(nika.run("campaign show full.db --json").out, nika.run("campaign show whole.db --json").out);
}

// Root may write anywhere.
TEST(Campaigns, InAFolderThatCannotBeWrittenToAreReadAndNotRun) {
  if (geteuid() == 0) GTEST_SKIP();
  const Program nika;
  mkdir(nika.path("kept").c_str(), 0700);
  nika.run(kWords + " --campaign kept/a.db");
  chmod(nika.path("kept").c_str(), 0500);
  EXPECT_EQ(nika.run("campaign show kept/a.db").exit_code, 0);
  EXPECT_EQ(nika.run(kWords + " --campaign kept/b.db").exit_code, 2);
  chmod(nika.path("kept/a.db").c_str(), 0400);
  EXPECT_EQ(nika.run("campaign resume kept/a.db").exit_code, 2);
  chmod(nika.path("kept").c_str(), 0700);
}

TEST(Campaigns, StopAfterTheirSecondsAndSayHowTheyGoOn) {
  const Program nika;
  const Said said =
      nika.run("twins diembft --rounds 7 --step3 random:100000000 --seconds 0.3 --campaign a.db --quiet --json");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_NE(said.err.find("Go on: nika campaign resume a.db"), std::string::npos) << said.err;
  const Json json = nika.run("campaign show a.db --json").json();
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["verdict"], "unknown");
  EXPECT_EQ(json["executed"], said.json()["executed"]);
  EXPECT_GT(json["executed"], 0);
}

}  // namespace
}  // namespace nika::tests
