// The attacks on the HotStuff family: the flawed protocol breaks its property as the papers tell, the repaired one does
// not, under the same scenario.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

struct Staged {
  Outcome flawed;
  Outcome repaired;
  Trace trace;  // of the flawed protocol
};

Staged stage(const std::string& name, const Property& property) {
  const Registry registry = built_in_protocols();
  const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
  const auto attack = store::attack_from_json(read_text_file(path).value(), path, words_in(registry));
  EXPECT_TRUE(attack.has_value()) << attack.error().message;
  EXPECT_EQ(attack->name, name);
  EXPECT_EQ(attack->property, property.name);
  const auto run = nika::stage(registry, *attack);
  EXPECT_TRUE(run.has_value()) << run.error().message;
  Staged staged{run->flawed, run->repaired, {}};
  const Runner& flawed = **registry.find(attack->flawed.protocol);
  EXPECT_TRUE(run_scenario(flawed, attack->flawed, only(property), &staged.trace).has_value());
  return staged;
}

TEST(HotStuffAttacks, FastHotStuffForksOnNonconsecutiveRounds) {
  const Staged staged = stage("fast-hotstuff-fork", kAgreement);
  ASSERT_EQ(staged.flawed.verdict(), Verdict::kViolated);
  const Evidence& evidence = staged.flawed.violation()->evidence;
  EXPECT_EQ(evidence.height, Height(2));
  // The paper's blocks of rounds 4 and 6, committed by B and C.
  EXPECT_EQ(evidence.claims[0].seat, Seat{1});
  EXPECT_EQ(evidence.claims[0].value, ValueId(Round(2), Seat{0}, 0));
  EXPECT_EQ(evidence.claims[1].seat, Seat{2});
  EXPECT_EQ(evidence.claims[1].value, ValueId(Round(4), Seat{0}, 0));
  EXPECT_EQ(staged.repaired.verdict(), Verdict::kHolds);
}

TEST(HotStuffAttacks, TwoPhaseHotStuffStandsStillAfterTheNetworkHealed) {
  const Staged staged = stage("two-phase-hotstuff-livelock", kResponsiveness);
  ASSERT_EQ(staged.flawed.verdict(), Verdict::kViolated);
  EXPECT_EQ(staged.flawed.violation()->property, &kResponsiveness);
  EXPECT_EQ(staged.flawed.violation()->evidence.since, Round(4));
  EXPECT_EQ(staged.repaired.verdict(), Verdict::kHolds);
  // Every honest leader proposes in each of its views, and gets no certificate.
  int proposed = 0;
  for (const Event& event : staged.trace) {
    if (event.round < Round(3) || event.value.seat() == Seat{0}) continue;
    EXPECT_NE(event.kind, EventKind::kCertified);
    proposed += event.kind == EventKind::kProposed && event.seat != Seat{4} ? 1 : 0;
  }
  EXPECT_EQ(proposed, 12);
}

// The same schedules, judged by properties about liveness.
struct Judged {
  Judgement flawed;
  Judgement repaired;
};

Judged judged(const std::string& name, std::string_view property) {
  const Registry registry = built_in_protocols();
  const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
  const auto attack = store::attack_from_json(read_text_file(path).value(), path, words_in(registry)).value();
  const Properties asked = parse_properties(property, registry.properties()).value();
  const auto side = [&](const Scenario& scenario) {
    return run_scenario(**registry.find(scenario.protocol), scenario, asked).value().judgements[0];
  };
  return {side(attack.flawed), side(attack.repaired)};
}

// One replica of FaB has a commit proof and nobody else has any, so that no two locks conflict and no state is hot by
// Definition 3.
TEST(HotStuffAttacks, AStandstillNeedNotBeHot) {
  const Judged found = judged("fab-stuck", "temperature:1");
  EXPECT_EQ(found.flawed.verdict, Verdict::kHolds);
  EXPECT_EQ(found.repaired.verdict, Verdict::kHolds);
}

TEST(HotStuffAttacks, LinearPbftStaysHotAndItsRepairDoesNot) {
  const Judged found = judged("linear-pbft-unresponsive", "temperature");
  ASSERT_EQ(found.flawed.verdict, Verdict::kViolated);
  EXPECT_EQ(found.flawed.evidence.kind, "hot for 5 rounds");
  EXPECT_EQ(found.flawed.evidence.since, Round(2));
  ASSERT_EQ(found.flawed.evidence.claims.size(), 2U);
  EXPECT_EQ(found.flawed.evidence.claims[0].seat, Seat{1});
  EXPECT_EQ(found.flawed.evidence.claims[1].seat, Seat{2});
  EXPECT_EQ(found.repaired.verdict, Verdict::kHolds);
}

TEST(HotStuffAttacks, TheViewsOfHonestLeadersDecideInTheRepairedProtocolsOnly) {
  for (const char* name : {"two-phase-hotstuff-livelock", "linear-pbft-unresponsive"}) {
    const Judged found = judged(name, "responsiveness");
    EXPECT_EQ(found.flawed.verdict, Verdict::kViolated) << name;
    EXPECT_EQ(found.flawed.evidence.kind, "the view of an honest leader decides nothing");
    EXPECT_EQ(found.repaired.verdict, Verdict::kHolds) << name;
  }
}

// The two views of the figure are asynchronous, and what they leave does not last: whoever leads first when the network
// has healed decides B2, although the liars are silent.
TEST(HotStuffAttacks, TheFigureAloneIsNoLivelock) {
  const Registry registry = built_in_protocols();
  const std::string path = std::string(NIKA_ATTACKS) + "/two-phase-hotstuff-livelock.json";
  Scenario scenario = store::attack_from_json(read_text_file(path).value(), path, words_in(registry)).value().flawed;
  std::erase_if(scenario.rules, [](const Rule& rule) { return rule.first_round > Round(2); });
  scenario.rules.push_back(Rule{.first_round = Round(3), .last_round = Round(14), .from = {Seat{0}, Seat{4}}});
  scenario.heal_rounds = 12;
  scenario.heal_order = Order::fifo();
  for (const unsigned first : {1U, 2U, 3U}) {
    scenario.heal_leaders = {static_cast<Identity>(first)};
    Trace trace;
    ASSERT_TRUE(run_scenario(built_in_protocol("two-phase-hotstuff"), scenario, only(kResponsiveness), &trace));
    const auto committed = std::ranges::find(trace, EventKind::kCommitted, &Event::kind);
    ASSERT_NE(committed, trace.end());
    EXPECT_EQ(committed->value, ValueId(Round(2), Seat{1}, 0));
    EXPECT_EQ(committed->seat, static_cast<Seat>(first));
  }
}

// Every honest node leads, so that termination is judged, too, and broken as long as the order of arrival stays.
TEST(HotStuffAttacks, TwoPhaseHotStuffDoesNotTerminateUnderThatOrderOfArrival) {
  const Judged found = judged("two-phase-hotstuff-livelock", "termination");
  EXPECT_EQ(found.flawed.verdict, Verdict::kViolated);
  EXPECT_EQ(found.flawed.evidence.seats, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
  EXPECT_EQ(found.repaired.verdict, Verdict::kHolds);
}

}  // namespace
}  // namespace nika
