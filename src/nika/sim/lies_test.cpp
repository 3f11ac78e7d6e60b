// Faults of protocol rounds in whole runs: what lies can make of a message, and what they never can.
#include <gtest/gtest.h>

#include <map>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/fuzz_settings_test.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

using diembft::DiemBft;
using hotstuff::HotStuff;

constexpr Seat kA{0};
constexpr Seat kB{1};
constexpr Seat kC{2};
constexpr Seat kD{3};

// Four nodes; A may lie, and each leads in turn.
Scenario four_nodes(unsigned rounds) {
  Scenario scenario;
  scenario.liars = IdentitySet{Identity{0}};
  for (unsigned r = 0; r < rounds; ++r) {
    RoundPlan plan;
    plan.leaders = IdentitySet::single(static_cast<Identity>(r % 4));
    scenario.rounds.push_back(plan);
  }
  return scenario;
}

template <class P>
struct Played {
  Cluster cluster;
  RoundNetwork<P> network;
  World<P> world{};
  Outcome outcome{};
  Trace trace{};

  explicit Played(const Cluster& cast) : cluster(cast), network(cast, only(kAgreement)) {}
};

template <class P>
std::unique_ptr<Played<P>> run_of(const Scenario& scenario) {
  auto played = std::make_unique<Played<P>>(cluster_of(scenario, P::kBugs).value());
  RecordedSchedule schedule(scenario);
  played->network.trace = &played->trace;
  run(played->network, played->world, schedule, played->outcome);
  return played;
}

std::vector<Event> events_of(const Trace& trace, EventKind kind) {
  std::vector<Event> found;
  std::ranges::copy_if(trace, std::back_inserter(found), [&](const Event& event) { return event.kind == kind; });
  return found;
}

// Protocol round 10 of Basic HotStuff is the prepare message of view 2: eight kinds of messages have a round.
constexpr std::uint8_t kPrepare = 1;
constexpr std::uint8_t kJustify = 1;

TEST(Lies, ARoundIsTheLatestThatTheSenderHasSentOrReceived) {
  EXPECT_EQ(protocol_rounds_of<HotStuff>(), 8U);
  EXPECT_EQ(protocol_round_of<HotStuff>(hotstuff::Prepare{ValueId(Round(2), kA, 0), {}}), 10U);
  EXPECT_EQ(protocol_round_of<HotStuff>(hotstuff::BlockRequest{Round(2), {}, {}}), 0U);
}

// The leader of view 2 proposes on genesis although view 1 has decided: whoever holds a lock refuses, and who ignores
// it decides two blocks at one height.
Scenario old_certificate() {
  Scenario scenario = four_nodes(3);
  scenario.rounds[0].leaders = IdentitySet{Identity{1}};
  scenario.rounds[1].leaders = IdentitySet{Identity{0}};
  scenario.lies.push_back({10, kA, kPrepare, SeatSet{kA, kB, kC, kD}, kJustify, Twist::kLeaveOut, 0});
  return scenario;
}

TEST(Lies, ALeaderThatProposesOnAnOldCertificateForksHotStuffWithoutItsLock) {
  Scenario scenario = old_certificate();
  EXPECT_EQ(run_of<HotStuff>(scenario)->outcome.verdict(), Verdict::kHolds);
  scenario.bugs = {"no-lock"};
  EXPECT_EQ(run_of<HotStuff>(scenario)->outcome.verdict(), Verdict::kViolated);
}

TEST(Lies, AChangeIsToldWithTheOldAndTheNewValue) {
  const auto played = run_of<HotStuff>(old_certificate());
  const auto changes = events_of(played->trace, EventKind::kChanged);
  ASSERT_EQ(changes.size(), 4U);
  EXPECT_EQ(changes[0].value, ValueId(Round(1), kB, 0));
  EXPECT_EQ(changes[0].other, kGenesis);
  EXPECT_EQ(changes[0].height, Height(kJustify));
  EXPECT_EQ(played->outcome.faults, (FaultCounts{4, 4, 0, 0}));
}

// What the liar believes keeps the name that it gave; the other content is another block.
TEST(Lies, ABlockOnAnotherParentHasAnotherName) {
  for (const bool believes : {true, false}) {
    Scenario scenario = old_certificate();
    scenario.bugs = {"no-lock"};
    scenario.lies[0].to = believes ? SeatSet{kA, kB} : SeatSet{kB};
    const auto played = run_of<HotStuff>(scenario);
    std::map<Seat, ValueId> told;
    for (const Event& event : events_of(played->trace, EventKind::kDelivered)) {
      if (event.message_kind == kPrepare && event.round == Round(2)) told[event.seat] = event.value;
    }
    const ValueId plain(Round(2), kA, 0);
    EXPECT_EQ(told[kA], plain);
    EXPECT_EQ(told[kB] == plain, believes);
    EXPECT_EQ(told[kC] == plain, !believes);
    EXPECT_EQ(told[kD], told[kC]);
    EXPECT_NE(told[kB], told[kC]);
  }
}

TEST(Lies, OmittedMessagesAreLostButASeatHearsItself) {
  Scenario scenario = old_certificate();
  scenario.lies[0].twist = Twist::kOmit;
  const auto played = run_of<HotStuff>(scenario);
  EXPECT_EQ(played->outcome.faults, (FaultCounts{3, 0, 3, 0}));
}

TEST(Lies, ARepeatedMessageComesTwiceToWhomItIsRepeated) {
  Scenario scenario = old_certificate();
  scenario.lies[0].twist = Twist::kRepeat;
  scenario.lies[0].to = SeatSet{kA, kB, kC};
  const auto played = run_of<HotStuff>(scenario);
  EXPECT_EQ(played->outcome.verdict(), Verdict::kHolds);
  EXPECT_EQ(played->outcome.faults, (FaultCounts{2, 2, 0, 0})) << "nobody repeats itself to itself";
  std::map<Seat, unsigned> prepares;
  for (const Event& event : events_of(played->trace, EventKind::kDelivered)) {
    if (event.message_kind == kPrepare && event.round == Round(2)) ++prepares[event.seat];
  }
  EXPECT_EQ(prepares, (std::map<Seat, unsigned>{{kA, 1}, {kB, 2}, {kC, 2}, {kD, 1}}));
}

TEST(Lies, AnHonestSeatNeverLies) {
  Scenario scenario = old_certificate();
  scenario.lies[0].from = kB;
  const auto sound = check_lies(scenario, cast_of(scenario).value());
  ASSERT_FALSE(sound);
  EXPECT_EQ(sound.error().message, "B lies in round 10 but is no liar");
}

// The votes of view 1 are parted: with drops the leader never has them, withheld ones come when the network heals.
TEST(Lies, AnOutagePartsOneProtocolRound) {
  Scenario scenario = four_nodes(1);
  Outage outage;
  outage.protocol_round = 2;
  outage.partition.block_of = {0, 1, 2, 3};
  for (const bool withholds : {false, true}) {
    outage.withholds = withholds;
    scenario.outages = {outage};
    scenario.heal_rounds = 1;
    scenario.heal_leaders = {Identity{2}};
    const auto played = run_of<DiemBft>(scenario);
    EXPECT_EQ(played->outcome.faults.cut > 0, true);
    EXPECT_EQ(events_of(played->trace, EventKind::kLost).empty(), withholds);
    EXPECT_EQ(events_of(played->trace, EventKind::kLate).empty(), !withholds);
  }
}

// Whoever holds a certificate holds one for a block that f+1 honest seats voted for, and a name is of one block only.
template <class P>
class WhatLiesNeverMake : public testing::Test {
 public:
  static void check(const byzzfuzz::Settings& settings) {
    const byzzfuzz::FuzzGenerator generator(settings);
    const auto schedule = generator.schedule();
    Played<P> played(generator.cluster());
    played.network.trace = &played.trace;
    std::uint64_t changed = 0;
    for (std::uint64_t i = 0; i < settings.runs; ++i) {
      schedule->seek(i);
      played.trace.clear();
      run(played.network, played.world, *schedule, played.outcome);
      ASSERT_EQ(played.outcome.verdict(), Verdict::kHolds) << "run " << i;
      check_run(played, i);
      changed += played.outcome.faults.changed;
    }
    EXPECT_GT(changed, settings.runs / 10);
  }

 private:
  static void check_run(const Played<P>& played, std::uint64_t number) {
    std::map<ValueId, SeatSet> voters;
    std::map<ValueId, ValueId> parents;
    const SeatSet honest = played.cluster.honest_seats();
    for (const Event& event : played.trace) {
      if (event.kind == EventKind::kVoted && honest.contains(event.seat)) voters[event.value].insert(event.seat);
    }
    const int needed = played.network.context_of(kA).quorum() - played.cluster.fault_count;
    for (Seat seat : honest) {
      const auto& state = played.world.states[index_of(seat)];
      const Progress held = progress<P>(state, played.network.context_of(seat));
      for (const Held& block : {held.prepared, held.locked}) {
        ASSERT_TRUE(block.is_genesis() || voters[block.value].size() >= needed) << "run " << number;
      }
      for (const chain::Block& block : state.tree.blocks()) {
        const auto known = parents.try_emplace(block.id, block.parent).first;
        ASSERT_EQ(known->second, block.parent) << "run " << number;
      }
    }
  }
};

using Protocols = testing::Types<DiemBft, HotStuff, hotstuff::TwoPhaseHotStuff, fast_hotstuff::FastHotStuff>;
TYPED_TEST_SUITE(WhatLiesNeverMake, Protocols);

TYPED_TEST(WhatLiesNeverMake, CertificatesWithoutAQuorumOrTwoBlocksOfOneName) {
  for (const auto scope : {byzzfuzz::Scope::kSmall, byzzfuzz::Scope::kAny, byzzfuzz::Scope::kBaseline}) {
    TestFixture::check(many_faults_of<TypeParam>(scope, 2000));
  }
}

}  // namespace
}  // namespace nika
