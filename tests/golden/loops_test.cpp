// The attacks that stop a protocol: each is a loop that is proved, with its assumptions; the same schedule on the
// repaired protocol is none.
#include "nika/campaign/loops.hpp"

#include <gtest/gtest.h>

#include "nika/base/located_json.hpp"
#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/properties/bounded_time.hpp"
#include "nika/properties/temperature.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/store/attack.hpp"

namespace nika {
namespace {

store::Attack attack_named(const std::string& name) {
  const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
  auto attack = store::attack_from_json(read_text_file(path).value(), path, words_in(built_in_protocols()));
  EXPECT_TRUE(attack.has_value()) << attack.error().message;
  return *std::move(attack);
}

std::optional<Loop> loop_of(const Scenario& scenario) {
  const auto loop = find_loop(built_in_protocol(scenario.protocol), scenario);
  EXPECT_TRUE(loop.has_value()) << loop.error().message;
  return *loop;
}

struct Expected {
  unsigned first_round = 0;
  unsigned length = 0;
  Assumptions assumptions;
  unsigned repaired_decides_in = 0;
};

void expect_proved(const std::string& name, const Expected& expected) {
  const store::Attack attack = attack_named(name);
  const auto loop = loop_of(attack.flawed);
  ASSERT_TRUE(loop.has_value());
  EXPECT_TRUE(loop->proved);
  EXPECT_EQ(loop->first_round, expected.first_round);
  EXPECT_EQ(loop->length, expected.length);
  EXPECT_EQ(loop->assumptions, expected.assumptions);
  // A thousand times more, through several times as many rounds as there are numbers for them.
  EXPECT_EQ(repeat_loop(built_in_protocol(attack.flawed.protocol), attack.flawed, loop_parts_of(attack.flawed)[0],
                        *loop, 1000),
            1000U);
  EXPECT_EQ(loop_of(attack.repaired), std::nullopt);
  const auto staged = stage(built_in_protocols(), attack);
  ASSERT_TRUE(staged && staged->loop && staged->loop->repaired);
  EXPECT_EQ(staged->loop->repaired->protocol, attack.repaired.protocol);
  EXPECT_EQ(staged->loop->repaired->decides_in, expected.repaired_decides_in);
}

using Liars = Assumptions::Liars;
constexpr auto kOne = Assumptions::Arrival::kOne;

TEST(ProvedLoops, FabIsStuckWhileOneNodeLeads) {
  expect_proved("fab-stuck", {4, 1, {.healed = true, .fair = false, .order = kOne, .liars = Liars::kActive}, 3});
}

TEST(ProvedLoops, LinearPbftIsUnresponsiveWhileTheNodeThatKnowsNeverLeads) {
  expect_proved("linear-pbft-unresponsive",
                {6, 2, {.healed = true, .fair = false, .order = kOne, .liars = Liars::kSelective}, 6});
}

TEST(ProvedLoops, TwoPhaseHotStuffLivesOnConflictingLocksAlthoughEveryHonestNodeLeads) {
  expect_proved("two-phase-hotstuff-livelock",
                {14, 6, {.healed = true, .fair = true, .order = kOne, .liars = Liars::kSelective}, 14});
}

// The lock of C is that of the figure's first view, for ever; those of B and D move on, in another branch.
TEST(ProvedLoops, TwoPhaseHotStuffHoldsTheLocksOfTheFigureAtBothEnds) {
  const store::Attack attack = attack_named("two-phase-hotstuff-livelock");
  const auto staged = stage(built_in_protocols(), attack);
  ASSERT_TRUE(staged && staged->loop);
  const std::vector<store::EndsRecord> expected{{"A", {14, "A13", "A13", "genesis"}, {20, "A19", "A19", "genesis"}},
                                                {"B", {14, "A13", "A13", "genesis"}, {20, "A19", "A19", "genesis"}},
                                                {"C", {14, "A1", "A1", "genesis"}, {20, "A1", "A1", "genesis"}},
                                                {"D", {14, "A11", "A11", "genesis"}, {20, "A17", "A17", "genesis"}},
                                                {"A'", {14, "B2", "B2", "genesis"}, {20, "B2", "B2", "genesis"}}};
  EXPECT_EQ(staged->loop->ends, expected);
  EXPECT_EQ(staged->loop->waiting, (std::vector<std::string>{"B", "C", "D"}));
}

// Every state from the figure's second view to the end is hot.
TEST(ProvedLoops, TwoPhaseHotStuffIsHotFromTheFigureOn) {
  const store::Attack attack = attack_named("two-phase-hotstuff-livelock");
  const Property hot = kTemperature.with_limit(25);
  const auto outcome = run_scenario(built_in_protocol("two-phase-hotstuff"), attack.flawed, only(hot));
  ASSERT_EQ(outcome->verdict(), Verdict::kViolated);
  EXPECT_EQ(outcome->violation()->evidence.since, Round(2));
  EXPECT_EQ(run_scenario(built_in_protocol("hotstuff"), attack.repaired, only(kTemperature))->verdict(),
            Verdict::kHolds);
}

// Proposals are lost, and C and D are apart in turn. The bound asks for three rounds, and one that repeats is all that
// a loop needs.
TEST(ProvedLoops, OfAsynchronyShrinkToFewerRoundsBeforeThemAndInThem) {
  Scenario scenario;
  scenario.protocol = "hotstuff";
  scenario.rounds.resize(6);
  for (unsigned r = 0; r < 6; ++r) {
    scenario.rounds[r].leaders = {static_cast<Identity>(r % 2)};
    scenario.rounds[r].partition.block_of[r % 2 == 0 ? 3 : 2] = 1;
  }
  scenario.rules = {Rule{.last_round = Round(6), .kinds = 2}};
  const Property bound = kBoundedTime.with_limit(3);
  const auto before = loop_of(scenario);
  ASSERT_TRUE(before && before->proved);
  EXPECT_EQ(before->first_round, 5U);
  EXPECT_EQ(before->length, 2U);
  EXPECT_EQ(before->assumptions.order, Assumptions::Arrival::kAny);
  const auto shrunk = shrink_fully(built_in_protocol("hotstuff"), scenario, bound);
  ASSERT_TRUE(shrunk && shrunk->loop);
  EXPECT_EQ(shrunk->scenario.rounds.size(), 3U);
  EXPECT_EQ(shrunk->loop->first_round, 3U);
  EXPECT_EQ(shrunk->loop->length, 1U);
  EXPECT_EQ(shrunk->loop->assumptions, before->assumptions);
}

TEST(ProvedLoops, StayProvedWhenTheyAreShrunk) {
  for (const char* name : {"fab-stuck", "linear-pbft-unresponsive", "two-phase-hotstuff-livelock"}) {
    SCOPED_TRACE(name);
    const store::Attack attack = attack_named(name);
    const Runner& runner = built_in_protocol(attack.flawed.protocol);
    const auto before = loop_of(attack.flawed);
    const auto shrunk = shrink_fully(runner, attack.flawed, kTermination);
    ASSERT_TRUE(shrunk && shrunk->loop);
    const auto after = loop_of(shrunk->scenario);
    ASSERT_TRUE(before && after && after->proved);
    EXPECT_TRUE(after->assumptions.are_no_stronger_than(before->assumptions));
    EXPECT_LE(after->last_round(), before->last_round());
    EXPECT_EQ(shrink_fully(runner, attack.flawed, kTermination)->scenario, shrunk->scenario);
  }
}

}  // namespace
}  // namespace nika
