#include "nika/campaign/fuzz_generations.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

FuzzRequest request_of(std::vector<std::string> bugs, std::uint64_t runs, unsigned threads) {
  FuzzRequest request;
  request.runner = &built_in_protocol("bracha");
  request.properties = only(kAgreement);
  request.settings.bugs = std::move(bugs);
  request.settings.lies = request.settings.outages = 2;
  request.settings.last_round = 5 * request.runner->protocol_rounds();
  request.settings.guide = byzzfuzz::Guide::kCoverage;
  request.settings.runs = runs;
  request.threads = threads;
  set_protocol(request.settings, *request.runner, request.properties);
  return request;
}

// Findings are shrunk, and replay, like those of blind draws.
TEST(GuidedFuzz, FindsWhatBlindDrawsDoNotAndShrinksIt) {
  const FuzzRequest request = request_of({"quorum-2f"}, 8000, 1);
  const auto blind = run_fuzz(request, {});
  ASSERT_TRUE(blind);
  EXPECT_EQ(blind->tally.violating, 0U);
  const auto outcome = run_guided_fuzz(request, {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->conclusion, Conclusion::kViolated);
  EXPECT_EQ(outcome->tally.executed, 8000U);
  ASSERT_EQ(outcome->findings.size(), 2U);  // of different kinds, which shrinking makes alike
  for (const ToldFinding& told : outcome->findings) {
    EXPECT_EQ(told.finding.scenario.lies.size(), 1U);
    EXPECT_EQ(told.finding.scenario.outages.size(), 2U);
    const auto again = run_traced(*request.runner, told.finding.scenario, only(kAgreement));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->trace, told.finding.trace.events);
  }
}

TEST(GuidedFuzz, ComesToTheSameOnAnyNumberOfThreads) {
  const auto one = run_guided_fuzz(request_of({"quorum-2f"}, 6100, 1), {});
  const auto three = run_guided_fuzz(request_of({"quorum-2f"}, 6100, 3), {});
  ASSERT_TRUE(one && three);
  EXPECT_GT(one->tally.violating, 0U);
  EXPECT_EQ(one->tally.executed, 6100U);
  EXPECT_EQ(one->tally.violating, three->tally.violating);
  EXPECT_EQ(one->tally.faults.changed, three->tally.faults.changed);
  EXPECT_EQ(one->first->executions, three->first->executions);
  EXPECT_EQ(one->findings[0].finding.scenario, three->findings[0].finding.scenario);
}

TEST(GuidedFuzz, GoesRoundByRoundTheSameOnAnyNumberOfThreads) {
  FuzzRequest request = request_of({"quorum-2f"}, 1024, 1);
  request.runner = &built_in_protocol("tendermint");
  request.settings.last_round = 3 * request.runner->protocol_rounds();
  request.settings.guide = byzzfuzz::Guide::kRounds;
  set_protocol(request.settings, *request.runner, request.properties);
  const auto one = run_guided_fuzz(request, {});
  request.threads = 3;
  const auto three = run_guided_fuzz(request, {});
  ASSERT_TRUE(one && three);
  ASSERT_EQ(one->conclusion, Conclusion::kViolated);
  EXPECT_EQ(one->tally.violating, three->tally.violating);
  EXPECT_EQ(one->tally.faults.changed, three->tally.faults.changed);
  EXPECT_EQ(one->findings[0].finding.scenario, three->findings[0].finding.scenario);
  const auto again = run_traced(*request.runner, one->findings[0].finding.scenario, only(kAgreement));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->trace, one->findings[0].finding.trace.events);
}

TEST(GuidedFuzz, StopsAfterTheGenerationThatFoundSomething) {
  FuzzRequest request = request_of({"quorum-2f"}, 100'000, 1);
  request.stops_at_first = true;
  request.max_findings = 0;
  const auto outcome = run_guided_fuzz(request, {});
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(outcome->first);
  EXPECT_EQ(outcome->tally.executed, (outcome->first->executions + 255) / 256 * 256);
  EXPECT_TRUE(outcome->findings.empty());
}

TEST(GuidedFuzz, FindsNothingInACorrectProtocolAndRefusesSkewedDraws) {
  FuzzRequest request = request_of({}, 3000, 1);
  EXPECT_EQ(run_guided_fuzz(request, {})->conclusion, Conclusion::kNoneFound);
  request.settings.guide = byzzfuzz::Guide::kRounds;
  EXPECT_EQ(run_guided_fuzz(request, {})->conclusion, Conclusion::kNoneFound);
  request.settings.sampling = byzzfuzz::Sampling::kArtifact;
  EXPECT_FALSE(run_guided_fuzz(request, {}));
}

}  // namespace
}  // namespace nika
