// Nobody forges: what replicas of PBFT, Tendermint and the XRP Ledger hold as the word of a quorum was said by as many,
// under lies of all scopes.
#include <gtest/gtest.h>

#include <map>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/pbft/pbft.hpp"
#include "nika/protocols/tendermint/tendermint.hpp"
#include "nika/protocols/xrp_lcp/xrp_lcp.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/fuzz_settings_test.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

using pbft::Pbft;
using tendermint::Tendermint;
using xrp_lcp::XrpLcp;

// Who did something about a value in a round, at a height.
using Deed = std::tuple<EventKind, Round, ValueId, Height>;

template <class P>
class Forgery : public testing::Test {
 public:
  void check(const byzzfuzz::Settings& settings) {
    const byzzfuzz::FuzzGenerator generator(settings);
    const auto schedule = generator.schedule();
    const auto network = std::make_unique<RoundNetwork<P>>(generator.cluster(), only(kAgreement));
    const auto world = std::make_unique<World<P>>();
    network->trace = &trace_;
    Outcome outcome;
    std::uint64_t changed = 0;
    for (std::uint64_t i = 0; i < settings.runs; ++i) {
      schedule->seek(i);
      trace_.clear();
      run(*network, *world, *schedule, outcome);
      ASSERT_EQ(outcome.verdict(), Verdict::kHolds) << "run " << i;
      changed += outcome.faults.changed;
      collect(generator.cluster());
      world_ = world.get();
      for (Seat seat : generator.cluster().honest_seats()) {
        const auto& state = world->states[index_of(seat)];
        if (index_of(seat) < settings.nodes) check_state(state, network->context_of(seat));
        ASSERT_FALSE(HasFailure()) << "run " << i;
      }
    }
    EXPECT_GT(changed, settings.runs / 10);
    EXPECT_GT(certificates_, settings.runs);
  }

 private:
  void collect(const Cluster& cluster) {
    deeds_.clear();
    const SeatSet honest = cluster.honest_seats();
    for (const Event& event : trace_) {
      if (!honest.contains(event.seat)) continue;
      if (event.kind != EventKind::kVoted && event.kind != EventKind::kCertified) continue;
      const Height height = std::same_as<P, Pbft> ? event.height : Height(0);
      deeds_[{event.kind, event.round, event.value, height}].insert(event.seat);
    }
    compromised_ = cluster.compromised;
  }
  int honest_seats_of(EventKind kind, Round round, ValueId value, Height height = Height(0)) {
    ++certificates_;
    return deeds_[{kind, round, value, height}].size();
  }

  // 2f of its backups have sent PREPARE.
  void check_certificate(const pbft::PreparedCertificate& certificate, const Context& context) {
    if (certificate.view == Round(0)) return;
    const IdentitySet lying = compromised_ - context.leaders_of(certificate.view);
    const int voted = honest_seats_of(EventKind::kVoted, certificate.view, certificate.request.value(),
                                      Height(certificate.sequence.number));
    EXPECT_GE(voted, context.quorum() - 1 - lying.size());
  }
  void check_state(const pbft::State& state, const Context& context) {
    for (const pbft::Slot& slot : state.slots) check_certificate(slot.certificate, context);
    for (const pbft::Report& report : state.reports.all()) {
      for (const auto& certificate : report.view_change.prepared) check_certificate(certificate, context);
    }
  }
  // A quorum has prevoted, or precommitted what it had a polka for.
  void check_state(const tendermint::State& state, const Context& context) {
    const int needed = context.quorum() - context.fault_count;
    for (const tendermint::Tally& tally : state.tallies) {
      if (!tally.has_passed_on_polka) continue;
      EXPECT_GE(honest_seats_of(EventKind::kVoted, tally.round, tally.value), needed);
    }
    for (const tendermint::Certificate& decided : state.decided)
      EXPECT_GE(honest_seats_of(EventKind::kCertified, decided.round, decided.value), needed);
  }
  // 80 % of the list have validated the ledger; an honest one knows that it did, unless it is far ahead.
  void check_state(const xrp_lcp::State& state, const Context& context) {
    if (state.valid.is_genesis()) return;
    ++certificates_;
    const IdentitySet validators = state.validations.validators_of(state.valid);
    EXPECT_TRUE(context.is_quorum(validators));
    for (Identity id : validators - compromised_) {
      const auto& other = world_->states[index_of(id)];
      if constexpr (std::same_as<P, XrpLcp>) {
        const bool has_forgotten =
            other.valid.sequence.number > state.valid.sequence.number + xrp_lcp::Validations::kKeptBelow;
        EXPECT_TRUE(has_forgotten || other.validations.validators_of(state.valid).contains(id));
      }
    }
  }

  const World<P>* world_ = nullptr;
  Trace trace_;
  std::map<Deed, SeatSet> deeds_;
  IdentitySet compromised_{};
  std::uint64_t certificates_ = 0;
};

using Protocols = testing::Types<Pbft, Tendermint, XrpLcp>;
TYPED_TEST_SUITE(Forgery, Protocols);

TYPED_TEST(Forgery, NoCertificateWithoutAQuorumBehindIt) {
  for (const auto scope : {byzzfuzz::Scope::kSmall, byzzfuzz::Scope::kAny, byzzfuzz::Scope::kBaseline}) {
    byzzfuzz::Settings settings = many_faults_of<TypeParam>(scope, 1000);
    settings.nodes = resilience_of<TypeParam>() + 1;
    this->check(settings);
  }
}

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
