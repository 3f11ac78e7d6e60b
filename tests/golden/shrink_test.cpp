// For every bug: what shrinking leaves still violates, and no single further simplification does.
#include <gtest/gtest.h>

#include "nika/campaign/discover.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/cli/built_in_attacks.hpp"
#include "nika/cli/finding_files.hpp"
#include "nika/cli/registry.hpp"
#include "nika/scenarios/shrink/candidates.hpp"
#include "nika/store/attack.hpp"

namespace nika {
namespace {

std::vector<Discovery> found(const Runner& runner, twins::Settings settings) {
  settings.protocol = "diembft";
  const auto space = twins::Space::make(settings);
  EXPECT_TRUE(space.has_value());
  RangeWork work({0, space->size().value()});
  SweepOptions options;
  options.sightings_of_each_kind = 2;
  const auto totals = sweep(runner, *space, work, options);
  EXPECT_TRUE(totals.has_value());
  const auto discoveries = discover(runner, violations_of(*space, totals->sightings), {});
  EXPECT_TRUE(discoveries.has_value());
  return *discoveries;
}

void expect_minimal(const Runner& runner, const std::vector<Discovery>& discoveries) {
  ASSERT_FALSE(discoveries.empty());
  for (const Discovery& discovery : discoveries) {
    EXPECT_EQ(runner.run(discovery.scenario, nullptr)->verdict, Verdict::kViolated);
    const auto candidates = shrink::candidates(discovery.scenario);
    EXPECT_FALSE(candidates.empty());
    for (const Scenario& candidate : candidates) {
      EXPECT_LT(shrink::size_of(candidate), shrink::size_of(discovery.scenario));
      EXPECT_NE(runner.run(candidate, nullptr)->verdict, Verdict::kViolated);
    }
  }
}

class Shrink : public testing::Test {
 protected:
  Registry registry_ = cli::built_in_protocols();
  const Runner& runner_ = **registry_.find("diembft");
};

TEST_F(Shrink, LeavesNothingToSimplifyForAnyBug) {
  for (const std::string_view bug : runner_.bugs()) {
    SCOPED_TRACE(bug);
    twins::Settings settings{.bugs = {std::string(bug)}, .rounds = 7};
    settings.step3 = {twins::Selection::Kind::kRandom, 3000};
    expect_minimal(runner_, found(runner_, settings));
  }
}

TEST_F(Shrink, LeavesNothingToSimplifyBeyondTheThreshold) {
  twins::Settings settings{.twins = 2, .assignment = twins::Assignment::kStatic};
  const auto discoveries = found(runner_, settings);
  expect_minimal(runner_, discoveries);
  for (const Discovery& discovery : discoveries) EXPECT_EQ(discovery.scenario.fault_count, 1);
}

TEST_F(Shrink, LeavesNothingToSimplifyForAnyAttackAndNoMoreRoundsThanItsScript) {
  for (const cli::BuiltInAttack& built_in : cli::built_in_attacks()) {
    SCOPED_TRACE(built_in.name);
    const auto attack = store::attack_from_json(built_in.text, built_in.name, cli::words_in(registry_));
    ASSERT_TRUE(attack.has_value()) << attack.error().message;
    EXPECT_EQ(attack->name, built_in.name);
    const Runner& runner = **registry_.find(attack->flawed.protocol);
    const auto shrunk = shrink_fully(runner, attack->flawed, attack->property);
    ASSERT_TRUE(shrunk.has_value()) << shrunk.error().message;
    EXPECT_LE(shrunk->scenario.rounds.size(), attack->rounds());
    for (const Scenario& candidate : shrink::candidates(shrunk->scenario, attack->property)) {
      const auto outcome = runner.run(candidate, nullptr, only(attack->property));
      EXPECT_TRUE(!outcome || outcome->verdict != Verdict::kViolated);
    }
  }
}

TEST_F(Shrink, LeavesNothingToSimplifyInRules) {
  Scenario scenario;
  scenario.protocol = "diembft";
  scenario.bugs = {"quorum-2f"};
  scenario.copies = {2};
  scenario.inputs = {"v1", "", "", "", "v2"};
  scenario.rounds.resize(5);
  for (RoundPlan& plan : scenario.rounds) plan.leaders.insert(Identity{0});
  Rule split{.kinds = 0b111, .action = Action::kLinks, .note = "proposals, votes and timeouts stay apart"};
  split.reach = reach_of({{0, 0, 0, 1, 1}}, 5);
  const Rule late{.from = {Seat{1}, Seat{2}}, .action = Action::kDelay, .delay_ticks = 2};
  scenario.rules = {split, late};
  const auto shrunk = shrink_fully(runner_, scenario, Property::kAgreement);
  ASSERT_TRUE(shrunk.has_value()) << shrunk.error().message;
  EXPECT_EQ(shrunk->scenario.rounds.size(), 4U);
  EXPECT_EQ(shrunk->scenario.rules.size(), 1U);
  EXPECT_TRUE(shrunk->scenario.inputs.empty());
  Discovery discovery;
  discovery.scenario = shrunk->scenario;
  expect_minimal(runner_, {discovery});
}

TEST_F(Shrink, IsDeterministic) {
  twins::Settings settings{.bugs = {"quorum-2f"}, .assignment = twins::Assignment::kStatic};
  const auto once = found(runner_, settings);
  const auto twice = found(runner_, settings);
  ASSERT_EQ(once.size(), twice.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].scenario, twice[i].scenario);
    EXPECT_EQ(once[i].shrink_runs, twice[i].shrink_runs);
  }
}

}  // namespace
}  // namespace nika
