// The correct chained protocols under schedules drawn by phases: they go on when the network has healed, and no shared
// input makes two blocks look like one.
#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

Properties both() {
  Properties properties = only(kAgreement);
  (void)properties.push_back(&kTermination);
  return properties;
}

twins::Settings sampled(const Runner& runner, unsigned twins, Wide count) {
  twins::Settings settings{.protocol = std::string(runner.name()), .twins = twins, .at_most = true, .rounds = 3};
  settings.heal_rounds = runner.heal_rounds();
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.one_way = true;
  settings.step3 = {twins::Selection::Kind::kRandom, count};
  return settings;
}

phases::Sampler sampler_of(const Runner& runner, const twins::Settings& settings) {
  return phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
}

class ChainSweep : public ::testing::TestWithParam<const char*> {
 protected:
  const Runner& runner() const { return built_in_protocol(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Chained, ChainSweep, ::testing::Values("diembft", "fast-hotstuff", "hotstuff"),
                         [](const auto& chosen) {
                           std::string name = chosen.param;
                           std::erase(name, '-');
                           return name;
                         });

// 126 of these scenarios of DiemBFT and 23 of Fast-HotStuff stood still while a block that was asked for in vain kept
// its replica from taking any lower certificate.
TEST_P(ChainSweep, EveryHealedNetworkDecides) {
  for (const unsigned twins : {0U, 1U}) {
    const auto sampler = sampler_of(runner(), sampled(runner(), twins, 30000));
    const auto session = runner().open({sampler.cluster(), {}, both()}).value();
    const auto schedule = sampler.schedule();
    for (Wide i = 0; i < *sampler.size(); ++i) {
      schedule->seek(i);
      EXPECT_EQ(session->run(*schedule).verdict(), Verdict::kHolds) << twins << " twins, scenario " << to_string(i);
    }
  }
}

// A proposal that came twice while its parent was fetched once took two places among those that wait, of which there
// are as few as leaders can propose blocks.
TEST_P(ChainSweep, RepeatedMessagesFillNoBuffer) {
  twins::Settings settings = sampled(runner(), 1, 30000);
  settings.rounds = 7;
  settings.disturbances = {2, true, true, true, 1};
  const auto sampler = sampler_of(runner(), settings);
  const auto session = runner().open({sampler.cluster(), {}, both()}).value();
  const auto schedule = sampler.schedule();
  for (Wide i = 0; i < *sampler.size(); ++i) {
    schedule->seek(i);
    EXPECT_EQ(session->run(*schedule).verdict(), Verdict::kHolds) << to_string(i);
  }
}

// A twin of Fast-HotStuff that led every second round of healing and heard votes but no proposals kept all of them:
// in 1,137 of these scenarios its buffer was full.
TEST_P(ChainSweep, LiarsThatHearLittleFillNoBuffer) {
  twins::Settings settings = sampled(runner(), 1, 20000);
  settings.rounds = 7;
  settings.heal_rounds = 2 * runner().heal_rounds();
  settings.heal_leaders = twins::HealLeaders::kAlternating;
  const auto sampler = sampler_of(runner(), settings);
  const auto session = runner().open({sampler.cluster(), {}, both()}).value();
  const auto schedule = sampler.schedule();
  int overflows = 0;
  for (Wide i = 0; i < *sampler.size(); ++i) {
    schedule->seek(i);
    const Outcome outcome = session->run(*schedule);
    EXPECT_NE(outcome.verdict(), Verdict::kViolated) << to_string(i);
    overflows += outcome.overflowed ? 1 : 0;
  }
  EXPECT_EQ(overflows, 0);
}

TEST_P(ChainSweep, SharedInputsMakeNoForks) {
  const auto sampler = sampler_of(runner(), sampled(runner(), 1, 3000));
  for (Wide i = 0; i < *sampler.size(); ++i) {
    Scenario scenario = sampler.scenario(i);
    scenario.inputs = {"v", "", "", "", "v"};  // A and A'
    EXPECT_EQ(run_scenario(runner(), scenario, both())->verdict(), Verdict::kHolds) << to_string(i);
    scenario.inputs = {"v", "v", "v", "v", "v"};
    EXPECT_EQ(run_scenario(runner(), scenario, both())->verdict(), Verdict::kHolds) << to_string(i);
  }
}

// Twins that lead alone, each in a block of its own, build on genesis at once.
TEST_P(ChainSweep, OneInputOnOneParentIsOneBlockWithOneName) {
  Scenario scenario = sampler_of(runner(), sampled(runner(), 1, 1)).scenario(0);
  scenario.rules.clear();
  scenario.heal_rounds = 0;
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = IdentitySet::single(Identity{0});
  scenario.rounds[0].partition = {};
  const auto proposed = [&](const std::vector<std::string>& inputs) {
    scenario.inputs = inputs;
    Trace trace;
    EXPECT_TRUE(run_scenario(runner(), scenario, only(kAgreement), &trace).has_value());
    std::vector<ValueId> names;
    for (const Event& event : trace) {
      if (event.kind == EventKind::kProposed && event.round == Round(1)) names.push_back(event.value);
    }
    return names;
  };
  const ValueId a(Round(1), Seat{0}, 0);
  const ValueId twin(Round(1), Seat{4}, 0);
  EXPECT_EQ(proposed({}), (std::vector{a, twin}));
  EXPECT_EQ(proposed({"v", "", "", "", "v"}), (std::vector{a, a}));
}

}  // namespace
}  // namespace nika
