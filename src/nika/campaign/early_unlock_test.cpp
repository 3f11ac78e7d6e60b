// The fork of early Tendermint in the terms of ByzzFuzz: four rounds with lies, four with outages, and a liar that is
// no twin. Each of these faults is needed, and Algorithm 1 survives them.
#include <gtest/gtest.h>

#include "nika/campaign/runner.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

constexpr Seat kLiar{3};
enum Kind : std::uint8_t { kProposal, kPrevote, kPrecommit, kStatus, kPrevotes };
constexpr std::uint8_t kValue = 0;
constexpr std::uint8_t kValueWithRound = 4;

SeatSet seats(std::initializer_list<unsigned> numbers) {
  SeatSet set;
  for (const unsigned number : numbers) set.insert(static_cast<Seat>(number));
  return set;
}

Lie lie(unsigned round, SeatSet to, Kind kind, std::uint8_t field, Twist twist) {
  return {.protocol_round = static_cast<std::uint16_t>(round),
          .from = kLiar,
          .kind = kind,
          .to = to,
          .field = field,
          .twist = twist};
}

Scenario the_fork() {
  Scenario scenario;
  scenario.protocol = "tendermint";
  scenario.bugs = {"early-unlock"};
  scenario.node_count = 4;
  scenario.fault_count = 1;
  scenario.liars = IdentitySet::single(Identity{3});
  for (const unsigned leader : {0U, 0U, 1U, 3U}) {
    RoundPlan plan;
    plan.leaders = IdentitySet::single(static_cast<Identity>(leader));
    scenario.rounds.push_back(plan);
  }
  scenario.heal_rounds = 1;
  scenario.heal_leaders = {Identity{0}};
  Outage outage;  // B is alone
  outage.partition.block_of[1] = 1;
  for (const unsigned round : {3U, 4U, 6U, 12U}) {
    outage.protocol_round = static_cast<std::uint16_t>(round);
    scenario.outages.push_back(outage);
  }
  scenario.lies = {lie(3, seats({0, 2, 3}), kPrecommit, kValue, Twist::kLeaveOut),
                   lie(5, seats({0, 2}), kPrevote, 0, Twist::kOmit), lie(6, seats({0, 2}), kPrevote, 0, Twist::kOmit),
                   lie(6, seats({0, 2}), kPrevotes, 0, Twist::kOmit),
                   lie(10, seats({0, 1, 2}), kProposal, kValueWithRound, Twist::kOwn)};
  return scenario;
}

Verdict verdict_of(const Scenario& scenario) {
  const auto outcome = run_scenario(built_in_protocol("tendermint"), scenario, only(kAgreement));
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome ? outcome->verdict() : Verdict::kUnknown;
}

TEST(EarlyUnlock, ForksByFourRoundsWithLiesAndFourOutages) { EXPECT_EQ(verdict_of(the_fork()), Verdict::kViolated); }

TEST(EarlyUnlock, NeedsEachOfThem) {
  const Scenario whole = the_fork();
  for (std::size_t i = 0; i < whole.outages.size(); ++i) {
    Scenario less = whole;
    less.outages.erase(less.outages.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(verdict_of(less), Verdict::kHolds) << "outage " << i;
  }
  for (std::size_t i = 0; i < whole.lies.size(); ++i) {
    Scenario less = whole;
    less.lies.erase(less.lies.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(verdict_of(less), Verdict::kHolds) << "lie " << i;
  }
}

// A value of its own with the round of another one's polka is believed by nobody.
TEST(EarlyUnlock, NeedsAValueWithoutAPolka) {
  Scenario scenario = the_fork();
  scenario.lies.back().field = kValue;
  EXPECT_EQ(verdict_of(scenario), Verdict::kHolds);
}

TEST(EarlyUnlock, IsNoFlawOfAlgorithm1) {
  Scenario scenario = the_fork();
  scenario.bugs.clear();
  EXPECT_EQ(verdict_of(scenario), Verdict::kHolds);
}

}  // namespace
}  // namespace nika
