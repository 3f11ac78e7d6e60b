// PBFT in the simulator: what a network round is to it, and whole spaces, one by one and by exhaustive search.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

const Runner& pbft() { return built_in_protocol("pbft"); }

Scenario healthy(unsigned rounds) {
  Scenario scenario;
  scenario.protocol = "pbft";
  scenario.client_count = 2;
  for (unsigned r = 0; r < rounds; ++r) scenario.rounds.push_back({IdentitySet{static_cast<Identity>(r)}, {}, {}, {}});
  return scenario;
}

// What one seat commits, in a run without a fork.
std::string told(const Scenario& scenario, unsigned seat) {
  Trace trace;
  const auto outcome = run_scenario(pbft(), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds);
  const Cluster cluster = *make_cluster(4, {}, 2);
  std::string result;
  for (const Event& event : trace) {
    if (event.kind != EventKind::kCommitted || index_of(event.seat) != seat) continue;
    result += (result.empty() ? "" : " ") + name_of(cluster, event.value);
  }
  return result;
}

TEST(PbftUnderTwins, AViewThatServesItsClientsLastsAndDoesSoInEveryRound) {
  EXPECT_EQ(told(healthy(1), 3), "c1.1 c2.1 c1.3 c2.3");  // before the first round clients have nothing to think about
  EXPECT_EQ(told(healthy(3), 3), "c1.1 c2.1 c1.3 c2.3 c1.5 c2.5 c1.7 c2.7");
  EXPECT_EQ(told(healthy(3), 4), "c1.1 c2.1 c1.3 c2.3 c1.5 c2.5");  // c1, with what its reads have seen
}

TEST(PbftUnderTwins, ASilentPrimaryIsReplacedInTheNextRound) {
  Scenario scenario = healthy(2);
  scenario.rules.push_back(Rule{.from = SeatSet{Seat{0}}});
  EXPECT_EQ(told(scenario, 3), "c1.1 c2.1 c1.3 c2.3");  // without A there are still 2f+1 to answer a read
}

TEST(PbftUnderTwins, TheCorrectOneHoldsInEveryScenario) {
  checks::expect_violating(pbft(), {.clients = 2, .rounds = 3}, 0);  // 15^3
  checks::expect_violating(pbft(), {.clients = 2, .rounds = 2, .leaders = {twins::LeaderChoice::Kind::kAll, {}}},
                           0);  // 60^2
}

TEST(PbftUnderTwins, FlawedFormsForkInAsManyScenariosByBothWays) {
  checks::expect_violating(pbft(), {.bugs = {"lost-certificate"}, .clients = 2, .rounds = 3}, 852);
  checks::expect_violating(pbft(), {.bugs = {"out-of-order-execution"}, .clients = 2, .rounds = 3}, 2080);
  checks::expect_violating(pbft(), {.bugs = {"empty-digest"}, .clients = 2, .rounds = 3}, 6);
}

}  // namespace
}  // namespace nika
