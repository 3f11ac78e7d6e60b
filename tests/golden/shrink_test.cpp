// For every bug: what shrinking leaves still violates, and no single further simplification does.
#include <gtest/gtest.h>

#include <filesystem>

#include "nika/base/located_json.hpp"
#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/campaign/loops.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/shrink/candidates.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

std::vector<ToldFinding> found(const Runner& runner, twins::Settings settings) {
  settings.protocol = "diembft";
  const auto space = twins::Space::make(settings);
  EXPECT_TRUE(space.has_value());
  const twins::TwinsGenerator generator(*space);
  RangeWork work({0, space->size().value()});
  SweepOptions options;
  options.sightings_of_each_kind = 2;
  const auto result = sweep(runner, {space->cluster(), settings.bugs, only(kAgreement)}, generator, work, options);
  EXPECT_TRUE(result.has_value());
  Findings findings(runner, {});
  for (const Sighting& sighting : result->sightings)
    EXPECT_TRUE(findings.add(kAgreement, generator.scenario(sighting.index), sighting.index).has_value());
  return findings.all();
}

Verdict verdict_of(const Runner& runner, const Scenario& scenario) {
  return run_scenario(runner, scenario, only(kAgreement))->verdict();
}

void expect_minimal(const Runner& runner, const Scenario& scenario) {
  EXPECT_EQ(verdict_of(runner, scenario), Verdict::kViolated);
  const auto candidates = shrink::candidates(scenario);
  EXPECT_FALSE(candidates.empty());
  for (const Scenario& candidate : candidates) {
    EXPECT_LT(shrink::size_of(candidate), shrink::size_of(scenario));
    EXPECT_NE(verdict_of(runner, candidate), Verdict::kViolated);
  }
}

void expect_minimal(const Runner& runner, const std::vector<ToldFinding>& findings) {
  ASSERT_FALSE(findings.empty());
  for (const ToldFinding& told : findings) expect_minimal(runner, told.finding.scenario);
}

// Whether it has a loop that is as good: proved, under no stronger assumptions, and round no later.
bool keeps(const Loop& loop, const Runner& runner, const Scenario& scenario) {
  const auto other = find_loop(runner, scenario).value();
  return other && other->proved && other->last_round() <= loop.last_round() &&
         other->assumptions.are_no_stronger_than(loop.assumptions);
}

class Shrink : public testing::Test {
 protected:
  Registry registry_ = built_in_protocols();
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
  for (const ToldFinding& told : discoveries) EXPECT_EQ(told.finding.scenario.fault_count, 1);
}

TEST_F(Shrink, LeavesNothingToSimplifyForAnyAttackAndNoMoreRoundsThanItsScript) {
  int attacks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NIKA_ATTACKS)) {
    const std::string path = entry.path().string();
    SCOPED_TRACE(path);
    const auto attack = store::attack_from_json(read_text_file(path).value(), path, words_in(registry_));
    ASSERT_TRUE(attack.has_value()) << attack.error().message;
    EXPECT_EQ(attack->name, entry.path().stem().string());
    ++attacks;
    const Property& property = **property_of(registry_, *attack);
    const Runner& runner = **registry_.find(attack->flawed.protocol);
    const auto shrunk = shrink_fully(runner, attack->flawed, property);
    ASSERT_TRUE(shrunk.has_value()) << shrunk.error().message;
    EXPECT_LE(shrunk->scenario.rounds.size(), attack->rounds());
    const bool keeps_healing = property.name != kAgreement.name;
    for (const Scenario& candidate : shrink::candidates(shrunk->scenario, keeps_healing)) {
      const auto outcome = run_scenario(runner, candidate, only(property));
      const bool is_broken = outcome && outcome->verdict() == Verdict::kViolated;
      EXPECT_FALSE(is_broken && (!shrunk->loop || keeps(*shrunk->loop, runner, candidate)));
    }
  }
  EXPECT_EQ(attacks, 27);
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
  const auto shrunk = shrink_fully(runner_, scenario, kAgreement);
  ASSERT_TRUE(shrunk.has_value()) << shrunk.error().message;
  EXPECT_EQ(shrunk->scenario.rounds.size(), 4U);
  EXPECT_EQ(shrunk->scenario.rules.size(), 1U);
  EXPECT_TRUE(shrunk->scenario.inputs.empty());
  expect_minimal(runner_, shrunk->scenario);
}

TEST_F(Shrink, IsDeterministic) {
  twins::Settings settings{.bugs = {"quorum-2f"}, .assignment = twins::Assignment::kStatic};
  const auto once = found(runner_, settings);
  const auto twice = found(runner_, settings);
  ASSERT_EQ(once.size(), twice.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].finding, twice[i].finding);
    EXPECT_EQ(once[i].name, twice[i].name);
  }
}

}  // namespace
}  // namespace nika
