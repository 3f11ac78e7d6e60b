// XRP LCP under twins: whole spaces, scenario by scenario and by exhaustive search, drawn schedules, and lists that
// overlap too little.
#include <gtest/gtest.h>

#include "nika/campaign/loops.hpp"
#include "nika/campaign/twins_checks_test.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

const Runner& xrp_lcp() { return built_in_protocol("xrp-lcp"); }
const std::vector<IdentitySet> kOverlapping = parse_unls("A-D:A-E,E-G:ADE-G").value();

TEST(XrpLcpUnderTwins, WholeSpacesAreCountedAlikeBothWays) {
  checks::expect_violating(xrp_lcp(), {.nodes = 6, .rounds = 2}, 0);
  checks::expect_violating(xrp_lcp(), {.bugs = {"quorum-half"}, .nodes = 6, .rounds = 1}, 30);
  checks::expect_violating(xrp_lcp(), {.bugs = {"quorum-half"}, .nodes = 6, .rounds = 2}, 2130);
}

TEST(XrpLcpUnderTwins, ListsThatOverlapBySixtyPercentFork) {
  checks::expect_violating(xrp_lcp(), {.nodes = 7, .unls = kOverlapping, .rounds = 1, .faults = 1}, 13);
  checks::expect_violating(xrp_lcp(), {.nodes = 7, .rounds = 1, .faults = 1}, 0);
}

// E and F close another ledger than the others, and have to leave it.
TEST(XrpLcpUnderTwins, WhoDoesNotFollowTheValidationsStandsStill) {
  Scenario scenario;
  scenario.node_count = 6;
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.rounds[0].partition.block_of = {0, 0, 0, 0, 1, 1};
  scenario.heal_rounds = static_cast<std::uint8_t>(xrp_lcp().heal_rounds());
  for (unsigned i = 0; i < 6; ++i) scenario.heal_leaders.push_back(static_cast<Identity>(i));
  EXPECT_EQ(run_scenario(xrp_lcp(), scenario, only(kTermination))->verdict(), Verdict::kHolds);
  scenario.bugs = {"no-preferred-ledger"};
  EXPECT_EQ(run_scenario(xrp_lcp(), scenario, only(kTermination))->verdict(), Verdict::kViolated);
}

// A weakness of the protocol itself (Amores-Sesar et al., "Security Analysis of Ripple Consensus"): honest nodes on two
// branches, and a liar that supports each branch where its friends are. B and C see three against three, and φ is for
// their branch; D, E and F see four against two. No number of rounds tells that it lasts; the proved loop does.
TEST(XrpLcpUnderTwins, OneLiarCanKeepTwoBranchesApartForEver) {
  Scenario scenario;
  scenario.node_count = 6;
  scenario.copies = {2};
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.rounds[0].partition.block_of = {0, 1, 1, 0, 0, 0, 1};
  scenario.heal_rounds = static_cast<std::uint8_t>(xrp_lcp().heal_rounds());
  for (unsigned i = 1; i < 6; ++i) scenario.heal_leaders.push_back(static_cast<Identity>(i));
  const Round last(scenario.horizon());
  const SeatSet some{Seat{1}, Seat{2}};
  const SeatSet others{Seat{3}, Seat{4}, Seat{5}};
  EXPECT_EQ(run_scenario(xrp_lcp(), scenario, only(kTermination))->verdict(), Verdict::kHolds);
  scenario.rules = {{.first_round = Round(2), .last_round = last, .from = {Seat{0}}, .to = some},
                    {.first_round = Round(2), .last_round = last, .from = {Seat{6}}, .to = others}};
  const Outcome outcome = *run_scenario(xrp_lcp(), scenario, only(kTermination));
  EXPECT_EQ(outcome.judgements[0].unjudged, Unjudged::kLiarsGoOn);
  const auto loop = find_loop(xrp_lcp(), scenario, OrderProof::kLeftOut);
  ASSERT_TRUE(loop.has_value() && loop->has_value());
  EXPECT_TRUE((*loop)->proved);
  EXPECT_TRUE((*loop)->assumptions.healed);
  EXPECT_TRUE((*loop)->assumptions.fair);
}

TEST(XrpLcpUnderTwins, DrawnSchedulesBreakNothing) {
  twins::Settings settings{.nodes = 6, .twins = 0, .at_most = true, .rounds = 7};
  settings.heal_rounds = xrp_lcp().heal_rounds();
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.order = twins::OrderChoice::kSampled;
  settings.one_way = true;
  settings.disturbances = {2, true, true, true, 1};
  settings.step3 = {twins::Selection::Kind::kRandom, 200'000};
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(xrp_lcp().kinds().size())).value();
  const Properties all = parse_properties("agreement,termination,totality", built_in_properties()).value();
  const auto session = xrp_lcp().open({sampler.cluster(), {}, all}).value();
  const auto schedule = sampler.schedule();
  unsigned holds = 0;
  for (unsigned i = 0; i < 500; ++i) {
    schedule->seek(i);
    holds += session->run(*schedule).verdict() == Verdict::kHolds ? 1U : 0U;
  }
  EXPECT_EQ(holds, 500U);
}

TEST(XrpLcpUnderTwins, OtherProtocolsHaveNoLists) {
  Scenario scenario;
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.unls = parse_unls("A:A-C").value();
  EXPECT_EQ(run_scenario(built_in_protocol("pbft"), scenario, only(kAgreement)).error().message,
            "in pbft everybody counts everybody: it has no unique node lists");
}

}  // namespace
}  // namespace nika
