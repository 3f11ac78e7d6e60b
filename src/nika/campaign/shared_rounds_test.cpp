// Schedules that are run one after the other share the worlds after their common rounds; each ends as if it had been
// run alone, from the start.
#include <gtest/gtest.h>

#include "nika/campaign/outcome_checks_test.hpp"
#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

twins::Settings settings_of(std::string_view protocol) {
  twins::Settings settings;
  settings.protocol = protocol;
  settings.clients = built_in_protocol(protocol).clients();
  settings.rounds = 4;
  settings.heal_rounds = 3;
  return settings;
}

void expect_runs_as_if_alone(const twins::Settings& settings, const twins::Range& range) {
  SCOPED_TRACE(settings.protocol);
  const Runner& runner = built_in_protocol(settings.protocol);
  const twins::Space space = checks::space_of(settings);
  const Setup setup = checks::setup_of(space, *parse_properties("all", built_in_properties()));
  const auto shared = runner.open(setup).value();
  const auto alone = runner.open(setup).value();
  const twins::TwinsGenerator generator(space);
  const auto schedule = generator.schedule();
  const auto same = generator.schedule();
  std::vector<Numbered> schedules;
  for (Wide index = range.begin; index < range.end; ++index) schedules.push_back({index});
  schedule->arrange(schedules);
  for (const Numbered& numbered : schedules) {
    schedule->seek(numbered.index);
    same->seek(numbered.index);
    checks::expect_same(shared->copying()->run_on(*schedule, schedule->shared(), numbered.keeps), alone->run(*same));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SharedRounds, ChangeNoOutcomeOfAnyProtocol) {
  for (const char* protocol : {"bracha", "diembft", "fab", "fast-hotstuff", "hotstuff", "linear-pbft", "zyzzyva"}) {
    twins::Settings settings = settings_of(protocol);
    expect_runs_as_if_alone(settings, {1'000, 3'000});
    settings.leaders = *twins::parse_leaders("all");
    settings.step3 = *twins::parse_selection("random:20000");
    expect_runs_as_if_alone(settings, {0, 2'000});
  }
}

// A replica knows who leads the round that it is in, and sends its votes to whoever leads the next one.
TEST(SharedRounds, EndWithTheLeadersThatWereAskedFor) {
  twins::Settings settings = settings_of("diembft");
  settings.leaders = *twins::parse_leaders("all");
  const twins::Space space = checks::space_of(settings);
  const auto setup = checks::setup_of(space, *parse_properties("agreement", built_in_properties()));
  const auto session = built_in_protocol("diembft").open(setup).value();
  const auto schedule = twins::TwinsGenerator(space).schedule();
  const auto deliveries_of = [&](Wide index, const Shared& shared) {
    schedule->seek(index);
    return session->copying()->run_on(*schedule, shared, ~0U).delivered;
  };
  // The second differs in who leads the last round: the first two rounds are one run, and the third is not.
  const Wide first = 3 * 60;
  const auto whole = deliveries_of(first, {});
  EXPECT_EQ(deliveries_of(first + 1, {3, 3}), deliveries_of(first + 1, {}));
  EXPECT_EQ(deliveries_of(first, {3, 3}), whole);
  schedule->seek(first);
  schedule->seek(first + 1);
  EXPECT_EQ(schedule->shared().rounds, 3U);
  EXPECT_EQ(schedule->shared().leaders, 3U);
}

TEST(SharedRounds, ChangeNothingWhereLeadersDifferOrNodesCrashOrSchedulesAreDrawn) {
  twins::Settings settings = settings_of("diembft");
  settings.bugs = {"quorum-2f"};
  settings.leaders = *twins::parse_leaders("all");
  expect_runs_as_if_alone(settings, {0, 5'000});
  settings.step3 = *twins::parse_selection("random:20000");
  expect_runs_as_if_alone(settings, {0, 5'000});
  settings.step3 = {};
  settings.crashes = {{Seat{1}, Round(2), Round(3), true}};
  expect_runs_as_if_alone(settings, {3'000, 8'000});
  settings.leaders = {};
  settings.step3 = *twins::parse_selection("random:20000");
  expect_runs_as_if_alone(settings, {0, 4'000});
  settings.order = twins::OrderChoice::kSampled;
  expect_runs_as_if_alone(settings, {0, 2'000});
}

// The order in which a chunk is run is nobody's business.
TEST(SharedRounds, NeighboursShareAllButTheLastRoundInTheOrderOfTheirNumbers) {
  const twins::Space space = checks::space_of(settings_of("diembft"));
  const auto schedule = twins::TwinsGenerator(space).schedule();
  std::vector<Numbered> schedules;
  for (std::uint32_t place = 0; place < 30; ++place) schedules.push_back({29 - place, 0, place});
  schedule->arrange(schedules);
  for (unsigned i = 0; i < 30; ++i) {
    EXPECT_EQ(schedules[i].index, i);
    EXPECT_EQ(schedules[i].place, 29 - i);
    EXPECT_EQ(schedules[i].keeps, i == 29 ? 0U : i == 14 ? 2U : 3U);
    schedule->seek(schedules[i].index);
    EXPECT_EQ(schedule->shared().rounds, i == 0 ? 0U : schedules[i - 1].keeps);
  }
}

}  // namespace
}  // namespace nika
