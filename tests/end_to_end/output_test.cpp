// What the program says of itself, and what it does when nobody can hear it.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

constexpr const char* kViolating = "twins diembft --bug quorum-2f --assignment static";

TEST(Version, IsNameAndVersion) {
  const Program nika;
  const Said said = nika.run("--version");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.out, "nika " NIKA_VERSION "\n");
  EXPECT_EQ(nika.run_as("bin/own-protocol", "--version").out, "own-protocol (nika " NIKA_VERSION ")\n");
}

TEST(OwnProgram, IsCalledByItsOwnName) {
  const Program nika;
  EXPECT_EQ(nika.run_as("bin/own-protocol", "frobnicate").err,
            "own-protocol: there is no command \"frobnicate\"; see own-protocol --help\n");
  const std::string help = nika.run_as("own-protocol", "twins --help").out;
  EXPECT_NE(help.find("  own-protocol twins diembft --exhaustive"), std::string::npos) << help;
  EXPECT_EQ(help.find("nika"), std::string::npos) << help;
  const std::string said = nika.run_as("own-protocol", kViolating).out;
  EXPECT_NE(said.find("replay it: own-protocol replay findings/"), std::string::npos) << said;
  EXPECT_NE(said.find("see it:    own-protocol show findings/"), std::string::npos) << said;
}

TEST(Misspelled, WhatIsNearIsNamed) {
  const Program nika;
  EXPECT_EQ(nika.run("twins diembft --round=3 --seed 1").err,
            "nika: there is no option \"--round\" (did you mean --rounds?); see nika twins --help\n");
  EXPECT_EQ(nika.run("twin diembft").err,
            "nika: there is no command \"twin\" (did you mean twins?); see nika --help\n");
  EXPECT_EQ(nika.run("twins diembft 3").err, "nika: \"3\" is one argument too many; see nika twins --help\n");
  EXPECT_EQ(nika.run("twins diembft --seed").err, "nika: --seed: expected a value; see nika twins --help\n");
  EXPECT_EQ(nika.run("").err, "nika: expected a command; see nika --help\n");
}

TEST(Output, AFullDiskIsToldAndIsNoSuccess) {
  const Program nika;
  const Said said = nika.run_on_full_disk("attack --list");
  EXPECT_EQ(said.exit_code, 4);
  EXPECT_EQ(said.err, "nika: standard output: No space left on device: what was printed is not complete\n");
  EXPECT_EQ(nika.run_on_full_disk("--help").exit_code, 4);
}

TEST(Output, AClosedPipeEndsNothing) {
  const Program nika;
  const Said said = nika.run_on_closed_pipe("replay --trace " NIKA_ATTACKS "/diembft-quorum-2f.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.err, "nika: standard output: Broken pipe: what was printed is not complete\n");
  EXPECT_EQ(nika.run_on_closed_pipe("protocols").exit_code, 4);
}

TEST(Output, WhatIsViolatedStaysViolatedAndItsFindingIsStored) {
  const Program nika;
  const Said said = nika.run_on_full_disk(std::string(kViolating) + " --json --findings found");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_FALSE(std::filesystem::is_empty(nika.path("found")));
}

TEST(Output, WhatIsViolatedStaysViolatedWhenNothingCanBeSaidAtAll) {
  const Program nika;
  EXPECT_EQ(nika.code_when_both_are_full(std::string(kViolating) + " --findings full"), 1);
  EXPECT_EQ(nika.code_when_both_are_closed(std::string(kViolating) + " --findings closed"), 1);
  EXPECT_FALSE(std::filesystem::is_empty(nika.path("full")));
  EXPECT_EQ(nika.run("replay " + nika.only_file_in("closed")).exit_code, 1);
  EXPECT_EQ(nika.code_when_both_are_full("protocols"), 4);
  EXPECT_EQ(nika.code_when_both_are_closed("protocols"), 4);
  EXPECT_EQ(nika.code_when_both_are_full("frobnicate"), 2);
}

TEST(Output, PathsAreSpelledOut) {
  const Program nika;
  const Said found =
      nika.run({"twins", "diembft", "--bug", "quorum-2f", "--assignment", "static", "--findings", "d\x1b[31m"});
  EXPECT_EQ(found.out.find('\x1b'), std::string::npos);
  EXPECT_NE(found.out.find("replay it: nika replay d\\x1b[31m/"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("see it:    nika show d\\x1b[31m/"), std::string::npos) << found.out;
  const Said written = nika.run({"twins", "diembft", "--rounds", "2", "--out", "x\x1b[31m"});
  EXPECT_EQ(written.out, "wrote 225 scenarios to x\\x1b[31m\nrun them: nika twins --in x\\x1b[31m\n");
  const Said shrunk = nika.run({"shrink", NIKA_ATTACKS "/diembft-quorum-2f.json", "--out", "x\x1b[31m"});
  EXPECT_NE(shrunk.out.find("replay it: nika replay x\\x1b[31m\n"), std::string::npos) << shrunk.out;
}

TEST(Output, JsonHoldsNothingThatATerminalObeys) {
  const Program nika;
  nika.write("noted.json",
             "{\"format\": \"nika-scenario\", \"version\": 1, \"protocol\": \"diembft\", \"bugs\": [],"
             "\"nodes\": 4, \"faults\": 1, \"copies\": {\"A\": 2}, \"rounds\": [{\"leaders\": [\"A\"],"
             "\"partition\": \"A B C D A'\", \"note\": \"\x7f\xe2\x80\xae!\"}],"
             "\"heal\": {\"rounds\": 3, \"leaders\": [\"A\"]}}");
  const Said said = nika.run("show noted.json --json");
  EXPECT_EQ(said.out.find('\x7f'), std::string::npos);
  EXPECT_NE(said.out.find("\"note\": \"\\u007f\\u202e!\""), std::string::npos) << said.out;
  EXPECT_EQ(said.json()["story"][0]["note"], "\x7f\xe2\x80\xae!");
}

// n > 2f is enough for a synchronous protocol: 3 nodes withstand a liar.
TEST(Output, TheDefaultFIsTheProtocolsOwn) {
  const Program nika;
  const Said said = nika.run("twins sync-hotstuff --network ticks --nodes 3 --rounds 3 --step3 random:2000 --seed 5");
  EXPECT_EQ(said.exit_code, 0) << said.out;
  EXPECT_NE(said.out.find("3 nodes, A with a twin; f = 1"), std::string::npos) << said.out;
}

TEST(Output, TheHeadlineNamesWhatIsBrokenAndNothingElse) {
  const Program nika;
  const Said said = nika.run(
      "twins diembft --bug quorum-2f --rounds 5 --step3 random:500 --max-findings 0 --property agreement,termination");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.out.find(" scenarios break agreement\n"), std::string::npos) << said.out;
}

}  // namespace
}  // namespace nika::tests
