#include "nika/protocols/tendermint/tendermint.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/forgery_test.hpp"

namespace nika {
namespace {

using tendermint::Tendermint;

class TendermintForgery : public Forgery<Tendermint> {
 protected:
  // A quorum has prevoted, or precommitted what it had a polka for.
  void check_state(const tendermint::State& state, const Context& context) override {
    const int needed = context.quorum() - context.fault_count;
    for (const tendermint::Tally& tally : state.tallies) {
      if (!tally.has_passed_on_polka) continue;
      EXPECT_GE(honest_seats_of(EventKind::kVoted, tally.round, tally.value), needed);
    }
    for (const tendermint::Certificate& decided : state.decided)
      EXPECT_GE(honest_seats_of(EventKind::kCertified, decided.round, decided.value), needed);
  }
};

TEST_F(TendermintForgery, NoCertificateWithoutAQuorumBehindIt) { check_all_scopes(); }

// Round 1 ends without a decision, and A says in round 2 that it is at a later height: were it to believe that itself,
// it would ask itself for help, again and again.
TEST(Gossip, ALiarBelievesNoStatusOfItsOwn) {
  constexpr Seat kA{0};
  constexpr std::uint8_t kPrecommit = 2;
  constexpr std::uint8_t kStatus = 3;
  Scenario scenario;
  scenario.liars = IdentitySet{Identity{0}};
  for (unsigned r = 0; r < 2; ++r) {
    scenario.rounds.emplace_back();
    scenario.rounds[r].leaders = IdentitySet::single(static_cast<Identity>(r));
  }
  Outage outage;
  outage.protocol_round = 3;
  outage.partition.block_of = {0, 1, 0, 0};
  scenario.outages = {outage};
  scenario.lies = {{3, kA, kPrecommit, SeatSet::from_bits(0b1101), 0, Twist::kOwn, 0},
                   {3, kA, kStatus, SeatSet::from_bits(0b1101), 0, Twist::kRaise, 0}};
  const auto network =
      std::make_unique<RoundNetwork<Tendermint>>(cluster_of(scenario, Tendermint::kBugs).value(), only(kAgreement));
  const auto world = std::make_unique<World<Tendermint>>();
  RecordedSchedule schedule(scenario);
  Outcome outcome;
  run(*network, *world, schedule, outcome);
  EXPECT_FALSE(outcome.overflowed);
  EXPECT_EQ(outcome.faults.changed, 12U);
}

}  // namespace
}  // namespace nika
