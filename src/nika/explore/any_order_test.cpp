// Loops in every order of arrival: toys for which it is known, and all protocols against going through every
// permutation of every batch.
#include "nika/explore/any_order_test.hpp"

namespace nika {
namespace {

struct Hello {
  [[maybe_unused]] static constexpr std::string_view kName = "hello";
  Round view{};
  static constexpr auto fields() { return std::tuple{field("view", &Hello::view)}; }
};

struct EarState {
  IdentitySet first{};  // whom it heard first in its view
  Round view{};
  std::uint8_t was_last_first = 0;
  static constexpr auto fields() {
    return std::tuple{field("view", &EarState::view), field("first", &EarState::first),
                      field("was_last_first", &EarState::was_last_first)};
  }
};

// Everybody greets all in every view; what a replica makes of hearing the last one first differs.
struct FirstHeard {
  using State = EarState;
  using Message = std::variant<Hello>;
  static constexpr std::string_view kName = "first-heard";
  static constexpr std::string_view kSummary = "listens to the first";
  static constexpr std::array<std::string_view, 3> kBugs{"keeps", "decides", "tells"};
  static constexpr Identity kLast{2};

  static void start(State& state, const Context&, Outbox<Message>& out) {
    state.view = Round(1);
    out.set_timer(TimerId{0}, 1);
  }
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out) {
    if (std::get<Hello>(message).view == Round(0)) out.commit(Height(1), ValueId(Round(1), Seat{0}, 0));
    if (!state.first.empty()) return;
    state.first.insert(from);
    const bool keeps = (context.bugs & 1U) != 0;
    const bool decides = (context.bugs >> 1U & 1U) != 0;
    const bool tells = (context.bugs >> 2U & 1U) != 0;
    if (keeps) state.was_last_first = from == kLast ? 1 : 0;
    if (from != kLast) return;
    if (decides) out.commit(Height(1), ValueId(Round(1), Seat{0}, 0));
    if (tells && context.self == Identity{0}) out.send(context.everyone(), Hello{Round(0)});
  }
  static void expire(State& state, const Context& context, TimerId, Outbox<Message>& out) {
    state.view = state.view.next();
    state.first = {};
    out.send(context.everyone(), Hello{state.view});
    out.set_timer(TimerId{0}, 1);
  }
  static Round round_of(const Message& message) { return std::get<Hello>(message).view; }
  static ValueId subject_of(const Message&) { return {}; }
  static Round current_round(const State& state) { return state.view; }
};

Scenario three_nodes(const std::vector<std::string>& bugs, std::vector<std::uint8_t> copies = {}) {
  Scenario scenario;
  scenario.protocol = "first-heard";
  scenario.bugs = bugs;
  scenario.node_count = 3;
  scenario.fault_count = copies.empty() ? 0 : 1;
  scenario.copies = std::move(copies);
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.heal_rounds = 4;
  scenario.heal_leaders = {Identity{0}};
  return scenario;
}

bool runs_in_any_order(const Scenario& scenario) {
  const Cluster cluster = cluster_of(scenario, FirstHeard::kBugs).value();
  const auto loop = loop_of<FirstHeard>(scenario, cluster);
  EXPECT_TRUE(loop.has_value());
  RecordedSchedule schedule(scenario);
  return loop && std::make_unique<LoopSearch<FirstHeard>>(cluster)->runs_in_any_order(schedule, *loop);
}

TEST(AnyOrder, IsProvedWhereTheOrderMakesNoDifference) { EXPECT_TRUE(runs_in_any_order(three_nodes({}))); }

TEST(AnyOrder, IsProvedWhereItMakesADifferenceButNeverADecision) {
  EXPECT_TRUE(runs_in_any_order(three_nodes({"keeps"})));
}

TEST(AnyOrder, IsNotProvedWhereAnotherOrderDecides) { EXPECT_FALSE(runs_in_any_order(three_nodes({"decides"}))); }

// All decide when A tells them to, which it does when it hears the last one first. With a twin it is a liar, and in
// which order it hears the others is its own choice.
TEST(AnyOrder, LeavesLiarsTheOrderOfTheSchedule) {
  EXPECT_TRUE(runs_in_any_order(three_nodes({"tells"}, {2})));
  EXPECT_FALSE(runs_in_any_order(three_nodes({"tells"})));
}

TEST(AnyOrder, ComesToTheWorldsOfEveryPermutation) {
  // Each of three seats has heard the last one first or not: eight worlds, of which 27 orders of whom is first tell.
  const Tried keeps = compare<FirstHeard>(three_nodes({"keeps"}));
  EXPECT_TRUE(keeps.holds);
  EXPECT_EQ(keeps.worlds, 8U);
  EXPECT_EQ(compare<FirstHeard>(three_nodes({})).worlds, 1U);
  EXPECT_FALSE(compare<FirstHeard>(three_nodes({"decides"})).holds);
}

}  // namespace
}  // namespace nika
