#include "nika/campaign/fuzz_campaign.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/allocations.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"

namespace nika {
namespace {

FuzzRequest request_of(std::string_view protocol, std::vector<std::string> bugs, std::uint64_t runs) {
  FuzzRequest request;
  request.runner = &built_in_protocol(protocol);
  request.properties = only(kAgreement);
  NIKA_REQUIRE(request.properties.push_back(&kTermination));
  request.settings.bugs = std::move(bugs);
  request.settings.nodes = request.runner->resilience() + 1;
  request.settings.last_round = 3 * request.runner->protocol_rounds();
  request.settings.runs = runs;
  set_protocol(request.settings, *request.runner, request.properties);
  return request;
}

TEST(FuzzCampaign, FindsHotStuffWithoutItsLockAndShrinksItToOneLie) {
  const auto outcome = run_fuzz(request_of("hotstuff", {"no-lock"}, 4000), {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->conclusion, Conclusion::kViolated);
  ASSERT_EQ(outcome->findings.size(), 1U);
  const Scenario& scenario = outcome->findings[0].finding.scenario;
  EXPECT_EQ(scenario.lies.size(), 1U);
  EXPECT_TRUE(scenario.outages.empty());
  EXPECT_EQ(scenario.lies[0].twist, Twist::kLeaveOut);
  const auto again = run_traced(built_in_protocol("hotstuff"), scenario, only(kAgreement));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->trace, outcome->findings[0].finding.trace.events);
}

TEST(FuzzCampaign, FindsNothingInCorrectProtocols) {
  for (const std::string_view protocol :
       {"diembft", "hotstuff", "fast-hotstuff", "linear-pbft", "fab", "zyzzyva", "pbft", "tendermint", "ibft",
        "xrp-lcp", "bv-broadcast", "dbft", "one-step", "mmr14", "mmr14-conf", "honeybadger-acs", "casper-ffg-led"}) {
    const auto outcome = run_fuzz(request_of(protocol, {}, 1000), {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->conclusion, Conclusion::kNoneFound) << protocol << ": " << outcome->reason;
    EXPECT_EQ(outcome->tally.executed, 1000U);
    EXPECT_GT(outcome->tally.faults.effective, 50U) << protocol;
  }
}

// Six nodes that count each other, and a liar whose validations come last: a sequence that is not compared stops who
// hears one more, and nearly never who hears any other.
TEST(FuzzCampaign, SmallLiesFindTheSequenceThatIsNotComparedAndAnyLiesRarelyDo) {
  const auto violating = [](std::vector<std::string> bugs, byzzfuzz::Scope scope) {
    FuzzRequest request = request_of("xrp-lcp", std::move(bugs), 5000);
    request.settings.liars = {Identity{5}};
    request.settings.outages = 0;
    request.settings.last_round = 8;
    request.settings.scope = scope;
    request.max_findings = 0;
    set_protocol(request.settings, *request.runner, request.properties);
    const auto outcome = run_fuzz(request, {});
    EXPECT_TRUE(outcome);
    return outcome->tally.violating;
  };
  EXPECT_EQ(violating({"unchecked-sequence"}, byzzfuzz::Scope::kSmall), 120U);
  EXPECT_EQ(violating({"unchecked-sequence"}, byzzfuzz::Scope::kAny), 3U);
  EXPECT_EQ(violating({}, byzzfuzz::Scope::kSmall), 0U);
}

// One setting for both: a fork needs a lie and an outage, or two lies, and a standstill one fault.
TEST(FuzzCampaign, FindsForksAndStandstillsOfListsThatOverlapTooLittle) {
  FuzzRequest request = request_of("xrp-lcp", {}, 1000);
  request.settings.nodes = 7;
  request.settings.unls = parse_unls("A-D:A-E,E-G:C-G").value();
  request.settings.liars = {Identity{3}};
  request.settings.lies = 2;
  request.settings.last_round = 8;
  set_protocol(request.settings, *request.runner, request.properties);
  const auto outcome = run_fuzz(request, {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(outcome->findings.size(), 2U);
  const auto faults = [&](std::size_t i) {
    const Scenario& scenario = outcome->findings[i].finding.scenario;
    return scenario.lies.size() + scenario.outages.size();
  };
  EXPECT_EQ(outcome->findings[0].finding.property, "termination");
  EXPECT_EQ(faults(0), 1U);
  EXPECT_EQ(outcome->findings[1].finding.property, "agreement");
  EXPECT_EQ(faults(1), 2U);
}

TEST(FuzzCampaign, CountsTheSameOnAnyNumberOfThreads) {
  FuzzRequest request = request_of("diembft", {"nonconsecutive-commit"}, 10'000);
  request.max_findings = 0;
  const auto one = run_fuzz(request, {});
  request.threads = 3;
  const auto three = run_fuzz(request, {});
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->tally, three->tally);
}

TEST(FuzzCampaign, ARunAllocatesNothing) {
  ASSERT_TRUE(counts_allocations());
  const FuzzRequest request = request_of("hotstuff", {}, 200);
  const byzzfuzz::FuzzGenerator generator(request.settings);
  const auto session = request.runner->open({generator.cluster(), {}, request.properties});
  ASSERT_TRUE(session);
  const auto schedule = generator.schedule();
  schedule->seek(0);
  (void)(*session)->run(*schedule);
  const std::uint64_t before = allocation_count();
  for (unsigned i = 1; i < 200; ++i) {
    schedule->seek(i);
    (void)(*session)->run(*schedule);
  }
  EXPECT_EQ(allocation_count(), before);
}

// A campaign takes from earlier runs what it can; here each run is a run of its own.
Tally tally_one_by_one(const FuzzRequest& request) {
  const byzzfuzz::FuzzGenerator generator(request.settings);
  Tally tally(request.properties.size());
  const auto session = request.runner->open({generator.cluster(), request.settings.bugs, request.properties});
  EXPECT_TRUE(session);
  const auto schedule = generator.schedule();
  for (std::uint64_t i = 0; i < request.settings.runs; ++i) {
    schedule->seek(i);
    tally.add((*session)->run(*schedule), 1);
  }
  return tally;
}

struct Setting {
  std::string_view protocol;
  std::vector<std::string> bugs;
  unsigned lies;
  unsigned outages;
  byzzfuzz::Scope scope = byzzfuzz::Scope::kSmall;
  bool withholds = true;
  bool lies_go_on = false;
  bool has_twins = false;
};

TEST(FuzzCampaign, WhatIsTakenFromEarlierRunsChangesNoCount) {
  const std::vector<Setting> all{
      {"pbft", {}, 1, 1},
      {"pbft", {"client-2f+1"}, 1, 1, byzzfuzz::Scope::kSmall, false},
      {"pbft", {"lost-certificate"}, 2, 2, byzzfuzz::Scope::kAny, false, true},
      {"pbft", {"empty-digest"}, 1, 0, byzzfuzz::Scope::kSmall, true, false, true},
      {"tendermint", {"quorum-2f"}, 1, 2, byzzfuzz::Scope::kBaseline},
      {"tendermint", {"no-retransmission"}, 0, 1, byzzfuzz::Scope::kSmall, false},
      {"hotstuff", {"no-lock"}, 2, 1, byzzfuzz::Scope::kSmall, true, true},
      {"zyzzyva", {}, 1, 1},
      {"xrp-lcp", {"unchecked-sequence"}, 1, 1},
  };
  for (const Setting& setting : all) {
    FuzzRequest request = request_of(setting.protocol, setting.bugs, 2000);
    request.max_findings = 0;
    request.settings.lies = setting.lies;
    request.settings.outages = setting.outages;
    request.settings.scope = setting.scope;
    request.settings.withholds = setting.withholds;
    request.settings.lies_go_on = setting.lies_go_on;
    request.settings.has_twins = setting.has_twins;
    const auto outcome = run_fuzz(request, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->tally, tally_one_by_one(request)) << setting.protocol;
  }
}

TEST(FuzzCampaign, AScheduleRunsAsItsScenario) {
  const FuzzRequest request = request_of("diembft", {"quorum-2f"}, 300);
  const byzzfuzz::FuzzGenerator generator(request.settings);
  const auto session = request.runner->open({generator.cluster(), {"quorum-2f"}, request.properties});
  ASSERT_TRUE(session);
  const auto schedule = generator.schedule();
  for (unsigned i = 0; i < 300; ++i) {
    schedule->seek(i);
    Trace drawn;
    const Outcome& outcome = (*session)->run(*schedule, &drawn);
    const auto told = run_traced(*request.runner, generator.scenario(i), request.properties);
    ASSERT_TRUE(told) << told.error().message;
    ASSERT_EQ(told->trace, drawn);
    ASSERT_EQ(told->outcome.faults, outcome.faults);
  }
}

}  // namespace
}  // namespace nika
