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
  ASSERT_EQ(attacks.size(), 27U);
  for (const Json& attack : attacks) {
    EXPECT_EQ(attack["reproduced"], true) << attack["name"];
    EXPECT_EQ(attack["repaired_survives"], true) << attack["name"];
    EXPECT_GE(attack["rounds"], 1) << attack["name"];
    const Json property = attack["property"];
    EXPECT_TRUE(property == "agreement" || property == "termination" || property == "responsiveness") << attack["name"];
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

// Both replicas stand still, so that they agree whatever the protocol is.
TEST(Attack, ThatCommitsNothingShowsNothingOfAgreement) {
  const Program nika;
  const std::string file = std::string(NIKA_ATTACKS) + "/sync-hotstuff-force-lock-liveness.json";
  const Said said = nika.run("replay " + file + " --property agreement,totality --json");
  EXPECT_EQ(said.exit_code, 3);
  const Json json = said.json();
  for (const Json& judgement : json["judgements"]) {
    EXPECT_EQ(judgement["verdict"], "unknown");
    EXPECT_EQ(judgement["reason"], "nothing was decided, and nothing had to be");
  }
}

TEST(Attack, ThatStopsAProtocolIsToldAsALoopWithItsAssumptions) {
  const Program nika;
  const Json assumptions{{"healed", true}, {"fair", true}, {"order", "one"}, {"liars", "selective"}};
  const Json repaired{{"protocol", "hotstuff"}, {"bugs", Json::array()}, {"decides", true}, {"round", 14}};
  const std::string file = std::string(NIKA_ATTACKS) + "/two-phase-hotstuff-livelock.json";
  for (const Json& loop :
       {nika.run("attack two-phase-hotstuff-livelock --json").json()["attacks"][0]["loop"],
        nika.run("replay " + file + " --json").json()["loop"], nika.run("show " + file + " --json").json()["loop"]}) {
    EXPECT_EQ(loop["first_round"], 14);
    EXPECT_EQ(loop["length"], 6);
    EXPECT_EQ(loop["proved"], true);
    EXPECT_EQ(loop["assumptions"], assumptions);
    EXPECT_EQ(loop["repaired"], repaired);
  }
  const std::string words =
      "loops for ever: rounds 14..19 repeat, proved; assumptions: healed, fair, one order of arrival, liars "
      "selective\n";
  const std::string told = "repaired: the same schedule, with the loop repeated, on hotstuff decides in round 14\n";
  const std::string said = nika.run("attack two-phase-hotstuff-livelock").out;
  EXPECT_NE(said.find(words), std::string::npos);
  EXPECT_TRUE(said.ends_with(told));
  EXPECT_TRUE(nika.run("replay " + file).out.ends_with(words + told));
  EXPECT_TRUE(nika.run("show " + file).out.ends_with(words + told));
  EXPECT_TRUE(nika.run("replay " + file + " --property agreement --json").json()["loop"].is_null());
  EXPECT_EQ(nika.run("replay " + file + " --property agreement --loop --json").json()["loop"]["length"], 6);
  EXPECT_TRUE(nika.run("attack diembft-quorum-2f --json").json()["attacks"][0]["loop"].is_null());
}

// Repeated rounds restart a seat again and again, which no scenario could say.
TEST(Attack, WithALossOfMemoryHasNoLoopAndNoError) {
  const Program nika;
  const std::string file = NIKA_ATTACKS "/diembft-forgotten-preferred-round.json";
  const Said said = nika.run("replay " + file + " --loop --json");
  EXPECT_EQ(said.exit_code, 1) << said.err;
  EXPECT_TRUE(said.json()["loop"].is_null());
  EXPECT_EQ(nika.run("twins diembft --rounds 3 --property bounded-time:1 --heal 0 --crash A@1..2 --quiet").exit_code,
            1);
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

// The finding of a row replays, is shown and shrinks with its loop, and what was recorded of it is checked again.
void expect_loop_is_stored(const Program& nika, const Json& row) {
  const std::string file = row["file"];
  const Said replayed = nika.run("replay " + file + " --json");
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_EQ(replayed.json()["loop"], row["loop"]);
  EXPECT_NE(nika.run("show " + file).out.find("+-- the loop: "), std::string::npos);
  EXPECT_EQ(nika.run("shrink " + file + " --json").json()["shrunk"]["loop"], row["loop"]);
  std::string text = nika.read(file);
  const std::size_t at = text.find("\"liars\": ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find('}', at) - at, "\"liars\": \"silent\"");
  nika.write("edited.json", text);
  const Said refused = nika.run("replay edited.json");
  EXPECT_EQ(refused.exit_code, 2);
  const std::string mark = refused.err.substr(refused.err.find("expected ") + 9, 32);
  const std::size_t old = text.find("\"fingerprint\": \"");
  text.replace(old + 16, 32, mark);
  nika.write("edited.json", text);
  const Said differs = nika.run("replay edited.json");
  EXPECT_EQ(differs.exit_code, 4);
  EXPECT_EQ(differs.err,
            "nika: edited.json: this is not the recorded run: the loop has not the assumptions that were recorded\n");
}

TEST(Reproduce, FindsAnAttackThatItDoesNotKnowAndProvesItsLoop) {
  const Program nika;
  const Said said = nika.run("reproduce attacks --only fab-stuck --seconds 120 --threads 1 --findings found --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_EQ(said.json()["guide"], "coverage");
  const Json row = said.json()["rows"].at(0);
  EXPECT_EQ(row["name"], "fab-stuck");
  EXPECT_EQ(row["found"], true);
  EXPECT_GE(row["tried"], 1);
  EXPECT_LE(row["rounds_shrunk"], row["rounds_script"]);
  EXPECT_EQ(row["rounds_paper"], 2);
  EXPECT_GE(row["repaired_tried"], 10'000);
  EXPECT_EQ(row["repaired_found"], 0);
  EXPECT_EQ(row["loop"]["proved"], true);
  EXPECT_EQ(row["loop"]["repaired"]["decides"], true);
  expect_loop_is_stored(nika, row);
}

TEST(Reproduce, UnknownIsNoSuccessAndNonsenseIsRefused) {
  const Program nika;
  EXPECT_EQ(nika.run("reproduce attacks --only diembft-nonconsecutive-commit --seconds 0").exit_code, 3);
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
