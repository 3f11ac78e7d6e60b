// Loops: what must be called proved and what must not, on protocols made for it; and that a world whose rounds are
// moved goes on to the moved worlds, which the proof takes from every protocol.
#include "nika/explore/loop.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/campaign/loops.hpp"
#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

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

enum class Toy { kForgets, kCounts, kSaturates, kDecides };

// A replica that greets all in every view, and counts its views in one way or another.
template <Toy kToy>
struct Greeting {
  using State = ToyState;
  using Message = std::variant<Hello>;
  static constexpr std::string_view kName = "greeting";
  static constexpr std::string_view kSummary = "says hello";
  static constexpr std::array<std::string_view, 0> kBugs{};

  static void start(State& state, const Context&, Outbox<Message>& out) {
    state.view = Round(1);
    out.set_timer(TimerId{0}, 1);
  }
  static void receive(State&, const Context&, Identity, const Message&, Outbox<Message>&) {}
  static void expire(State& state, const Context& context, TimerId, Outbox<Message>& out) {
    state.view = state.view.next();
    if (kToy != Toy::kForgets) ++state.count;
    if (kToy == Toy::kSaturates) state.count = std::min<std::uint16_t>(state.count, 20);
    if (kToy == Toy::kDecides && state.count % 5 == 0) {
      state.count = 0;
      out.commit(Height(state.view.number / 5U), ValueId(state.view, Seat{0}, 0));
    }
    out.send(context.everyone(), Hello{state.view});
    out.set_timer(TimerId{0}, 1);
  }
  static Round round_of(const Message& message) { return std::get<Hello>(message).view; }
  static ValueId subject_of(const Message&) { return {}; }
  static Round current_round(const State& state) { return state.view; }
};

Scenario toy_scenario(unsigned turn) {
  Scenario scenario;
  scenario.protocol = "greeting";
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.heal_rounds = 6;
  for (unsigned i = 0; i < turn; ++i) scenario.heal_leaders.push_back(static_cast<Identity>(i));
  return scenario;
}

template <Toy kToy>
std::optional<Loop> toy_loop(const Scenario& scenario) {
  const auto loop = find_loop(*runner_for<Greeting<kToy>>(), scenario);
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
  EXPECT_EQ(toy_loop<Toy::kForgets>(toy_scenario(4)), expected);
}

TEST(Loop, IsNotFairIfAnHonestNodeNeverLeads) {
  const auto loop = toy_loop<Toy::kForgets>(toy_scenario(3));
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
    const auto loop = toy_loop<Toy::kForgets>(scenario);
    EXPECT_TRUE(loop && loop->proved);
    return loop->assumptions.liars;
  };
  const Rule silence{.last_round = Round(7), .from = {Seat{0}, Seat{4}}};
  Rule to_one = silence;
  to_one.to = {Seat{1}};
  EXPECT_EQ(liars_with({silence}), Assumptions::Liars::kSilent);
  EXPECT_EQ(liars_with({to_one}), Assumptions::Liars::kSelective);
  EXPECT_EQ(liars_with({}), Assumptions::Liars::kActive);
  EXPECT_EQ(toy_loop<Toy::kForgets>(toy_scenario(4))->assumptions.liars, Assumptions::Liars::kSilent);
}

TEST(Loop, IsSaidToRunInOneOrderWhereOthersAreNotTried) {
  const auto runner = runner_for<Greeting<Toy::kForgets>>();
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

TEST(Loop, OfACounterThatGrowsForEverIsNotProved) { EXPECT_EQ(toy_loop<Toy::kCounts>(toy_scenario(4)), std::nullopt); }

TEST(Loop, OfACounterThatStopsIsProvedOnceItHasStopped) {
  const auto loop = toy_loop<Toy::kSaturates>(toy_scenario(4));
  ASSERT_TRUE(loop && loop->proved);
  EXPECT_EQ(loop->first_round, 21U);
  EXPECT_EQ(loop->length, 4U);
}

TEST(Loop, ThatDecidesNowAndThenIsNone) {
  EXPECT_EQ(toy_loop<Toy::kDecides>(toy_scenario(4)), std::nullopt);
  EXPECT_EQ(toy_loop<Toy::kDecides>(toy_scenario(1)), std::nullopt);
}

TEST(Loop, OfPartitionsThatComeAgainSaysThatTheNetworkHasNotHealed) {
  Scenario scenario = toy_scenario(4);
  scenario.heal_rounds = 0;
  scenario.rounds.resize(2);
  scenario.rounds[1].leaders = {Identity{1}};
  scenario.rounds[1].partition.block_of = {0, 0, 1, 1};
  const auto loop = toy_loop<Toy::kForgets>(scenario);
  ASSERT_TRUE(loop && loop->proved);
  EXPECT_EQ(loop->first_round, 3U);
  EXPECT_EQ(loop->length, 1U);  // the last round alone is the shortest part that repeats
  EXPECT_FALSE(loop->assumptions.healed);
  EXPECT_FALSE(loop->assumptions.fair);
}

TEST(Loop, RunsThroughMoreRoundsThanThereAreNumbers) {
  const auto runner = runner_for<Greeting<Toy::kForgets>>();
  const Scenario scenario = toy_scenario(4);
  const Loop loop = toy_loop<Toy::kForgets>(scenario).value();
  EXPECT_EQ(repeat_loop(*runner, scenario, loop_parts_of(scenario)[0], loop, 1000), 1000U);
  // A part that is none comes back never.
  Loop shorter = loop;
  shorter.length = 1;
  EXPECT_EQ(repeat_loop(*runner, scenario, loop_parts_of(scenario)[0], shorter, 10), 0U);
}

TEST(Loop, IsLookedForInNetworkRoundsOnly) {
  Scenario scenario = toy_scenario(4);
  scenario.steps.emplace();
  EXPECT_FALSE(find_loop(*runner_for<Greeting<Toy::kForgets>>(), scenario).has_value());
}

// Partitions, leaders and orders at random, then a healed network.
template <Protocol P>
Scenario random_scenario(Random& random, unsigned rounds) {
  Scenario scenario;
  scenario.protocol = P::kName;
  scenario.copies = {static_cast<std::uint8_t>(1 + random.below(2))};
  scenario.client_count = client_count<P>();
  const unsigned seats = 3U + scenario.copies[0];
  for (unsigned r = 0; r < rounds; ++r) {
    RoundPlan plan;
    plan.leaders = {static_cast<Identity>(random.below(4))};
    for (unsigned s = 0; s < seats; ++s) plan.partition.block_of[s] = static_cast<std::uint8_t>(random.below(2));
    for (unsigned s = seats; s < seats + scenario.client_count; ++s)
      plan.partition.block_of[s] = Partition::kEverywhere;
    plan.partition.normalize(seats + scenario.client_count);
    if (random.below(2) == 0) plan.order = Order::reversed(seats);
    scenario.rounds.push_back(plan);
  }
  scenario.heal_rounds = 8;
  for (unsigned i = 0; i < 4; ++i) scenario.heal_leaders.push_back(static_cast<Identity>(i));
  return scenario;
}

template <Protocol P>
class MovedWorlds : public testing::Test {
 protected:
  // Runs the scenario, and from the world after each round a copy whose rounds are moved; both come to worlds of one
  // name as long as nothing is decided. How many worlds were compared.
  unsigned compare(const Scenario& scenario, std::uint32_t bugs, unsigned old_gap) {
    Cluster cluster = cluster_of(scenario, P::kBugs).value();
    cluster.bugs = bugs;
    RecordedSchedule recorded(scenario);
    RepeatedRounds rounds(recorded, cluster.seat_count, scenario.horizon(), 4);
    RepeatedRounds moved_rounds(recorded, cluster.seat_count, scenario.horizon(), 4);
    RoundNetwork<P> network(cluster, {});
    RoundNetwork<P> moved_network(cluster, {});
    moved_network.attend(moved_rounds);
    unsigned compared = 0;
    for (unsigned from = 1; from < scenario.horizon(); ++from) {
      network.start(world_, rounds);
      while (world_.network_round.number < from) network.advance(world_, rounds);
      moved_.copy_from(world_, cluster.seats());
      if (!bring_into_form(moved_, network.contexts(), gaps_, old_gap) || moved_.network_round == world_.network_round)
        continue;
      moved_rounds.renumber(static_cast<int>(from) - moved_.network_round.number, !kIsBroadcast<P>);
      const Height top = world_.commits.top();
      while (world_.network_round.number < scenario.horizon()) {
        network.advance(world_, rounds);
        moved_network.advance(moved_, moved_rounds);
        if (cluster.client_count() > 0 && world_.commits.top() != top) break;  // clients count their requests
        const auto name = names_.name_of(world_, network.contexts());
        const auto moved_name = names_.name_of(moved_, moved_network.contexts());
        EXPECT_EQ(name.has_value(), moved_name.has_value());
        EXPECT_TRUE(name == moved_name) << P::kName << " from round " << from << " in round "
                                        << int{world_.network_round.number};
        if (name != moved_name) return compared;
        ++compared;
      }
    }
    return compared;
  }

 private:
  World<P> world_{};
  World<P> moved_{};
  RoundGaps<P> gaps_{};
  WorldNames<P> names_{};
};

using All = testing::Types<bracha::Bracha, diembft::DiemBft, fab::Fab, fast_hotstuff::FastHotStuff, hotstuff::HotStuff,
                           hotstuff::TwoPhaseHotStuff, linear_pbft::LinearPbft, linear_pbft::LinearPbftThirdPhase,
                           zyzzyva::Zyzzyva>;
TYPED_TEST_SUITE(MovedWorlds, All);

TYPED_TEST(MovedWorlds, GoOnToTheMovedWorlds) {
  Random random(11);
  unsigned compared = 0;
  const std::uint32_t bugs = (1U << TypeParam::kBugs.size()) - 1U;
  for (unsigned run = 0; run < 200 && !this->HasFailure(); ++run) {
    const Scenario scenario = random_scenario<TypeParam>(random, 4 + run % 8);
    compared += this->compare(scenario, run % 2 == 0 ? 0 : bugs, run % 3 == 0 ? 2 : 11);
  }
  EXPECT_GT(compared, 200U);
}

}  // namespace
}  // namespace nika
