#include "nika/sim/step_network.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/termination.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

using bracha::Bracha;

// A broadcasts to three others; steps as given.
Scenario scenario_of(std::vector<Step> steps) {
  Scenario scenario;
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.steps = std::move(steps);
  return scenario;
}

struct Play {
  explicit Play(const std::vector<Step>& steps)
      : scenario(scenario_of(steps)), schedule(scenario), network(make_cluster(4, {}).value(), only(kTermination)) {
    network.trace = &trace;
    run(network, *world, schedule, outcome);
  }
  std::vector<Step> choices() {
    std::vector<Step> result;
    for (const StepChoice& choice : network.choices_of(*world)) result.push_back({choice.message, choice.to});
    return result;
  }

  Scenario scenario;
  RecordedSchedule schedule;
  Trace trace;
  StepNetwork<Bracha> network;
  std::unique_ptr<World<Bracha>> world = std::make_unique<World<Bracha>>();
  Outcome outcome;
};

constexpr Seat kA{0};
constexpr Seat kB{1};
constexpr Seat kC{2};
constexpr Seat kD{3};

TEST(StepNetwork, WhatWasSentWaitsForEachReceiverAndTimersForTheirSeats) {
  Play start({});
  EXPECT_EQ(start.choices(),
            (std::vector<Step>{{1, kA}, {1, kB}, {1, kC}, {1, kD}, {0, kA}, {0, kB}, {0, kC}, {0, kD}}));
  Play one({{1, kC}});  // C echoes to all
  EXPECT_EQ(one.choices(),
            (std::vector<Step>{
                {1, kA}, {1, kB}, {1, kD}, {2, kA}, {2, kB}, {2, kC}, {2, kD}, {0, kA}, {0, kB}, {0, kC}, {0, kD}}));
  EXPECT_EQ(one.world->step_count, 1U);
}

TEST(StepNetwork, ATimerRunsOutWhenTheScheduleSaysSo) {
  Play play({{0, kA}});
  const auto choices = play.choices();
  EXPECT_EQ(std::ranges::count(choices, 2U, &Step::message), 4);  // the sender says it again
  EXPECT_EQ(std::ranges::count(choices, Step{0, kA}), 1);         // and its timer runs on
}

TEST(StepNetwork, ARunIsQuietAndJudgedWhenAllHasArrived) {
  Play early({{1, kA}});
  EXPECT_EQ(early.outcome.judgements[0].unjudged, Unjudged::kNoHealing);
  EXPECT_FALSE(early.network.is_quiet(*early.world));

  class InOrder final : public Schedule {
   public:
    InOrder() {
      begin(4, 1, 0);
      leaders_[1] = {Identity{0}};
    }
    std::size_t next(std::span<const StepChoice> choices) override {
      return choices[0].message != 0 ? 0 : choices.size();
    }

   private:
    void choose(Round, RoundAnswers&) override {}
  } in_order;
  StepNetwork<Bracha> network(make_cluster(4, {}).value(), only(kTermination));
  auto world = std::make_unique<World<Bracha>>();
  Outcome outcome;
  run(network, *world, in_order, outcome);
  EXPECT_TRUE(network.is_quiet(*world));
  EXPECT_EQ(world->step_count, 36U);  // an initial, four echoes and four readies, to four seats each
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  EXPECT_EQ(world->commits.seats(), (SeatSet{kA, kB, kC, kD}));
}

// Two timers at each seat, and a word to nobody.
struct Clocked {
  struct Word {
    [[maybe_unused]] static constexpr std::string_view kName = "word";
    ValueId value{};
    static constexpr auto fields() { return std::tuple{field("value", &Word::value)}; }
  };
  struct State {
    Round expired{};
    static constexpr auto fields() { return std::tuple{field("expired", &State::expired)}; }
  };
  using Message = std::variant<Word>;
  static constexpr std::string_view kName = "clocked";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 0> kBugs{};
  static void start(State&, const Context&, Outbox<Message>& out) {
    out.send(IdentitySet{}, Word{});
    out.set_timer(TimerId{0}, 1);
    out.set_timer(TimerId{1}, 1);
  }
  static void receive(State&, const Context&, Identity, const Message&, Outbox<Message>&) {}
  static void expire(State& state, const Context&, TimerId timer, Outbox<Message>&) {
    state.expired = Round(static_cast<unsigned>(timer) + 1);
  }
  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message&) { return {}; }
  static Round current_round(const State&) { return Round(1); }
};

TEST(StepNetwork, AnyTimerThatRunsMayRunOutAndARunIsNotQuietBefore) {
  const Scenario scenario = scenario_of({{.to = kB, .timer = 1}, {.to = kB}, {.to = kA, .timer = 1}});
  RecordedSchedule schedule(scenario);
  StepNetwork<Clocked> network(make_cluster(2, {}).value(), only(kAgreement));
  auto world = std::make_unique<World<Clocked>>();
  network.start(*world, schedule);
  EXPECT_EQ(network.choices_of(*world).size(), 4U);
  EXPECT_EQ(world->sent_count, 0U);
  ASSERT_TRUE(network.advance(*world, schedule));
  EXPECT_EQ(world->states[1].expired, Round(2));
  ASSERT_TRUE(network.advance(*world, schedule));
  EXPECT_EQ(world->states[1].expired, Round(1));
  ASSERT_TRUE(network.advance(*world, schedule));
  EXPECT_FALSE(network.is_quiet(*world));
  const auto left = network.choices_of(*world);
  ASSERT_EQ(left.size(), 1U);
  network.take(*world, left[0]);
  EXPECT_TRUE(network.is_quiet(*world));
}

TEST(StepNetwork, AStepThatIsNotThereEndsTheRun) {
  Play play({{1, kB}, {1, kB}, {1, kC}});
  EXPECT_EQ(play.world->step_count, 1U);
}

TEST(StepNetwork, TracesTellTheStepOfEverything) {
  const Play play({{1, kB}, {1, kC, kB}, {1, kC}});
  std::uint32_t step = 0;
  std::vector<Event> sent;
  for (const Event& event : play.trace) {
    if (event.kind == EventKind::kStep) ++step;
    EXPECT_EQ(event.time, step);
    if (event.kind == EventKind::kSent) {
      sent.push_back(event);
      EXPECT_EQ(event.message, sent.size());
    }
    if (event.kind != EventKind::kDelivered) continue;
    ASSERT_LE(event.message, sent.size());
    EXPECT_EQ(sent[event.message - 1].seat, event.peer);
  }
  EXPECT_EQ(step, 3U);
  EXPECT_EQ(sent.size(), 3U);  // the initial, and the echoes of B and C
}

}  // namespace
}  // namespace nika
