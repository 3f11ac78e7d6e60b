#include "nika/sim/tick_network.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

// The smallest protocol that shows what the clock does: leaders of view 1 send a ping at the start, everybody waits for
// it with a timer of Δ, and whoever is early enough sends it on once.
struct Ping {
  Round view{};
  bool is_endless = false;
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("view", &Ping::view), field("is_endless", &Ping::is_endless)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Ping::unused)}; }
};

struct PingState {
  std::uint8_t in_time = 0;
  std::uint8_t late = 0;
  std::uint8_t expiries = 0;

  static constexpr auto fields() {
    return std::tuple{field("in_time", &PingState::in_time), field("late", &PingState::late),
                      field("expiries", &PingState::expiries)};
  }
};

struct PingProtocol {
  using State = PingState;
  using Message = std::variant<Ping>;
  static constexpr std::string_view kName = "ping";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 2> kBugs{"restarts", "endless"};
  static constexpr unsigned kTimerCount = 3;

  static void start(State&, const Context& context, Outbox<Message>& out) {
    if (context.leads(Round(1))) out.send(context.everyone(), Ping{Round(1), context.bugs == 2, 0});
    out.set_timer(TimerId{2}, context.delta_ticks);
  }
  static void receive(State& state, const Context& context, Identity, const Message& message, Outbox<Message>& out) {
    ++(state.expiries == 0 ? state.in_time : state.late);
    if (context.bugs == 1) out.set_timer(TimerId{2}, context.delta_ticks);
    if (std::get<Ping>(message).is_endless) out.send(context.everyone(), message);
  }
  static void expire(State& state, const Context&, TimerId timer, Outbox<Message>&) {
    EXPECT_EQ(timer, TimerId{2});
    ++state.expiries;
  }
  static Round round_of(const Message& message) { return std::get<Ping>(message).view; }
  static ValueId subject_of(const Message&) { return kGenesis; }
  static Round current_round(const State&) { return Round(1); }
};
static_assert(Protocol<PingProtocol>);

// Three nodes; A leads and has a twin.
Scenario pings(std::vector<Rule> rules = {}) {
  Scenario scenario;
  scenario.node_count = 3;
  scenario.copies = {2};
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.rules = std::move(rules);
  scenario.timing = Timing{2, 10, 0};
  return scenario;
}

struct Play {
  explicit Play(const Scenario& scenario)
      : cluster(cluster_of(scenario, PingProtocol::kBugs).value()),
        network(cluster, only(kAgreement)),
        world(std::make_unique<World<PingProtocol>>()) {
    network.trace = &trace;
    RecordedSchedule schedule(scenario);
    run(network, *world, schedule, outcome);
  }
  const PingState& state(unsigned seat) const { return world->states[seat]; }

  Cluster cluster;
  Trace trace;
  TickNetwork<PingProtocol> network;
  std::unique_ptr<World<PingProtocol>> world;
  Outcome outcome;
};

constexpr Seat kA{0};
constexpr Seat kB{1};
constexpr Seat kC{2};
constexpr Seat kTwin{3};

Rule delay(SeatSet from, SeatSet to, unsigned ticks) {
  Rule rule;
  rule.from = from;
  rule.to = to;
  rule.action = Action::kDelay;
  rule.delay_ticks = static_cast<std::uint8_t>(ticks);
  return rule;
}

TEST(TickNetwork, AMessageThatTakesDeltaIsInTimeForATimerOfDelta) {
  const Play play(pings({delay({kA, kTwin}, {kB}, 2), delay({kA, kTwin}, {kC}, 3)}));
  EXPECT_EQ(play.state(1).in_time, 2);
  EXPECT_EQ(play.state(1).late, 0);
  EXPECT_EQ(play.state(2).in_time, 0);
  EXPECT_EQ(play.state(2).late, 2);
  EXPECT_EQ(play.world->now_tick, 3U);
}

TEST(TickNetwork, WhatNoRuleIsAboutTakesTheDelayOfTheTimingAndOneselfIsHeardAtOnce) {
  Scenario scenario = pings();
  scenario.timing->delay_ticks = 1;
  const Play play(scenario);
  std::vector<std::pair<unsigned, Seat>> deliveries;
  for (const Event& event : play.trace) {
    if (event.kind == EventKind::kDelivered) deliveries.emplace_back(event.time, event.seat);
  }
  const std::vector<std::pair<unsigned, Seat>> expected{{0, kA}, {0, kTwin}, {1, kA}, {1, kB},
                                                        {1, kB}, {1, kC},    {1, kC}, {1, kTwin}};
  std::ranges::sort(deliveries);  // receivers do not notice each other
  EXPECT_EQ(deliveries, expected);
}

TEST(TickNetwork, TheFirstRuleForTheViewOfAMessageDecides) {
  Rule other_view = delay({kA, kTwin}, {kB}, 9);
  other_view.first_round = other_view.last_round = Round(2);
  const Play play(pings({other_view, delay({kA}, {kB}, 1), delay({kA, kTwin}, {kB}, 5)}));
  EXPECT_EQ(play.state(1).in_time, 1);
  EXPECT_EQ(play.state(1).late, 1);
}

// Whether a message that takes Δ is in time for a timer of Δ is for the schedule to say, seat by seat.
TEST(TickNetwork, WhoseTimersAreFirstHearsWhatArrivesInTheSameTickTooLate) {
  Scenario scenario = pings({delay({kA, kTwin}, {kB, kC}, 2)});
  scenario.timing->timers_first = {kB};
  const Play play(scenario);
  EXPECT_EQ(play.state(1).in_time, 0);
  EXPECT_EQ(play.state(1).late, 2);
  EXPECT_EQ(play.state(1).expiries, 1);
  EXPECT_EQ(play.state(2).in_time, 2);
  EXPECT_EQ(play.state(2).expiries, 1);
  // What comes a tick earlier is in time all the same.
  scenario.rules = {delay({kA, kTwin}, {kB, kC}, 1)};
  EXPECT_EQ(Play(scenario).state(1).in_time, 2);
}

TEST(TickNetwork, ATimerThatAMessageOfTheSameTickSetsAgainRunsOutFirstOnlyIfTimersAreFirst) {
  Scenario scenario = pings({delay({kA, kTwin}, {kB}, 2)});
  scenario.bugs = {"restarts"};
  EXPECT_EQ(Play(scenario).state(1).expiries, 1);
  EXPECT_EQ(Play(scenario).world->now_tick, 4U);
  scenario.timing->timers_first = {kB};
  EXPECT_EQ(Play(scenario).state(1).expiries, 2);  // at tick 2 and, set again by what came then, at tick 4
}

TEST(TickNetwork, ARepeatedMessageArrivesTwiceAtOnce) {
  Rule twice = delay({kA}, {kB}, 0);
  twice.action = Action::kTwice;
  const Play play(pings({twice, delay({kTwin}, {kB}, 3)}));
  EXPECT_EQ(play.state(1).in_time, 2);
  EXPECT_EQ(play.state(1).late, 1);
}

TEST(TickNetwork, EveryDeliveryRefersToASendingOfItsSender) {
  const Play play(pings({delay({kA}, {kB}, 1), delay({kTwin}, {kC}, 4)}));
  std::vector<const Event*> sent;
  unsigned delivered = 0;
  for (const Event& event : play.trace) {
    if (event.kind == EventKind::kSent) sent.push_back(&event);
    if (event.kind != EventKind::kDelivered) continue;
    ++delivered;
    ASSERT_GE(event.message, 1U);
    ASSERT_LE(event.message, sent.size());
    EXPECT_EQ(sent[event.message - 1]->message, event.message);
    EXPECT_EQ(sent[event.message - 1]->seat, event.peer);
    EXPECT_LE(sent[event.message - 1]->time, event.time);
  }
  EXPECT_EQ(sent.size(), 2U);
  EXPECT_EQ(delivered, 8U);
}

TEST(TickNetwork, ATimerThatIsSetAgainStartsAgain) {
  Scenario scenario = pings({delay({kA}, {kB}, 1), delay({kTwin}, {kB}, 2)});
  scenario.bugs = {"restarts"};
  const Play play(scenario);
  EXPECT_EQ(play.state(1).in_time, 2);
  EXPECT_EQ(play.state(1).expiries, 1);
  EXPECT_EQ(play.world->now_tick, 4U);
}

TEST(TickNetwork, TheRunEndsWithItsTime) {
  Scenario scenario = pings({delay({kA}, {kB}, 7)});
  scenario.timing->ticks = 6;
  const Play play(scenario);
  EXPECT_EQ(play.state(1).in_time, 1);
  EXPECT_EQ(play.state(1).late, 0);
  EXPECT_EQ(play.world->pending_count, 1U);
}

TEST(TickNetwork, AProtocolThatNeverComesToRestIsUnknown) {
  Scenario scenario = pings();
  scenario.bugs = {"endless"};
  const Play play(scenario);
  EXPECT_EQ(play.outcome.verdict(), Verdict::kUnknown);
  EXPECT_EQ(play.outcome.judgements[0].unjudged, Unjudged::kOverflow);
}

TEST(TickNetwork, MoreMessagesThanFitAreUnknown) {
  Scenario scenario = pings();
  scenario.bugs = {"endless"};
  scenario.timing->delay_ticks = 1;
  scenario.timing->ticks = 250;
  const Play play(scenario);
  EXPECT_EQ(play.outcome.verdict(), Verdict::kUnknown);
  EXPECT_EQ(play.outcome.judgements[0].unjudged, Unjudged::kOverflow);
}

TEST(TickNetwork, OnlyWhatConcernsACompromisedSeatMayTakeLongerThanDelta) {
  EXPECT_TRUE(check_synchrony(pings({delay({kA, kTwin}, {kB, kC}, 9)})).has_value());
  EXPECT_TRUE(check_synchrony(pings({delay({kB}, {kA, kTwin}, 9)})).has_value());
  EXPECT_TRUE(check_synchrony(pings({delay({kB}, {kC}, 2)})).has_value());
  const auto late = check_synchrony(pings({delay({kB}, {kA, kC}, 3)}));
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().message,
            "messages between honest seats take at most delta = 2 ticks in a synchronous network, but this rule keeps "
            "messages of B from C");
  Rule drop = delay({kB, kC}, {kB, kC}, 0);
  drop.action = Action::kDrop;
  EXPECT_FALSE(check_synchrony(pings({drop})).has_value());
  Scenario parted = pings();
  parted.rounds[0].partition.block_of = {0, 0, 1, 1};
  EXPECT_FALSE(check_synchrony(parted).has_value());
  Scenario slow = pings();
  slow.timing->delay_ticks = 3;
  EXPECT_FALSE(check_synchrony(slow).has_value());
}

}  // namespace
}  // namespace nika
