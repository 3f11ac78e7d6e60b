// The same scenario gives the same trace, byte for byte, in every build: each *.json here has its *.trace beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "nika/campaign/findings.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/lasso.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/validity.hpp"
#include "nika/report/trace_text.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/store/trace_data.hpp"

namespace nika {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Golden, EveryScenarioGivesItsRecordedTrace) {
  const Registry registry = built_in_protocols();
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NIKA_GOLDEN)) {
    if (entry.path().extension() != ".json") continue;
    const auto recording = store::read_recording(entry.path().string(), words_in(registry));
    ASSERT_TRUE(recording.has_value()) << recording.error().message;
    const Runner& runner = **registry.find(recording->scenario.protocol);
    const auto run = run_traced(runner, recording->scenario, only(kAgreement));
    ASSERT_TRUE(run.has_value()) << run.error().message;
    const report::TraceView view{run->cluster, runner.kinds(), run->trace, runner.notes()};
    const std::filesystem::path expected = std::filesystem::path(entry.path()).replace_extension(".trace");
    EXPECT_EQ(report::trace_text(view), contents(expected)) << entry.path();
    ++compared;
  }
  EXPECT_EQ(compared, 15);
}

// A recording of this folder, run by the protocol that it names, or by another.
Outcome outcome_of(const std::string& name, const Property& property, std::string_view protocol = {}) {
  const Registry registry = built_in_protocols();
  const auto path = std::filesystem::path(NIKA_GOLDEN) / (name + ".json");
  const auto recording = store::read_recording(path.string(), words_in(registry));
  EXPECT_TRUE(recording.has_value()) << recording.error().message;
  if (!recording) return {};
  Scenario scenario = recording->scenario;
  if (!protocol.empty()) scenario.protocol = protocol;
  const auto outcome = run_scenario(**registry.find(scenario.protocol), scenario, only(property));
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome.value_or(Outcome{});
}

// A replica of DiemBFT or Fast-HotStuff that asked for a block in vain once ignored every lower certificate from then
// on. One of HotStuff that a liar kept a view behind once ignored the proposals of the view where the others were; one
// of Linear PBFT was given no decisions, and its next leader did not show it the view.
TEST(Golden, WhatStoodStillNowDecides) {
  for (const std::string name :
       {"diembft-standstill", "fast-hotstuff-standstill", "hotstuff-standstill", "linear-pbft-standstill"})
    EXPECT_EQ(outcome_of(name, kTermination).verdict(), Verdict::kHolds) << name;
}

// 2-Phase HotStuff decides in the first healing rounds and never again, which held; the loop behind it is proved.
TEST(Golden, WhoDecidesOnceAfterHealingAndNeverAgainIsFound) {
  const Outcome flawed = outcome_of("two-phase-late-standstill", kTermination);
  EXPECT_EQ(flawed.verdict(), Verdict::kViolated);
  EXPECT_EQ(flawed.judgements[0].evidence.kind, "no further decision");
  EXPECT_EQ(outcome_of("two-phase-late-standstill", kTermination, "hotstuff").verdict(), Verdict::kHolds);
}

// A block is named after the node that proposes it, though another one has the same input.
TEST(Golden, ASharedInputIsNoValueThatNobodyProposed) {
  EXPECT_EQ(outcome_of("hotstuff-shared-input", kValidity).verdict(), Verdict::kHolds);
}

// A liar of Linear PBFT completed a certificate of the last view and showed it to all but the leader, after they had
// told the leader what they knew: they then refused what it proposed.
TEST(Golden, AnOldCertificateDoesNotStopAnHonestLeader) {
  EXPECT_EQ(outcome_of("linear-pbft-old-certificate", kResponsiveness).verdict(), Verdict::kHolds);
}

// The votes of Fast-HotStuff for a block of the last scheduled round did not reach the next leader, whose view
// everybody was in already: its round was counted against it, though it could propose nothing.
TEST(Golden, VotesThatWereLostBeforeTheNetworkHealedAreNotCountedAgainstTheNextLeader) {
  EXPECT_EQ(outcome_of("fast-hotstuff-lost-votes", kResponsiveness).verdict(), Verdict::kHolds);
}

// A, B and D decided and missed that the others had, so that they went on from round to round, no timer ran out, and C
// never heard of it.
TEST(Golden, DecidersThatMissedEachOtherDoNotLeaveTheFourthBehind) {
  for (const char* protocol : {"mmr14", "mmr14-conf"})
    EXPECT_EQ(outcome_of("mmr-lost-decisions", kTermination, protocol).verdict(), Verdict::kHolds) << protocol;
}

// D's estimate 1 of round 1 did not reach B, who left the round and never echoed it, so that C could not deliver 1
// there.
TEST(Golden, AnEstimateThatSomebodyMissedWhoHasLeftTheRoundIsEchoedAllTheSame) {
  EXPECT_EQ(outcome_of("one-step-lost-estimate", kTermination).verdict(), Verdict::kHolds);
}

// FaB stays hot for ever if a network that loses messages between honest nodes repeats its fourth round for ever, and
// was called violated for it. Nobody decides there, and nothing is promised.
TEST(Golden, ALoopThatNeedsAsynchronyIsNoViolation) {
  const Outcome outcome = outcome_of("fab-asynchronous-lasso", kConfirmedLasso);
  EXPECT_EQ(outcome.verdict(), Verdict::kUnknown);
  EXPECT_EQ(outcome.judgements[0].unjudged, Unjudged::kAsynchronous);
}

// "NAME EVENTS FINGERPRINT" of the flawed side of each attack, in attacks.marks.
TEST(Golden, EveryAttackGivesItsRecordedTrace) {
  const Registry registry = built_in_protocols();
  std::istringstream marks(contents(std::filesystem::path(NIKA_GOLDEN) / "attacks.marks"));
  std::string name;
  std::string fingerprint;
  std::size_t events = 0;
  int compared = 0;
  for (; marks >> name >> events >> fingerprint; ++compared) {
    const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
    const auto attack = store::read_recording(path, words_in(registry));
    ASSERT_TRUE(attack.has_value()) << attack.error().message;
    const auto property = parse_properties(attack->property, built_in_properties());
    ASSERT_TRUE(property.has_value()) << property.error().message;
    const auto run = run_traced(built_in_protocol(attack->scenario.protocol), attack->scenario, *property);
    ASSERT_TRUE(run.has_value()) << run.error().message;
    const std::string now = store::text_of(store::fingerprint_of(run->trace));
    EXPECT_TRUE(run->trace.size() == events && now == fingerprint) << name << ' ' << run->trace.size() << ' ' << now;
  }
  EXPECT_EQ(compared, 27);
}

}  // namespace
}  // namespace nika
