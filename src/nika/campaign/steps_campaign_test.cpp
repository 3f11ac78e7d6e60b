// Orders of delivery as a campaign: drawn, or all of them; told as scenarios that replay and shrink.
#include <gtest/gtest.h>

#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/shrink/candidates.hpp"

namespace nika {
namespace {

TwinsRequest request_of(const std::string& protocol, const std::string& schedule, Wide count) {
  TwinsRequest request;
  request.runner = &built_in_protocol(protocol);
  request.settings.protocol = protocol;
  request.settings.clients = request.runner->clients();
  request.settings.steps = steps::parse_schedule(schedule).value();
  request.settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  request.settings.step3 = {twins::Selection::Kind::kRandom, count};
  request.properties = parse_properties("agreement", built_in_properties()).value();
  request.memory_bytes = std::uint64_t{1} << 30U;
  return request;
}
TwinsRequest all_orders_of(const std::string& protocol) {
  TwinsRequest request = request_of(protocol, "uniform", 1);
  request.settings.step3 = {};
  request.exhaustive = true;
  return request;
}

TwinsOutcome ran(const TwinsRequest& request) {
  auto outcome = run_twins(request, {});
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return *std::move(outcome);
}

// It replays to the same trace, breaks what it is said to break, and nothing simpler does.
void expect_minimal(const Runner& runner, const ToldFinding& told, const Property& property) {
  const Scenario& scenario = told.finding.scenario;
  const auto run = run_traced(runner, scenario, only(property));
  ASSERT_TRUE(run.has_value()) << run.error().message;
  EXPECT_EQ(run->outcome.verdict(), Verdict::kViolated);
  EXPECT_EQ(run->trace, told.finding.trace.events);
  EXPECT_LT(scenario.steps->size(), told.finding.original.steps->size());
  for (Scenario& smaller : shrink::candidates(scenario, false)) {
    const auto outcome = run_what_is_there(runner, smaller, only(property));
    EXPECT_TRUE(!outcome || outcome->verdict() != Verdict::kViolated);
  }
}

TEST(StepsCampaign, DrawsTheSameOrdersOnAnyNumberOfThreadsAndInAnyParts) {
  for (const char* schedule : {"uniform", "priorities:3"}) {
    TwinsRequest request = request_of("bracha", schedule, 10'000);
    request.settings.bugs = {"quorum-2f"};
    const TwinsOutcome one = ran(request);
    EXPECT_EQ(one.conclusion, Conclusion::kViolated);
    EXPECT_EQ(one.tally.executed, 10'000U);
    ASSERT_EQ(one.findings.size(), 1U);
    request.threads = 3;
    const TwinsOutcome three = ran(request);
    EXPECT_EQ(three.tally, one.tally);
    EXPECT_EQ(three.findings[0].finding.scenario, one.findings[0].finding.scenario);
    EXPECT_EQ(three.findings[0].index, one.findings[0].index);
    Tally sum(1);
    for (const char* shard : {"1/2", "2/2"}) {
      request.shard = shard;
      sum.add(ran(request).tally);
    }
    EXPECT_EQ(sum, one.tally);
  }
}

TEST(StepsCampaign, FindingsReplayAndCannotBeShrunkFurther) {
  for (const char* schedule : {"uniform", "priorities:3"}) {
    TwinsRequest request = request_of("bracha", schedule, 2'000);
    request.settings.bugs = {"quorum-2f"};
    const TwinsOutcome outcome = ran(request);
    ASSERT_EQ(outcome.findings.size(), 1U);
    expect_minimal(*request.runner, outcome.findings[0], *request.properties[0]);
  }
}

TEST(StepsCampaign, ASampleInWhichNothingIsBrokenIsNoneFound) {
  const TwinsOutcome outcome = ran(request_of("bracha", "uniform", 1'000));
  EXPECT_EQ(outcome.conclusion, Conclusion::kNoneFound);
  EXPECT_EQ(outcome.judged(), 1'000U);
}

TEST(StepsCampaign, AllOrdersHoldOrAreToldAsAFinding) {
  TwinsRequest request = all_orders_of("bracha");
  request.properties = parse_properties("agreement,totality", built_in_properties()).value();
  const TwinsOutcome holds = ran(request);
  EXPECT_EQ(holds.conclusion, Conclusion::kHolds) << holds.reason;
  EXPECT_TRUE(holds.steps->was_reduced);
  request.settings.bugs = {"quorum-2f"};
  const TwinsOutcome broken = ran(request);
  EXPECT_EQ(broken.conclusion, Conclusion::kViolated);
  ASSERT_EQ(broken.findings.size(), 1U);
  expect_minimal(*request.runner, broken.findings[0], *request.properties[0]);
}

TEST(StepsCampaign, TimersRunOutAtAnyStepOfASearchThatTakesThemOneByOne) {
  TwinsRequest request = all_orders_of("bracha");
  request.settings.nodes = 2;
  request.settings.twins = 0;
  request.settings.steps->timers = 1;
  request.properties = parse_properties("all", built_in_properties()).value();
  const TwinsOutcome outcome = ran(request);
  EXPECT_EQ(outcome.conclusion, Conclusion::kHolds) << outcome.reason;
  EXPECT_FALSE(outcome.steps->was_reduced);
  EXPECT_EQ(outcome.steps->worlds, 3'699U);
}

// A view change may still bring a decision, so that who has not decided yet is not stuck.
TEST(StepsCampaign, TerminationIsUnknownWhereATimerStillRuns) {
  TwinsRequest request = request_of("hotstuff", "uniform", 100);
  request.properties = parse_properties("termination", built_in_properties()).value();
  const TwinsOutcome drawn = ran(request);
  EXPECT_EQ(drawn.conclusion, Conclusion::kUnknown);
  EXPECT_EQ(drawn.tally.unknown, 100U);
  TwinsRequest all = all_orders_of("diembft");
  all.settings.twins = 0;
  all.settings.rounds = 2;
  all.properties = request.properties;
  EXPECT_EQ(ran(all).conclusion, Conclusion::kUnknown);
}

TEST(StepsCampaign, ProtocolsWithLeadersAndTimersAreBrokenAndShrunkToo) {
  TwinsRequest request = request_of("diembft", "priorities:3", 500);
  request.settings.bugs = {"quorum-2f"};
  request.settings.leaders.kind = twins::LeaderChoice::Kind::kCompromised;
  request.settings.steps->timers = 8;
  const TwinsOutcome outcome = ran(request);
  EXPECT_EQ(outcome.conclusion, Conclusion::kViolated);
  ASSERT_FALSE(outcome.findings.empty());
  for (const ToldFinding& told : outcome.findings) expect_minimal(*request.runner, told, *request.properties[0]);
}

TEST(StepsCampaign, WhatWasCutShortIsUnknown) {
  TwinsRequest request = all_orders_of("bracha");
  request.memory_bytes = 1'000'000;
  const TwinsOutcome full = ran(request);
  EXPECT_EQ(full.conclusion, Conclusion::kUnknown);
  EXPECT_EQ(full.reason, "there was no memory left to remember worlds");
  const std::atomic<bool> stop = true;
  request = request_of("bracha", "uniform", 1'000);
  EXPECT_EQ(run_twins(request, {.stop = &stop, .progress = {}})->conclusion, Conclusion::kUnknown);
}

}  // namespace
}  // namespace nika
