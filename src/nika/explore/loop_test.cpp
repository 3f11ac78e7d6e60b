// Loops: what must be called proved and what must not, on protocols made for it; and that a world whose rounds are
// moved goes on to the moved worlds, which the proof takes from every protocol.
#include "nika/explore/loop.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/loops.hpp"
#include "nika/campaign/runner_for.hpp"

namespace nika {
namespace {

struct Hello {
  static constexpr std::string_view kName = "hello";
  Round view{};
  static constexpr auto fields() { return std::tuple{field("view", &Hello::view)}; }
};

struct ToyState {
  Round view{};
  std::uint8_t unused = 0;
  std::uint16_t count = 0;
  static constexpr auto fields() {
    return std::tuple{field("view", &ToyState::view), field("count", &ToyState::count)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &ToyState::unused)}; }
};

// A replica that greets all in every view, and counts its views in one way or another, or not at all.
struct Greeting {
  using State = ToyState;
  using Message = std::variant<Hello>;
  static constexpr std::string_view kName = "greeting";
  static constexpr std::string_view kSummary = "says hello";
  static constexpr std::array<std::string_view, 4> kBugs{"counts", "saturates", "decides", "falls-silent"};

  static void start(State& state, const Context&, Outbox<Message>& out) {
    state.view = Round(1);
    out.set_timer(TimerId{0}, 1);
  }
  static void receive(State&, const Context&, Identity, const Message&, Outbox<Message>&) {}
  static void expire(State& state, const Context& context, TimerId, Outbox<Message>& out) {
    state.view = state.view.next();
    const bool saturates = (context.bugs >> 1U & 1U) != 0;
    const bool decides = (context.bugs >> 2U & 1U) != 0;
    const bool falls_silent = (context.bugs >> 3U & 1U) != 0;
    if (context.bugs != 0) ++state.count;
    if (saturates) state.count = std::min<std::uint16_t>(state.count, 20);
    if (decides && state.count % 5 == 0) {
      state.count = 0;
      out.commit(Height(state.view.number / 5U), ValueId(state.view, Seat{0}, 0));
    }
    if (falls_silent && state.count == 3) return;
    out.send(context.everyone(), Hello{state.view});
    out.set_timer(TimerId{0}, 1);
  }
  static Round round_of(const Message& message) { return std::get<Hello>(message).view; }
  static ValueId subject_of(const Message&) { return {}; }
  static Round current_round(const State& state) { return state.view; }
};

Scenario toy_scenario(unsigned turn, const std::vector<std::string>& bugs = {}) {
  Scenario scenario;
  scenario.protocol = "greeting";
  scenario.bugs = bugs;
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.heal_rounds = 6;
  for (unsigned i = 0; i < turn; ++i) scenario.heal_leaders.push_back(static_cast<Identity>(i));
  return scenario;
}

std::optional<Loop> toy_loop(const Scenario& scenario) {
  const auto loop = find_loop(*runner_for<Greeting>(), scenario);
  EXPECT_TRUE(loop.has_value()) << loop.error().message;
  return *loop;
}

TEST(Loop, OfAWorldThatOnlyMovesOnIsProved) {
  // Round 0 has its own meaning, so that the first worlds differ: round 2 is the first that does not follow on it.
  const Loop expected{.first_round = 3,
                      .length = 4,
                      .proved = true,
                      .assumptions = {.healed = true, .fair = true, .order = Assumptions::Arrival::kAny},
                      .waiting = SeatSet::first(4),
                      .part = {.first = 2, .last = 7, .period = 4}};
  EXPECT_EQ(toy_loop(toy_scenario(4)), expected);
}

TEST(Loop, IsNotFairIfAnHonestNodeNeverLeads) {
  const auto loop = toy_loop(toy_scenario(3));
  ASSERT_TRUE(loop && loop->proved);
  EXPECT_EQ(loop->length, 3U);
  EXPECT_FALSE(loop->assumptions.fair);
  EXPECT_TRUE(loop->assumptions.healed);
}

// A has a twin. What honest seats hear of the two in the loop: nothing, not all of it, all of it.
TEST(Loop, SaysWhetherLiarsAreHeard) {
  const auto liars_with = [](std::vector<Rule> rules) {
    Scenario scenario = toy_scenario(4);
    scenario.copies = {2};
    scenario.rules = std::move(rules);
    const auto loop = toy_loop(scenario);
    EXPECT_TRUE(loop && loop->proved);
    return loop->assumptions.liars;
  };
  const Rule silence{.last_round = Round(7), .from = {Seat{0}, Seat{4}}};
  Rule to_one = silence;
  to_one.to = {Seat{1}};
  EXPECT_EQ(liars_with({silence}), Assumptions::Liars::kSilent);
  EXPECT_EQ(liars_with({to_one}), Assumptions::Liars::kSelective);
  EXPECT_EQ(liars_with({}), Assumptions::Liars::kActive);
  EXPECT_EQ(toy_loop(toy_scenario(4))->assumptions.liars, Assumptions::Liars::kSilent);
}

TEST(Loop, IsSaidToRunInOneOrderWhereOthersAreNotTried) {
  const auto runner = runner_for<Greeting>();
  EXPECT_EQ((*find_loop(*runner, toy_scenario(4), OrderProof::kLeftOut))->assumptions.order,
            Assumptions::Arrival::kOne);
}

TEST(Loop, AssumesNoMoreThanAnotherIfItIsAtLeastAsGood) {
  const Assumptions weak{.healed = true, .fair = true, .order = Assumptions::Arrival::kAny};
  Assumptions other = weak;
  EXPECT_TRUE(weak.are_no_stronger_than(other));
  other.liars = Assumptions::Liars::kSelective;
  EXPECT_TRUE(weak.are_no_stronger_than(other));
  EXPECT_FALSE(other.are_no_stronger_than(weak));
  for (const auto change : {+[](Assumptions& a) { a.healed = false; }, +[](Assumptions& a) { a.fair = false; },
                            +[](Assumptions& a) { a.order = Assumptions::Arrival::kOne; }}) {
    other = weak;
    change(other);
    EXPECT_TRUE(weak.are_no_stronger_than(other));
    EXPECT_FALSE(other.are_no_stronger_than(weak));
  }
}

TEST(Loop, OfACounterThatGrowsForEverIsNotProved) { EXPECT_EQ(toy_loop(toy_scenario(4, {"counts"})), std::nullopt); }

TEST(Loop, OfACounterThatStopsIsProvedOnceItHasStopped) {
  const auto loop = toy_loop(toy_scenario(4, {"saturates"}));
  ASSERT_TRUE(loop && loop->proved);
  EXPECT_EQ(loop->first_round, 21U);
  EXPECT_EQ(loop->length, 4U);
}

// Nothing is on its way and no timer runs: it stays as it is in every later round, far as its number may be from that
// of the replicas.
TEST(Loop, OfAWorldInWhichNothingCanHappenIsProved) {
  const auto loop = toy_loop(toy_scenario(4, {"falls-silent"}));
  ASSERT_TRUE(loop && loop->proved);
  EXPECT_EQ(loop->first_round, 4U);
  EXPECT_EQ(loop->length, 4U);
  EXPECT_EQ(loop->assumptions, (Assumptions{.healed = true, .fair = true, .order = Assumptions::Arrival::kAny}));
}

TEST(Loop, ThatDecidesNowAndThenIsNone) {
  EXPECT_EQ(toy_loop(toy_scenario(4, {"decides"})), std::nullopt);
  EXPECT_EQ(toy_loop(toy_scenario(1, {"decides"})), std::nullopt);
}

TEST(Loop, OfPartitionsThatComeAgainSaysThatTheNetworkHasNotHealed) {
  Scenario scenario = toy_scenario(4);
  scenario.heal_rounds = 0;
  scenario.rounds.resize(2);
  scenario.rounds[1].leaders = {Identity{1}};
  scenario.rounds[1].partition.block_of = {0, 0, 1, 1};
  const auto loop = toy_loop(scenario);
  ASSERT_TRUE(loop && loop->proved);
  EXPECT_EQ(loop->first_round, 3U);
  EXPECT_EQ(loop->length, 1U);  // the last round alone is the shortest part that repeats
  EXPECT_FALSE(loop->assumptions.healed);
  EXPECT_FALSE(loop->assumptions.fair);
}

TEST(Loop, RunsThroughMoreRoundsThanThereAreNumbers) {
  const auto runner = runner_for<Greeting>();
  const Scenario scenario = toy_scenario(4);
  const Loop loop = toy_loop(scenario).value();
  EXPECT_EQ(repeat_loop(*runner, scenario, loop_parts_of(scenario)[0], loop, 1000), 1000U);
  // A part that is none comes back never.
  Loop shorter = loop;
  shorter.length = 1;
  EXPECT_EQ(repeat_loop(*runner, scenario, loop_parts_of(scenario)[0], shorter, 10), 0U);
}

TEST(Loop, IsLookedForInNetworkRoundsOnly) {
  Scenario scenario = toy_scenario(4);
  scenario.steps.emplace();
  EXPECT_FALSE(find_loop(*runner_for<Greeting>(), scenario).has_value());
}

}  // namespace
}  // namespace nika
