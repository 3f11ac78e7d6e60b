// BV-broadcast and DBFT's binary consensus under twins and under every order of delivery.
#include <gtest/gtest.h>

#include "nika/campaign/twins_campaign.hpp"
#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

Properties properties_named(std::string_view names) {
  static const Registry registry = built_in_protocols();
  return parse_properties(names, registry.properties()).value();
}

std::vector<Event> commits_of(const char* protocol, const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(built_in_protocol(protocol), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

Scenario led_by(IdentitySet leaders, unsigned rounds) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (RoundPlan& round : scenario.rounds) round.leaders = leaders;
  return scenario;
}

// B alone begins with 1, which is too few for anybody to echo it.
TEST(BvBroadcastUnderTwins, WhatOneNodeBeginsWithIsNotDelivered) {
  const std::vector<Event> commits = commits_of("bv-broadcast", led_by({Identity{1}}, 1));
  ASSERT_EQ(commits.size(), 4U);
  for (const Event& commit : commits) EXPECT_EQ(commit.height, Height(1));
}

TEST(BvBroadcastUnderTwins, WhatTwoNodesBeginWithIsDeliveredByAll) {
  const std::vector<Event> commits = commits_of("bv-broadcast", led_by({Identity{1}, Identity{2}}, 1));
  ASSERT_EQ(commits.size(), 8U);
  EXPECT_EQ(std::ranges::count(commits, Height(3), &Event::height), 4);
}

// All begin with 0 but B, so that 0 is decided, in the first even round.
TEST(DbftUnderTwins, AWholeNetworkDecidesInTheFirstRoundOfThatParity) {
  const std::vector<Event> commits = commits_of("dbft", led_by({Identity{1}}, 4));
  ASSERT_EQ(commits.size(), 4U);
  for (const Event& commit : commits) {
    EXPECT_EQ(commit.time, 2U);
    EXPECT_EQ(name_of(*make_cluster(4, {}), commit.value), "0");
  }
  const std::vector<Event> ones = commits_of("dbft", led_by({Identity{1}, Identity{2}, Identity{3}}, 4));
  ASSERT_EQ(ones.size(), 4U);
  for (const Event& commit : ones) EXPECT_EQ(commit.time, 1U);
}

// The others have exited in the meantime; D goes through the rounds that it missed, one in each network round.
TEST(DbftUnderTwins, WhoWasCutOffIsToldWhatItMissed) {
  Scenario scenario = led_by({Identity{1}}, 8);
  for (unsigned r = 0; r < 5; ++r) scenario.rounds[r].partition.block_of = {0, 0, 0, 1};
  const std::vector<Event> commits = commits_of("dbft", scenario);
  ASSERT_EQ(commits.size(), 4U);
  EXPECT_EQ(commits[2].time, 2U);
  EXPECT_EQ(commits[3].time, 7U);
}

struct Swept {
  const char* protocol;
  const char* bug;
  unsigned rounds;
  const char* properties;
  Wide violating;
};

// One by one and by search: every leader of every round, and every partition in two. What A alone begins with, `echo-t`
// delivers under each of the 15 partitions.
TEST(BinaryUnderTwins, WholeSpacesAreCountedAlikeBothWays) {
  for (const Swept& c :
       {Swept{"bv-broadcast", "", 2, "agreement,termination,totality,justification,obligation", 0},
        Swept{"bv-broadcast", "echo-t", 1, "justification", 15},
        Swept{"dbft", "", 2, "agreement,termination,totality,justification", 0},
        Swept{"dbft", "silent-deciders", 2, "termination", 296}, Swept{"dbft", "decide-any-parity", 2, "agreement", 34},
        Swept{"dbft", "aux-t+1", 2, "agreement", 48}}) {
    SCOPED_TRACE(std::string(c.protocol) + " " + c.bug);
    const Runner& runner = built_in_protocol(c.protocol);
    twins::Settings settings;
    if (*c.bug != '\0') settings.bugs = {c.bug};
    settings.rounds = c.rounds;
    settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
    settings.heal_leaders = twins::HealLeaders::kHonest;
    settings.heal_rounds = runner.heal_rounds();
    const twins::Space space = checks::space_of(settings);
    const Properties properties = properties_named(c.properties);
    const Tally one_by_one = checks::swept(runner, space, properties);
    EXPECT_EQ(to_string(one_by_one.violating), to_string(c.violating));
    const Tally searched = checks::searched(runner, space, properties).tally;
    EXPECT_EQ(to_string(searched.violating), to_string(c.violating));
    EXPECT_EQ(to_string(searched.unknown), to_string(one_by_one.unknown));
  }
}

TwinsRequest drawn(const char* protocol, const char* bug, const char* properties, Wide count) {
  TwinsRequest request;
  request.runner = &built_in_protocol(protocol);
  request.settings.protocol = protocol;
  if (*bug != '\0') request.settings.bugs = {bug};
  request.settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  request.settings.step3 = {twins::Selection::Kind::kRandom, count};
  request.properties = properties_named(properties);
  request.memory_bytes = std::uint64_t{1} << 30U;
  request.max_findings = 0;
  return request;
}

TwinsOutcome ran(const TwinsRequest& request) {
  auto outcome = run_twins(request, {});
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return *std::move(outcome);
}

// Neither protocol tells its progress: a finding is told without hot rounds.
TEST(BinaryUnderTwins, AStandstillBecomesAFinding) {
  TwinsRequest request = drawn("dbft", "silent-deciders", "termination", 400);
  request.settings.rounds = 3;
  request.settings.heal_leaders = twins::HealLeaders::kHonest;
  request.settings.heal_rounds = request.runner->heal_rounds();
  request.max_findings = 1;
  const TwinsOutcome outcome = ran(request);
  EXPECT_EQ(outcome.tally.violating, 38U);
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_LE(outcome.findings[0].finding.scenario.rounds.size(), 2U);
}

TEST(BinaryUnderAnyOrder, NoneOfTheDrawnOrdersBreaksAnything) {
  for (const char* schedule : {"uniform", "priorities:3"}) {
    for (const char* protocol : {"bv-broadcast", "dbft"}) {
      TwinsRequest request = drawn(protocol, "", "agreement,totality,termination,justification", 2'000);
      request.settings.steps = steps::parse_schedule(schedule).value();
      request.settings.steps->timers = 8;
      const TwinsOutcome outcome = ran(request);
      EXPECT_EQ(outcome.tally.violating, 0U);
      EXPECT_EQ(outcome.tally.executed, 2'000U);
    }
  }
}

// B begins with 1, A with 0 and its twin with 1, C and D with 0.
TEST(BinaryUnderAnyOrder, BvBroadcastHoldsUnderEveryOrder) {
  TwinsRequest request = drawn("bv-broadcast", "", "agreement,totality,termination", 1);
  request.settings.step3 = {};
  request.settings.steps = steps::parse_schedule("uniform").value();
  request.settings.leaders = {twins::LeaderChoice::Kind::kList, {IdentitySet{Identity{1}}}};
  request.exhaustive = true;
  const TwinsOutcome outcome = ran(request);
  EXPECT_EQ(outcome.conclusion, Conclusion::kHolds);
  EXPECT_EQ(outcome.tally.violating, 0U);
}

}  // namespace
}  // namespace nika
