// Tendermint under twins: whole spaces, scenario by scenario and by exhaustive search, and drawn schedules.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika {
namespace {

const Runner& tendermint() { return built_in_protocol("tendermint"); }

// Leaders take turns, beginning with A.
Scenario whole_network(unsigned rounds) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (unsigned r = 0; r < rounds; ++r) scenario.rounds[r].leaders = {static_cast<Identity>(r % 4)};
  return scenario;
}

std::vector<Event> commits_of(const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(tendermint(), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds);
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

TEST(TendermintUnderTwins, AWholeNetworkDecidesAHeightInEachRound) {
  const std::vector<Event> commits = commits_of(whole_network(5));
  ASSERT_EQ(commits.size(), 4U * 5U);
  for (std::size_t i = 0; i < commits.size(); ++i) {
    EXPECT_EQ(commits[i].time, i / 4 + 1);
    EXPECT_EQ(commits[i].height, Height(static_cast<unsigned>(i) / 4 + 1));
  }
}

// Nobody hears anybody in rounds 1 and 2. In round 3 height 1 gets through its rounds, and heights 2 and 3 follow.
TEST(TendermintUnderTwins, HeightsCatchUpWithTheNetwork) {
  Scenario scenario = whole_network(5);
  scenario.rounds[0].partition.block_of = scenario.rounds[1].partition.block_of = {0, 1, 2, 3};
  const std::vector<Event> commits = commits_of(scenario);
  ASSERT_EQ(commits.size(), 4U * 5U);
  EXPECT_EQ(commits.front().time, 3U);
  EXPECT_EQ(commits[11].time, 3U);
  EXPECT_EQ(commits[11].height, Height(3));
  EXPECT_EQ(commits[12].time, 4U);
}

TEST(TendermintUnderTwins, WhoWasCutOffCatchesUp) {
  Scenario scenario = whole_network(6);
  for (unsigned r = 0; r < 5; ++r) scenario.rounds[r].partition.block_of = {0, 0, 0, 1};
  const std::vector<Event> commits = commits_of(scenario);
  const auto of_d = std::ranges::count(commits, Seat{3}, &Event::seat);
  EXPECT_EQ(of_d, std::ranges::count(commits, Seat{0}, &Event::seat));
  EXPECT_EQ(std::ranges::find(commits, Seat{3}, &Event::seat)->time, 6U);
}

TEST(TendermintUnderTwins, WholeSpacesAreCountedAlikeBothWays) {
  checks::expect_violating(tendermint(), {.rounds = 3}, 0);
  // A on one side, A' on the other, and B, C, D spread over both: 2^3 - 2 ways.
  checks::expect_violating(tendermint(), {.bugs = {"quorum-2f"}, .rounds = 1}, 6);
  checks::expect_violating(tendermint(), {.bugs = {"quorum-2f"}, .rounds = 3}, 2646);
  checks::expect_violating(tendermint(), {.bugs = {"repeated-votes"}, .rounds = 3}, 1545);
}

// Schedules by kinds of messages, as `nika twins --granularity kind --one-way --at-most --leaders all --order sampled`
// draws them.
phases::Sampler sampler_of(unsigned rounds, unsigned heal_rounds) {
  twins::Settings settings{.at_most = true, .rounds = rounds, .heal_rounds = heal_rounds};
  settings.heal_leaders = heal_rounds > 3 ? twins::HealLeaders::kHonest : twins::HealLeaders::kLeading;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.order = twins::OrderChoice::kSampled;
  settings.one_way = true;
  settings.step3 = {twins::Selection::Kind::kRandom, 200'000};
  return phases::Sampler::make(settings, static_cast<unsigned>(tendermint().kinds().size())).value();
}

TEST(TendermintUnderTwins, DrawnSchedulesBreakNothing) {
  const phases::Sampler sampler = sampler_of(7, 14);
  const Properties all = parse_properties("agreement,termination,totality,deadlock", built_in_properties()).value();
  const auto session = tendermint().open({sampler.cluster(), {}, all}).value();
  const auto schedule = sampler.schedule();
  unsigned holds = 0;
  for (unsigned i = 0; i < 3'000; ++i) {
    schedule->seek(i);
    holds += session->run(*schedule).verdict() == Verdict::kHolds ? 1U : 0U;
  }
  EXPECT_EQ(holds, 3'000U);
}

// Found by the search that sampler_of() describes.
TEST(TendermintUnderTwins, EachLockMattersInSomeDrawnSchedule) {
  const phases::Sampler sampler = sampler_of(5, 3);
  for (const auto& [bug, index] : {std::pair{"precommit-without-lock", 1'642U}, std::pair{"older-polka", 601U},
                                   std::pair{"repeated-votes", 135U}, std::pair{"quorum-2f", 5U}}) {
    SCOPED_TRACE(bug);
    Scenario scenario = sampler.scenario(index);
    scenario.protocol = "tendermint";
    EXPECT_EQ(run_scenario(tendermint(), scenario, only(kAgreement))->verdict(), Verdict::kHolds);
    scenario.bugs = {bug};
    EXPECT_EQ(run_scenario(tendermint(), scenario, only(kAgreement))->verdict(), Verdict::kViolated);
  }
}

// In each of up to five rounds each of the paper's three messages has a partition of its own, which withholds or drops.
Scenario parted(Random& random, Action action) {
  Scenario scenario = whole_network(1 + static_cast<unsigned>(random.below(5)));
  scenario.bugs = {"no-retransmission"};
  scenario.heal_rounds = 14;
  scenario.heal_leaders = {Identity{1}, Identity{2}, Identity{3}, Identity{0}};
  for (unsigned round = 1; round <= scenario.rounds.size(); ++round) {
    for (unsigned kind = 0; kind < 3; ++kind) {
      const SeatSet left = SeatSet::from_bits(static_cast<std::uint32_t>(random.below(16)));
      const SeatSet right = SeatSet::first(4) - left;
      const Rule rule{.first_round = Round(round), .last_round = Round(round), .kinds = 1U << kind, .action = action};
      for (const auto& [from, to] : {std::pair{left, right}, std::pair{right, left}}) {
        if (from.empty() || to.empty()) continue;
        scenario.rules.push_back(rule);
        scenario.rules.back().from = from;
        scenario.rules.back().to = to;
      }
    }
  }
  return scenario;
}

// Algorithm 1 by itself needs a network that loses nothing, and no more.
TEST(TendermintUnderTwins, WithoutRetransmissionItGoesOnIfWhatWasWithheldArrives) {
  const Properties both = parse_properties("agreement,termination", built_in_properties()).value();
  Random random(1);
  unsigned stopped = 0;
  for (int i = 0; i < 300; ++i) {
    Random again = random;
    EXPECT_EQ(run_scenario(tendermint(), parted(random, Action::kWithhold), both)->verdict(), Verdict::kHolds);
    const auto dropped = run_scenario(tendermint(), parted(again, Action::kDrop), both)->verdict();
    stopped += dropped == Verdict::kViolated ? 1U : 0U;
  }
  EXPECT_EQ(stopped, 288U);
}

}  // namespace
}  // namespace nika
