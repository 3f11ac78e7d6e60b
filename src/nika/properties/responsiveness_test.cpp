#include "nika/properties/responsiveness.hpp"

#include <gtest/gtest.h>

#include <array>

#include "nika/properties/planted_run.hpp"

namespace nika {
namespace {

// Rounds after which every seat is in the next one's view.
void pass_in_step(PlantedRun& run, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) {
    for (PlantedSeat& seat : run.seats) seat.view = Round(run.now.number + 2U);
    run.pass(1);
  }
}
void heal_in_step(PlantedRun& run, unsigned rounds) {
  if (run.healing_since == Round(0)) run.healing_since = run.now.next();
  pass_in_step(run, rounds);
}

TEST(Responsiveness, AHealedRoundOfAnHonestLeaderThatDecidesNothingIsFound) {
  PlantedRun run(kResponsiveness);
  pass_in_step(run, 2);
  heal_in_step(run, 1);
  EXPECT_FALSE(run.is_settled());  // what comes of it is told too
  const Judgement found = run.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "the view of an honest leader decides nothing");
  EXPECT_EQ(found.evidence.since, Round(3));
  EXPECT_EQ(found.evidence.seats, SeatSet{Seat{1}});
  run.commit_all(1);
  heal_in_step(run, 1);
  EXPECT_EQ(run.judged().evidence.since, Round(3));
}

TEST(Responsiveness, HoldsWhereEverySuchRoundDecides) {
  PlantedRun run(kResponsiveness);
  pass_in_step(run, 2);
  for (unsigned height = 1; height < 4; ++height) {
    run.commit_all(height, kFirst);
    heal_in_step(run, 1);
    EXPECT_EQ(run.verdict(), Verdict::kHolds);
    EXPECT_FALSE(run.is_settled());
  }
  heal_in_step(run, 1);
  EXPECT_EQ(run.judged().evidence.since, Round(6));
}

// Heights that are counted anew are neither a decision nor hide one.
TEST(Responsiveness, AFoldedRunIsJudgedAsItWouldHaveBeen) {
  PlantedRun run(kResponsiveness);
  run.commit_all(5);
  pass_in_step(run, 2);
  ASSERT_TRUE(run.can_fold());
  run.fold(1);
  run.commit(Seat{1}, 2, kFirst);
  heal_in_step(run, 1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  ASSERT_TRUE(run.can_fold());
  run.fold(0);
  heal_in_step(run, 1);
  EXPECT_EQ(run.judged().evidence.since, Round(4));
}

// A leader that lags has to learn what was decided before it can propose.
TEST(Responsiveness, WhoCatchesUpDecides) {
  PlantedRun run(kResponsiveness);
  run.commit(Seat{2}, 1, kFirst);
  pass_in_step(run, 1);
  run.commit(Seat{3}, 1, kFirst);
  heal_in_step(run, 1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.commit(Seat{3}, 1, kFirst);  // once more is nothing
  heal_in_step(run, 1);
  EXPECT_EQ(run.judged().evidence.since, Round(3));
}

TEST(Responsiveness, WhereEachDecidesOnceSomebodyElseHasTo) {
  PlantedRun run(kResponsiveness);
  run.promises.is_single_shot = true;
  run.commit(Seat{1}, 1, kFirst);
  pass_in_step(run, 1);
  run.commit(Seat{2}, 1, kFirst);
  heal_in_step(run, 1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  PlantedRun stuck = run;
  heal_in_step(stuck, 1);
  EXPECT_EQ(stuck.verdict(), Verdict::kViolated);
  run.commit(Seat{3}, 1, kFirst);
  EXPECT_TRUE(run.is_settled());
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  heal_in_step(run, 9);  // another property may want to see more: nothing is left to decide
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
}

TEST(Responsiveness, ARowOfRoundsIsJudgedWhereTheProtocolNeedsOne) {
  PlantedRun run(kResponsiveness);
  run.promises.leaders_in_a_row = 3;
  pass_in_step(run, 1);
  heal_in_step(run, 2);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchRound);
  run.leaders[4] = {Identity{0}};
  heal_in_step(run, 3);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchRound);  // the row began anew after round 4
  heal_in_step(run, 1);
  EXPECT_EQ(run.judged().evidence.since, Round(7));
}

// Votes of a chain are for the next leader: others enter its view with its proposal.
TEST(Responsiveness, InAChainSeatsMayBeAViewBehindForTwiceAsLong) {
  const auto judged_after = [](unsigned behind, unsigned leaders_in_a_row) {
    PlantedRun run(kResponsiveness);
    run.promises.leaders_in_a_row = static_cast<std::uint8_t>(leaders_in_a_row);
    run.healing_since = Round(1);
    for (unsigned round = 1; round <= 9; ++round) {
      for (PlantedSeat& seat : run.seats) seat.view = Round(round + 1);
      run.seats[2].view = Round(round + 1 - behind);
      run.pass(1);
    }
    return run.judged();
  };
  EXPECT_EQ(judged_after(0, 2).evidence.since, Round(3));
  EXPECT_EQ(judged_after(1, 2).evidence.since, Round(5));
  EXPECT_EQ(judged_after(2, 2).unjudged, Unjudged::kNoSuchRound);
  EXPECT_EQ(judged_after(1, 1).unjudged, Unjudged::kNoSuchRound);  // no chain
}

// Each of these rounds would be a violation but for one thing.
TEST(Responsiveness, OtherRoundsDoNotCount) {
  const auto unjudged_if = [](const auto& change) {
    PlantedRun run(kResponsiveness);
    pass_in_step(run, 1);
    run.healing_since = Round(2);
    change(run);
    run.pass(1);
    return run.unjudged();
  };
  EXPECT_EQ(unjudged_if([](PlantedRun& run) { run.healing_since = {}; }), Unjudged::kNoHealing);
  EXPECT_EQ(unjudged_if([](PlantedRun& run) { run.leaders[2] = {Identity{0}}; }), Unjudged::kNoSuchRound);
  EXPECT_EQ(unjudged_if([](PlantedRun& run) { run.leaders[2] = {}; }), Unjudged::kNoSuchRound);
  EXPECT_EQ(unjudged_if([](PlantedRun& run) { run.down = {Seat{3}}; }), Unjudged::kNoSuchRound);
  EXPECT_EQ(unjudged_if([](PlantedRun& run) { run.amnesiac = {Seat{3}}; }), Unjudged::kTooManyFaulty);
  EXPECT_EQ(unjudged_if([](PlantedRun& run) { run.promises.is_responsive = false; }), Unjudged::kNotPromised);
  EXPECT_EQ(unjudged_if([](PlantedRun&) {}), Unjudged::kJudged);
}

TEST(Responsiveness, ASeatInAnotherViewExcusesTheLeader) {
  const auto verdict_with = [](Seat seat, unsigned view) {
    PlantedRun run(kResponsiveness);
    run.healing_since = Round(1);
    for (PlantedSeat& planted : run.seats) planted.view = Round(2);
    run.seats[index_of(seat)].view = Round(view);
    run.pass(2);
    return run.verdict();
  };
  EXPECT_EQ(verdict_with(Seat{3}, 1), Verdict::kUnknown);
  EXPECT_EQ(verdict_with(Seat{3}, 3), Verdict::kUnknown);
  EXPECT_EQ(verdict_with(Seat{4}, 1), Verdict::kViolated);  // a liar need not take part
  EXPECT_EQ(verdict_with(Seat{4}, 3), Verdict::kUnknown);   // but one that is ahead stops the timers of a round
}

// The same run with two clients, on the seats behind the twin.
PlantedRun run_with_clients() {
  PlantedRun run(kResponsiveness);
  run.cluster = *make_cluster(4, std::array<std::uint8_t, 1>{2}, 2);
  pass_in_step(run, 1);
  return run;
}

TEST(Responsiveness, WhereClientsDecideOneOfThemHasTo) {
  PlantedRun run = run_with_clients();
  heal_in_step(run, 1);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchRound);  // the leader may not have heard of any request
  run.commit(Seat{6}, 1, kFirst);
  heal_in_step(run, 1);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  for (Seat replica : SeatSet::first(4)) run.commit(replica, 2, kFirst);  // what replicas do decides nothing
  heal_in_step(run, 1);
  EXPECT_EQ(run.judged().evidence.since, Round(4));
  EXPECT_EQ(run.judged().evidence.seats, SeatSet{Seat{1}});
}

TEST(Responsiveness, AClientThatIsDownOrHasForgottenItsRequestExcusesTheLeader) {
  PlantedRun down = run_with_clients();
  down.down = {Seat{5}};
  heal_in_step(down, 2);
  EXPECT_EQ(down.unjudged(), Unjudged::kNoSuchRound);
  down.down = {};
  heal_in_step(down, 1);
  EXPECT_EQ(down.unjudged(), Unjudged::kNoSuchRound);  // it was when the round began
  heal_in_step(down, 1);
  EXPECT_EQ(down.judged().evidence.since, Round(5));
  PlantedRun amnesiac = run_with_clients();
  amnesiac.amnesiac = {Seat{5}};
  heal_in_step(amnesiac, 2);
  EXPECT_EQ(amnesiac.unjudged(), Unjudged::kNoSuchRound);
}

// A protocol that decides within four Δ of two ticks. The first honest seat enters view 1 in tick 1.
PlantedRun timed_run() {
  PlantedRun run(kResponsiveness);
  run.promises.decision_deltas = 4;
  run.delta_ticks = 2;
  run.pass(1);
  return run;
}

TEST(Responsiveness, InTimeAnHonestLeaderHasToDecideBeforeItsTimeIsUp) {
  PlantedRun run = timed_run();
  run.tick(8);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchRound);  // there may still come a decision in this tick
  run.tick();
  ASSERT_EQ(run.verdict(), Verdict::kViolated);
  EXPECT_EQ(run.judged().evidence.since, Round(1));
  EXPECT_TRUE(run.is_settled());
}

TEST(Responsiveness, InTimeItHasToGoOnDeciding) {
  PlantedRun run = timed_run();
  run.tick(7);
  run.commit(Seat{1}, 1, kFirst);
  run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.tick(8);
  EXPECT_EQ(run.verdict(), Verdict::kHolds);
  run.tick();
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

TEST(Responsiveness, InTimeAnHonestLeaderIsNotReplacedBeforeItHasDecided) {
  PlantedRun run = timed_run();
  run.tick(3);
  run.pass(1);  // view 2
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
  PlantedRun decides = timed_run();
  decides.commit(Seat{2}, 1, kFirst);
  decides.tick(3);
  decides.pass(1);
  EXPECT_EQ(decides.verdict(), Verdict::kHolds);
}

TEST(Responsiveness, InTimeALiarMayTakeAsLongAsItLikes) {
  PlantedRun run(kResponsiveness);
  run.promises.decision_deltas = 4;
  run.delta_ticks = 2;
  run.leaders[1] = {Identity{0}};
  run.pass(1);
  run.tick(40);
  run.pass(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchRound);
  run.promises.decision_deltas = 0;  // a protocol that does not say how long it takes
  run.tick(40);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchRound);
}

TEST(Responsiveness, IsOfRoundsWithViewsOnly) {
  PlantedRun broadcast(kResponsiveness);
  broadcast.promises.is_broadcast = true;
  heal_in_step(broadcast, 9);
  EXPECT_EQ(broadcast.unjudged(), Unjudged::kNoSuchRound);
  PlantedRun steps(kResponsiveness);
  steps.is_asynchronous = true;
  steps.pass(9);
  EXPECT_EQ(steps.unjudged(), Unjudged::kNoHealing);
}

TEST(Responsiveness, IsNotPromisedWhereSoFewNodesTolerateNoSuchF) {
  PlantedRun run(kResponsiveness);
  run.cluster.fault_count = 2;
  run.heal(3);
  EXPECT_EQ(run.unjudged(), Unjudged::kNoSuchThreshold);
}

}  // namespace
}  // namespace nika
