// The attacks on the HotStuff family: the flawed protocol breaks its property as the papers tell, the repaired one does
// not, under the same scenario.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "nika/cli/finding_files.hpp"
#include "nika/cli/registry.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika {
namespace {

struct Staged {
  Outcome flawed;
  Outcome repaired;
  Trace trace;  // of the flawed protocol
};

Outcome run(const nlohmann::json& scenario, Property property, Trace* trace) {
  const Registry registry = cli::built_in_protocols();
  const auto read = store::scenario_from_json(scenario.dump(), "scenario", cli::words_in(registry));
  EXPECT_TRUE(read.has_value()) << read.error().message;
  const auto outcome = (*registry.find(read->protocol))->run(*read, trace, only(property));
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return *outcome;
}

Staged stage(const std::string& name, Property property) {
  std::ifstream file(std::string(NIKA_ATTACKS) + "/" + name + ".json");
  const auto attack = nlohmann::json::parse(file);
  EXPECT_EQ(attack.at("name"), name);
  EXPECT_EQ(attack.at("property"), name_of(property));
  Staged staged;
  nlohmann::json scenario = attack.at("scenario");
  staged.flawed = run(scenario, property, &staged.trace);
  scenario.update(attack.at("repaired"));  // its "about" too, which a scenario may have
  staged.repaired = run(scenario, property, nullptr);
  return staged;
}

TEST(HotStuffAttacks, FastHotStuffForksOnNonconsecutiveRounds) {
  const Staged staged = stage("fast-hotstuff-fork", Property::kAgreement);
  EXPECT_EQ(staged.flawed.verdict, Verdict::kViolated);
  EXPECT_EQ(staged.flawed.conflict.height, Height(2));
  // The paper's blocks of rounds 4 and 6, committed by B and C.
  EXPECT_EQ(staged.flawed.conflict.first_seat, Seat{1});
  EXPECT_EQ(staged.flawed.conflict.first_value, ValueId(Round(2), Seat{0}, 0));
  EXPECT_EQ(staged.flawed.conflict.second_seat, Seat{2});
  EXPECT_EQ(staged.flawed.conflict.second_value, ValueId(Round(4), Seat{0}, 0));
  EXPECT_EQ(staged.repaired.verdict, Verdict::kHolds);
}

TEST(HotStuffAttacks, TwoPhaseHotStuffStandsStillAfterTheNetworkHealed) {
  const Staged staged = stage("two-phase-hotstuff-livelock", Property::kTermination);
  EXPECT_EQ(staged.flawed.verdict, Verdict::kViolated);
  EXPECT_EQ(staged.flawed.property, Property::kTermination);
  EXPECT_EQ(staged.repaired.verdict, Verdict::kHolds);
  // Every honest leader proposes in each of its views, and gets no certificate.
  int proposed = 0;
  for (const Event& event : staged.trace) {
    if (event.round < Round(3) || event.value.seat() == Seat{0}) continue;
    EXPECT_NE(event.kind, EventKind::kCertified);
    proposed += event.kind == EventKind::kProposed && event.seat != Seat{4} ? 1 : 0;
  }
  EXPECT_EQ(proposed, 6);
}

}  // namespace
}  // namespace nika
