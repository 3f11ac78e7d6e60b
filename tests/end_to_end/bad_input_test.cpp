// Bad input ends with exit code 2 and one line on standard error, whatever it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

void expect_refused(const Said& said, const std::string& what) {
  EXPECT_EQ(said.exit_code, 2) << what;
  EXPECT_EQ(said.out, "") << what;
  EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << what << ": " << said.err;
  EXPECT_TRUE(said.err.starts_with("nika: ")) << said.err;
}

constexpr std::array kRefused{
    "",
    "frobnicate",
    "twins",
    "twins nosuch",
    "twins diembft extra",
    "twins diembft --nosuch",
    "twins diembft --bug nosuch",
    "twins diembft --bugs nosuch",
    "twins pbft --bugs cao --bug empty-digest",
    "twins diembft --crash A@20..22 --rounds 1",
    "reproduce byzzfuzz --protocol nosuch",
    "reproduce byzzfuzz --seconds 3",
    "twins diembft --bug",
    "twins diembft --bug quorum-2f --bug quorum-2f",
    "twins diembft --twins 5",
    "twins diembft --twins -1",
    "twins diembft --nodes many",
    "twins diembft --nodes 0",
    "twins diembft --nodes 17",
    "twins diembft --nodes 16 --twins 1",
    "twins diembft --copies 1",
    "twins diembft --partitions 0",
    "twins diembft --partitions 6",
    "twins diembft --rounds 0",
    "twins diembft --rounds 251",
    "twins diembft --rounds 250 --heal 1",
    "twins diembft --rounds unbounded",
    "twins diembft --faults 9",
    "twins diembft --leaders Z",
    "twins diembft --leaders E",
    "twins diembft --assignment none",
    "twins diembft --order none",
    "twins diembft --step1 some",
    "twins diembft --network ticks",
    "twins diembft --schedule uniform",
    "twins diembft --timeouts 3",
    "twins bracha --network steps",
    "twins bracha --network steps --step3 first:3",
    "twins bracha --network steps --step3 random:3 --exhaustive",
    "twins bracha --network steps --step3 random:3 --schedule priorities:0",
    "twins bracha --network steps --step3 random:3 --steps 0",
    "twins bracha --network steps --step3 random:3 --partitions 2",
    "twins bracha --network steps --step3 random:3 --heal 3",
    "twins bracha --network steps --step3 random:3 --granularity phase",
    "twins bracha --network steps --step3 random:3 --crash B@1..2",
    "twins bracha --network steps --step3 random:3 --symmetry",
    "twins bracha --network steps --step3 random:3 --out a",
    "twins bracha --network steps --step3 random:3 --dry-run",
    "twins bracha --network steps --exhaustive --schedule priorities:2",
    "twins bracha --network steps --exhaustive --steps 5",
    "twins bracha --network steps --exhaustive --rounds unbounded",
    "twins sync-hotstuff --network steps --step3 random:3",
    "twins diembft --step2 first:0",
    "twins diembft --step3 random:",
    "twins diembft --seed x",
    "twins diembft --range 5",
    "twins diembft --range 5..5",
    "twins diembft --range 0..170859376",
    "twins diembft --shard 0/2",
    "twins diembft --shard 3/2",
    "twins diembft --symmetry=some",
    "twins diembft --memory 4XB",
    "twins diembft --memory 0",
    "twins diembft --threads 0",
    "twins diembft --max-findings x",
    "twins diembft --crash Q@1..2",
    "twins diembft --crash A@2..2",
    "twins diembft --crash A",
    "twins diembft --exhaustive --range 0..1",
    "twins diembft --late 1",
    "twins diembft --crashes 1",
    "twins sync-hotstuff",
    "twins sync-hotstuff --granularity phase --step3 random:10",
    "twins sync-hotstuff --exhaustive",
    "twins diembft --crash B@2..5 --crash B@4..6",
    "twins diembft --symmetry --property all",
    "twins diembft --property honesty",
    "twins diembft --heal-leaders some",
    "twins diembft --twins 0",
    "twins diembft --assignment static --out missing/file",
    "twins --in missing",
    "twins --in .",
    "twins diembft --in missing",
    "attack",
    "attack nosuch",
    "attack nosuch.json",
    "attack --all --list",
    "attack diembft-quorum-2f --all",
    "replay",
    "replay missing",
    "replay .",
    "show missing",
    "shrink missing",
    "protocols extra",
};

TEST(BadInput, ArgumentsAreRefusedInOneLine) {
  const Program nika;
  for (const char* words : kRefused) {
    expect_refused(nika.run(words), words);
  }
}

TEST(BadInput, AFileOfScenariosThatCannotBeReadIsNamed) {
  const Program nika;
  EXPECT_EQ(nika.run("twins --in .").err, "nika: .: is a directory\n");
  const Said said = nika.run("twins --in /proc/self/mem");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.err, "nika: /proc/self/mem: cannot be read\n");
}

// A scenario that ran twice would be counted twice.
TEST(BadInput, AFileOfScenariosNamesEachOnce) {
  const Program nika;
  ASSERT_EQ(nika.run("twins diembft --rounds 3 --range 0..20 --out some.indices").exit_code, 0);
  std::string twice = nika.read("some.indices");
  twice.replace(twice.find("0..20\nend 20"), 12, "0..20\n0..20\nend 40");
  nika.write("twice.indices", twice);
  const Said said = nika.run("twins --in twice.indices");
  expect_refused(said, "twice");
  EXPECT_EQ(said.err, "nika: twice.indices:3:1: read 0, expected at least 20: ranges ascend and never overlap\n");
}

// An empty value is a variable of a script that was not set, and must not start the run that it was to narrow.
TEST(BadInput, AnEmptyValueIsNotTakenAsNotGiven) {
  const Program nika;
  for (const char* option : {"--range", "--shard", "--bug", "--crash", "--step3", "--faults", "--heal-leaders",
                             "--threads", "--in", "--out", "--findings"}) {
    const std::string expected = "nika: \"" + std::string(option) + "\": the value is empty; see nika --help\n";
    for (const std::vector<std::string>& given :
         {std::vector<std::string>{option, ""}, {std::string(option) + "="}, {std::string(option) + "=", "--json"}}) {
      std::vector<std::string> arguments{"twins", "diembft", "--dry-run"};
      arguments.insert(arguments.end(), given.begin(), given.end());
      const Said said = nika.run(arguments);
      expect_refused(said, option);
      EXPECT_EQ(said.err, expected);
    }
  }
  expect_refused(nika.run({"twins", "diembft", "--symmetry="}), "--symmetry=");
  expect_refused(nika.run(std::vector<std::string>{"replay", ""}), "an empty file name");
  expect_refused(nika.run({"verify", "some.ta", "-p", ""}), "verify -p");
  expect_refused(nika.run(std::vector<std::string>{""}), "an empty command");
}

TEST(BadInput, AnErrorIsShortAndHarmlessWhateverWasTyped) {
  const Program nika;
  const std::string typed = "\x1b[2J\x07" + std::string(100000, 'x');
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{typed},
                                                    {"replay", typed},
                                                    {"twins", typed},
                                                    {"twins", "diembft", "--range", typed},
                                                    {"twins", "diembft", "--" + typed},
                                                    {"verify", typed}}) {
    const Said said = nika.run(arguments);
    expect_refused(said, arguments.front());
    EXPECT_LT(said.err.size(), 260U);
    EXPECT_EQ(said.err.find_first_of("\x1b\x07"), std::string::npos);
  }
}

// Before the search, not after it.
TEST(BadInput, WhereFindingsCannotBeStoredNothingIsSearched) {
  const Program nika;
  nika.write("file", "");
  for (const char* words : {"twins diembft --exhaustive --findings file", "twins diembft --findings file/below",
                            "reproduce attacks --findings file"}) {
    const Said said = nika.run(words);
    expect_refused(said, words);
    EXPECT_NE(said.err.find("findings cannot be stored there"), std::string::npos) << said.err;
  }
}

TEST(BadInput, AFileOfRandomBytesIsRefused) {
  const Program nika;
  std::string bytes;
  std::uint64_t state = 1;
  for (int i = 0; i < 5000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    bytes += static_cast<char>(state >> 56U);
  }
  nika.write("random", bytes);
  for (const char* words : {"replay random", "show random", "shrink random", "twins --in random"}) {
    expect_refused(nika.run(words), words);
  }
}

TEST(BadInput, AFileThatWasCutOffAnywhereIsRefused) {
  const Program nika;
  const Said said = nika.run("twins diembft --bug quorum-2f --assignment static --json");
  const std::string finding = nika.read(said.json()["findings"][0]["file"]);
  for (std::size_t size = 0; size + 2 < finding.size(); size += 151) {
    nika.write("cut.json", finding.substr(0, size));
    expect_refused(nika.run("replay cut.json"), "replay of " + std::to_string(size) + " bytes");
  }
  nika.run("twins diembft --assignment static --out all.indices");
  const std::string indices = nika.read("all.indices");
  for (std::size_t size = 0; size < indices.size(); size += 17) {
    nika.write("cut.indices", indices.substr(0, size));
    expect_refused(nika.run("twins --in cut.indices"), "indices of " + std::to_string(size) + " bytes");
  }
}

}  // namespace
}  // namespace nika::tests
