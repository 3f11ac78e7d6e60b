// Schedules that a guide puts together: running them directly is the same as running them as ordinary scenarios, they
// stay within the settings, and the search does not depend on threads.
#include "nika/campaign/guided_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/campaign/outcome_checks_test.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

using twins::Granularity;

Properties both() { return parse_properties("agreement,termination", built_in_properties()).value(); }

twins::Settings settings_for(std::string protocol, std::vector<std::string> bugs, Granularity granularity) {
  twins::Settings settings{.protocol = std::move(protocol), .bugs = std::move(bugs), .at_most = true, .rounds = 3};
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = granularity;
  settings.step3 = {twins::Selection::Kind::kRandom, 1U << 30U};
  return settings;
}

guided::Draws draws_of(const Runner& runner, twins::Settings settings) {
  settings.clients = runner.clients();
  return guided::Draws::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
}

// A genome that no guide would make: every round's leaders and network from some draw of its own.
guided::Genome any_genome(unsigned genes, Random& random) {
  guided::Genome genome = guided::drawn(genes, random.below(1000));
  for (guided::RoundGene& gene : genome.rounds) gene = {random.below(1000), random.below(1000)};
  return genome;
}

void compare(const Runner& runner, const twins::Settings& settings) {
  const auto draws = draws_of(runner, settings);
  const auto session = runner.open({draws.space().cluster(), settings.bugs, both()}).value();
  guided::GuidedSchedule schedule(draws);
  Random random(3);
  std::vector<guided::Reached> reached;
  const auto expect_as_scenario = [&](const guided::Genome& genome, const Prefix& prefix) {
    schedule.seek(genome);
    const Outcome quick = session->copying()->run(schedule, prefix, reached);
    const auto slow = run_scenario(runner, draws.scenario(genome), both());
    ASSERT_TRUE(slow.has_value()) << slow.error().message;
    checks::expect_same(quick, *slow);
  };
  for (unsigned i = 0; i < 1000; ++i) {
    guided::Genome genome = any_genome(draws.gene_count(), random);
    expect_as_scenario(genome, {});
    // The world after the first rounds is kept, and one that begins alike goes on from its copy.
    const Prefix prefix{i, static_cast<unsigned>(1 + random.below(settings.rounds - 1))};
    expect_as_scenario(genome, prefix);
    guided::redraw_after(genome, prefix.rounds, random.below(1000));
    expect_as_scenario(genome, prefix);
  }
}

TEST(GuidedSearch, RunningAGenomeIsRunningItsScenario) {
  twins::Settings settings = settings_for("zyzzyva", {"certificate-before-later-votes"}, Granularity::kPhase);
  compare(built_in_protocol("zyzzyva"), settings);
  settings = settings_for("fab", {"proofs-and-votes-bind-alike"}, Granularity::kPhase);
  settings.one_way = true;
  settings.order = twins::OrderChoice::kSampled;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  compare(built_in_protocol("fab"), settings);
  settings = settings_for("two-phase-hotstuff", {}, Granularity::kPhase);
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  compare(built_in_protocol("two-phase-hotstuff"), settings);
}

TEST(GuidedSearch, RunningAGenomeByRoundsIsRunningItsScenario) {
  twins::Settings settings = settings_for("fast-hotstuff", {"nonconsecutive-commit"}, Granularity::kRound);
  settings.rounds = 7;
  compare(built_in_protocol("fast-hotstuff"), settings);
  settings = settings_for("zyzzyva", {}, Granularity::kRound);
  settings.order = twins::OrderChoice::kSampled;
  settings.crashes = {{Seat{1}, Round(1), Round(2), false}};
  compare(built_in_protocol("zyzzyva"), settings);
}

TEST(GuidedSearch, ADrawTakenWholeIsTheBlindScenario) {
  const Runner& runner = built_in_protocol("fast-hotstuff");
  for (const auto granularity : {Granularity::kPhase, Granularity::kRound}) {
    const auto draws = draws_of(runner, settings_for("fast-hotstuff", {}, granularity));
    for (Wide i = 0; i < 200; ++i) {
      const Scenario blind = draws.sampler() != nullptr ? draws.sampler()->scenario(i) : draws.space().scenario(i);
      EXPECT_EQ(draws.scenario(guided::drawn(draws.gene_count(), i)), blind);
    }
  }
}

TEST(GuidedSearch, GenomesStayWithinTheSettings) {
  const Runner& runner = built_in_protocol("fab");
  for (const auto granularity : {Granularity::kPhase, Granularity::kRound}) {
    twins::Settings settings = settings_for("fab", {}, granularity);
    settings.leaders = *twins::parse_leaders("B,C+D");
    settings.partitions = 3;
    settings.at_most = false;
    const auto draws = draws_of(runner, settings);
    const auto is_among = [&](const Reach& reach) {
      return std::ranges::any_of(draws.space().partitions(), [&](const Partition& partition) {
        return reach_of(partition, draws.space().cluster().seat_count) == reach;
      });
    };
    Random random(9);
    for (unsigned i = 0; i < 500; ++i) {
      const Scenario scenario = draws.scenario(any_genome(draws.gene_count(), random));
      EXPECT_EQ(scenario.rounds.size(), 3U);
      for (const RoundPlan& plan : scenario.rounds) {
        EXPECT_EQ(std::ranges::count(draws.space().leader_sets(), plan.leaders), 1);
        // By phases a round has no partition of its own.
        const bool is_known = std::ranges::count(draws.space().partitions(), plan.partition) == 1;
        EXPECT_EQ(is_known, granularity == Granularity::kRound);
      }
      EXPECT_EQ(scenario.rules.empty(), granularity == Granularity::kRound);
      for (const Rule& rule : scenario.rules) EXPECT_TRUE(is_among(rule.reach));  // without one_way nobody is deaf
    }
  }
}

TEST(GuidedSearch, DoesNotDependOnThreads) {
  const Runner& runner = built_in_protocol("zyzzyva");
  const auto draws = draws_of(runner, settings_for("zyzzyva", {"certificate-before-later-votes"}, Granularity::kPhase));
  const nika::Setup setup{draws.space().cluster(), {"certificate-before-later-votes"}, only(kAgreement)};
  auto one = GuidedSearch::make(runner, setup, draws, 1);
  auto three = GuidedSearch::make(runner, setup, draws, 3);
  ASSERT_TRUE(one.has_value() && three.has_value());
  for (unsigned g = 0; g < 20; ++g) {
    one->run_generation();
    three->run_generation();
    ASSERT_EQ(one->tally(), three->tally());
    ASSERT_EQ(one->rounds_run(), three->rounds_run());
    ASSERT_EQ(one->guide().state_count(), three->guide().state_count());
    ASSERT_EQ(one->guide().propose(one->tried() + 17), three->guide().propose(one->tried() + 17));
  }
  EXPECT_EQ(one->tried(), Wide{20} * 256);
  EXPECT_GT(one->guide().state_count(), 256U);
}

TEST(GuidedSearch, WhatItFindsReplaysToTheSameVerdict) {
  const Runner& runner = built_in_protocol("two-phase-hotstuff");
  twins::Settings settings = settings_for("two-phase-hotstuff", {}, Granularity::kPhase);
  settings.rounds = 2;
  settings.heal_rounds = 2 * runner.heal_rounds();
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  const auto draws = draws_of(runner, settings);
  auto search = GuidedSearch::make(runner, {draws.space().cluster(), {}, only(kResponsiveness)}, draws, 2);
  ASSERT_TRUE(search.has_value());
  unsigned found = 0;
  while (found == 0 && search->tried() < 60'000) {
    for (const Sighting& sighting : search->run_generation()) {
      const auto outcome = run_scenario(runner, draws.scenario(search->genome(sighting.index)), only(kResponsiveness));
      ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
      ASSERT_EQ(outcome->verdict(), Verdict::kViolated);
      EXPECT_EQ(outcome->violation()->evidence.kind, sighting.kind);
      ++found;
    }
  }
  EXPECT_GT(found, 0U);
}

TEST(GuidedSearch, SettingsThatTieRoundsTogetherAreRefused) {
  twins::Settings settings = settings_for("zyzzyva", {}, Granularity::kRound);
  settings.assignment = twins::Assignment::kStatic;
  EXPECT_EQ(guided::Draws::make(settings, 6).error().message,
            "a guide combines rounds of different schedules: --assignment and --step2 do not go with it");
}

}  // namespace
}  // namespace nika
