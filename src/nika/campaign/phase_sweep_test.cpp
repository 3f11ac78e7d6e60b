// Scenarios sampled by phases: the quick way to run them is the same as running them as scenarios with rules.
#include <gtest/gtest.h>

#include "nika/campaign/outcome_checks_test.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

Properties judged() { return parse_properties("agreement,termination,responsiveness", built_in_properties()).value(); }

twins::Settings sampled(std::string protocol, std::vector<std::string> bugs, Wide count) {
  twins::Settings settings{.protocol = std::move(protocol), .bugs = std::move(bugs), .at_most = true, .rounds = 3};
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, count};
  return settings;
}

phases::Sampler sampler_of(const Runner& runner, twins::Settings settings) {
  settings.clients = runner.clients();
  return phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
}

// The first scenarios of the settings and all that break something, both ways; how many break something.
unsigned compare(const Runner& runner, const twins::Settings& settings) {
  const auto sampler = sampler_of(runner, settings);
  const auto session = runner.open({sampler.cluster(), settings.bugs, judged()}).value();
  const auto schedule = sampler.schedule();
  unsigned violating = 0;
  for (Wide i = 0; i < *sampler.size(); ++i) {
    schedule->seek(i);
    const Outcome& quick = session->run(*schedule);
    if (i >= 500 && quick.verdict() != Verdict::kViolated) continue;
    const auto slow = run_scenario(runner, sampler.scenario(i), judged());
    EXPECT_TRUE(slow.has_value());
    SCOPED_TRACE(to_string(i));
    checks::expect_same(quick, slow.value());
    violating += quick.verdict() == Verdict::kViolated ? 1 : 0;
  }
  return violating;
}

TEST(PhaseSweep, LinksOfAKindAreRulesOnLinks) {
  twins::Settings settings = sampled("zyzzyva", {"certificate-before-later-votes"}, 500);
  compare(built_in_protocol("zyzzyva"), settings);
  settings.one_way = true;
  settings.order = twins::OrderChoice::kSampled;
  compare(built_in_protocol("zyzzyva"), settings);
  settings.disturbances = {2, true, true, true, 2};
  compare(built_in_protocol("zyzzyva"), settings);
}

TEST(PhaseSweep, CompromisedSeatsStayFaultyWhileTheNetworkHeals) {
  twins::Settings settings = sampled("fab", {"proofs-and-votes-bind-alike"}, 500);
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.one_way = true;
  compare(built_in_protocol("fab"), settings);
  settings = sampled("two-phase-hotstuff", {}, 20'000);
  settings.rounds = 2;
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  settings.heal_rounds = 2 * built_in_protocol("two-phase-hotstuff").heal_rounds();
  EXPECT_GT(compare(built_in_protocol("two-phase-hotstuff"), settings), 0U);
}

// What a liar does while the network heals comes again with the turns of the leaders.
TEST(PhaseSweep, HealingRepeatsItselfWithTheTurnsOfItsLeaders) {
  twins::Settings settings = sampled("two-phase-hotstuff", {}, 200);
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  settings.heal_rounds = 6;
  const auto sampler = sampler_of(built_in_protocol("two-phase-hotstuff"), settings);
  std::array<unsigned, 4> honest_leaders{};  // scenarios with so many
  for (Wide i = 0; i < *sampler.size(); ++i) {
    const Scenario scenario = sampler.scenario(i);
    const std::size_t turns = scenario.heal_leaders.size();
    for (std::size_t t = 0; t < turns; ++t) EXPECT_EQ(scenario.heal_leaders[t] == Identity{0}, t % 2 == 1);
    ++honest_leaders.at(turns / 2);
    for (unsigned round = 4; round + turns <= 9; ++round) {
      const auto rules_of = [&](unsigned r) {
        std::vector<Rule> rules = scenario.rules;
        std::erase_if(rules, [&](const Rule& rule) { return rule.first_round != Round(r); });
        for (Rule& rule : rules) rule.first_round = rule.last_round = {};
        return rules;
      };
      EXPECT_EQ(rules_of(round), rules_of(round + static_cast<unsigned>(turns))) << to_string(i);
    }
  }
  EXPECT_EQ(honest_leaders[0], 0U);
  EXPECT_GT(honest_leaders[1], 20U);
  EXPECT_GT(honest_leaders[2], 20U);
  EXPECT_GT(honest_leaders[3], 100U);  // half of those with fewer go on to all of them
}

TEST(PhaseSweep, TheFirstViolationDoesNotDependOnThreadsAndReplays) {
  const Runner& runner = built_in_protocol("fab");
  twins::Settings settings = sampled("fab", {"proofs-and-votes-bind-alike"}, 40'000);
  settings.rounds = 2;
  settings.one_way = true;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.heal_rounds = runner.heal_rounds();
  const auto sampler = sampler_of(runner, settings);
  const nika::Setup setup{sampler.cluster(), settings.bugs, only(kTermination)};
  std::vector<SweepResult> results;
  for (const unsigned threads : {1U, 3U}) {
    SweepOptions options;
    options.threads = threads;
    RangeWork work({0, *sampler.size()});
    const auto result = sweep(runner, setup, sampler, work, options);
    ASSERT_TRUE(result.has_value());
    ASSERT_FALSE(result->sightings.empty());
    results.push_back(*result);
  }
  const Wide first = results[0].sightings.front().index;
  EXPECT_EQ(first, results[1].sightings.front().index);
  EXPECT_EQ(results[0].tally, results[1].tally);
  const auto outcome = run_scenario(runner, sampler.scenario(first), only(kTermination));
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->verdict(), Verdict::kViolated);
}

TEST(PhaseSweep, SettingsThatCannotBeDrawnAreRefused) {
  twins::Settings settings = sampled("zyzzyva", {}, 1);
  settings.step3 = {};
  EXPECT_EQ(phases::Sampler::make(settings, 5).error().message,
            "phases are sampled, never enumerated: say how many scenarios with --step3 random:X");
}

}  // namespace
}  // namespace nika
