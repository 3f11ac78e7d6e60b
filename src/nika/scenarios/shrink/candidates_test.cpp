// Candidates for each choice of a schedule, and what holds of all candidates of any scenario.
#include "nika/scenarios/shrink/candidates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <sstream>

#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"
#include "nika/scenarios/shrink/reseat.hpp"

namespace nika::shrink {
namespace {

constexpr int kCases = kSanitized ? 100 : 1'000;

bool proposes(const Scenario& scenario, const Scenario& smaller) {
  return std::ranges::count(candidates(scenario), smaller) == 1;
}

// Four nodes, A with a twin, three rounds in which all links work.
Scenario plain_scenario() {
  Scenario scenario;
  scenario.copies = {2};
  for (unsigned r = 0; r < 3; ++r) scenario.rounds.push_back({IdentitySet{Identity{0}}, {}, Order::fifo()});
  return scenario;
}

// A sound timed scenario of five nodes of which A and B lie.
Scenario timed_scenario() {
  Scenario scenario = plain_scenario();
  scenario.node_count = 5;
  scenario.fault_count = 2;
  scenario.copies = {2, 2};
  scenario.timing = Timing{.delta_ticks = 2, .ticks = 30, .delay_ticks = 1, .timers_first = {Seat{0}, Seat{5}}};
  scenario.rules = {{.from = {Seat{0}}, .action = Action::kDrop},
                    {.from = {Seat{1}, Seat{6}}, .to = {Seat{2}}, .action = Action::kDelay, .delay_ticks = 7},
                    {.from = {Seat{2}}, .action = Action::kDelay, .delay_ticks = 2}};
  return scenario;
}

TEST(Candidates, MakeLateAndRepeatedMessagesOrdinary) {
  Scenario scenario = plain_scenario();
  const Rule late{.last_round = Round(1), .from = {Seat{1}}, .action = Action::kLate, .delay_rounds = 3};
  const Rule twice{.first_round = Round(2), .from = {Seat{2}}, .action = Action::kTwice, .delay_rounds = 2};
  scenario.rules = {late, twice};
  for (int change = 0; change < 8; ++change) {
    Scenario smaller = scenario;
    if (change == 0) smaller.rules = {late};
    if (change == 1) smaller.rules = {twice};
    if (change == 2) smaller.rules[0].delay_rounds = 2;
    if (change == 3) smaller.rules[0].delay_rounds = 1;
    if (change == 4) smaller.rules[1].delay_rounds = 1;
    if (change == 5) smaller.rules[1].delay_rounds = 0;
    if (change == 6) smaller.rules[0] = {.last_round = Round(1), .from = {Seat{1}}, .action = Action::kDeliver};
    if (change == 7) smaller.rules[1] = {.first_round = Round(2), .from = {Seat{2}}, .action = Action::kDeliver};
    EXPECT_TRUE(proposes(scenario, smaller)) << change;
  }
  Scenario at_once = scenario;
  at_once.rules[0].delay_rounds = 0;
  EXPECT_FALSE(proposes(scenario, at_once));
}

TEST(Candidates, MakeAllOfARoundAsTheOneBefore) {
  Scenario scenario = plain_scenario();
  scenario.rounds[1].leaders = {Identity{2}};
  scenario.rounds[1].partition.block_of = {0, 0, 1, 1, 0};
  scenario.rounds[1].order = Order::reversed(5);
  Scenario smaller = scenario;
  smaller.rounds[1] = scenario.rounds[0];
  EXPECT_TRUE(proposes(scenario, smaller));
  smaller = scenario;
  smaller.rounds[2] = scenario.rounds[1];  // it has more blocks
  EXPECT_FALSE(proposes(scenario, smaller));
}

TEST(Candidates, LetLateMessagesWaitOneRoundLessWhenARoundIsGone) {
  Scenario scenario = plain_scenario();
  scenario.heal_rounds = 2;
  const Rule late{.last_round = Round(1), .action = Action::kLate, .delay_rounds = 3};   // arrives in round 4
  const Rule next{.last_round = Round(1), .action = Action::kTwice, .delay_rounds = 1};  // again in round 2
  scenario.rules = {late, next};
  Scenario smaller = scenario;
  smaller.rounds.pop_back();
  smaller.rules[0].delay_rounds = 2;  // in what was round 4
  EXPECT_EQ(std::ranges::count(candidates(scenario, true), smaller), 1);
}

TEST(Candidates, ForgetOrdersOfReceivers) {
  Scenario scenario = plain_scenario();
  RoundPlan& plan = scenario.rounds[1];
  const Order reversed = Order::reversed(5);
  Order own_last = Order::fifo();
  own_last.own_first = false;
  plan.order = own_last;
  plan.receiver_orders = {{Seat{1}, reversed}, {Seat{3}, own_last}};
  for (int change = 0; change < 5; ++change) {
    Scenario smaller = scenario;
    RoundPlan& simpler = smaller.rounds[1];
    if (change == 0) simpler.receiver_orders.clear();
    if (change == 1) simpler.receiver_orders = {{Seat{1}, reversed}};
    if (change == 2) simpler.receiver_orders = {{Seat{3}, own_last}};
    if (change == 3) simpler.receiver_orders[0].order = Order::fifo();
    if (change == 4) simpler = {simpler.leaders, {}, reversed, {{Seat{3}, own_last}}};
    EXPECT_TRUE(proposes(scenario, smaller)) << change;
  }
}

TEST(Candidates, LetFewerSeatsGiveUpAndCrashesDoLess) {
  Scenario scenario = plain_scenario();
  scenario.rounds[2].gives_up = {Seat{1}, Seat{4}};
  scenario.crashes = {{Seat{0}, Round(1), Round(3), false}};
  for (int change = 0; change < 7; ++change) {
    Scenario smaller = scenario;
    if (change == 0) smaller.rounds[2].gives_up = {};
    if (change == 1) smaller.rounds[2].gives_up = {Seat{1}};
    if (change == 2) smaller.rounds[2].gives_up = {Seat{4}};
    if (change == 3) smaller.crashes.clear();
    if (change == 4) smaller.crashes[0].keeps_memory = true;
    if (change == 5) smaller.crashes[0].up_from = Round(2);
    if (change == 6) smaller.crashes[0].down_from = Round(2);
    EXPECT_TRUE(proposes(scenario, smaller)) << change;
  }
}

TEST(Candidates, LeaveOutSteps) {
  Scenario scenario = plain_scenario();
  scenario.steps = std::vector<Step>{{1, Seat{1}}, {2, Seat{2}}, {3, Seat{3}}, {0, Seat{4}}};
  const std::vector<std::vector<Step>> shorter{
      {},
      {{1, Seat{1}}, {2, Seat{2}}},
      {{3, Seat{3}}, {0, Seat{4}}},
      {{1, Seat{1}}, {2, Seat{2}}, {3, Seat{3}}},
      {{1, Seat{1}}, {2, Seat{2}}, {0, Seat{4}}},
      {{1, Seat{1}}, {3, Seat{3}}, {0, Seat{4}}},
      {{2, Seat{2}}, {3, Seat{3}}, {0, Seat{4}}},
  };
  for (const auto& steps : shorter) {
    Scenario smaller = scenario;
    smaller.steps = steps;
    EXPECT_TRUE(proposes(scenario, smaller)) << steps.size();
  }
}

TEST(Candidates, BringTheStepsOfASeatTogether) {
  Scenario scenario = plain_scenario();
  const Step a{1, Seat{1}};
  const Step b{1, Seat{2}};
  const Step c{2, Seat{1}};
  scenario.steps = std::vector<Step>{a, b, c};
  for (const auto& steps : {std::vector<Step>{a, c, b}, {b, a, c}}) {
    Scenario smaller = scenario;
    smaller.steps = steps;
    EXPECT_TRUE(proposes(scenario, smaller));
  }
}

TEST(Candidates, OfATimedScenarioLoseANodeAndKeepTheTiming) {
  const Scenario scenario = timed_scenario();
  ASSERT_TRUE(check_synchrony(scenario).has_value());
  Scenario without_b = scenario;  // A C D E A' become A B C D A'
  without_b.node_count = 4;
  without_b.fault_count = 1;
  without_b.copies = {2};
  without_b.timing->timers_first = {Seat{0}, Seat{4}};
  without_b.rules = {scenario.rules[0], {.from = {Seat{1}}, .action = Action::kDelay, .delay_ticks = 2}};
  EXPECT_TRUE(proposes(scenario, without_b));
  for (const Scenario& smaller : candidates(scenario)) {
    EXPECT_GT(smaller.node_count, 2 * smaller.fault_count);
    EXPECT_TRUE(smaller.timing.has_value());
    EXPECT_TRUE(check_synchrony(smaller).has_value());
  }
}

TEST(Candidates, OfATimedScenarioLoseATwinAndWhatWasDoneToIt) {
  const Scenario scenario = timed_scenario();
  Scenario smaller = scenario;  // without B': B is honest, so its messages take no longer than delta
  smaller.copies = {2};
  smaller.rules = {scenario.rules[0], scenario.rules[2]};
  EXPECT_TRUE(proposes(scenario, smaller));
}

TEST(Candidates, OfATimedScenarioHaveFewerTimersFirst) {
  const Scenario scenario = timed_scenario();
  for (const SeatSet seats : {SeatSet{}, SeatSet{Seat{0}}, SeatSet{Seat{5}}}) {
    Scenario smaller = scenario;
    smaller.timing->timers_first = seats;
    EXPECT_TRUE(proposes(scenario, smaller));
  }
}

// Scenarios with everything that there can be, drawn so that they are sound.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed) {}

  Scenario scenario() {
    const auto kind = below(4);
    Scenario s;
    s.node_count = static_cast<std::uint8_t>(1 + below(7));
    s.fault_count = static_cast<std::uint8_t>(below(4));
    for (unsigned i = 0; i < std::min<unsigned>(below(3), s.node_count); ++i)
      s.copies.push_back(static_cast<std::uint8_t>(2 + below(2)));
    cluster_ = sound_cluster_of(s);
    if (below(3) == 0) {
      for (unsigned i = 0; i < cluster_.seat_count; ++i) s.inputs.push_back(below(2) == 0 ? "" : "v");
    }
    if (kind == 0) s.timing = Timing{.delay_ticks = static_cast<std::uint8_t>(below(3)), .timers_first = seats()};
    const auto rounds = 1 + below(4);
    for (unsigned r = 0; r < rounds; ++r) s.rounds.push_back(plan(kind == 0));
    s.heal_rounds = static_cast<std::uint8_t>(below(4));
    for (auto i = below(3); i > 0; --i) s.heal_leaders.push_back(static_cast<Identity>(below(s.node_count)));
    s.heal_order = order();
    for (auto i = below(5); i > 0; --i) add_rule(s);
    for (auto i = kind == 0 ? 0 : below(3); i > 0; --i) {
      const auto down = 1 + below(5);
      s.crashes.push_back({seat(), Round(down), Round(down + 1 + below(3)), below(2) == 0});
    }
    if (kind == 1) {
      s.steps.emplace();
      for (auto i = below(9); i > 0; --i) s.steps->push_back({below(20), seat(), seat()});
    }
    return s;
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_.below(bound)); }

 private:
  Seat seat() { return static_cast<Seat>(below(cluster_.seat_count)); }
  SeatSet seats() { return SeatSet::from_bits(below(1U << 16U)) & cluster_.seats(); }
  Order order() {
    if (below(2) == 0) return below(2) == 0 ? Order::fifo() : Order::reversed(cluster_.seat_count);
    Order order;
    for (unsigned left = cluster_.seat_count; left > 1; --left)
      std::swap(order.rank[left - 1], order.rank[below(left)]);
    return order;
  }
  RoundPlan plan(bool is_timed) {
    RoundPlan plan{
        .leaders = IdentitySet::from_bits(below(1U << 16U)) & cluster_.identities(), .partition = {}, .order = order()};
    for (unsigned s = 0; s < cluster_.seat_count && !is_timed; ++s)
      plan.partition.block_of[s] = static_cast<std::uint8_t>(below(3));
    plan.partition.normalize(cluster_.seat_count);
    for (Seat receiver : seats() & seats()) plan.receiver_orders.push_back({receiver, order()});
    plan.gives_up = seats() & seats();
    return plan;
  }
  void add_rule(Scenario& s) {
    Rule rule;
    rule.first_round = Round(1 + below(5));
    if (below(3) > 0) rule.last_round = Round(rule.first_round.number + below(3));
    if (below(3) > 0) rule.kinds = 1 + below(15);
    if (below(3) > 0) rule.from = seats() | SeatSet::single(seat());
    if (below(3) > 0) rule.to = seats() | SeatSet::single(seat());
    rule.action = static_cast<Action>(below(7));
    if (rule.action == Action::kDelay) rule.delay_ticks = static_cast<std::uint8_t>(below(5));
    if (rule.action == Action::kLate) rule.delay_rounds = static_cast<std::uint8_t>(1 + below(3));
    if (rule.action == Action::kTwice) rule.delay_rounds = static_cast<std::uint8_t>(below(3));
    for (Seat from : cluster_.seats()) {
      if (rule.action == Action::kLinks) rule.reach[index_of(from)] = seats() | SeatSet::single(from);
    }
    const bool is_timely = !s.timing || check_synchrony(rule, *s.timing, cluster_).has_value();
    if (is_timely && check_healing(rule, s, cluster_)) s.rules.push_back(rule);
  }

  Random random_;
  Cluster cluster_;
};

// Compromised nodes and those that lose their memory, beyond f.
int beyond_f(const Scenario& scenario) {
  const Cluster cluster = sound_cluster_of(scenario);
  IdentitySet faulty = cluster.compromised;
  for (const Crash& crash : scenario.crashes) {
    if (!crash.keeps_memory) faulty.insert(cluster.identity(crash.seat));
  }
  return std::max(0, faulty.size() - scenario.fault_count);
}

void check_candidate(const Scenario& smaller, const Scenario& scenario) {
  const int share = scenario.timing ? 2 : 3;
  RC_ASSERT(size_of(smaller) < size_of(scenario));
  RC_ASSERT(check_healing(smaller).has_value());
  RC_ASSERT(check_synchrony(smaller).has_value());
  RC_ASSERT(scenario.node_count <= share * scenario.fault_count || smaller.node_count > share * smaller.fault_count);
  RC_ASSERT(scenario.fault_count == 0 || smaller.fault_count > 0);
  RC_ASSERT(scenario.fault_count > scenario.node_count || smaller.fault_count <= smaller.node_count);
  RC_ASSERT(beyond_f(smaller) <= beyond_f(scenario));
  RC_ASSERT(smaller.timing.has_value() == scenario.timing.has_value());
  RC_ASSERT(smaller.steps.has_value() == scenario.steps.has_value());
  for (const Crash& crash : smaller.crashes) RC_ASSERT(crash.down_from < crash.up_from);
  for (const Rule& rule : smaller.rules) RC_ASSERT(rule.action != Action::kLate || rule.delay_rounds > 0);
}

TEST(Candidates, OfAnyScenarioAreSmallerAndSoundAndEndSomewhere) {
  const auto holds = [](std::uint64_t seed, bool keeps_healing) {
    Drawing drawing(seed);
    Scenario scenario = drawing.scenario();
    RC_PRE(check_healing(scenario).has_value() && check_synchrony(scenario).has_value());
    // Any way down, one candidate after the other, until there is none.
    for (auto all = candidates(scenario, keeps_healing); !all.empty(); all = candidates(scenario, keeps_healing)) {
      for (const Scenario& smaller : all) {
        check_candidate(smaller, scenario);
        RC_ASSERT(!keeps_healing || smaller.heal_rounds == scenario.heal_rounds);
      }
      Scenario chosen = all[drawing.below(static_cast<unsigned>(all.size()))];
      scenario = std::move(chosen);
    }
    RC_ASSERT(scenario.rounds.size() == 1U);
    RC_ASSERT(scenario.rules.empty());
    RC_ASSERT(scenario.crashes.empty());
    RC_ASSERT(scenario.rounds[0].gives_up.empty());
    RC_ASSERT(scenario.rounds[0].receiver_orders.empty());
    RC_ASSERT(!scenario.steps || scenario.steps->empty());
    RC_ASSERT(!scenario.timing || scenario.timing->timers_first.empty());
  };
  rc::detail::TestParams parameters;
  parameters.seed = 1;
  parameters.maxSuccess = kCases;
  const auto result = rc::detail::checkTestable(holds, rc::detail::TestMetadata(), parameters);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

}  // namespace
}  // namespace nika::shrink
