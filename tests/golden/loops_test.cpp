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
#include "nika/report/loop_story.hpp"
#include "nika/report/stored_view.hpp"
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
constexpr auto kAny = Assumptions::Arrival::kAny;

TEST(ProvedLoops, FabIsStuckWhoeverLeadsAndWhateverComesFirst) {
  expect_proved("fab-stuck", {7, 3, {.healed = true, .fair = true, .order = kAny, .liars = Liars::kSilent}, 4});
}

TEST(ProvedLoops, IbftIsLockedWhoeverLeadsAndWhateverComesFirst) {
  expect_proved("ibft-locked", {18, 3, {.healed = true, .fair = true, .order = kAny, .liars = Liars::kSilent}, 18});
}

TEST(ProvedLoops, LinearPbftIsUnresponsiveWhileTheNodeThatKnowsNeverLeads) {
  expect_proved("linear-pbft-unresponsive",
                {6, 2, {.healed = true, .fair = false, .order = kOne, .liars = Liars::kSelective}, 6});
}

TEST(ProvedLoops, TwoPhaseHotStuffLivesOnConflictingLocksAlthoughEveryHonestNodeLeads) {
  expect_proved("two-phase-hotstuff-livelock",
                {14, 6, {.healed = true, .fair = true, .order = kOne, .liars = Liars::kSelective}, 14});
}

// Nobody lies, and nothing is lost: heights grow, and what is justified stays at genesis.
TEST(ProvedLoops, CasperIsSplitAtEachHeight) {
  expect_proved("casper-ffg-split", {3, 4, {.healed = true, .fair = true, .order = kOne, .liars = Liars::kSilent}, 3});
}

// A checkpoint is justified in every round of the loop, on two chains in turn.
TEST(ProvedLoops, CasperBouncesBetweenTwoChains) {
  expect_proved("casper-ffg-bouncing",
                {9, 3, {.healed = true, .fair = true, .order = kOne, .liars = Liars::kSelective}, 9});
}

// Of a timed run: views take the place of rounds. The published version stays in view 2, which lasts and decides.
TEST(ProvedLoops, EarlySyncHotStuffReplacesEveryHonestLeaderForEver) {
  const std::string name = "sync-hotstuff-force-lock-liveness";
  expect_proved(name, {5, 2, {.healed = true, .fair = true, .order = kOne, .liars = Liars::kSelective}, 2});
  const store::Attack attack = attack_named(name);
  const auto staged = stage(built_in_protocols(), attack);
  ASSERT_TRUE(staged && staged->loop);
  EXPECT_TRUE(staged->loop->counts_views);
  const std::vector<store::EndsRecord> expected{{"A", {5, "A1", "A1", "genesis"}, {7, "A1", "A1", "genesis"}},
                                                {"B", {5, "A1", "A1", "genesis"}, {7, "A1", "A1", "genesis"}},
                                                {"C", {4, "A'1", "A'1", "genesis"}, {6, "A'1", "A'1", "genesis"}},
                                                {"A'", {5, "A'1", "A'1", "genesis"}, {7, "A'1", "A'1", "genesis"}}};
  EXPECT_EQ(staged->loop->ends, expected);
  const auto judged = run_scenario(built_in_protocol("sync-hotstuff"), attack.flawed, only(kTermination));
  EXPECT_EQ(judged->verdict(), Verdict::kViolated);
  EXPECT_EQ(run_scenario(built_in_protocol("sync-hotstuff"), attack.repaired, only(kTermination))->verdict(),
            Verdict::kHolds);
}

// One vote of a liar that arrives ends it.
TEST(ProvedLoops, EarlySyncHotStuffHasNoneIfALiarIsHeardToVote) {
  Scenario scenario = attack_named("sync-hotstuff-force-lock-liveness").flawed;
  Rule vote;
  vote.first_round = vote.last_round = Round(8);
  vote.kinds = 0b10;
  vote.from = {Seat{0}, Seat{3}};
  vote.action = Action::kDeliver;
  scenario.rules.insert(scenario.rules.begin(), vote);
  EXPECT_EQ(loop_of(scenario), std::nullopt);
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

// A finding as it is stored, with its loop, read back.
store::Finding stored_finding(const Scenario& scenario, const Property& property) {
  const Registry registry = built_in_protocols();
  const Runner& runner = built_in_protocol(scenario.protocol);
  FindingOptions options;
  options.shrinks = false;
  Findings findings(runner, options);
  EXPECT_TRUE(findings.add(property, scenario, std::nullopt));
  const store::Finding& finding = findings.all().at(0).finding;
  const auto back = store::recording_from_json(store::to_json(finding, words_of(runner)), "f.json", words_in(registry));
  EXPECT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(*back->finding, finding);
  EXPECT_EQ(store::difference_between(*back->finding, finding), "");
  return *back->finding;
}

std::string drawn(const store::Finding& finding) {
  const report::StoredView stored(finding);
  return report::loop_story_text(report::story_of_loop(finding.scenario, stored.view(), *finding.loop),
                                 stored.cluster(), *finding.loop);
}

// The runs end before their loops have come round; what they do there is stored, and drawn without running anything.
TEST(ProvedLoops, BehindTheRecordedRunAreStoredAndDrawn) {
  Scenario timed = attack_named("sync-hotstuff-force-lock-liveness").flawed;
  const std::string whole = drawn(stored_finding(timed, kTermination));
  timed.timing->ticks = 50;
  const store::Finding cut = stored_finding(timed, kTermination);
  ASSERT_TRUE(cut.loop && cut.loop->run && cut.loop->proved);
  EXPECT_EQ(cut.loop->run->from, 36U);
  EXPECT_EQ(cut.loop->run->to, 58U);
  EXPECT_EQ(cut.loop->run->since, 52U);
  EXPECT_EQ(cut.loop->run->events.size(), 102U);
  const auto loop_in = [](const std::string& text) {
    const std::size_t begin = text.find("+-- the loop: views 5 to 6 for ever, as it begins at 18Δ\n");
    const std::size_t end = text.find("+-- at 29Δ all is as it was at 18Δ");
    EXPECT_LT(begin, end);
    return text.substr(begin, end - begin);
  };
  EXPECT_EQ(loop_in(drawn(cut)), loop_in(whole));
  EXPECT_EQ(loop_in(whole).find("COMMITS"), std::string::npos);

  Scenario healing = attack_named("two-phase-hotstuff-livelock").flawed;
  healing.heal_rounds = 6;
  const store::Finding behind = stored_finding(healing, kTemperature);
  ASSERT_TRUE(behind.loop && behind.loop->run && behind.loop->proved);
  EXPECT_EQ(behind.loop->first_round, 14U);
  const std::string text = drawn(behind);
  EXPECT_EQ(text.find("not recorded"), std::string::npos);
  for (unsigned round = 3; round <= 19; ++round) {
    const std::string heading = (round < 14 ? "\nhealing round " : "\n| healing round ") + std::to_string(round) + " ";
    EXPECT_NE(text.find(heading), std::string::npos) << heading;
  }
  EXPECT_NE(text.find("|   D    proposes D14 on A11, votes for D14, times out of round 14\n"), std::string::npos);
}

TEST(ProvedLoops, StayProvedWhenTheyAreShrunk) {
  for (const char* name :
       {"fab-stuck", "linear-pbft-unresponsive", "two-phase-hotstuff-livelock", "sync-hotstuff-force-lock-liveness"}) {
    SCOPED_TRACE(name);
    const store::Attack attack = attack_named(name);
    const Runner& runner = built_in_protocol(attack.flawed.protocol);
    const auto before = loop_of(attack.flawed);
    const Registry registry = built_in_protocols();
    const Property& property = **property_of(registry, attack);
    const auto shrunk = shrink_fully(runner, attack.flawed, property);
    ASSERT_TRUE(shrunk && shrunk->loop);
    const auto after = loop_of(shrunk->scenario);
    ASSERT_TRUE(before && after && after->proved);
    EXPECT_TRUE(after->assumptions.are_no_stronger_than(before->assumptions));
    EXPECT_LE(after->last_round(), before->last_round());
    EXPECT_EQ(shrink_fully(runner, attack.flawed, property)->scenario, shrunk->scenario);
  }
}

}  // namespace
}  // namespace nika
