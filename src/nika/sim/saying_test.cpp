// What liars say in an asynchronous run, and when a run has come to a standstill.
#include "nika/model/saying.hpp"

#include <gtest/gtest.h>

#include "nika/properties/all.hpp"
#include "nika/properties/termination.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/dbft/dbft.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/run.hpp"
#include "nika/sim/step_network.hpp"

namespace nika {
namespace {

constexpr Seat kA{0};
constexpr Seat kB{1};
constexpr Seat kD{3};
constexpr LiarView kLiar{kD, 4};

// D lies and leads; steps as given.
Scenario scenario_of(std::vector<Step> steps) {
  Scenario scenario;
  scenario.rounds.resize(2);
  for (RoundPlan& plan : scenario.rounds) plan.leaders = {Identity{3}};
  scenario.liars = {Identity{3}};
  scenario.steps = std::move(steps);
  return scenario;
}

template <Protocol P>
struct Play {
  explicit Play(const std::vector<Step>& steps, bool passes_over = false)
      : scenario(scenario_of(steps)),
        schedule(scenario, passes_over),
        recorder(schedule, 4),
        network(cluster_of(scenario, P::kBugs).value(), only(kTermination)) {
    network.trace = &trace;
    run(network, *world, recorder, outcome);
  }

  Scenario scenario;
  RecordedSchedule schedule;
  StepRecorder recorder;
  Trace trace;
  StepNetwork<P> network;
  std::unique_ptr<World<P>> world = std::make_unique<World<P>>();
  Outcome outcome;
};

Step says(Seat to, const Saying& saying) { return {.to = to, .from = kD, .says = saying}; }
constexpr Saying kInitial{0, {0}};
constexpr Saying kOtherInitial{0, {1}};
constexpr Saying kReady{2, {0}};

TEST(Saying, AMessageIsMadeOfItsNumbers) {
  const auto initial = message_of<bracha::Bracha>(kOtherInitial, kLiar);
  EXPECT_EQ(std::get<bracha::Initial>(initial.value()).value, ValueId(Round(1), kD, 1));
  const auto aux = message_of<dbft::Dbft>({2, {5, 1}}, kLiar);
  EXPECT_EQ(std::get<dbft::Aux>(aux.value()).round, Round(5));
  EXPECT_TRUE(std::get<dbft::Aux>(aux.value()).value);
  EXPECT_FALSE(message_of<dbft::Dbft>({2, {5, 2}}, kLiar)) << "a flag is 0 or 1";
  EXPECT_FALSE(message_of<dbft::Dbft>({4, {1, 1}}, kLiar)) << "no such kind";
}

// HotStuff's messages carry certificates, and what proves them.
TEST(Saying, NobodyForges) {
  for (std::uint8_t kind = 0; kind < std::variant_size_v<hotstuff::HotStuff::Message>; ++kind)
    EXPECT_FALSE(message_of<hotstuff::HotStuff>({kind, {}}, kLiar)) << int{kind};
}

TEST(Saying, IsHeardAtOnceByWhomItIsToldAndByNobodyElse) {
  Play<bracha::Bracha> play({says(kA, kInitial), says(kB, kOtherInitial)});
  EXPECT_EQ(play.world->states[0].echoed, ValueId(Round(1), kD, 0));
  EXPECT_EQ(play.world->states[1].echoed, ValueId(Round(1), kD, 1));
  EXPECT_TRUE(play.world->states[2].echoed.is_genesis());
  EXPECT_EQ(play.world->step_count, 2U);
  EXPECT_EQ(play.recorder.steps(), *play.scenario.steps);
}

// It starts nothing, sends nothing and hears nothing: what others send is for the three others.
TEST(Saying, ALiarWithoutATwinRunsNoCode) {
  Play<bracha::Bracha> play({says(kA, kInitial)});
  EXPECT_EQ(play.world->pending_count, 1U);
  EXPECT_EQ(play.world->pending[0].post.to, SeatSet::first(3));
  EXPECT_EQ(play.world->timers[3][0].duration, 0U);
}

TEST(Saying, WhatCannotBeSaidEndsTheRun) {
  Play<bracha::Bracha> unknown_kind({says(kA, {7, {}}), says(kB, kInitial)});
  EXPECT_EQ(unknown_kind.world->step_count, 0U);
  Step honest = says(kA, kInitial);
  honest.from = kB;
  EXPECT_EQ(Play<bracha::Bracha>({honest}).world->step_count, 0U);
}

TEST(Saying, StepsThatAreNotThereArePassedOverUpToIt) {
  const Step missing{9, kA, kB};
  Play<bracha::Bracha> play({missing, says(kA, kReady), missing, says(kB, kReady)}, true);
  EXPECT_EQ(play.recorder.steps(), (std::vector<Step>{says(kA, kReady), says(kB, kReady)}));
}

// Three processes with estimate 0 that get everything decide 0 in round 2; until then something is left to happen.
TEST(Standstill, IsNoneWhileATimerMakesADifference) {
  Play<dbft::Dbft> play({});
  EXPECT_FALSE(play.network.is_quiet(*play.world));
  while (play.world->pending_count > 0) play.network.take(*play.world, play.network.choices_of(*play.world)[0]);
  EXPECT_FALSE(play.network.is_quiet(*play.world)) << "the time for the coordinator is not over";
  EXPECT_EQ(play.outcome.judgements[0].verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace nika
