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

}  // namespace
}  // namespace nika::tests
