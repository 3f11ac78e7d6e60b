// nika attack: every attack breaks its flawed protocol and not the repaired one, wherever the program runs.
#include <gtest/gtest.h>

#include <algorithm>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

constexpr const char* kCalm = R"({"format": "nika-attack", "version": 1, "name": "calm", "source": "made up",
  "property": "agreement", "about": "nothing happens", "steps": [], "paper_rounds": 1,
  "scenario": {"format": "nika-scenario", "version": 1, "protocol": "diembft", "bugs": ["quorum-2f"], "nodes": 4,
    "faults": 1, "copies": {"A": 2}, "rounds": [{"leaders": ["A"]}], "heal": {"rounds": 1, "leaders": ["A"]}},
  "repaired": {"about": "nothing to repair", "bugs": []}})";

TEST(Attack, AllAreReproducedAndAllRepairsSurvive) {
  const Program nika;
  const Said said = nika.run("attack --all --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  const Json attacks = said.json()["attacks"];
  ASSERT_GE(attacks.size(), 5U);
  for (const Json& attack : attacks) {
    EXPECT_EQ(attack["reproduced"], true) << attack["name"];
    EXPECT_EQ(attack["repaired_survives"], true) << attack["name"];
    EXPECT_GE(attack["rounds"], 1) << attack["name"];
    EXPECT_TRUE(attack["property"] == "agreement" || attack["property"] == "termination") << attack["name"];
    EXPECT_TRUE(attack["protocol"].is_string());
  }
}

TEST(Attack, TheTableHasALineForEach) {
  const Program nika;
  const Said said = nika.run("attack --all");
  EXPECT_EQ(said.exit_code, 0);
  const auto count = static_cast<std::size_t>(std::ranges::count(said.out, '\n'));
  EXPECT_EQ(count, nika.run("attack --list --json").json()["attacks"].size() + 2);
  EXPECT_NE(said.out.find("diembft-quorum-2f"), std::string::npos);
}

TEST(Attack, IsToldStepByStepOnBothProtocols) {
  const Program nika;
  const Said said = nika.run("attack diembft-quorum-2f");
  EXPECT_EQ(said.exit_code, 0);
  for (const char* piece : {"section 7.1", "step 1", "flawed:   diembft with bug quorum-2f",
                            "(A1 is certified on one side, A'1 on the other)", "COMMITS A'1 at height 1",
                            "agreement: at height 1 B committed A1 and D committed A'1", "<- they disagree",
                            "repaired: diembft: 4 nodes", "HOLDS: agreement"}) {
    EXPECT_NE(said.out.find(piece), std::string::npos) << piece << " in\n" << said.out;
  }
}

TEST(Attack, ThatStopsAProtocolIsToldAsALoopWithItsAssumptions) {
  const Program nika;
  const Json expected{{"first_round", 13},
                      {"length", 6},
                      {"proved", true},
                      {"assumptions", {{"healed", true}, {"fair", true}, {"order", "one"}}}};
  EXPECT_EQ(nika.run("attack two-phase-hotstuff-livelock --json").json()["attacks"][0]["loop"], expected);
  const std::string words =
      "loops for ever: rounds 13..18 repeat, proved; assumptions: healed, fair, one order of arrival\n";
  EXPECT_NE(nika.run("attack two-phase-hotstuff-livelock").out.find(words), std::string::npos);
  const std::string file = std::string(NIKA_ATTACKS) + "/two-phase-hotstuff-livelock.json";
  EXPECT_EQ(nika.run("replay " + file + " --loop --json").json()["loop"], expected);
  EXPECT_TRUE(nika.run("replay " + file + " --loop").out.ends_with(words));
  EXPECT_FALSE(nika.run("replay " + file + " --json").json().contains("loop"));
  EXPECT_TRUE(nika.run("attack diembft-quorum-2f --json").json()["attacks"][0]["loop"].is_null());
}

TEST(Attack, OfAFileIsStagedAndOneThatFailsIsNoSuccess) {
  const Program nika;
  nika.write("calm.json", kCalm);
  const Said said = nika.run("attack calm.json --json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_EQ(said.json()["attacks"][0]["reproduced"], false);
  EXPECT_EQ(said.json()["attacks"][0]["repaired_survives"], true);
  EXPECT_EQ(nika.run("replay calm.json --json").json()["property"], "agreement");
}

TEST(Reproduce, FindsAnAttackThatItDoesNotKnow) {
  const Program nika;
  const Said said = nika.run("reproduce attacks --only fab-stuck --seconds 120 --findings found --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  const Json row = said.json()["rows"].at(0);
  EXPECT_EQ(nika.run("replay " + row["file"].get<std::string>()).exit_code, 1);
  EXPECT_EQ(row["name"], "fab-stuck");
  EXPECT_EQ(row["found"], true);
  EXPECT_GE(row["tried"], 1);
  EXPECT_LE(row["rounds_shrunk"], row["rounds_script"]);
  EXPECT_EQ(row["rounds_paper"], 2);
  EXPECT_GE(row["repaired_tried"], 10'000);
  EXPECT_EQ(row["repaired_found"], 0);
  EXPECT_EQ(nika.run("reproduce attacks --only diembft-nonconsecutive-commit --seconds 0").exit_code, 3);
  EXPECT_EQ(said.json()["guide"], "coverage");
  EXPECT_EQ(nika.run("reproduce attacks --guide luck").exit_code, 2);
  EXPECT_EQ(nika.run("reproduce figures").exit_code, 2);
}

TEST(Phases, AreSampledAndWhatIsFoundReplays) {
  const Program nika;
  const std::string phases = "twins fab --bug proofs-and-votes-bind-alike --granularity phase ";
  const Said said = nika.run(phases +
                             "--one-way --at-most --leaders all --rounds 2 --property termination --step3 random:20000 "
                             "--json");
  EXPECT_EQ(said.exit_code, 1) << said.err;
  const Json found = said.json()["findings"].at(0);
  EXPECT_EQ(found["property"], "termination");
  EXPECT_EQ(nika.run("replay " + found["file"].get<std::string>()).exit_code, 1);
  EXPECT_EQ(nika.run(phases).exit_code, 2);
  EXPECT_EQ(nika.run(phases + "--step3 random:10 --dry-run").exit_code, 2);
  EXPECT_EQ(nika.run("twins fab --one-way").exit_code, 2);
}

}  // namespace
}  // namespace nika::tests
