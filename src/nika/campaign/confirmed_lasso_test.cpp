// Lassos as a property of campaigns: candidates are counted, and only what is proved is violated.
#include "nika/campaign/confirmed_lasso.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/campaign/told_loops.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/properties/lasso.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

struct Drawn {
  explicit Drawn(std::string_view protocol, std::uint64_t the_count = 10'000)
      : runner(built_in_protocol(protocol)),
        count(the_count),
        scenarios(liveness::draw_scenarios(runner, {.rounds = 20, .scenarios = count}).value()) {}

  SweepResult judged_by(const Property& property, unsigned threads) {
    Setup setup = scenarios.setup;
    setup.properties = only(property);
    RangeWork work({0, count});
    SweepOptions options;
    options.threads = threads;
    return sweep(runner, setup, *scenarios.generator, work, options).value();
  }
  static Wide unknown(const SweepResult& result, Unjudged why) {
    return result.tally.properties[0].unknown_because[static_cast<std::size_t>(why)];
  }

  const Runner& runner;
  const std::uint64_t count;
  liveness::Scenarios scenarios;
};

TEST(ConfirmedLasso, OnlyWhatTheRepairedProtocolSurvivesIsViolated) {
  Drawn drawn("two-phase-hotstuff", 20'000);
  const SweepResult candidates = drawn.judged_by(kLasso, 2);
  EXPECT_EQ(candidates.tally.violating, 0U);
  const Wide count = Drawn::unknown(candidates, Unjudged::kUnconfirmed);
  EXPECT_EQ(count, 62U);
  const SweepResult proved = drawn.judged_by(kConfirmedLasso, 2);
  const Wide asynchronous = Drawn::unknown(proved, Unjudged::kAsynchronous);
  const Wide unconfirmed = Drawn::unknown(proved, Unjudged::kUnconfirmed);
  EXPECT_EQ(proved.tally.violating + asynchronous + unconfirmed, count);
  EXPECT_EQ(proved.tally.violating, 3U);
  EXPECT_EQ(unconfirmed, 2U);
  EXPECT_EQ(drawn.judged_by(kConfirmedLasso, 1).tally, proved.tally);
  // Running the scenario again judges it alike.
  const Scenario scenario = drawn.scenarios.generator->scenario(proved.sightings.at(0).index);
  const Outcome again = run_scenario(drawn.runner, scenario, only(kConfirmedLasso)).value();
  ASSERT_NE(again.violation(), nullptr);
  EXPECT_EQ(again.violation()->evidence.kind, "hot for ever");
  EXPECT_EQ(run_scenario(drawn.runner, scenario, only(kLasso))->verdict(), Verdict::kUnknown);
  // The loop that is told is the one that it is blamed for.
  const auto told = told_loop_of(drawn.runner, scenario, repaired_side_of(drawn.runner, scenario), nullptr,
                                 place_for(kConfirmedLasso))
                        .value();
  ASSERT_TRUE(told && told->proved && told->repaired);
  EXPECT_FALSE(told->assumptions.healed);
  EXPECT_GT(told->repaired->decides_in, 0U);
}

// Nobody is to blame for a network that breaks in the same way for ever, whichever protocol runs there.
TEST(ConfirmedLasso, NoCorrectProtocolIsViolated) {
  for (const std::string_view protocol : {"diembft", "fab", "linear-pbft"}) {
    const SweepResult result = Drawn(protocol).judged_by(kConfirmedLasso, 2);
    EXPECT_EQ(result.tally.violating, 0U) << protocol;
  }
}

TEST(ConfirmedLasso, HotStuffHasNone) {
  const SweepResult result = Drawn("hotstuff").judged_by(kConfirmedLasso, 2);
  EXPECT_EQ(result.tally.violating, 0U);
  EXPECT_EQ(result.tally.unknown, 0U);
}

TEST(ConfirmedLasso, IsJudgedInTimedRuns) {
  Drawn drawn("sync-hotstuff", 40'000);
  const SweepResult proved = drawn.judged_by(kConfirmedLasso, 2);
  EXPECT_EQ(proved.tally.violating, 2U);
  EXPECT_EQ(Drawn::unknown(proved, Unjudged::kNoHonestLeader), 5U);
  EXPECT_EQ(Drawn::unknown(proved, Unjudged::kUnconfirmed), 30U);
}

TEST(ConfirmedLasso, IsRefusedWhereRunsAreNotRunOneByOne) {
  for (const Property* property : {&kLasso, &kConfirmedLasso}) {
    TwinsRequest request;
    request.runner = &built_in_protocol("two-phase-hotstuff");
    request.settings.protocol = request.runner->name();
    request.properties = only(*property);
    request.exhaustive = true;
    const auto outcome = run_twins(request, {});
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().message,
              "lasso and confirmed-lasso are judged run by run: neither exhaustively nor by a guided search");
  }
}

}  // namespace
}  // namespace nika
