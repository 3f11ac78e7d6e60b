// The attacks that need a clock or a healed network: the flawed protocol falls to the file's scenario, the repaired one
// does not.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

store::Attack attack_named(const std::string& name, const Registry& registry) {
  const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
  auto attack = store::attack_from_json(read_text_file(path).value(), path, words_in(registry));
  EXPECT_TRUE(attack.has_value()) << attack.error().message;
  return *std::move(attack);
}

Scenario scenario_of_attack(const std::string& name, const Registry& registry) {
  return attack_named(name, registry).flawed;
}

Outcome run(const Scenario& scenario, const Properties& properties) {
  const auto outcome = run_scenario(built_in_protocol(scenario.protocol), scenario, properties);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome.value_or(Outcome{});
}

constexpr std::array<std::string_view, 27> kAttacks{"casper-ffg-bouncing",
                                                    "casper-ffg-split",
                                                    "diembft-conflicting-votes",
                                                    "diembft-forgotten-preferred-round",
                                                    "diembft-nonconsecutive-commit",
                                                    "diembft-over-threshold",
                                                    "diembft-quorum-2f",
                                                    "fab-stuck",
                                                    "fast-hotstuff-fork",
                                                    "ibft-locked",
                                                    "ibft-small-quorum",
                                                    "linear-pbft-unresponsive",
                                                    "mmr14-coin",
                                                    "pbft-empty-digest",
                                                    "pbft-lost-certificate",
                                                    "pbft-readonly-stuck",
                                                    "pbft-sequence-reuse",
                                                    "ripple-2014-fork",
                                                    "ripple-fork",
                                                    "ripple-stuck-unl",
                                                    "ripple-validation-sequence",
                                                    "sync-hotstuff-force-lock",
                                                    "sync-hotstuff-force-lock-liveness",
                                                    "tendermint-no-retransmission",
                                                    "tendermint-unlock",
                                                    "two-phase-hotstuff-livelock",
                                                    "zyzzyva-fork"};

TEST(Attacks, EachBreaksTheFlawedProtocolAndNotTheRepairedOne) {
  const Registry registry = built_in_protocols();
  for (const std::string_view name : kAttacks) {
    SCOPED_TRACE(name);
    const auto staged = stage(registry, attack_named(std::string(name), registry));
    ASSERT_TRUE(staged.has_value()) << staged.error().message;
    EXPECT_EQ(name_of(staged->flawed.verdict()), "violated") << text_of(staged->flawed.judgements[0].unjudged);
    EXPECT_EQ(name_of(staged->repaired.verdict()), "holds") << text_of(staged->repaired.judgements[0].unjudged);
  }
}

TEST(Attacks, ForceLockingSplitsTheEarlySyncHotStuffAndNotThePublishedOne) {
  const Registry registry = built_in_protocols();
  Scenario scenario = scenario_of_attack("sync-hotstuff-force-lock", registry);
  const Outcome flawed = run(scenario, only(kAgreement));
  ASSERT_EQ(flawed.verdict(), Verdict::kViolated);
  const Evidence& evidence = flawed.violation()->evidence;
  EXPECT_EQ(evidence.height, Height(1));
  EXPECT_EQ(evidence.claims[0].seat, Seat{3});                         // D
  EXPECT_EQ(evidence.claims[0].value, ValueId(Round(2), Seat{6}, 0));  // of B'
  EXPECT_EQ(evidence.claims[1].value, ValueId(Round(1), Seat{0}, 0));  // of A
  scenario.bugs.clear();
  scenario.timing->ticks = 60;
  EXPECT_EQ(run(scenario, only(kAgreement)).verdict(), Verdict::kHolds);
}

// Who of the honest nodes is which does not matter.
TEST(Attacks, ForceLockingDoesNotDependOnTheNamesOfHonestNodes) {
  const Registry registry = built_in_protocols();
  const Scenario scenario = scenario_of_attack("sync-hotstuff-force-lock", registry);
  std::array<unsigned, 3> names{2, 3, 4};
  do {
    const auto renamed = [&](SeatSet seats) {
      SeatSet result;
      for (Seat seat : seats) {
        const unsigned s = index_of(seat);
        result.insert(static_cast<Seat>(s >= 2 && s <= 4 ? names[s - 2] : s));
      }
      return result;
    };
    Scenario other = scenario;
    for (Rule& rule : other.rules) {
      rule.from = renamed(rule.from);
      rule.to = renamed(rule.to);
    }
    other.rounds[2].leaders = {static_cast<Identity>(names[0])};
    other.heal_leaders = {static_cast<Identity>(names[1])};
    const Outcome outcome = run(other, only(kAgreement));
    ASSERT_EQ(outcome.verdict(), Verdict::kViolated);
    EXPECT_EQ(index_of(outcome.violation()->evidence.claims[0].seat), names[1]);
    EXPECT_EQ(index_of(outcome.violation()->evidence.claims[1].seat), names[0]);
    EXPECT_EQ(outcome.delivered, run(scenario, only(kAgreement)).delivered);
  } while (std::ranges::next_permutation(names).found);
}

TEST(Attacks, AnUnresponsiveLeaderStopsTwoPhasesAndNeitherOfTheRepairs) {
  const Registry registry = built_in_protocols();
  Scenario scenario = scenario_of_attack("linear-pbft-unresponsive", registry);
  const Outcome flawed = run(scenario, only(kResponsiveness));
  ASSERT_EQ(flawed.verdict(), Verdict::kViolated);
  EXPECT_EQ(flawed.violation()->evidence.since, Round(4));
  EXPECT_EQ(flawed.violation()->evidence.seats, SeatSet{Seat{3}});
  // B never leads, which is not fair: whether it would terminate is not known, and with B's turn it does.
  EXPECT_EQ(run(scenario, only(kTermination)).judgements[0].unjudged, Unjudged::kUnfair);
  Scenario fair = scenario;
  fair.heal_leaders.push_back(Identity{1});
  EXPECT_EQ(run(fair, only(kTermination)).verdict(), Verdict::kHolds);
  const Properties all = parse_properties("agreement,termination,responsiveness", built_in_properties()).value();
  scenario.bugs.clear();
  EXPECT_EQ(run(scenario, all).verdict(), Verdict::kHolds);
  scenario.protocol = "linear-pbft-third-phase";
  EXPECT_EQ(run(scenario, all).verdict(), Verdict::kHolds);
}

// The source leaves off at view 2. A leads alone from there on, and is blocked as long as what is about v2 comes first:
// not fair, so that nothing is known of termination. If B leads, too, everybody decides.
TEST(Attacks, FabIsNotStuckForGoodWhereTheSourceEnds) {
  const Registry registry = built_in_protocols();
  Scenario scenario = scenario_of_attack("fab-stuck", registry);
  EXPECT_EQ(run(scenario, only(kTermination)).verdict(), Verdict::kViolated);
  scenario.rounds.pop_back();
  scenario.rules.resize(1);
  scenario.heal_leaders = {Identity{0}};
  for (unsigned seat = 0; seat < 5; ++seat) scenario.heal_order.rank[seat] = static_cast<std::uint8_t>((seat + 1) % 5);
  EXPECT_EQ(run(scenario, only(kTermination)).judgements[0].unjudged, Unjudged::kUnfair);
  EXPECT_EQ(run(scenario, only(kResponsiveness)).verdict(), Verdict::kViolated);
  scenario.heal_leaders = {Identity{0}, Identity{1}, Identity{2}};
  EXPECT_EQ(run(scenario, only(kTermination)).verdict(), Verdict::kHolds);
}

}  // namespace
}  // namespace nika
