// Deadlocks in each network model: a protocol without a timer that hears nothing rests, one with a timer does not.
#include <gtest/gtest.h>

#include "nika/properties/all.hpp"
#include "nika/properties/bounded_time.hpp"
#include "nika/properties/deadlock.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"
#include "nika/sim/step_network.hpp"
#include "nika/sim/tick_network.hpp"

namespace nika {
namespace {

// Who hears the leader decides. One bug keeps it from being heard, another one gives everybody a timer for ever.
struct Telling {
  struct Word {
    [[maybe_unused]] static constexpr std::string_view kName = "word";
    ValueId value{};
    static constexpr auto fields() { return std::tuple{field("value", &Word::value)}; }
  };
  struct State {
    std::uint8_t has_decided = 0;
    static constexpr auto fields() { return std::tuple{field("has_decided", &State::has_decided)}; }
  };
  using Message = std::variant<Word>;
  static constexpr std::string_view kName = "telling";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 2> kBugs{"silent", "patient"};
  static constexpr bool kSingleShot = true;
  static constexpr std::uint32_t kSilent = 1;
  static constexpr std::uint32_t kPatient = 2;

  static void start(State&, const Context& context, Outbox<Message>& out) {
    if (context.leads(Round(1)) && (context.bugs & kSilent) == 0)
      out.send(context.everyone(), Word{context.fresh_value(Round(1))});
    if ((context.bugs & kPatient) != 0) out.set_timer(TimerId{0}, 1);
  }
  static void receive(State& state, const Context&, Identity, const Message& message, Outbox<Message>& out) {
    if (state.has_decided != 0) return;
    state.has_decided = 1;
    out.commit(Height(1), std::get<Word>(message).value);
  }
  static void expire(State&, const Context&, TimerId, Outbox<Message>& out) { out.set_timer(TimerId{0}, 1); }
  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message& message) { return std::get<Word>(message).value; }
  static Round current_round(const State&) { return Round(1); }
};

Scenario scenario_of(unsigned rounds) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (RoundPlan& plan : scenario.rounds) plan.leaders = {Identity{1}};
  return scenario;
}

template <class Network>
Judgement judged(const Scenario& scenario, std::uint32_t bugs, const Property& property = kDeadlock) {
  Cluster cluster = *make_cluster(4, {});
  cluster.bugs = bugs;
  RecordedSchedule schedule(scenario);
  Network network(cluster, only(property));
  const auto world = std::make_unique<World<Telling>>();
  Outcome outcome;
  run(network, *world, schedule, outcome);
  return outcome.judgements[0];
}

TEST(Rest, InNetworkRoundsWhatIsLostLeavesADeadlock) {
  using Network = RoundNetwork<Telling>;
  Scenario parted = scenario_of(3);
  parted.rounds[0].partition = {{0, 1, 1, 0}};  // B leads, and only C hears it
  const Judgement found = judged<Network>(parted, 0);
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{0}, Seat{3}}));
  EXPECT_EQ(found.evidence.since, Round(1));
  EXPECT_EQ(judged<Network>(scenario_of(3), 0).verdict, Verdict::kHolds);
  EXPECT_EQ(judged<Network>(scenario_of(3), Telling::kSilent).evidence.seats, SeatSet::first(4));
  EXPECT_EQ(judged<Network>(parted, Telling::kPatient).verdict, Verdict::kHolds);  // a timer runs
}

// Who is down has no timer that counts, and whoever is left still waits.
TEST(Rest, OneThatIsDownKeepsNobodyAwake) {
  Scenario scenario = scenario_of(3);
  scenario.crashes = {{Seat{1}, Round(1), Round(100), true}};
  const Judgement found = judged<RoundNetwork<Telling>>(scenario, Telling::kSilent);
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{0}, Seat{2}, Seat{3}}));
}

TEST(Rest, InTicksARunThatEndsEarlyIsADeadlock) {
  using Network = TickNetwork<Telling>;
  Scenario scenario = scenario_of(1);
  scenario.timing = Timing{.delta_ticks = 2, .ticks = 20, .delay_ticks = 2, .timers_first = {}};
  EXPECT_EQ(judged<Network>(scenario, 0).verdict, Verdict::kHolds);
  EXPECT_EQ(judged<Network>(scenario, Telling::kSilent).evidence.seats, SeatSet::first(4));
  EXPECT_EQ(judged<Network>(scenario, Telling::kSilent | Telling::kPatient).verdict, Verdict::kHolds);
}

TEST(Rest, InStepsItIsADeadlockWhenAllHasArrived) {
  using Network = StepNetwork<Telling>;
  Scenario scenario = scenario_of(1);
  scenario.steps = std::vector<Step>{{1, Seat{0}}, {1, Seat{1}}, {1, Seat{2}}};
  EXPECT_EQ(judged<Network>(scenario, 0).verdict, Verdict::kHolds);  // D's is still on its way
  scenario.steps->push_back({1, Seat{3}});
  EXPECT_EQ(judged<Network>(scenario, 0).verdict, Verdict::kHolds);
  scenario.steps->clear();
  EXPECT_EQ(judged<Network>(scenario, Telling::kSilent).evidence.seats, SeatSet::first(4));
  EXPECT_EQ(judged<Network>(scenario, Telling::kSilent | Telling::kPatient).verdict, Verdict::kHolds);
}

// The same run, by the clock: in rounds, in ticks, and not in steps.
TEST(Rest, TimeIsBoundedInRoundsAndInTicks) {
  const Property& two = limited_to(kBoundedTime, 2);
  EXPECT_EQ(judged<RoundNetwork<Telling>>(scenario_of(3), 0, two).verdict, Verdict::kHolds);
  EXPECT_EQ(judged<RoundNetwork<Telling>>(scenario_of(3), Telling::kSilent, two).verdict, Verdict::kViolated);
  Scenario timed = scenario_of(1);
  timed.timing = Timing{.delta_ticks = 5, .ticks = 20, .delay_ticks = 2, .timers_first = {}};
  EXPECT_EQ(judged<TickNetwork<Telling>>(timed, 0, two).verdict, Verdict::kHolds);  // B hears itself at once
  EXPECT_EQ(judged<TickNetwork<Telling>>(timed, Telling::kSilent | Telling::kPatient, two).verdict, Verdict::kViolated);
  Scenario steps = scenario_of(1);
  steps.steps.emplace();
  EXPECT_EQ(judged<StepNetwork<Telling>>(steps, 0, two).unjudged, Unjudged::kNoRounds);
}

}  // namespace
}  // namespace nika
