#include "nika/properties/termination.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_checks_test.hpp"

namespace nika {
namespace {

PlantedRun fair_run() {
  PlantedRun run(kTermination);
  run.all_lead();
  return run;
}

// Two rounds, in the second of which B commits, and two of healing.
PlantedRun standstill() {
  PlantedRun run = fair_run();
  run.pass(1);
  run.commit(Seat{1}, 1, kFirst);
  run.pass(1);
  run.heal(2);
  return run;
}

TEST(Termination, APlantedStandstillIsFound) {
  const Judgement found = standstill().judged();
  EXPECT_EQ(found.property, &kTermination);
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "no decision after healing");
  EXPECT_EQ(found.evidence.since, Round(3));
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
}

TEST(Termination, HoldsWhereEveryLogGrowsAndIsSettledThen) {
  PlantedRun run = standstill();
  EXPECT_FALSE(run.is_settled());
  run.commit(Seat{1}, 2, kSecond);
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{2}, Seat{3}}));  // each of them has to
  EXPECT_FALSE(run.is_settled());
  run.commit(Seat{2}, 2, kSecond);
  run.commit(Seat{3}, 2, kSecond);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_TRUE(run.is_settled());
}

TEST(Termination, CatchingUpDoesNotMakeALogGrow) {
  PlantedRun run = standstill();
  run.commit(Seat{2}, 1, kFirst);
  run.commit(Seat{3}, 1, kFirst);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// What is committed while the network is still parted is no answer to its healing.
TEST(Termination, ALogHasToGrowAfterTheNetworkBeganToHeal) {
  PlantedRun run = fair_run();
  run.commit_all(1);
  run.pass(2);
  run.heal(2);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
}

// What has to be decided is above what was committed, whatever that height is called after folding.
TEST(Termination, AFoldedRunIsJudgedAsItWouldHaveBeen) {
  PlantedRun run = fair_run();
  run.commit_all(7);
  run.pass(2);
  ASSERT_TRUE(run.can_fold());
  run.fold(2);
  run.heal(1);
  run.commit_all(2);  // what they had
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_FALSE(run.can_fold());  // it waits for a height
  run.commit_all(3);
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  ASSERT_TRUE(run.can_fold());
  run.fold(0);
  run.heal(3);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_TRUE(run.is_settled());
}

// A healing that lasts longer than the protocol asks for is no excuse for standing still in its end.
TEST(Termination, ALogHasToGrowAsLongAsTheNetworkIsHealed) {
  PlantedRun run = fair_run();
  run.last_round = Round(5);
  run.pass(1);
  run.heal(1);
  run.commit_all(1);
  run.heal(1);  // round 3: all have decided, and two are left
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_FALSE(run.is_settled());
  EXPECT_TRUE(run.can_fold());
  run.commit(Seat{1}, 2, kSecond);
  EXPECT_FALSE(run.can_fold());  // it waits for a height again
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);  // it had only one round
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  const Judgement found = run.judged();
  EXPECT_EQ(found.evidence.kind, "no further decision");
  EXPECT_EQ(found.evidence.since, Round(3));
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{2}, Seat{3}}));
}

TEST(Termination, WhatWasDecidedTooLateToAskForMoreIsSettled) {
  PlantedRun run = fair_run();
  run.last_round = Round(4);
  run.pass(1);
  run.heal(1);
  run.commit_all(1);
  run.heal(1);  // one round is left, and two are needed
  EXPECT_TRUE(run.is_settled());
  EXPECT_TRUE(run.can_fold());
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Termination, ASingleDecisionIsEnough) {
  PlantedRun run = fair_run();
  run.promises.is_single_shot = true;
  run.last_round = Round(9);
  run.heal(1);
  run.commit_all(1);
  run.heal(1);
  EXPECT_TRUE(run.is_settled());
  run.heal(7);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Termination, ASingleDecisionMayBeMadeBeforeOrAfterHealing) {
  PlantedRun run = standstill();
  run.promises.is_single_shot = true;
  EXPECT_EQ(run.verdict(), Verdict::kViolated);  // B decided before, and nobody since
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{2}, Seat{3}}));
  run.commit(Seat{2}, 1, kFirst);
  EXPECT_EQ(run.judged().evidence.seats, SeatSet{Seat{3}});
  run.commit(Seat{3}, 1, kFirst);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Termination, NothingIsPromisedWhereTheNetworkNeverHeals) {
  PlantedRun run(kTermination);
  run.pass(20);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  run.commit_all(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  EXPECT_FALSE(run.is_settled());
}

// A protocol without an answer to who is two-faced promises something only once that is over.
TEST(Termination, SomeProtocolsStateNoBoundWhileATwinGoesOn) {
  PlantedRun run = standstill();
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.promises.outlasts_liars = false;
  EXPECT_EQ(run.unjudged(), Unjudged::kLiarsGoOn);
  run.down = {Seat{4}};
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.down = {};
  run.commit_all(2);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Termination, NothingIsPromisedBeforeTheProtocolHadItsTime) {
  PlantedRun run = fair_run();
  expect_broken_in_the_second_healing_round(run);
}

// Rounds that a liar leads while the network heals do not count.
TEST(Termination, OnlyHonestTurnsCount) {
  PlantedRun run(kTermination);
  run.leaders.fill(IdentitySet{Identity{0}});
  run.heal(20);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHonestLeader);
  run.all_lead();
  expect_broken_in_the_second_healing_round(run);
}

// Two rounds are asked for, but there are three honest nodes: B, C and D.
TEST(Termination, AHealingInWhichSomeHonestNodeNeverLeadsIsUnfair) {
  PlantedRun run(kTermination);
  run.heal(50);  // B leads
  EXPECT_EQ(run.unjudged(), Unjudged::kUnfair);
  run.leaders.fill(IdentitySet{Identity{2}});
  run.heal(50);
  EXPECT_EQ(run.unjudged(), Unjudged::kUnfair);
  run.leaders[101] = {Identity{0}, Identity{3}};  // with a liar, which is no turn of D
  run.heal(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kUnfair);
  run.leaders[102] = {Identity{3}};
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

// What is decided although nobody else leads is decided.
TEST(Termination, HoldsWhereAnUnfairHealingIsEnough) {
  PlantedRun run(kTermination);
  run.heal(1);
  run.commit_all(1);
  run.heal(9);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

// Nine rounds are three turns of three nodes. A node that leads once in all of them does not lead often enough.
TEST(Termination, EveryHonestNodeLeadsAsOftenAsTheBoundAsksFor) {
  const auto judged_after = [](std::initializer_list<unsigned> turns, unsigned rounds) {
    PlantedRun run(kTermination);
    run.promises.heal_rounds = 9;
    for (unsigned r = 0; r < rounds; ++r) {
      run.leaders[r + 1] = {static_cast<Identity>(*(turns.begin() + r % turns.size()))};
      run.heal(1);
    }
    return run.judged();
  };
  EXPECT_EQ(judged_after({1, 2, 3}, 8).unjudged, Unjudged::kHealingTooShort);
  EXPECT_EQ(judged_after({1, 2, 3}, 9).verdict, Verdict::kViolated);
  EXPECT_EQ(judged_after({3, 1, 1, 2, 2, 2}, 12).unjudged, Unjudged::kUnfair);
  EXPECT_EQ(judged_after({3, 1, 1, 2, 2, 2}, 13).verdict, Verdict::kViolated);
  EXPECT_EQ(judged_after({1, 0, 2, 0, 3, 0}, 16).unjudged, Unjudged::kHealingTooShort);
  EXPECT_EQ(judged_after({1, 0, 2, 0, 3, 0}, 17).verdict, Verdict::kViolated);
  EXPECT_EQ(judged_after({1, 2}, 200).unjudged, Unjudged::kUnfair);
}

// A chain that commits by three rounds in a row gets nothing of a leader between two liars.
TEST(Termination, OnlyTurnsInALongEnoughRowAreFair) {
  PlantedRun run(kTermination);
  run.promises.leaders_in_a_row = 3;
  run.promises.heal_rounds = 6;
  for (const unsigned leader : {3U, 0U, 1U, 2U, 1U, 2U, 1U, 2U}) {
    run.leaders[run.now.number + 1U] = {static_cast<Identity>(leader)};
    run.heal(1);
  }
  EXPECT_EQ(run.unjudged(), Unjudged::kUnfair);
  for (const unsigned leader : {3U, 1U, 2U, 3U}) {
    run.leaders[run.now.number + 1U] = {static_cast<Identity>(leader)};
    EXPECT_EQ(run.unjudged(), Unjudged::kUnfair);
    run.heal(1);
  }
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// The first rounds of a row count with it, so that as many rounds are enough as the protocol asks for.
TEST(Termination, AStandstillOfAChainIsFoundAfterTheRoundsThatItAsksFor) {
  PlantedRun run = fair_run();
  run.promises.leaders_in_a_row = 4;
  run.promises.heal_rounds = 12;
  run.heal(11);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// Who was kept in an early round goes through all that were scheduled.
TEST(Termination, HealingTakesLongerAfterLongerSchedules) {
  PlantedRun run = fair_run();
  run.pass(9);
  run.heal(3);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(Termination, IsNotPromisedWhereSoFewNodesTolerateNoSuchF) {
  PlantedRun run(kTermination);
  run.cluster = *make_cluster(6, {});
  run.cluster.fault_count = 2;
  run.all_lead();
  run.heal(2);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchThreshold);
  run.promises.resilience = 2;
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

// A leader that is down leads nothing.
TEST(Termination, NobodyHonestLeadsWhoIsDown) {
  PlantedRun run(kTermination);
  run.cluster = *make_cluster(4, {});
  run.down = {Seat{1}};
  run.heal(5);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHonestLeader);
}

TEST(Termination, ABroadcastPromisesADecisionOnlyIfItsSenderIsHonest) {
  PlantedRun run(kTermination);
  run.promises.is_single_shot = run.promises.is_broadcast = true;
  run.leaders.fill(IdentitySet{Identity{0}});
  run.heal(10);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHonestSender);
  run.leaders[1] = {Identity{2}, Identity{3}};  // a broadcast of two is none
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHonestSender);
  run.leaders[1] = {Identity{3}};  // nobody has to lead after it
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.leaders[1] = {Identity{0}};
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Termination, ABroadcastHasItsTimeToo) {
  PlantedRun run(kTermination);
  run.promises.is_single_shot = run.promises.is_broadcast = true;
  expect_broken_in_the_second_healing_round(run);
}

TEST(Termination, NothingIsPromisedBeyondTheThreshold) {
  PlantedRun crashed = standstill();  // A is compromised already
  crashed.down = {Seat{3}};
  crashed.heal(1);
  EXPECT_EQ(crashed.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun back = standstill();
  back.down = {};
  back.heal(1);
  EXPECT_EQ(back.verdict(), Verdict::kViolated);
  PlantedRun amnesiac = standstill();
  amnesiac.amnesiac = {Seat{3}};
  EXPECT_EQ(amnesiac.unjudged(), Unjudged::kTooManyFaulty);
  PlantedRun compromised = standstill();
  compromised.cluster = *make_cluster(4, std::array<std::uint8_t, 2>{2, 2});
  EXPECT_EQ(compromised.unjudged(), Unjudged::kTooManyFaulty);
}

// Down before the network heals is nobody's excuse, and one crash within f excuses only who crashed.
TEST(Termination, WhoIsDownWhileTheNetworkHealsOwesNothing) {
  PlantedRun run(kTermination);
  run.cluster = *make_cluster(4, {});
  run.leaders.fill(IdentitySet::first(3));
  run.down = {Seat{3}};
  run.pass(2);
  run.heal(1);
  run.down = {};
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.seats, (SeatSet{Seat{0}, Seat{1}, Seat{2}}));
  PlantedRun early(kTermination);
  early.cluster = *make_cluster(4, {});
  early.all_lead();
  early.down = {Seat{3}};
  early.pass(2);
  early.down = {};
  early.heal(2);
  EXPECT_EQ(early.judged().evidence.seats, (SeatSet{Seat{0}, Seat{1}, Seat{2}, Seat{3}}));
}

TEST(Termination, AnAsynchronousRunIsJudgedWhenAllHasArrived) {
  PlantedRun run(kTermination);
  run.promises.is_single_shot = true;
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
  run.is_quiet = true;
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  EXPECT_TRUE(run.is_settled());
}

// One scheduled view; healing begins in view 2. A protocol that decides within four Δ of two ticks.
PlantedRun timed_run() {
  PlantedRun run(kTermination);
  run.promises.decision_deltas = 4;
  run.delta_ticks = 2;
  run.pass(1);
  run.tick(20);
  run.heal(1);
  return run;
}

TEST(Termination, OfATimedRunIsJudgedAfterTheTimeThatTheProtocolStates) {
  PlantedRun run = timed_run();
  run.tick(8);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  run.commit_all(1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Termination, OfATimedRunCountsOnlyTheTimeOfHonestLeaders) {
  PlantedRun run = timed_run();
  run.leaders[3] = {Identity{0}};
  run.tick(3);
  run.pass(1);  // into view 3
  run.tick(40);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.pass(1);  // into view 4
  run.tick(4);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(Termination, OfATimedRunIsNotPromisedBeforeTheScheduledViewsAreOver) {
  PlantedRun run(kTermination);
  run.promises.decision_deltas = 4;
  run.delta_ticks = 2;
  run.pass(1);
  run.tick(100);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoHealing);
}

TEST(Termination, AFullBufferShowsNothing) {
  PlantedRun run = standstill();
  run.commit_all(2);
  run.overflowed = true;
  EXPECT_EQ(run.unjudged(), Unjudged::kOverflow);
}

// A protocol that can tell why nobody will ever propose again.
struct Stuck {
  struct State {
    std::uint8_t is_stuck = 0;
    static constexpr auto fields() { return std::tuple{field("is_stuck", &State::is_stuck)}; }
  };
  using Message = std::variant<State>;
  static std::string_view blocked(const State& state, const Context&) {
    return state.is_stuck != 0 ? "v1 has a certificate, v2 has f+1 votes" : "";
  }
};

TEST(Termination, ABlockedSeatIsTheStrongerFact) {
  const PlantedRun run = standstill();
  std::array<Stuck::State, kMaxSeats> states{};
  states[2].is_stuck = 1;
  const std::array<Context, kMaxSeats> contexts{};
  Sight sight = run.sight();
  sight.show<Stuck>(states.data(), contexts.data());
  TerminationMonitor monitor;
  monitor.healing.honest_turns = monitor.healing.honest_rounds = 2;
  monitor.healing.fair_turns = 1;
  const Judgement found = monitor.judge(sight);
  EXPECT_EQ(found.evidence.kind, "no valid proposal exists");
  EXPECT_EQ(found.evidence.why, "v1 has a certificate, v2 has f+1 votes");
  ASSERT_EQ(found.evidence.claims.size(), 1U);
  EXPECT_EQ(found.evidence.claims[0].seat, Seat{2});
}

// Where clients decide, nobody is left who would have to.
TEST(Termination, IsUnknownWhereEveryClientIsDown) {
  PlantedRun run(kTermination);
  const std::array<std::uint8_t, 1> copies{2};
  run.cluster = *make_cluster(4, copies, 2);
  run.all_lead();
  run.down = {Seat{5}, Seat{6}};
  run.pass(1);
  run.heal(4);
  EXPECT_EQ(run.unjudged(), Unjudged::kNobodyAsks);
}

}  // namespace
}  // namespace nika
