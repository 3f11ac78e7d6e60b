// Lassos as a property of campaigns: candidates are counted, and only what is proved is violated.
#include "nika/campaign/confirmed_lasso.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/properties/lasso.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

struct Drawn {
  explicit Drawn(std::string_view protocol)
      : runner(built_in_protocol(protocol)),
        scenarios(liveness::draw_scenarios(runner, {.rounds = 20, .scenarios = 10'000}).value()) {}

  SweepResult judged_by(const Property& property, unsigned threads) {
    Setup setup = scenarios.setup;
    setup.properties = only(property);
    RangeWork work({0, 10'000});
    SweepOptions options;
    options.threads = threads;
    return sweep(runner, setup, *scenarios.generator, work, options).value();
  }
  static Wide unconfirmed(const SweepResult& result) {
    return result.tally.properties[0].unknown_because[static_cast<std::size_t>(Unjudged::kUnconfirmed)];
  }

  const Runner& runner;
  liveness::Scenarios scenarios;
};

TEST(ConfirmedLasso, OnlyWhatIsProvedIsViolated) {
  Drawn drawn("two-phase-hotstuff");
  const SweepResult candidates = drawn.judged_by(kLasso, 2);
  EXPECT_EQ(candidates.tally.violating, 0U);
  const Wide count = Drawn::unconfirmed(candidates);
  EXPECT_EQ(count, 31U);
  const SweepResult proved = drawn.judged_by(kConfirmedLasso, 2);
  EXPECT_EQ(proved.tally.violating + Drawn::unconfirmed(proved), count);
  EXPECT_EQ(proved.tally.violating, 30U);
  EXPECT_EQ(drawn.judged_by(kConfirmedLasso, 1).tally, proved.tally);
  // Running the scenario again judges it alike.
  const Scenario scenario = drawn.scenarios.generator->scenario(proved.sightings.at(0).index);
  const Outcome again = run_scenario(drawn.runner, scenario, only(kConfirmedLasso)).value();
  ASSERT_NE(again.violation(), nullptr);
  EXPECT_EQ(again.violation()->evidence.kind, "hot for ever");
  EXPECT_EQ(run_scenario(drawn.runner, scenario, only(kLasso))->verdict(), Verdict::kUnknown);
}

TEST(ConfirmedLasso, HotStuffHasNone) {
  const SweepResult result = Drawn("hotstuff").judged_by(kConfirmedLasso, 2);
  EXPECT_EQ(result.tally.violating, 0U);
  EXPECT_EQ(result.tally.unknown, 0U);
}

TEST(ConfirmedLasso, IsJudgedInTimedRuns) {
  Drawn drawn("sync-hotstuff");
  const SweepResult proved = drawn.judged_by(kConfirmedLasso, 2);
  EXPECT_EQ(proved.tally.violating, 1U);
  EXPECT_EQ(Drawn::unconfirmed(proved), 6U);
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
