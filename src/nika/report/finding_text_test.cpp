#include "nika/report/finding_text.hpp"

#include <gtest/gtest.h>

#include <array>

#include "nika/report/attack_text.hpp"

namespace nika::report {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};

store::Finding conflict() {
  store::Finding finding;
  finding.property = "agreement";
  finding.kind = "two values of one round";
  finding.scenario.protocol = "diembft";
  finding.scenario.copies = {2};
  finding.evidence.height = 1;
  finding.evidence.claims = {{"B", "A1", {{1, "A1"}, {2, "A2"}}}, {"C", "A'1", {{1, "A'1"}, {1, "B1"}}}};
  return finding;
}

store::Finding about(std::string property, store::EvidenceRecord evidence) {
  store::Finding finding = conflict();
  finding.property = std::move(property);
  finding.kind = "some kind";
  finding.evidence = std::move(evidence);
  return finding;
}

TEST(ShrinkingText, SaysWhetherItCameToItsEnd) {
  store::Finding finding = conflict();
  finding.original.rounds.resize(40);
  EXPECT_EQ(shrinking_text(finding), "");
  finding.shrink_runs = 1200;
  EXPECT_EQ(shrinking_text(finding), "shrunk from 40 rounds in 1,200 runs");
  finding.is_cut_short = true;
  EXPECT_EQ(shrinking_text(finding), "shrinking from 40 rounds was cut short after 1,200 runs");
  finding.shrink_runs = 1;
  finding.original.steps.emplace().resize(30);
  EXPECT_EQ(shrinking_text(finding), "shrinking from 30 steps was cut short after 1 run");
}

TEST(ViolationText, OfAgreementNamesBothValues) {
  EXPECT_EQ(violation_text(conflict()), "agreement: at height 1 B committed A1 and C committed A'1");
}

TEST(ViolationText, OfTerminationNamesWhoHasNotDecidedOrWhyALeaderIsBlocked) {
  EXPECT_EQ(violation_text(about("termination", {"", 5, 0, {"B", "D"}, {}})),
            "termination: B D have decided nothing since round 5, when the network healed");
  EXPECT_EQ(violation_text(about("termination", {"", 5, 0, {"B"}, {}})),
            "termination: B has decided nothing since round 5, when the network healed");
  EXPECT_EQ(violation_text(about("termination", {"", 0, 0, {"B"}, {}})),
            "termination: B has decided nothing, and all that was sent has arrived");
  EXPECT_EQ(violation_text(about("termination", {"v1 has a certificate", 5, 0, {"B", "C"}, {{"C", "", {}}}})),
            "termination: C leads and can never propose: v1 has a certificate");
  EXPECT_EQ(violation_text(about("termination", {"v1 has a certificate", 5, 0, {"B"}, {}})),
            "termination: B leads and can never propose: v1 has a certificate");
}

TEST(ViolationText, OfTotalityNamesWhoIsLeftBehind) {
  EXPECT_EQ(violation_text(about("totality", {"", 3, 2, {"C", "D"}, {{"B", "A1", {}}}})),
            "totality: at height 2 B committed A1, but C D never catch up");
  EXPECT_EQ(violation_text(about("totality", {"", 3, 2, {"C"}, {{"B", "A1", {}}}})),
            "totality: at height 2 B committed A1, but C never catches up");
}

TEST(ViolationText, OfLivenessTellsWhoHoldsOrOwesWhat) {
  EXPECT_EQ(violation_text(about("temperature:3", {"no proof", 4, 0, {"B", "D"}, {{"B", "A1", {}}, {"D", "A'1", {}}}})),
            "temperature:3: some kind from round 4 on: B is locked on A1, D is locked on A'1; no proof");
  EXPECT_EQ(violation_text(about("responsiveness", {"", 5, 0, {"B"}, {}})),
            "responsiveness: round 5, led by B, decided nothing although the network had healed and all were in its "
            "view");
  EXPECT_EQ(violation_text(about("deadlock", {"", 5, 0, {"B", "C"}, {}})),
            "deadlock: nothing is on its way and no timer runs since round 5, but B C still have to decide");
  EXPECT_EQ(violation_text(about("deadlock", {"", 0, 0, {"B"}, {}})),
            "deadlock: nothing is on its way and no timer runs, but B still has to decide");
}

// The numbers of a timed run are those of views.
TEST(ViolationText, OfTimedRunsTellsViews) {
  const auto timed = [](std::string property, store::EvidenceRecord evidence) {
    store::Finding finding = about(std::move(property), std::move(evidence));
    finding.scenario.timing = Timing{};
    return violation_text(finding);
  };
  EXPECT_EQ(timed("termination", {"", 5, 0, {"B"}, {}}),
            "termination: B has decided nothing since view 5, when the network healed");
  EXPECT_EQ(timed("temperature", {"no proof", 4, 0, {"B"}, {}}), "temperature: some kind from view 4 on; no proof");
  EXPECT_EQ(timed("responsiveness", {"", 5, 0, {"B"}, {}}),
            "responsiveness: view 5, led by B, decided nothing although the network had healed and all were in its "
            "view");
  EXPECT_EQ(timed("deadlock", {"", 5, 0, {"B"}, {}}),
            "deadlock: nothing is on its way and no timer runs since view 5, but B still has to decide");
  EXPECT_EQ(timed("confirmed-lasso", {"", 5, 0, {"B"}, {}}), "confirmed-lasso: some kind; about B; since view 5");
}

TEST(ViolationText, OfAnyOtherPropertyTellsItsEvidence) {
  EXPECT_EQ(
      violation_text(about("validity", {"the sender was honest", 3, 2, {"C", "D"}, {{"B", "A1", {}}, {"C", "", {}}}})),
      "validity: some kind: the sender was honest; about C D; since round 3; at height 2; B committed A1; C");
  EXPECT_EQ(violation_text(about("validity", {})), "validity: some kind");
}

TEST(ViolationText, BeyondTheThresholdItIsADemonstration) {
  store::Finding finding = conflict();
  finding.scenario.copies = {2, 2};
  EXPECT_EQ(violation_text(finding),
            "agreement: at height 1 B committed A1 and C committed A'1, with 2 compromised nodes where f = 1: a "
            "demonstration, not a finding");
  finding.scenario.fault_count = 0;
  finding.scenario.copies = {2};
  EXPECT_TRUE(
      violation_text(finding).ends_with(", with 1 compromised node where f = 0: a demonstration, not a finding"));
}

TEST(ViolationText, NothingReachesTheTerminalThatItWouldObey) {
  EXPECT_EQ(violation_text(about("termination", {"\x1b[31mred\x07", 5, 0, {"B"}, {}})),
            "termination: B leads and can never propose: \\x1b[31mred\\x07");
}

TEST(HistoriesText, StandSideBySide) {
  EXPECT_EQ(histories_text(conflict(), "  "),
            "  height   B              C\n"
            "       1   A1             A'1 then B1    <- they disagree\n"
            "       2   A2\n");
  EXPECT_EQ(histories_text(about("termination", {"", 5, 0, {"B"}, {}}), ""), "");
  // Two locks, and nobody has committed anything.
  EXPECT_EQ(histories_text(about("temperature", {"", 4, 0, {"B", "D"}, {{"B", "A1", {}}, {"D", "A'1", {}}}}), ""), "");
}

TEST(CastText, NamesTheCompromisedAndTheThreshold) {
  Scenario scenario;
  scenario.protocol = "diembft";
  EXPECT_EQ(cast_text(scenario), "diembft: 4 nodes, nobody compromised; f = 1");
  scenario.bugs = {"quorum-2f", "no-lock"};
  scenario.copies = {2, 1, 3};
  EXPECT_EQ(cast_text(scenario), "diembft with bug quorum-2f, no-lock: 4 nodes, A with a twin, C with 2 twins; f = 1");
}

Scenario busy_scenario() {
  Scenario s;
  s.copies = {2};
  s.inputs = {"v1", "", "", "", "v2"};
  s.rounds.resize(3);
  for (RoundPlan& plan : s.rounds) plan.leaders = {Identity{0}};
  s.rounds[2].partition.block_of = {0, 0, 1, 1, 1};
  s.rounds[2].order = Order::reversed(5);
  s.rounds[2].receiver_orders = {{Seat{1}, {{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, true}}};
  s.rounds[2].gives_up = {Seat{2}, Seat{4}};
  s.heal_rounds = 2;
  s.heal_leaders = {Identity{1}, Identity{2}};
  s.rules = {
      {.last_round = Round(1), .kinds = 2U, .from = {Seat{0}}, .to = {Seat{1}, Seat{2}}},
      {.first_round = Round(2), .action = Action::kWithhold},
      {.first_round = Round(2), .last_round = Round(3), .from = {Seat{3}}, .action = Action::kLate, .delay_rounds = 2},
      {.action = Action::kTwice},
      {.kinds = 1U, .action = Action::kTwice, .delay_rounds = 1}};
  s.crashes = {{Seat{2}, Round(1), Round(3), false}};
  return s;
}

TEST(ScheduleText, TellsEverythingThatWasChosen) {
  EXPECT_EQ(schedule_text(busy_scenario(), "  ", kKinds),
            "  inputs      A has v1, A' has v2\n"
            "  rounds 1-2  {A* B C D A'*}\n"
            "  round  3    {A* B | C D A'*}; order: reversed; order of B: own first, then B A C D A'; gives up: C\n"
            "              A'\n"
            "  healing     2 rounds, everyone connected, led by B C\n"
            "  crash       C is down from round 1 and up from round 3, without its memory\n"
            "  rule        round 1: vote messages from A to B C are dropped\n"
            "  rule        from round 2 on: messages from anyone to anyone are withheld until healing\n"
            "  rule        rounds 2 to 3: messages from D to anyone come 2 rounds late\n"
            "  rule        every round: messages from anyone to anyone come twice\n"
            "  rule        every round: proposal messages from anyone to anyone come, and again 1 round later\n");
}

TEST(ScheduleText, WrapsToTheWidth) {
  Scenario scenario = busy_scenario();
  scenario.rules.resize(1);
  scenario.crashes.clear();
  scenario.heal_rounds = 0;
  scenario.rounds.pop_back();
  EXPECT_EQ(schedule_text(scenario, "", kKinds, 40),
            "inputs      A has v1, A' has v2\n"
            "rounds 1-2  {A* B C D A'*}\n"
            "rule        round 1: vote messages from\n"
            "            A to B C are dropped\n");
}

TEST(ScheduleText, TellsClocksAndSteps) {
  Scenario timed;
  timed.rounds.resize(1);
  timed.rounds[0].leaders = {Identity{0}};
  timed.timing = Timing{2, 24, 1, {Seat{1}}};
  EXPECT_EQ(schedule_text(timed, "", kKinds),
            "view   1    {A* B C D}\n"
            "clock       delta is 2 ticks; the run lasts 24 ticks; messages that no rule is about take 1 tick;\n"
            "            timers of B run out before what arrives in the same tick\n");
  timed.timing.reset();
  timed.steps = {{7, Seat{1}, Seat{3}}, {0, Seat{2}}, {.to = Seat{0}, .timer = 1}};
  EXPECT_EQ(schedule_text(timed, "", kKinds),
            "round  1    {A* B C D}\nsteps       D#7 to B, timer of C, timer 2 of A\n");
}

TEST(AttackText, IsWrappedAndNumbered) {
  store::Attack attack;
  attack.source = "a paper";
  attack.about = "it stops\x07 for ever";
  attack.steps = {"first", "second one"};
  EXPECT_EQ(introduction_of(attack, 24),
            "  source    a paper\n"
            "  about     it stops\\x07\n"
            "            for ever\n"
            "  step 1    first\n"
            "  step 2    second one\n");
}

}  // namespace
}  // namespace nika::report
