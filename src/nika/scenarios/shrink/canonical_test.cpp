// That nothing of a scenario is forgotten: neither when it moves to other seats nor in the form that names its class.
#include "nika/scenarios/shrink/canonical.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "nika/base/random.hpp"
#include "nika/scenarios/shrink/reseat.hpp"

namespace nika::shrink {
namespace {

// The first to handle is a node that is never compromised, so that no names make it fifo or reversed.
Order order_of(std::array<std::uint8_t, 7> ranks, bool own_first) {
  Order order;
  std::ranges::copy(ranks, order.rank.begin());
  order.own_first = own_first;
  return order;
}

Rule late_rule() {
  return {.first_round = Round(1),
          .last_round = Round(2),
          .kinds = 0b101,
          .from = {Seat{2}, Seat{5}},
          .to = {Seat{0}, Seat{3}},
          .action = Action::kLate,
          .delay_ticks = 3,
          .delay_rounds = 2,
          .note = "late"};
}

Rule links_rule() {
  Rule rule{.first_round = Round(2), .last_round = Round(3), .kinds = 0b10, .action = Action::kLinks};
  for (unsigned s = 0; s < 7; ++s) rule.reach[s] = {static_cast<Seat>(s), static_cast<Seat>((s * s + 1) % 7)};
  return rule;
}

// A B C D E A' B' with every member of every part set to something of its own. No run needs all of them at once.
Scenario full_scenario() {
  Scenario scenario;
  scenario.about = "everything";
  scenario.protocol = "some";
  scenario.bugs = {"one", "other"};
  scenario.node_count = 5;
  scenario.fault_count = 2;
  scenario.copies = {2, 2};
  scenario.unls = {{}, {}, {Identity{0}, Identity{2}, Identity{3}}, {}, {Identity{1}, Identity{4}}};
  scenario.inputs = {"x", "", "y", "x", "", "y", ""};
  RoundPlan first{.leaders = {Identity{0}, Identity{3}}, .partition = {{0, 1, 0, 1, 2, 2, 0}}, .order = {}};
  first.order = order_of({3, 2, 0, 1, 6, 4, 5}, true);
  first.receiver_orders = {{Seat{6}, order_of({4, 5, 6, 0, 1, 2, 3}, false)},
                           {Seat{2}, order_of({2, 3, 0, 1, 4, 5, 6}, true)}};
  first.gives_up = {Seat{1}, Seat{4}};
  first.note = "first";
  RoundPlan second{.leaders = {}, .partition = {{0, 0, 1, 1, 0, 0, 1}}, .order = Order::reversed(7)};
  second.gives_up = {Seat{3}};
  scenario.rounds = {first, second};
  scenario.heal_rounds = 3;
  scenario.heal_leaders = {Identity{3}, Identity{0}, Identity{2}};
  scenario.heal_order = order_of({1, 3, 5, 0, 2, 4, 6}, false);
  scenario.rules = {late_rule(), links_rule()};
  scenario.crashes = {{Seat{4}, Round(1), Round(3), false}, {Seat{6}, Round(1), Round(2), true}};
  scenario.timing = Timing{.delta_ticks = 4, .ticks = 30, .delay_ticks = 1, .timers_first = {Seat{2}, Seat{6}}};
  scenario.steps = std::vector<Step>{{3, Seat{1}, Seat{4}}, {.to = Seat{5}, .timer = 1}, {2, Seat{6}, Seat{6}}};
  scenario.coins = {0, 1, 1};
  scenario.turns = {{.before = {{2, 3, Seat{4}, {Seat{0}, Seat{6}}}},
                     .after = {{{{1, 1, Seat{2}, {Seat{5}}}}, {{4, 2, Seat{6}, {Seat{3}, Seat{4}}}}}},
                     .next = {1, 1},
                     .note = "turn"},
                    {}};
  scenario.liars = {Identity{2}};
  scenario.outages = {{5, {{0, 1, 1, 0, 2, 0, 1}}, false}};
  scenario.lies = {{7, Seat{2}, 3, {Seat{1}, Seat{5}}, 2, Twist::kSeen, 4}};
  scenario.lies_go_on = scenario.faults_count_messages = true;
  return scenario;
}

// Taking the parts apart by name, so that a member that is added does not compile here before it is set above.
TEST(Reseated, CarriesEveryMember) {
  const Scenario full = full_scenario();
  const Scenario none;
  const auto& [about, protocol, bugs, nodes, faults, copies, clients, unls, inputs, rounds, heal_rounds, heal_leaders,
               heal_order, rules, crashes, timing, steps, coins, turns, liars, outages, lies, lies_go_on,
               faults_count_messages] = full;
  EXPECT_TRUE(about != none.about && protocol != none.protocol && bugs != none.bugs && nodes != none.node_count &&
              faults != none.fault_count && copies != none.copies && unls != none.unls && inputs != none.inputs &&
              heal_rounds != none.heal_rounds && heal_leaders != none.heal_leaders && heal_order != none.heal_order &&
              crashes != none.crashes && timing && steps && liars != none.liars && lies_go_on && faults_count_messages);
  EXPECT_TRUE(coins != none.coins && turns != none.turns);
  const auto& [before, after, next, turn_note] = turns[0];
  EXPECT_TRUE(!before.empty() && !after[0].empty() && !after[1].empty() && next != CoinTurn{}.next &&
              turn_note != CoinTurn{}.note);
  const auto& [outage_round, parted, withholds] = outages[0];
  EXPECT_TRUE(outage_round != Outage{}.protocol_round && parted != Outage{}.partition && !withholds);
  const auto& [lie_round, liar, lie_kind, told, field, twist, argument] = lies[0];
  EXPECT_TRUE(lie_round != Lie{}.protocol_round && liar != Lie{}.from && lie_kind != 0 && !told.empty() && field != 0 &&
              twist != Lie{}.twist && argument != 0);
  const RoundPlan no_plan{};
  const auto& [leaders, partition, order, receiver_orders, gives_up, note] = rounds[0];
  EXPECT_TRUE(leaders != no_plan.leaders && partition != no_plan.partition && order != no_plan.order &&
              receiver_orders != no_plan.receiver_orders && gives_up != no_plan.gives_up && note != no_plan.note);
  const Rule no_rule;
  const auto& [first_round, last_round, kinds, from, to, action, delay_ticks, delay_rounds, no_reach, rule_note] =
      rules[0];
  EXPECT_TRUE(last_round != no_rule.last_round && kinds != no_rule.kinds && from != no_rule.from && to != no_rule.to &&
              action != no_rule.action && delay_ticks != no_rule.delay_ticks && delay_rounds != no_rule.delay_rounds &&
              rule_note != no_rule.note);
  EXPECT_TRUE(rules[1].first_round != no_rule.first_round && rules[1].reach != no_rule.reach);
  const auto& [delta, ticks, delay, timers_first] = *timing;
  EXPECT_TRUE(delta != Timing{}.delta_ticks && ticks != Timing{}.ticks && delay != Timing{}.delay_ticks &&
              timers_first != Timing{}.timers_first);
  EXPECT_EQ(reseated(full, unmoved(full)), full);
}

// One of all names that the nodes and seats of a scenario may have as well.
Scenario renamed(const Scenario& scenario, Random& random) {
  const Cluster cluster = sound_cluster_of(scenario);
  Reseating reseating = unmoved(scenario);
  const auto shuffle = [&](auto& names) {
    for (std::size_t left = names.size(); left > 1; --left) std::swap(names[left - 1], names[random.below(left)]);
  };
  for (int copies = 1; copies <= 4; ++copies) {
    std::vector<Identity> alike;
    for (Identity id : cluster.identities()) {
      if (cluster.seats_of_identity(id).size() == copies) alike.push_back(id);
    }
    std::vector<Identity> names = alike;
    shuffle(names);
    for (std::size_t i = 0; i < alike.size(); ++i) {
      reseating.identity[index_of(alike[i])] = names[i];
      std::vector<Seat> places;
      for (Seat seat : cluster.seats_of_identity(names[i])) places.push_back(seat);
      shuffle(places);
      auto place = places.begin();
      for (Seat seat : cluster.seats_of_identity(alike[i])) reseating.seat[index_of(seat)] = *place++;
    }
  }
  return reseated(scenario, reseating);
}

TEST(CanonicalForm, OfEverythingIsTheSameUnderAllNames) {
  const Scenario full = full_scenario();
  const Scenario form = canonical_form(full);
  EXPECT_EQ(canonical_form(form), form);
  Random random(1);
  unsigned moved = 0;
  for (int i = 0; i < 500; ++i) {
    const Scenario other = renamed(full, random);
    moved += other == full ? 0 : 1;
    ASSERT_EQ(canonical_form(other), form);
  }
  EXPECT_GT(moved, 450U);  // 1 of 48 renamings is none
}

using Change = std::function<void(Scenario&)>;

void expect_told_apart(const std::vector<Change>& changes) {
  const Scenario full = full_scenario();
  std::vector<Scenario> forms{canonical_form(full)};
  for (const Change& change : changes) {
    Scenario changed = full;
    change(changed);
    forms.push_back(canonical_form(changed));
  }
  for (std::size_t i = 0; i < forms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(forms[i], forms[j]) << "changes " << j << " and " << i;
  }
}

TEST(CanonicalForm, TellsApartWhateverDiffersInOneField) {
  const std::vector<Change> changes{
      [](Scenario& s) { s.protocol = "another"; },
      [](Scenario& s) { s.bugs.pop_back(); },
      [](Scenario& s) { s.fault_count = 1; },
      [](Scenario& s) { s.inputs[0] = "z"; },
      [](Scenario& s) { s.inputs.clear(); },
      [](Scenario& s) { s.rounds.pop_back(); },
      [](Scenario& s) { s.rounds[0].leaders = {Identity{0}}; },
      [](Scenario& s) { s.rounds[0].partition.block_of[4] = 0; },
      [](Scenario& s) { std::swap(s.rounds[0].order.rank[2], s.rounds[0].order.rank[3]); },
      [](Scenario& s) { s.rounds[0].order.own_first = false; },
      [](Scenario& s) { s.rounds[0].receiver_orders.pop_back(); },
      [](Scenario& s) { s.rounds[0].receiver_orders[0].receiver = Seat{5}; },
      [](Scenario& s) { s.rounds[0].receiver_orders[0].order.own_first = true; },
      [](Scenario& s) { s.rounds[0].gives_up.erase(Seat{4}); },
      [](Scenario& s) { s.heal_rounds = 4; },
      [](Scenario& s) { s.heal_leaders[2] = Identity{4}; },
      [](Scenario& s) { std::swap(s.heal_order.rank[3], s.heal_order.rank[4]); },
      [](Scenario& s) { s.heal_order.own_first = true; },
      [](Scenario& s) { std::swap(s.rules[0], s.rules[1]); },
      [](Scenario& s) { s.rules[1].first_round = Round(1); },
      [](Scenario& s) { s.rules[0].last_round = Round(3); },
      [](Scenario& s) { s.rules[0].kinds = 0b111; },
      [](Scenario& s) { s.rules[0].from.erase(Seat{2}); },
      [](Scenario& s) { s.rules[0].to.erase(Seat{3}); },
      [](Scenario& s) { s.rules[0].action = Action::kTwice; },
      [](Scenario& s) { s.rules[0].delay_ticks = 4; },
      [](Scenario& s) { s.rules[0].delay_rounds = 1; },
      [](Scenario& s) { s.rules[1].reach[3].insert(Seat{5}); },
      [](Scenario& s) { s.crashes[0].seat = Seat{3}; },
      [](Scenario& s) { s.crashes[0].down_from = Round(2); },
      [](Scenario& s) { s.crashes[0].up_from = Round(4); },
      [](Scenario& s) { s.crashes[0].keeps_memory = true; },
      [](Scenario& s) { s.timing.reset(); },
      [](Scenario& s) { s.timing->delta_ticks = 5; },
      [](Scenario& s) { s.timing->ticks = 31; },
      [](Scenario& s) { s.timing->delay_ticks = 2; },
      [](Scenario& s) { s.timing->timers_first.erase(Seat{2}); },
      [](Scenario& s) { s.steps.reset(); },
      [](Scenario& s) { s.steps->pop_back(); },
      [](Scenario& s) { s.steps->at(0).message = 4; },
      [](Scenario& s) { s.steps->at(0).to = Seat{3}; },
      [](Scenario& s) { s.steps->at(0).from = Seat{3}; },
      [](Scenario& s) { s.steps->at(1).timer = 0; },
      [](Scenario& s) { s.steps->at(1).says = Saying{}; },
      [](Scenario& s) { s.steps->at(1).says = Saying{1, {0}}; },
      [](Scenario& s) { s.steps->at(1).says = Saying{0, {1}}; },
      [](Scenario& s) { std::swap(s.steps->at(0), s.steps->at(1)); },
  };
  expect_told_apart(changes);
}

TEST(CanonicalForm, TellsApartCoinsAndTurns) {
  expect_told_apart({
      [](Scenario& s) { s.coins[0] = 1; },
      [](Scenario& s) { s.turns.pop_back(); },
      [](Scenario& s) { s.turns[0].before.clear(); },
      [](Scenario& s) { s.turns[0].before[0].kind = 1; },
      [](Scenario& s) { s.turns[0].before[0].number = 1; },
      [](Scenario& s) { s.turns[0].before[0].from = Seat{3}; },
      [](Scenario& s) { s.turns[0].before[0].to.erase(Seat{0}); },
      [](Scenario& s) { std::swap(s.turns[0].after[0], s.turns[0].after[1]); },
      [](Scenario& s) { s.turns[0].next[1] = 0; },
  });
}

TEST(CanonicalForm, TellsFifoFromAnOrderThatOtherNamesWouldMakeFifo) {
  Scenario fifo;
  fifo.copies = {2};
  fifo.rounds = {{IdentitySet{Identity{0}}, {}, Order::fifo()}};
  fifo.rules = {{.from = {Seat{3}}}};
  Scenario swapped = fifo;
  std::swap(swapped.rounds[0].order.rank[1], swapped.rounds[0].order.rank[3]);  // fifo if B were D and D were B
  EXPECT_NE(canonical_form(fifo), canonical_form(swapped));
  EXPECT_EQ(canonical_form(canonical_form(swapped)), canonical_form(swapped));
}

}  // namespace
}  // namespace nika::shrink
