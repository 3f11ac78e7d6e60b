// Scenarios sampled by phases: the quick way to run them is the same as running them as scenarios with rules.
#include <gtest/gtest.h>

#include "nika/campaign/discover.hpp"
#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika {
namespace {

constexpr Properties kBoth{true, true};

twins::Settings sampled(std::string protocol, std::vector<std::string> bugs, Wide count) {
  twins::Settings settings{.protocol = std::move(protocol), .bugs = std::move(bugs), .at_most = true, .rounds = 3};
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, count};
  return settings;
}

phases::Sampler sampler_of(const Runner& runner, const twins::Settings& settings) {
  return phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
}

void expect_same(const Outcome& quick, const Outcome& slow, Wide index) {
  EXPECT_EQ(quick.verdict, slow.verdict) << to_string(index);
  EXPECT_EQ(quick.property, slow.property) << to_string(index);
  EXPECT_EQ(quick.delivered, slow.delivered) << to_string(index);
  EXPECT_EQ(quick.rounds, slow.rounds) << to_string(index);
  EXPECT_EQ(quick.conflict.first_value, slow.conflict.first_value) << to_string(index);
  EXPECT_EQ(quick.standstill.undecided, slow.standstill.undecided) << to_string(index);
}

// Every scenario of the settings, both ways; how many break something.
template <Protocol P>
unsigned compare(const twins::Settings& settings) {
  const RunnerFor<P> runner;
  const auto sampler = sampler_of(runner, settings);
  const auto sweeper = runner.sweeper(sampler, kBoth);
  unsigned violating = 0;
  for (Wide i = 0; i < sampler.size(); ++i) {
    const Outcome quick = (*sweeper)->run({}, i);
    const auto slow = runner.run(sampler.scenario(i), nullptr, kBoth);
    EXPECT_TRUE(slow.has_value());
    expect_same(quick, slow.value(), i);
    violating += quick.verdict == Verdict::kViolated ? 1 : 0;
  }
  return violating;
}

TEST(PhaseSweep, LinksOfAKindAreRulesOnLinks) {
  twins::Settings settings = sampled("zyzzyva", {"certificate-before-later-votes"}, 500);
  compare<zyzzyva::Zyzzyva>(settings);
  settings.one_way = true;
  settings.order = twins::OrderChoice::kSampled;
  compare<zyzzyva::Zyzzyva>(settings);
}

TEST(PhaseSweep, CompromisedSeatsStayFaultyWhileTheNetworkHeals) {
  twins::Settings settings = sampled("fab", {"proofs-and-votes-bind-alike"}, 500);
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.one_way = true;
  compare<fab::Fab>(settings);
  settings = sampled("two-phase-hotstuff", {}, 500);
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  settings.heal_rounds = 2;
  EXPECT_GT(compare<hotstuff::TwoPhaseHotStuff>(settings), 0U);
}

// What a liar does while the network heals comes again with the turns of the leaders.
TEST(PhaseSweep, HealingRepeatsItselfWithTheTurnsOfItsLeaders) {
  twins::Settings settings = sampled("two-phase-hotstuff", {}, 200);
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  settings.heal_rounds = 6;
  const auto sampler = sampler_of(RunnerFor<hotstuff::TwoPhaseHotStuff>(), settings);
  std::array<unsigned, 4> honest_leaders{};  // scenarios with so many
  for (Wide i = 0; i < sampler.size(); ++i) {
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
  for (unsigned count = 1; count <= 3; ++count) EXPECT_GT(honest_leaders.at(count), 40U);
}

TEST(PhaseSweep, TheFirstViolationDoesNotDependOnThreadsAndReplays) {
  const RunnerFor<fab::Fab> runner;
  twins::Settings settings = sampled("fab", {"proofs-and-votes-bind-alike"}, 40'000);
  settings.rounds = 2;
  settings.one_way = true;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  const auto sampler = sampler_of(runner, settings);
  std::vector<Sighting> first;
  for (const unsigned threads : {1U, 3U}) {
    SweepOptions options;
    options.threads = threads;
    options.properties = only(Property::kTermination);
    options.phases = &sampler;
    RangeWork work({0, sampler.size()});
    const auto totals = sweep(runner, sampler.space(), work, options);
    ASSERT_TRUE(totals.has_value());
    ASSERT_FALSE(totals->sightings.empty());
    first.push_back(totals->sightings.front());
  }
  EXPECT_EQ(first[0].index, first[1].index);
  const auto found = violations_of(sampler, first);
  const auto outcome = runner.run(found[0].scenario, nullptr, only(Property::kTermination));
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->verdict, Verdict::kViolated);
}

TEST(PhaseSweep, SettingsThatCannotBeDrawnAreRefused) {
  twins::Settings settings = sampled("zyzzyva", {}, 1);
  settings.step3 = {};
  EXPECT_EQ(phases::Sampler::make(settings, 5).error().message,
            "phases are sampled, never enumerated: say how many scenarios with --step3 random:X");
}

}  // namespace
}  // namespace nika
