// A protocol that is made to stop, and the same one repaired: termination is found broken and found kept.
#include "nika/properties/termination.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/findings.hpp"
#include "nika/campaign/runner_for.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

struct Proposal {
  static constexpr std::string_view kName = "proposal";
  ValueId value{};
  Round round{};
  std::uint8_t unused = 0;
  static constexpr auto fields() {
    return std::tuple{field("value", &Proposal::value), field("round", &Proposal::round)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Proposal::unused)}; }
};
struct Vote {
  static constexpr std::string_view kName = "vote";
  ValueId value{};
  Round round{};
  std::uint8_t unused = 0;
  static constexpr auto fields() { return std::tuple{field("value", &Vote::value), field("round", &Vote::round)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &Vote::unused)}; }
};

struct LockState {
  ValueId locked{};
  ValueId decided{};
  ValueId counted{};  // whose votes of the current round are counted
  IdentitySet votes{};
  Round round{};
  std::uint8_t unused = 0;
  static constexpr auto fields() {
    return std::tuple{field("locked", &LockState::locked), field("decided", &LockState::decided),
                      field("counted", &LockState::counted), field("votes", &LockState::votes),
                      field("round", &LockState::round)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &LockState::unused)}; }
};

// Whoever leads proposes; a quorum of votes in one round decides. With the bug a replica votes only for what it first
// voted for, so that two halves with different locks wait for each other for ever. It keeps no promise but to be small.
struct Lock {
  using State = LockState;
  using Message = std::variant<Proposal, Vote>;
  static constexpr std::string_view kName = "lock";
  static constexpr std::string_view kSummary = "decides by votes";
  static constexpr std::array<std::string_view, 1> kBugs{"never-unlocks"};
  static constexpr bool kSingleShot = true;
  static constexpr unsigned kHealRounds = 2;  // of which one decides without the bug

  static void start(State& state, const Context& context, Outbox<Message>& out) {
    enter(state, context, Round(1), out);
  }
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out) {
    if (const auto* proposal = std::get_if<Proposal>(&message)) {
      const bool keeps = context.bugs != 0 && !state.locked.is_genesis() && state.locked != proposal->value;
      if (keeps || proposal->round != state.round) return;
      state.locked = proposal->value;
      out.send(context.everyone(), Vote{proposal->value, state.round});
      return;
    }
    const auto& vote = std::get<Vote>(message);
    if (vote.round != state.round) return;
    if (state.counted != vote.value) state.votes = {};
    state.counted = vote.value;
    state.votes.insert(from);
    if (state.votes.size() < context.quorum() || !state.decided.is_genesis()) return;
    state.decided = vote.value;
    out.commit(Height(1), vote.value);
  }
  static void expire(State& state, const Context& context, TimerId, Outbox<Message>& out) {
    enter(state, context, state.round.next(), out);
  }
  static Round round_of(const Message& message) {
    return std::visit([](const auto& m) { return m.round; }, message);
  }
  static ValueId subject_of(const Message& message) {
    return std::visit([](const auto& m) { return m.value; }, message);
  }
  static Round current_round(const State& state) { return state.round; }
  static std::string_view blocked(const State& state, const Context& context) {
    return context.bugs != 0 && context.self == Identity{3} && !state.locked.is_genesis() ? "D is locked" : "";
  }

 private:
  static void enter(State& state, const Context& context, Round round, Outbox<Message>& out) {
    state.round = round;
    state.votes = {};
    out.set_timer(TimerId{0}, 4);
    const bool keeps = context.bugs != 0 && !state.locked.is_genesis();
    if (context.leads(round)) out.send(context.everyone(), Proposal{keeps ? state.locked : context.input(), round});
  }
};
static_assert(Protocol<Lock>);

// A and its twin propose to two halves, whose votes are lost: they are locked on different values. Then A falls silent.
Scenario split(std::vector<std::string> bugs) {
  Scenario scenario;
  scenario.protocol = "lock";
  scenario.bugs = std::move(bugs);
  scenario.copies = {2};
  scenario.rounds.resize(2);
  for (RoundPlan& plan : scenario.rounds) plan.leaders.insert(Identity{0});
  scenario.rounds[0].partition.block_of = {0, 0, 1, 1, 1};
  scenario.rounds[1].partition.block_of = {0, 1, 2, 3, 4};
  scenario.heal_rounds = 3;
  scenario.heal_leaders = {Identity{1}, Identity{2}, Identity{3}};
  Rule votes_lost{.last_round = Round(1), .kinds = 0b10, .action = Action::kLinks};
  for (unsigned s = 0; s < 5; ++s) votes_lost.reach[s].insert(static_cast<Seat>(s));
  const Rule silent{.first_round = Round(3), .last_round = Round(5), .from = {Seat{0}, Seat{4}}};
  scenario.rules = {votes_lost, silent};
  return scenario;
}

const RunnerFor<Lock> kRunner;

Properties both() { return parse_properties("agreement,termination", built_in_properties()).value(); }

Verdict termination_of(const Scenario& scenario) {
  const Outcome outcome = run_scenario(kRunner, scenario, both()).value();
  EXPECT_EQ(outcome.judgement_of(kAgreement)->verdict, Verdict::kHolds);
  return outcome.judgement_of(kTermination)->verdict;
}

Unjudged why_unknown(const Scenario& scenario) {
  const Outcome outcome = run_scenario(kRunner, scenario, only(kTermination)).value();
  EXPECT_EQ(outcome.verdict(), Verdict::kUnknown);
  return outcome.judgements[0].unjudged;
}

TEST(TerminationOfRuns, AProtocolThatStopsIsFound) {
  const auto outcome = run_scenario(kRunner, split({"never-unlocks"}), both());
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  const Judgement* violation = outcome->violation();
  ASSERT_NE(violation, nullptr);
  EXPECT_EQ(violation->property, &kTermination);
  EXPECT_EQ(violation->evidence.since, Round(3));
  EXPECT_EQ(violation->evidence.seats, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
  EXPECT_EQ(violation->evidence.why, "D is locked");
  EXPECT_EQ(violation->evidence.claims[0].seat, Seat{3});
  EXPECT_EQ(outcome->judgement_of(kAgreement)->verdict, Verdict::kHolds);
}

TEST(TerminationOfRuns, AProtocolThatGoesOnIsNot) { EXPECT_EQ(termination_of(split({})), Verdict::kHolds); }

TEST(TerminationOfRuns, IsJudgedOnlyWhereItWasAskedFor) {
  const Outcome outcome = run_scenario(kRunner, split({"never-unlocks"}), only(kAgreement)).value();
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  EXPECT_EQ(outcome.judgement_of(kTermination), nullptr);
}

TEST(TerminationOfRuns, IsUnknownWhereHealingIsShorterThanTheProtocolAsks) {
  Scenario scenario = split({"never-unlocks"});
  scenario.heal_rounds = 1;
  scenario.rules[1].last_round = Round(3);
  EXPECT_EQ(why_unknown(scenario), Unjudged::kHealingTooShort);
}

// B and C lead, D never does.
TEST(TerminationOfRuns, IsUnknownWhereSomeHonestNodeNeverLeads) {
  Scenario scenario = split({"never-unlocks"});
  scenario.heal_leaders.pop_back();
  EXPECT_EQ(why_unknown(scenario), Unjudged::kUnfair);
  scenario.bugs.clear();
  EXPECT_EQ(termination_of(scenario), Verdict::kHolds);
}

TEST(TerminationOfRuns, ADecisionOfAllBeforeHealingIsEnough) {
  Scenario scenario = split({"never-unlocks"});
  scenario.rounds[0].partition = {};
  scenario.rules.clear();
  EXPECT_EQ(termination_of(scenario), Verdict::kHolds);
}

TEST(TerminationOfRuns, OnlyACompromisedSeatMayStaySilentAfterHealing) {
  Scenario scenario = split({});
  scenario.rules[1].from = {Seat{1}};
  EXPECT_FALSE(run_scenario(kRunner, scenario, both()).has_value());
}

TEST(TerminationOfRuns, AreSweptAndShrunkWithTheirHealingRounds) {
  twins::Settings settings{.protocol = "lock", .bugs = {"never-unlocks"}, .rounds = 2, .heal_rounds = 3};
  settings.heal_leaders = twins::HealLeaders::kHonest;
  for (const bool has_bug : {true, false}) {
    if (!has_bug) settings.bugs.clear();
    const auto space = twins::Space::make(settings);
    ASSERT_TRUE(space.has_value());
    RangeWork work({0, space->size().value()});
    const twins::TwinsGenerator generator(*space);
    const auto result = sweep(kRunner, {space->cluster(), settings.bugs, only(kTermination)}, generator, work, {});
    ASSERT_TRUE(result.has_value());
    if (!has_bug) {
      EXPECT_EQ(result->tally.violating, 0U);
      continue;
    }
    EXPECT_GT(result->tally.violating, 0U);
    Findings findings(kRunner, {});
    for (const Sighting& sighting : result->sightings) {
      ASSERT_TRUE(findings.add(kTermination, generator.scenario(sighting.index), sighting.index).has_value());
    }
    ASSERT_EQ(findings.all().size(), 1U);
    const store::Finding& found = findings.all().front().finding;
    EXPECT_EQ(found.property, "termination");
    EXPECT_EQ(found.kind, "no valid proposal exists");
    EXPECT_EQ(found.scenario.heal_rounds, 3);
    EXPECT_EQ(found.scenario.heal_leaders.size(), 3U);  // with fewer it would not be fair
    EXPECT_EQ(found.scenario.rounds.size(), 1U);
    EXPECT_EQ(run_scenario(kRunner, found.scenario, both())->violation()->property, &kTermination);
  }
}

}  // namespace
}  // namespace nika
