// Faults of protocol rounds in whole runs: what lies can make of a message, and what they never can.
#include "nika/sim/lies_test.hpp"

#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

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

}  // namespace
}  // namespace nika
