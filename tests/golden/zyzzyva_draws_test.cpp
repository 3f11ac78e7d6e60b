// Drawn schedules of Zyzzyva that once went wrong, found again by their seeds.
#include <gtest/gtest.h>

#include "nika/campaign/findings.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

// A history once knew its last 8 requests only. In schedule 934 a client then waited for ever for the answer to a
// request that had left them, while those of the other client were answered.
TEST(ZyzzyvaDraws, AClientIsAnsweredHoweverManyRequestsFollow) {
  const Runner& runner = built_in_protocol("zyzzyva");
  twins::Settings settings{.clients = 2, .partitions = 4, .rounds = 30, .heal_rounds = 56};
  settings.protocol = runner.name();
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.step3 = {twins::Selection::Kind::kRandom, 6000};
  settings.seed = 1;
  settings.granularity = twins::Granularity::kPhase;
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
  const auto session = runner.open({sampler.cluster(), {}, only(kTermination)}).value();
  const auto schedule = sampler.schedule();
  for (unsigned i = 0; i < 1000; ++i) {
    schedule->seek(i);
    EXPECT_EQ(session->run(*schedule).verdict(), Verdict::kHolds) << i;
  }
}

struct Counts {
  int held = 0;
  int violated = 0;
  bool operator==(const Counts&) const = default;
};

Counts responsive_draws(const std::vector<std::string>& bugs) {
  const Runner& runner = built_in_protocol("zyzzyva");
  twins::Settings settings{.bugs = bugs, .clients = 2, .at_most = true, .rounds = 7, .heal_rounds = 12};
  settings.protocol = runner.name();
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.order = twins::OrderChoice::kSampled;
  settings.step3 = {twins::Selection::Kind::kRandom, 2000};
  settings.seed = 77;
  settings.granularity = twins::Granularity::kPhase;
  settings.one_way = true;
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size())).value();
  const auto session = runner.open({sampler.cluster(), bugs, only(kResponsiveness)}).value();
  const auto schedule = sampler.schedule();
  Counts counts;
  for (unsigned i = 0; i < 2000; ++i) {
    schedule->seek(i);
    const Verdict verdict = session->run(*schedule).verdict();
    counts.held += verdict == Verdict::kHolds ? 1 : 0;
    counts.violated += verdict == Verdict::kViolated ? 1 : 0;
  }
  return counts;
}

// A client that waits for the answers of all n is stopped by one liar that is silent.
TEST(ZyzzyvaDraws, OnlyAClientThatWaitsForAllAnswersIsNotServedInAnHonestView) {
  EXPECT_EQ(responsive_draws({}), (Counts{348, 0}));
  EXPECT_EQ(responsive_draws({"all-answers-only"}), (Counts{88, 260}));
}

}  // namespace
}  // namespace nika
