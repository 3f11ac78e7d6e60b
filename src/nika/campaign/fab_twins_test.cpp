// FaB in the simulator: its two tracks, its recovery, the leader that the published version blocks, and whole spaces.
#include <gtest/gtest.h>

#include "nika/campaign/findings.hpp"
#include "nika/campaign/twins_checks_test.hpp"
#include "nika/properties/termination.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

using fab::Fab;

const Runner& runner() { return built_in_protocol(Fab::kName); }

struct Ran {
  Cluster cluster;
  Trace trace;
  std::unique_ptr<World<Fab>> world = std::make_unique<World<Fab>>();

  // What each seat decided, or "-": "A1 A1 - A1".
  std::string decisions() const {
    std::string text;
    for (Seat seat : cluster.seats()) {
      const ValueId value = world->states[index_of(seat)].learned;
      text += (text.empty() ? "" : " ") + (value.is_genesis() ? "-" : name_of(cluster, value));
    }
    return text;
  }
  std::string_view blocked(unsigned seat) const { return Fab::blocked(world->states[seat], {}); }
  std::ptrdiff_t proposals_since(unsigned round) const {
    return std::ranges::count_if(
        trace, [&](const Event& e) { return e.kind == EventKind::kProposed && e.round >= Round(round); });
  }
};

Ran run(const Scenario& scenario) {
  Ran ran{*cluster_of(scenario, Fab::kBugs), {}};
  const auto network = std::make_unique<RoundNetwork<Fab>>(ran.cluster, only(kAgreement));
  network->trace = &ran.trace;
  RecordedSchedule schedule(scenario);
  Outcome outcome;
  nika::run(*network, *ran.world, schedule, outcome);
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  EXPECT_EQ(outcome.rounds, scenario.horizon());
  return ran;
}

// Four honest nodes, nothing lost; `leaders` by round.
Scenario healthy(std::initializer_list<unsigned> leaders) {
  Scenario scenario;
  scenario.protocol = Fab::kName;
  for (const unsigned leader : leaders)
    scenario.rounds.push_back({IdentitySet{static_cast<Identity>(leader)}, {}, {}, {}});
  return scenario;
}

template <class Message>
Rule drop(unsigned round, SeatSet from) {
  return {.first_round = Round(round),
          .last_round = Round(round),
          .kinds = 1U << Fab::Message(Message{}).index(),
          .from = from};
}

TEST(Fab, AllDecideInOneView) { EXPECT_EQ(run(healthy({0})).decisions(), "A1 A1 A1 A1"); }

TEST(Fab, TheVotesOfAllNDecideWithoutProofs) {
  Scenario scenario = healthy({0});
  scenario.rules.push_back(drop<fab::CommitProof>(1, SeatSet::first(4)));
  EXPECT_EQ(run(scenario).decisions(), "A1 A1 A1 A1");
}

TEST(Fab, WithASilentNodeTheOthersDecideByProofs) {
  Scenario scenario = healthy({0});
  scenario.rules.push_back(Rule{.from = SeatSet{Seat{3}}});
  EXPECT_EQ(run(scenario).decisions(), "A1 A1 A1 A1");
  scenario.rules.push_back(drop<fab::CommitProof>(1, SeatSet::first(4)));
  EXPECT_EQ(run(scenario).decisions(), "- - - A1");  // D alone has the votes of all: nobody hears its own
}

TEST(Fab, ASilentLeaderIsReplaced) {
  Scenario scenario = healthy({0, 1});
  scenario.rules.push_back(Rule{.from = SeatSet{Seat{0}}});
  EXPECT_EQ(run(scenario).decisions(), "B1 B1 B1 B1");  // the input of B, whichever view it leads
}

TEST(Fab, AnAcceptedValueIsProposedAgain) {
  Scenario scenario = healthy({0, 1});
  scenario.rules.push_back(drop<fab::Accepted>(1, SeatSet::first(4)));
  EXPECT_EQ(run(scenario).decisions(), "A1 A1 A1 A1");
}

// The steps of the Gemini paper, section 12.2. It heals as long as the protocol asks for.
constexpr std::string_view kStuck = R"({"format": "nika-scenario", "version": 1, "protocol": "fab",
  "bugs": ["proofs-and-votes-bind-alike"], "nodes": 4, "faults": 1, "copies": {"D": 2},
  "rounds": [{"leaders": ["D"], "partition": "A B D | C D'"}, {"leaders": ["A"], "partition": "A C D' | B D"}],
  "heal": {"rounds": 3, "leaders": ["A"], "order": {"first": "D'", "own_first": true}},
  "rules": [{"rounds": "1", "kinds": ["accepted", "commit-proof"], "links": "B D -> A"}]})";

// The same, and then B hears of no proof and has A vote for v2. So A, B and C together bind both values, whoever leads.
constexpr std::string_view kStuckForGood = R"({"format": "nika-scenario", "version": 1, "protocol": "fab",
  "bugs": ["proofs-and-votes-bind-alike"], "nodes": 4, "faults": 1, "copies": {"D": 2},
  "rounds": [{"leaders": ["D"], "partition": "A B D | C D'"}, {"leaders": ["A"], "partition": "A C D' | B D"},
    {"leaders": ["B"], "partition": "A B C D D'"}],
  "heal": {"rounds": 3, "leaders": ["A", "B", "C"]},
  "rules": [{"rounds": "1", "kinds": ["accepted", "commit-proof"], "links": "B D -> A"},
    {"rounds": "3", "kinds": ["rep"], "from": "A D", "to": "B", "action": "drop"},
    {"rounds": "3", "kinds": ["propose"], "from": "B", "to": "C D D'", "action": "drop"},
    {"rounds": "3", "kinds": ["accepted"], "action": "drop"},
    {"rounds": "4..13", "from": "D D'", "action": "drop"}]})";

Scenario stuck(std::string_view text = kStuck) {
  const auto words = [](std::string_view) -> Result<store::Vocabulary> { return words_of(runner()); };
  auto scenario = store::scenario_from_json(text, "text", words);
  EXPECT_TRUE(scenario.has_value()) << scenario.error().message;
  scenario->heal_rounds = static_cast<std::uint8_t>(runner().heal_rounds());
  return *std::move(scenario);
}

TEST(Fab, AsPublishedALeaderHasNoValidProposal) {
  const Ran ran = run(stuck());
  EXPECT_EQ(ran.proposals_since(2), 0);
  EXPECT_EQ(ran.decisions(), "- - - - -");
  EXPECT_NE(ran.blocked(0), "");
  for (unsigned seat = 1; seat < 5; ++seat) EXPECT_EQ(ran.blocked(seat), "");
}

TEST(Fab, RepairedTheSameLeaderProposesWhatHasAProof) {
  Scenario scenario = stuck();
  scenario.bugs.clear();
  const Ran ran = run(scenario);
  EXPECT_EQ(ran.decisions(), "D1 D1 D1 D1 D1");
  EXPECT_EQ(ran.blocked(0), "");
}

TEST(Fab, TheBlockedLeaderIsWhyNobodyDecides) {
  const auto outcome_of = [](const Scenario& scenario) {
    return run_scenario(runner(), scenario, only(kTermination)).value();
  };
  const Outcome published = outcome_of(stuck(kStuckForGood));
  ASSERT_EQ(published.verdict(), Verdict::kViolated);
  const Evidence& evidence = published.violation()->evidence;
  EXPECT_EQ(evidence.kind, "no valid proposal exists");
  EXPECT_EQ(evidence.why, "no valid proposal exists: two values are each bound by f+1 votes or a commit proof");
  EXPECT_EQ(evidence.since, Round(4));
  EXPECT_EQ(evidence.seats, (SeatSet{Seat{0}, Seat{1}, Seat{2}}));
  ASSERT_EQ(evidence.claims.size(), 1U);
  EXPECT_EQ(evidence.claims[0].seat, Seat{0});
  Scenario scenario = stuck(kStuckForGood);
  scenario.bugs.clear();
  EXPECT_EQ(outcome_of(scenario).verdict(), Verdict::kHolds);
}

TEST(Fab, ALeaderThatIsBlockedWhileNobodyElseLeadsIsNoViolation) {
  const Outcome outcome = run_scenario(runner(), stuck(), only(kTermination)).value();
  ASSERT_EQ(outcome.verdict(), Verdict::kUnknown);
  EXPECT_EQ(outcome.judgements[0].unjudged, Unjudged::kUnfair);
}

TEST(Fab, ALeaderThatIsBlockedForTooShortIsNoViolation) {
  Scenario scenario = stuck(kStuckForGood);
  --scenario.heal_rounds;
  const Outcome outcome = run_scenario(runner(), scenario, only(kTermination)).value();
  ASSERT_EQ(outcome.verdict(), Verdict::kUnknown);
  EXPECT_EQ(outcome.judgements[0].unjudged, Unjudged::kHealingTooShort);
}

// B was behind and enters view 3 with the reports of all four, of which v2 has too few: which reports come first is up
// to the network.
TEST(Fab, AsPublishedAnotherLeaderMayBeAbleToGoOn) {
  Scenario scenario = stuck();
  scenario.heal_leaders = {Identity{1}};
  EXPECT_EQ(run(scenario).decisions(), "D1 D1 D1 D1 D1");
}

// Who gives up on a view alone once stayed a view ahead for ever: in 765 of these schedules somebody never decided.
TEST(Fab, WhoGivesUpEarlyIsCaughtUp) {
  twins::Settings settings{.at_most = true, .rounds = 2, .heal_rounds = runner().heal_rounds()};
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.granularity = twins::Granularity::kPhase;
  settings.disturbances = {2, true, true, true, 1};
  settings.step3 = {twins::Selection::Kind::kRandom, 3000};
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner().kinds().size())).value();
  RangeWork work({0, *sampler.size()});
  const auto result = sweep(runner(), {sampler.cluster(), {}, only(kTermination)}, sampler, work, {});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(to_string(result->tally.violating), "0");
  EXPECT_EQ(to_string(result->tally.unknown), "0");
}

TEST(FabUnderTwins, AgreementHoldsInEveryScenarioWithAndWithoutTheFlaw) {
  const twins::LeaderChoice all{twins::LeaderChoice::Kind::kAll, {}};
  for (const std::vector<std::string>& bugs : {std::vector<std::string>{}, {"proofs-and-votes-bind-alike"}}) {
    checks::expect_violating(runner(), {.bugs = bugs, .rounds = 3}, 0);                  // 15^3
    checks::expect_violating(runner(), {.bugs = bugs, .rounds = 2, .leaders = all}, 0);  // 60^2
    checks::expect_violating(runner(), {.bugs = bugs, .partitions = 3, .at_most = true, .rounds = 2}, 0);
  }
}

// In one round: the twins of both pairs apart, C and D apart: 4 partitions, each with two leaders to choose from.
TEST(FabUnderTwins, TwoCompromisedNodesOfFourAreTooMany) {
  checks::expect_violating(runner(), {.twins = 2, .rounds = 1}, 8);
  checks::expect_violating(runner(), {.twins = 2, .rounds = 2}, 592);
}

TEST(FabUnderTwins, NamesOfHonestNodesDoNotMatter) {
  const twins::LeaderChoice a_and_b{twins::LeaderChoice::Kind::kList,
                                    {IdentitySet{Identity{0}}, IdentitySet{Identity{1}}}};
  for (const std::vector<std::string>& bugs : {std::vector<std::string>{}, {"proofs-and-votes-bind-alike"}}) {
    for (const auto order : {twins::OrderChoice::kFifo, twins::OrderChoice::kReversed}) {
      checks::expect_that_names_do_not_matter<Fab>({.bugs = bugs, .at_most = true, .rounds = 6, .order = order}, 400);
      checks::expect_that_names_do_not_matter<Fab>(
          {.bugs = bugs, .at_most = true, .rounds = 6, .leaders = a_and_b, .order = order}, 400);
      checks::expect_that_names_do_not_matter<Fab>({.bugs = bugs, .nodes = 7, .twins = 2, .rounds = 4, .order = order},
                                                   100);
    }
  }
}

}  // namespace
}  // namespace nika
