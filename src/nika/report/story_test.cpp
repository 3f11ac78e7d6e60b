#include "nika/report/story.hpp"

#include <gtest/gtest.h>

#include <array>

#include "nika/report/stored_view.hpp"
#include "nika/store/attack.hpp"

namespace nika::report {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 1> kNotes{"undid"};
constexpr std::array<std::string_view, 7> kZyzzyvaKinds{
    "order-req", "spec-response", "commit-certificate", "local-commit", "view-change", "new-view", "confirm-req"};
constexpr std::array<std::string_view, 1> kZyzzyvaBugs{"certificate-before-later-votes"};
const ValueId kA1(Round(1), Seat{0}, 0);

std::string told(const Scenario& scenario, const Trace& trace, std::size_t columns = kDefaultColumns) {
  const Cluster cluster = make_cluster(scenario.node_count, scenario.copies).value();
  return story_text(story_of(scenario, {cluster, kKinds, trace, kNotes}), cluster, columns);
}

Scenario calm(std::size_t rounds) {
  Scenario scenario;
  scenario.copies = {2};
  scenario.rounds.resize(rounds);
  for (RoundPlan& plan : scenario.rounds) plan.leaders = {Identity{0}};
  return scenario;
}

Event network_round(unsigned number) { return {.kind = EventKind::kNetworkRound, .time = number}; }
Event message(EventKind kind, Seat seat, Seat peer, unsigned number, unsigned time) {
  return {.kind = kind, .seat = seat, .peer = peer, .message_kind = 1, .message = number, .time = time};
}

TEST(Story, TellsWhatEachSeatDidInEachRound) {
  Scenario scenario = calm(1);
  scenario.rounds[0].partition.block_of = {0, 0, 1, 1, 1};
  scenario.rounds[0].note = "a split\x07";
  scenario.heal_rounds = 1;
  scenario.heal_leaders = {Identity{2}};
  const Trace trace{{.kind = EventKind::kProposed, .seat = Seat{0}, .round = Round(1), .value = kA1},
                    network_round(1),
                    {.kind = EventKind::kVoted, .seat = Seat{1}, .time = 1, .value = kA1},
                    {.kind = own_note(0), .seat = Seat{1}, .time = 1, .value = kA1},
                    {.kind = EventKind::kVoted, .seat = Seat{0}, .time = 1, .value = kA1},
                    network_round(2),
                    {.kind = EventKind::kCommitted, .seat = Seat{3}, .time = 2, .height = Height(1), .value = kA1}};
  EXPECT_EQ(told(scenario, trace),
            "round 1  leader A  {A* B | C D A'*}\n"
            "  (a split\\x07)\n"
            "  A    proposes A1 on genesis, votes for A1\n"
            "  B    votes for A1, undid A1\n"
            "\n"
            "healing round 2  leader C  {A B C* D A'}\n"
            "  D    COMMITS A1 at height 1\n"
            "\n");
}

TEST(Story, TellsWhatTheScheduleDidInEachRound) {
  Scenario scenario = calm(3);
  scenario.inputs = {"v1", "", "", "", "v2"};
  scenario.rounds[1].order = Order::reversed(5);
  scenario.rounds[1].receiver_orders = {{Seat{1}, Order::fifo()}};
  scenario.rounds[1].gives_up = {Seat{2}};
  scenario.rules = {{.last_round = Round(1), .from = {Seat{0}}, .note = "A is silent"},
                    {.first_round = Round(2), .kinds = 2U, .action = Action::kLate, .delay_rounds = 1},
                    {.first_round = Round(4), .last_round = Round(4), .to = {Seat{0}}}};
  scenario.crashes = {{Seat{3}, Round(1), Round(3), false}};
  scenario.heal_rounds = 1;
  scenario.heal_leaders = {Identity{1}};
  scenario.heal_order = Order::reversed(5);
  EXPECT_EQ(told(scenario, {network_round(1), network_round(2), network_round(3), network_round(4)}),
            "inputs: A has v1, A' has v2\n"
            "\n"
            "round 1  leader A  {A* B C D A'*}, but\n"
            "  - messages from A to anyone are dropped (A is silent)\n"
            "  - D crashes, until round 3\n"
            "\n"
            "round 2  leader A  {A* B C D A'*}, but\n"
            "  - vote messages from anyone to anyone come 1 round late\n"
            "  - seats handle what arrives together in this order: reversed\n"
            "  - B handles what arrives together in this order: own first, then by name\n"
            "  - C gives up as the round begins\n"
            "  - D is down\n"
            "\n"
            "round 3  leader A  {A* B C D A'*}, but\n"
            "  - vote messages from anyone to anyone come 1 round late\n"
            "  - D recovers without its memory\n"
            "\n"
            "healing round 4  leader B  {A B* C D A'}, but\n"
            "  - messages from anyone to A are dropped\n"
            "  - seats handle what arrives together in this order: reversed\n"
            "\n");
}

TEST(Story, FollowsMessagesThatAreLateOrComeTwice) {
  const Trace trace{network_round(1),
                    message(EventKind::kSent, Seat{1}, Seat{2}, 5, 1),
                    message(EventKind::kLate, Seat{1}, Seat{2}, 5, 1),
                    message(EventKind::kLate, Seat{1}, Seat{3}, 5, 1),
                    message(EventKind::kRepeated, Seat{0}, Seat{1}, 6, 1),
                    message(EventKind::kDelivered, Seat{1}, Seat{0}, 6, 1),
                    network_round(2),
                    message(EventKind::kDelivered, Seat{1}, Seat{0}, 6, 2),
                    message(EventKind::kDelivered, Seat{2}, Seat{1}, 5, 2)};
  EXPECT_EQ(told(calm(2), trace),
            "round 1  leader A  {A* B C D A'*}, but\n"
            "  - vote #5 of B to C D is put off\n"
            "  - vote #6 of A to B will come a second time\n"
            "\n"
            "round 2  leader A  {A* B C D A'*}, but\n"
            "  - vote #5 of B to C comes now, late\n"
            "  - vote #6 of A to B comes a second time\n"
            "\n");
}

TEST(Story, WrapsToTheWidthWithHangingIndents) {
  Scenario scenario = calm(1);
  scenario.rules = {{.from = {Seat{0}}, .to = {Seat{1}}, .note = "nobody but B"}};
  Trace trace{network_round(1)};
  for (unsigned i = 0; i < 4; ++i)
    trace.push_back({.kind = EventKind::kVoted, .seat = Seat{4}, .time = 1, .value = kA1});
  EXPECT_EQ(told(scenario, trace, 36),
            "round 1  leader A  {A* B C D A'*},\n"
            "  but\n"
            "  - messages from A to B are dropped\n"
            "      (nobody but B)\n"
            "  A'   votes for A1, votes for A1,\n"
            "       votes for A1, votes for A1\n"
            "\n");
}

TEST(Story, OfATimedRunIsToldByItsClock) {
  Scenario scenario = calm(1);
  scenario.timing = Timing{2, 24, 0};
  scenario.rules = {{.last_round = Round(1), .from = {Seat{4}}, .action = Action::kDelay, .delay_ticks = 5}};
  const Trace trace{{.kind = EventKind::kEnteredRound, .seat = Seat{1}, .round = Round(1)},
                    message(EventKind::kLate, Seat{0}, Seat{1}, 1, 0),
                    message(EventKind::kLate, Seat{4}, Seat{1}, 2, 0),
                    {.kind = EventKind::kTick, .time = 2},
                    message(EventKind::kDelivered, Seat{1}, Seat{0}, 1, 2),
                    {.kind = EventKind::kTick, .time = 5},
                    message(EventKind::kDelivered, Seat{1}, Seat{4}, 2, 5),
                    {.kind = EventKind::kVoted, .seat = Seat{1}, .time = 5, .value = kA1}};
  EXPECT_EQ(told(scenario, trace),
            "clock: delta is 2 ticks; the run lasts 24 ticks; messages that no rule is about take 0 ticks\n"
            "leaders by view: A\n"
            "rule: view 1: messages from A' to anyone are delayed by 5 ticks\n"
            "\n"
            "at 0Δ\n"
            "  B    enters view 1\n"
            "\n"
            "at 2.5Δ\n"
            "  - vote #2 of A' to B comes now, late\n"
            "  B    votes for A1\n"
            "\n");
}

TEST(Story, OfAnAsynchronousRunIsToldStepByStep) {
  Scenario scenario = calm(1);
  scenario.steps = {{1, Seat{1}}, {0, Seat{2}}};
  const Trace trace{{.kind = EventKind::kProposed, .seat = Seat{0}, .value = kA1},
                    message(EventKind::kSent, Seat{1}, Seat{1}, 6, 0),
                    message(EventKind::kSent, Seat{0}, Seat{0}, 7, 0),
                    {.kind = EventKind::kStep, .time = 1},
                    message(EventKind::kDelivered, Seat{1}, Seat{0}, 7, 1),
                    {.kind = EventKind::kVoted, .seat = Seat{1}, .time = 1, .value = kA1},
                    {.kind = EventKind::kStep, .time = 2},
                    {.kind = EventKind::kExpired, .seat = Seat{2}, .time = 2}};
  EXPECT_EQ(told(scenario, trace),
            "leaders by round: A\n"
            "\n"
            "start\n"
            "  A    proposes A1 on genesis\n"
            "\n"
            "step 1\n"
            "  - B gets A#1, vote\n"
            "  B    votes for A1\n"
            "\n"
            "step 2\n"
            "  - the timer of C runs out\n"
            "\n");
}

// It was told as if everybody heard everybody in view 2.
TEST(Story, TheZyzzyvaAttackDoesNotLookConnected) {
  const auto words = [](std::string_view) -> Result<store::Vocabulary> {
    return store::Vocabulary{kZyzzyvaKinds, kZyzzyvaBugs, {}, 2};
  };
  const std::string file = NIKA_ATTACKS "/zyzzyva-fork.json";
  const auto attack = store::attack_from_json(read_text_file(file).value(), file, words);
  ASSERT_TRUE(attack.has_value()) << attack.error().message;
  store::Finding finding;
  finding.scenario = attack->flawed;
  finding.trace = {{kZyzzyvaKinds.begin(), kZyzzyvaKinds.end()}, {}, {network_round(1), network_round(2)}};
  const StoredView stored(finding);
  EXPECT_EQ(story_text(story_of(finding.scenario, stored.view()), stored.cluster()),
            "inputs: A has v1, A' has v2\n"
            "\n"
            "round 1  leader A  {A* B C | D A'*}, but\n"
            "  - commit-certificate messages travel only A c1 c2 | B C | D A' (only A hears of the certificate)\n"
            "  (A orders v1, A' orders v2)\n"
            "\n"
            "round 2  leader D  {A B C D* A'}, but\n"
            "  - view-change messages travel only A C | B D A' (D hears of no certificate)\n"
            "  (all n vote for v2)\n"
            "\n");
}

}  // namespace
}  // namespace nika::report
