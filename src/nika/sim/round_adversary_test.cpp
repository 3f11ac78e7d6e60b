// What a schedule may do to a network round besides parting it, shown with the smallest protocol that can tell.
#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

// Leaders send a beacon in their round; who hears it answers and goes to the next round. Who waits too long goes there
// as well. Every replica remembers what it heard, in its order.
struct Beacon {
  Round round{};
  ValueId value{};
  static constexpr auto fields() { return std::tuple{field("round", &Beacon::round), field("value", &Beacon::value)}; }
};
struct Answer {
  Round round{};
  static constexpr auto fields() { return std::tuple{field("round", &Answer::round)}; }
};

struct BeaconState {
  Round round{1};
  std::uint8_t expiries = 0;
  BoundedVector<ValueId, 32> heard{};
  BoundedVector<Identity, 128> answers{};
  static constexpr auto fields() {
    return std::tuple{field("round", &BeaconState::round), field("expiries", &BeaconState::expiries),
                      field("heard", &BeaconState::heard), field("answers", &BeaconState::answers)};
  }
};

struct Beacons {
  using State = BeaconState;
  using Message = std::variant<Beacon, Answer>;
  static constexpr std::string_view kName = "beacons";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 0> kBugs{};
  static constexpr unsigned kTimerCount = 1;

  static void enter(const State& state, const Context& context, Outbox<Message>& out) {
    if (context.leads(state.round)) out.send(context.everyone(), Beacon{state.round, context.fresh_value(state.round)});
    out.set_timer(TimerId{0}, 4);
  }
  static void start(State& state, const Context& context, Outbox<Message>& out) { enter(state, context, out); }
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out) {
    if (!std::holds_alternative<Beacon>(message)) {
      if (!state.answers.push_back(from)) out.report_overflow();
      return;
    }
    const Beacon& beacon = std::get<Beacon>(message);
    if (!state.heard.push_back(beacon.value)) out.report_overflow();
    out.send(IdentitySet::single(from), Answer{beacon.round});
    if (beacon.round < state.round) return;
    state.round = beacon.round.next();
    enter(state, context, out);
  }
  static void expire(State& state, const Context& context, TimerId, Outbox<Message>& out) {
    ++state.expiries;
    state.round = state.round.next();
    enter(state, context, out);
  }
  static Round round_of(const Message& message) {
    return std::visit([](const auto& m) { return m.round; }, message);
  }
  static ValueId subject_of(const Message& message) {
    return std::holds_alternative<Beacon>(message) ? std::get<Beacon>(message).value : kGenesis;
  }
  static Round current_round(const State& state) { return state.round; }
};
static_assert(Protocol<Beacons>);

constexpr Seat kA{0};
constexpr Seat kC{2};
constexpr Seat kD{3};
constexpr Seat kTwin{4};
constexpr std::uint32_t kBeacon = 1;
constexpr std::uint32_t kAnswer = 2;

// Four nodes; A leads every round.
Scenario scenario_of(unsigned rounds, std::vector<Rule> rules = {}) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (RoundPlan& plan : scenario.rounds) plan.leaders = {Identity{0}};
  scenario.rules = std::move(rules);
  return scenario;
}

// Beacons of round 1 to D.
Rule rule(Action action, unsigned delay_rounds) {
  Rule result{.first_round = Round(1), .last_round = Round(1), .kinds = kBeacon, .to = {kD}, .action = action};
  result.delay_rounds = static_cast<std::uint8_t>(delay_rounds);
  return result;
}

struct Play {
  explicit Play(const Scenario& scenario)
      : cluster(cluster_of(scenario, Beacons::kBugs).value()), network(cluster, only(kAgreement)) {
    network.trace = &trace;
    RecordedSchedule schedule(scenario);
    run(network, *world, schedule, outcome);
  }
  const BeaconState& state(Seat seat) const { return world->states[index_of(seat)]; }
  // When beacons of this round reached the seat.
  std::vector<std::uint32_t> arrivals(Seat seat, unsigned round) const {
    std::vector<std::uint32_t> times;
    for (const Event& e : trace) {
      if (e.kind == EventKind::kDelivered && e.seat == seat && e.message_kind == 0 && e.round == Round(round))
        times.push_back(e.time);
    }
    return times;
  }
  std::vector<Event> all(EventKind kind, Seat seat) const {
    std::vector<Event> found;
    std::ranges::copy_if(trace, std::back_inserter(found),
                         [&](const Event& e) { return e.kind == kind && e.seat == seat; });
    return found;
  }

  Cluster cluster;
  Trace trace;
  RoundNetwork<Beacons> network;
  std::unique_ptr<World<Beacons>> world = std::make_unique<World<Beacons>>();
  Outcome outcome;
};

using Times = std::vector<std::uint32_t>;
constexpr ValueId beacon_of(unsigned round, Seat seat = kA) { return {Round(round), seat, 0}; }

TEST(LateMessages, ComeAsManyRoundsLaterAsTheirRuleSays) {
  for (const unsigned late : {1U, 2U, 3U}) {
    const Play play(scenario_of(4, {rule(Action::kLate, late)}));
    EXPECT_EQ(play.arrivals(kD, 1), Times{1 + late});
    EXPECT_EQ(play.arrivals(kC, 1), Times{1});
    const auto put_off = play.all(EventKind::kLate, kA);
    ASSERT_EQ(put_off.size(), 1U);
    EXPECT_EQ(put_off[0].peer, kD);
    EXPECT_EQ(put_off[0].time, 1U);
  }
}

TEST(LateMessages, AreLostWithTheRunIfItEndsBefore) {
  const Play play(scenario_of(4, {rule(Action::kLate, 4)}));
  EXPECT_EQ(play.arrivals(kD, 1), Times{});
  EXPECT_EQ(play.world->pending_count, 1U);
}

TEST(LateMessages, CrossThePartitionOfTheRoundInWhichTheyArrive) {
  Scenario scenario = scenario_of(3, {rule(Action::kLate, 2)});
  scenario.rounds[2].partition.block_of = {0, 0, 0, 1};
  const Play play(scenario);
  EXPECT_EQ(play.arrivals(kD, 1), Times{3});
  EXPECT_EQ(play.arrivals(kD, 3), Times{});  // what is sent in that round does not
}

// Also out of a block in which the receiver was when it was sent, and without any rule in force when it arrives.
TEST(LateMessages, OfAPartedRoundArriveByTheirRuleAndNotByTheLinks) {
  Scenario scenario = scenario_of(3, {rule(Action::kLate, 1)});
  scenario.rounds[0].partition.block_of = {0, 0, 0, 1};
  scenario.rounds[1].partition.block_of = {0, 1, 2, 3};
  EXPECT_EQ(Play(scenario).arrivals(kD, 1), Times{2});
}

TEST(LateMessages, OfAnOldViewAreStillHandled) {
  const Play play(scenario_of(4, {rule(Action::kLate, 3)}));
  const auto& heard = play.state(kD).heard;
  EXPECT_EQ(std::vector(heard.begin(), heard.end()),
            (std::vector{beacon_of(2), beacon_of(3), beacon_of(4), beacon_of(1)}));  // later rounds come first
  EXPECT_EQ(play.state(kD).round, Round(5));
}

TEST(LateMessages, ReachASeatThatIsDownThenNeverAgain) {
  Scenario scenario = scenario_of(4, {rule(Action::kLate, 1)});
  scenario.crashes = {{kD, Round(2), Round(3), true}};
  EXPECT_EQ(Play(scenario).arrivals(kD, 1), Times{});
}

TEST(RepeatedMessages, ComeAtOnceAndAgainAfterSoManyRounds) {
  for (const unsigned later : {0U, 1U, 3U}) {
    const Play play(scenario_of(4, {rule(Action::kTwice, later)}));
    EXPECT_EQ(play.arrivals(kD, 1), (Times{1, 1 + later}));
    EXPECT_EQ(play.arrivals(kC, 1), Times{1});
    const auto repeated = play.all(EventKind::kRepeated, kA);
    ASSERT_EQ(repeated.size(), 1U);
    EXPECT_EQ(repeated[0].peer, kD);
  }
}

// A second copy in the same round comes when all that came with the first one has been handled.
TEST(RepeatedMessages, OfTheSameRoundComeAfterAllElse) {
  const Play play(scenario_of(1, {rule(Action::kTwice, 0)}));
  const auto delivered = play.all(EventKind::kDelivered, kD);
  ASSERT_EQ(delivered.size(), 2U);
  EXPECT_EQ(delivered[0].message, delivered[1].message);
  EXPECT_EQ(play.state(kA).answers.size(), 5U);
  EXPECT_EQ(play.state(kA).answers.back(), Identity{3});
  EXPECT_EQ(play.state(kD).round, Round(2));
}

TEST(EarlyTimeouts, RunOutBeforeAnythingOfTheRoundArrivesAndOnce) {
  Scenario scenario = scenario_of(2);
  scenario.rounds[1].gives_up = {kC, kD};
  const Play play(scenario);
  EXPECT_EQ(play.state(kD).expiries, 1);
  EXPECT_EQ(play.state(Seat{1}).expiries, 0);
  const auto expired = play.all(EventKind::kExpired, kD);
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_EQ(expired[0].time, 2U);
  EXPECT_EQ(expired[0].round, Round(2));
  const auto first = [&](EventKind kind) {
    return std::ranges::find_if(play.trace,
                                [&](const Event& e) { return e.kind == kind && e.seat == kD && e.time == 2; });
  };
  EXPECT_LT(first(EventKind::kExpired), first(EventKind::kDelivered));
  EXPECT_EQ(play.arrivals(kD, 2), Times{2});  // it hears the beacon of the round that it gave up on
}

TEST(EarlyTimeouts, OfASeatThatIsDownDoNothing) {
  Scenario scenario = scenario_of(2);
  scenario.rounds[1].gives_up = {kD};
  scenario.crashes = {{kD, Round(2), Round(3), true}};
  EXPECT_EQ(Play(scenario).state(kD).expiries, 0);
}

// In a block of its own too: who gives up need not be in the first one.
TEST(EarlyTimeouts, HappenInEveryBlock) {
  Scenario scenario = scenario_of(1);
  scenario.rounds[0].partition.block_of = {0, 1, 0, 2};
  scenario.rounds[0].gives_up = {kA, kC, kD};
  const Play play(scenario);
  for (const Seat seat : {kA, kC, kD}) EXPECT_EQ(play.state(seat).expiries, 1);
}

TEST(ReceiverOrders, ConcernTheirReceiverAlone) {
  Scenario scenario = scenario_of(1);
  scenario.copies = {2};
  scenario.rounds[0].receiver_orders = {{kC, Order::reversed(5)}};
  const Play play(scenario);
  const auto heard = [&](Seat seat) {
    return std::vector(play.state(seat).heard.begin(), play.state(seat).heard.end());
  };
  EXPECT_EQ(heard(kC), (std::vector{beacon_of(1, kTwin), beacon_of(1)}));
  EXPECT_EQ(heard(kD), (std::vector{beacon_of(1), beacon_of(1, kTwin)}));
  EXPECT_EQ(heard(kTwin), (std::vector{beacon_of(1, kTwin), beacon_of(1)}));  // its own first
}

TEST(ReceiverOrders, OwnFirstIsPartOfTheOrder) {
  Scenario scenario = scenario_of(1);
  scenario.copies = {2};
  Order others_first = Order::fifo();
  others_first.own_first = false;
  scenario.rounds[0].receiver_orders = {{kTwin, others_first}};
  const auto heard = Play(scenario).state(kTwin).heard;
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0], beacon_of(1));
}

// All receivers with an order of their own are as if the round had that order.
TEST(ReceiverOrders, OfAllAreTheOrderOfTheRound) {
  for (const Order& order : {Order::fifo(), Order::reversed(5)}) {
    Scenario scenario = scenario_of(3);
    scenario.copies = {2};
    Scenario one_by_one = scenario;
    for (RoundPlan& plan : scenario.rounds) plan.order = order;
    for (RoundPlan& plan : one_by_one.rounds) {
      for (unsigned s = 0; s < 5; ++s) plan.receiver_orders.push_back({static_cast<Seat>(s), order});
    }
    const Play together(scenario);
    const Play apart(one_by_one);
    for (unsigned s = 0; s < 5; ++s) {
      const auto seat = static_cast<Seat>(s);
      EXPECT_EQ(together.state(seat).heard, apart.state(seat).heard);
      EXPECT_EQ(together.state(seat).round, apart.state(seat).round);
    }
  }
}

TEST(Crashes, ASeatThatComesBackAndCrashesInOneRoundIsDown) {
  Scenario scenario = scenario_of(6);
  scenario.crashes = {{kD, Round(2), Round(4), true}, {kD, Round(4), Round(6), true}};
  const Play play(scenario);
  EXPECT_EQ(play.all(EventKind::kRecovered, kD).size(), 2U);
  EXPECT_EQ(play.all(EventKind::kCrashed, kD).size(), 2U);
  std::vector<std::uint32_t> times;
  for (const Event& e : play.all(EventKind::kDelivered, kD)) times.push_back(e.time);
  EXPECT_EQ(times, (Times{1, 6}));
  EXPECT_TRUE(play.world->down.empty());
}

TEST(Crashes, OneSeatMayComeBackInTheRoundInWhichAnotherCrashes) {
  Scenario scenario = scenario_of(4);
  scenario.crashes = {{kC, Round(1), Round(3), true}, {kD, Round(3), Round(5), true}};
  const Play play(scenario);
  EXPECT_EQ(play.arrivals(kC, 3), Times{3});
  EXPECT_EQ(play.arrivals(kD, 3), Times{});
  EXPECT_EQ(play.world->down, SeatSet{kD});
}

TEST(Crashes, WhoForgetsTwiceIsInItsThirdLife) {
  Scenario scenario = scenario_of(6);
  scenario.crashes = {{kD, Round(2), Round(4), false}, {kD, Round(4), Round(6), false}};
  const Play play(scenario);
  EXPECT_EQ(play.world->incarnation[3], 2);
  EXPECT_EQ(play.world->amnesiac, SeatSet{kD});
  EXPECT_EQ(play.state(kD).heard.size(), 1U);  // the beacon of round 6
}

// A leader that begins again sends the beacon of its first round again, another one than in its first life.
TEST(Crashes, WhatARestartedSeatSendsIsHeardInTheSameRoundInItsOwnBlockOnly) {
  Scenario scenario = scenario_of(3);
  scenario.crashes = {{kA, Round(2), Round(3), false}};
  scenario.rounds[2].partition.block_of = {0, 0, 1, 1};
  const Play play(scenario);
  EXPECT_EQ(play.arrivals(Seat{1}, 1), (Times{1, 3}));
  EXPECT_EQ(play.arrivals(kC, 1), Times{1});
  EXPECT_EQ(play.state(Seat{1}).heard[1], beacon_of(2));  // sent before it crashed
  EXPECT_EQ(play.state(Seat{1}).heard[2], ValueId(Round(1), kA, 1));
}

TEST(Traces, EveryDeliveryRefersToASendingOfItsSender) {
  Scenario scenario = scenario_of(6, {rule(Action::kLate, 2)});
  scenario.copies = {2};
  Rule twice = rule(Action::kTwice, 1);
  twice.first_round = twice.last_round = Round(3);
  Rule withheld = rule(Action::kWithhold, 0);
  withheld.first_round = withheld.last_round = Round(4);
  scenario.rules.push_back(twice);
  scenario.rules.push_back(withheld);
  scenario.rounds[4].partition.block_of = {0, 0, 1, 1, 1};
  scenario.heal_rounds = 2;
  scenario.heal_leaders = {Identity{0}};
  const Play play(scenario);
  std::vector<Event> sent;
  unsigned delivered = 0;
  for (const Event& event : play.trace) {
    if (event.kind == EventKind::kSent) {
      EXPECT_EQ(event.message, sent.size() + 1);
      sent.push_back(event);
    }
    const bool is_about_a_message = event.kind >= EventKind::kDelivered && event.kind <= EventKind::kRepeated;
    if (!is_about_a_message) continue;
    ASSERT_TRUE(event.message >= 1 && event.message <= sent.size());
    const Event& of = sent[event.message - 1];
    EXPECT_EQ(of.seat, event.kind == EventKind::kDelivered ? event.peer : event.seat);
    EXPECT_EQ(of.message_kind, event.message_kind);
    EXPECT_EQ(of.value, event.value);
    EXPECT_LE(of.time, event.time);
    delivered += event.kind == EventKind::kDelivered ? 1U : 0U;
  }
  EXPECT_EQ(delivered, play.outcome.delivered);
  EXPECT_FALSE(play.outcome.overflowed);
}

TEST(Traces, TimeIsTheNetworkRoundAndNoRunNumbersMessagesThatNobodyListensTo) {
  const Scenario scenario = scenario_of(2);
  const Play play(scenario);
  EXPECT_EQ(play.all(EventKind::kSent, kA)[0].time, 0U);  // before the first round
  std::uint32_t now = 0;
  for (const Event& event : play.trace) {
    if (event.kind == EventKind::kNetworkRound) now = event.round.number;
    EXPECT_EQ(event.time, now);
  }
  RoundNetwork<Beacons> silent(play.cluster, only(kAgreement));
  auto world = std::make_unique<World<Beacons>>();
  RecordedSchedule schedule(scenario);
  Outcome outcome;
  run(silent, *world, schedule, outcome);
  EXPECT_EQ(world->sent_count, 0U);
  EXPECT_EQ(world->states[3].heard, play.state(kD).heard);
}

// Rules decide first, then the links of the kind of message, never those of the partition.
TEST(KindLinks, AndRulesTogether) {
  class Linked final : public Schedule {
   public:
    explicit Linked(std::vector<Rule> rules) : rules_(std::move(rules)) {
      begin(4, 1, 0);
      leaders_.fill(IdentitySet{Identity{0}});
      parted_ = links_of(Partition{.block_of = {0, 1, 2, 3}}, 4);
      kinds_[0] = {SeatSet{kA, Seat{1}, kC}, {Seat{1}}, {kC}, {kD}};  // beacons: A reaches B and C
      kinds_[1] = {SeatSet{kA}, {kA, Seat{1}}, {kC}, {kA, kD}};       // answers: B and D reach A
    }

   private:
    void choose(Round, RoundAnswers& answers) override {
      answers.links = &parted_;
      answers.kind_links = &kinds_;
      answers.order = &heal_order_;
      answers.rules = rules_;
    }
    std::vector<Rule> rules_;
    Links parted_;
    KindLinks kinds_{};
  };
  const auto run_with = [](std::vector<Rule> rules) {
    const Cluster cluster = *make_cluster(4, {});
    RoundNetwork<Beacons> network(cluster, only(kAgreement));
    auto world = std::make_unique<World<Beacons>>();
    Linked schedule(std::move(rules));
    Outcome outcome;
    run(network, *world, schedule, outcome);
    IdentitySet answered;
    for (const Identity identity : world->states[0].answers) answered.insert(identity);
    std::array<std::size_t, 4> heard{};
    for (unsigned s = 0; s < 4; ++s) heard[s] = world->states[s].heard.size();
    return std::pair(heard, answered);
  };
  using Heard = std::array<std::size_t, 4>;
  EXPECT_EQ(run_with({}), std::pair(Heard{1, 1, 1, 0}, IdentitySet({Identity{0}, Identity{1}})));
  const Rule to_d{.kinds = kBeacon, .to = {kD}, .action = Action::kDeliver};
  EXPECT_EQ(run_with({to_d}), std::pair(Heard{1, 1, 1, 1}, IdentitySet({Identity{0}, Identity{1}, Identity{3}})));
  const Rule mute_b{.kinds = kAnswer, .from = {Seat{1}}, .action = Action::kDrop};
  EXPECT_EQ(run_with({mute_b, to_d}), std::pair(Heard{1, 1, 1, 1}, IdentitySet({Identity{0}, Identity{3}})));
}

}  // namespace
}  // namespace nika
