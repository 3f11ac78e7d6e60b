// Loops of timed runs: what must be called proved and what must not; and that a world whose views are moved and whose
// clock is set back goes on to the moved worlds, which the proof takes from the protocol.
#include "nika/explore/view_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nika/campaign/runner_for.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/scenarios/timed/sampler.hpp"

namespace nika {
namespace {

using sync_hotstuff::SyncHotStuff;

// Three nodes of which A has a twin; A leads every view, or all nodes take turns.
Scenario timed_scenario(unsigned views, bool takes_turns) {
  Scenario scenario;
  scenario.protocol = SyncHotStuff::kName;
  scenario.node_count = 3;
  scenario.copies = {2};
  scenario.timing = Timing{.delta_ticks = 2, .ticks = 240, .delay_ticks = 1};
  scenario.rounds.resize(views);
  for (unsigned v = 0; v < views; ++v) scenario.rounds[v].leaders = {static_cast<Identity>(takes_turns ? v % 3 : 0)};
  return scenario;
}

// What A and its twin send is lost.
Rule silence() {
  Rule rule;
  rule.from = SeatSet::from_bits(0b1001);
  rule.action = Action::kDrop;
  return rule;
}

std::unique_ptr<Session> session_of(const Scenario& scenario) {
  static const auto kRunner = runner_for<SyncHotStuff>();
  return session_for(*kRunner, scenario, {}).value();
}

std::optional<Loop> loop_of(const Scenario& scenario, const LoopPart& part, const LoopCondition& condition = {}) {
  RecordedSchedule schedule(scenario);
  return session_of(scenario)->looping()->find_loop(schedule, part, condition);
}

TEST(ViewLoop, OfALeaderThatIsSilentForEverIsProved) {
  Scenario scenario = timed_scenario(4, false);
  scenario.rules = {silence()};
  const Loop expected{.first_round = 4,
                      .length = 1,
                      .proved = true,
                      .assumptions = {.healed = true, .fair = false, .order = Assumptions::Arrival::kOne},
                      .waiting = SeatSet::from_bits(0b0110),
                      .part = {2, 4, 1}};
  EXPECT_EQ(loop_of(scenario, {2, 4, 1}), expected);
  RecordedSchedule schedule(scenario);
  const auto session = session_of(scenario);
  EXPECT_EQ(session->looping()->repeat_loop(schedule, {2, 4, 1}, expected, 1000, {}), 1000U);
  EXPECT_EQ(session->looping()->last_decision(schedule, {2, 4, 1}, expected, 10), 0U);
}

TEST(ViewLoop, IsNoneWhereAnHonestLeaderDecides) {
  Scenario scenario = timed_scenario(6, true);
  scenario.rules = {silence()};
  EXPECT_EQ(loop_of(scenario, {4, 6, 3}), std::nullopt);
  // The second view is B's, and lasts.
  RecordedSchedule schedule(scenario);
  const Loop turn{.first_round = 4, .length = 3};
  EXPECT_EQ(session_of(scenario)->looping()->last_decision(schedule, {4, 6, 3}, turn, 5), 5U);
}

TEST(ViewLoop, CountsOnlyIfItsConditionIsMetInEveryTick) {
  Scenario scenario = timed_scenario(4, false);
  scenario.rules = {silence()};
  EXPECT_EQ(loop_of(scenario, {2, 4, 1}, [](const Sight&) { return false; }), std::nullopt);
  EXPECT_EQ(loop_of(scenario, {2, 4, 1}, [](const Sight& sight) { return sight.time % 2 == 0; }), std::nullopt);
  const auto later = loop_of(scenario, {2, 4, 1}, [](const Sight& sight) { return sight.now > Round(2); });
  ASSERT_TRUE(later && later->proved);
}

// The schedule with the views of a loop repeated, and what it did until the loop has come round.
TEST(ViewLoop, TellsItsEndsByTheClockOfTheWholeRun) {
  Scenario scenario = timed_scenario(4, false);
  scenario.rules = {silence()};
  const auto loop = loop_of(scenario, {2, 4, 1});
  ASSERT_TRUE(loop && loop->proved);
  RecordedSchedule schedule(scenario);
  const auto ends = session_of(scenario)->looping()->ends_of_loop(schedule, *loop, 0);
  ASSERT_TRUE(ends.has_value());
  EXPECT_TRUE(ends->tells_progress);
  EXPECT_EQ(ends->before[1].view, Round(4));
  EXPECT_EQ(ends->after[1].view, Round(5));
  EXPECT_EQ(ends->before[1].progress, ends->after[1].progress);
  // A run of the scenario alone did the same, at the same times, as long as it has views.
  Trace trace;
  static const auto kRunner = runner_for<SyncHotStuff>();
  (void)run_scenario(*kRunner, scenario, only(kAgreement), &trace).value();
  const auto entered = [](const Trace& events, unsigned view) {
    for (const Event& event : events) {
      if (event.kind == EventKind::kEnteredRound && event.seat == Seat{1} && event.round == Round(view))
        return event.time;
    }
    return 0U;
  };
  EXPECT_EQ(entered(trace, 4), ends->from);
  EXPECT_EQ(entered(ends->trace, 5), ends->to);
  std::erase_if(trace, [&](const Event& event) { return event.time > ends->from; });
  ASSERT_GE(ends->trace.size(), trace.size());
  EXPECT_TRUE(std::equal(trace.begin(), trace.end(), ends->trace.begin()));
}

// "Decides" is said of what a run shows: in views of the loop, or in a view before that lasts.
TEST(ViewLoop, SaysWhereAnotherProtocolDecides) {
  Scenario scenario = timed_scenario(6, true);
  scenario.rules = {silence()};
  const Loop turn{.first_round = 4, .length = 3, .part = {4, 6, 3}};
  RecordedSchedule schedule(scenario);
  EXPECT_EQ(session_of(scenario)->looping()->decides_in_loop(schedule, turn), 2U);
  scenario = timed_scenario(4, false);
  scenario.rules = {silence()};
  RecordedSchedule silent(scenario);
  const Loop last{.first_round = 4, .length = 1, .part = {2, 4, 1}};
  EXPECT_EQ(session_of(scenario)->looping()->decides_in_loop(silent, last), std::nullopt);
}

// Whom liars speak to in the loop is told as it is.
TEST(ViewLoop, OfLiarsThatAreHeardSaysSo) {
  Scenario scenario = timed_scenario(4, false);
  Rule mute = silence();
  mute.kinds = 1;  // proposals alone are lost
  scenario.rules = {mute};
  const auto selective = loop_of(scenario, {2, 4, 1});
  ASSERT_TRUE(selective && selective->proved);
  EXPECT_EQ(selective->assumptions.liars, Assumptions::Liars::kSelective);
  EXPECT_EQ(loop_of(timed_scenario(4, false), {2, 4, 1}), std::nullopt);
}

class MovedViews : public testing::Test {
 protected:
  using P = SyncHotStuff;

  // Runs the scenario, and from each view a copy whose views are moved; both come to worlds of one name, tick by tick,
  // and the same seats decide in them. How many worlds were compared.
  unsigned compare(const Scenario& scenario, unsigned old_gap) {
    const Cluster cluster = cluster_of(scenario, P::kBugs).value();
    RecordedSchedule recorded(scenario);
    const auto last = static_cast<unsigned>(scenario.rounds.size());
    timed::RepeatedViews views(recorded, cluster.seat_count, last, 1);
    timed::RepeatedViews moved_views(recorded, cluster.seat_count, last, 1);
    TickNetwork<P> network(cluster, {});
    TickNetwork<P> moved_network(cluster, {});
    moved_network.start(moved_, moved_views);  // seats have their values from then on
    unsigned compared = 0;
    for (unsigned from = 2; from < last; ++from) {
      network.start(world_, views);
      while (world_.network_round.number < from) {
        if (!tick(network, world_, views)) return compared;
      }
      set_clock_back(world_, cluster.seats());
      moved_.copy_from(world_, cluster.seats());
      if (!bring_into_form(moved_, network.contexts(), gaps_, old_gap) || moved_.network_round == world_.network_round)
        continue;
      moved_views.renumber(world_.network_round.number - moved_.network_round.number);
      moved_network.attend(moved_views);
      while (tick(network, world_, views) && world_.network_round.number <= last && world_.now_tick < 60) {
        const SeatSet decided = decided_;
        EXPECT_TRUE(tick(moved_network, moved_, moved_views));
        EXPECT_EQ(decided_, decided);
        EXPECT_EQ(moved_.now_tick, world_.now_tick);
        const auto name = name_of(world_, network);
        EXPECT_TRUE(name == name_of(moved_, moved_network))
            << "from view " << from << " in view " << int{world_.network_round.number};
        if (HasFailure()) return compared;
        compared += name ? 1 : 0;
      }
    }
    return compared;
  }

 private:
  bool tick(TickNetwork<P>& network, World<P>& world, timed::RepeatedViews& views) {
    std::array<Height, kMaxSeats> tops{};
    for (Seat seat : network.cluster().seats()) tops[index_of(seat)] = world.commits.top_of(seat);
    if (!network.advance(world, views) || world.overflowed) return false;
    world.network_round = network.sight_of(world).now;
    decided_ = {};
    for (Seat seat : network.cluster().seats()) {
      if (world.commits.top_of(seat) > tops[index_of(seat)]) decided_.insert(seat);
    }
    return true;
  }
  std::optional<std::string> name_of(const World<P>& world, const TickNetwork<P>& network) {
    scratch_.copy_from(world, network.cluster().seats());
    set_clock_back(scratch_, network.cluster().seats());
    return names_.name_of(scratch_, network.contexts());
  }

  World<P> world_{};
  World<P> moved_{};
  World<P> scratch_{};
  RoundGaps<P> gaps_{};
  WorldNames<P> names_{};
  SeatSet decided_{};  // in the last tick
};

// Delays of every kind of message, losses between liars and others, timers that go first, all three forms of the
// protocol.
TEST_F(MovedViews, GoOnToTheMovedViews) {
  unsigned compared = 0;
  for (unsigned run = 0; run < 600 && !HasFailure(); ++run) {
    Random random(run);
    Scenario scenario = timed_scenario(10, false);
    if (run % 3 == 1) scenario.bugs = {"early-version"};
    if (run % 3 == 2) scenario.bugs = {"early-version", "short-status-wait"};
    timed::Adversary adversary;
    adversary.views = 10;
    adversary.kinds = 6;
    if (run % 5 == 0) adversary.leaders = timed::anybody(scenario.node_count);  // otherwise A leads, and views pass
    if (run % 2 == 0) adversary.longest_of_kind = {6, 4};
    compared += compare(timed::sample(scenario, adversary, random), run % 4 < 2 ? 2 : 7);
  }
  EXPECT_EQ(compared, 12319U);
}

}  // namespace
}  // namespace nika
