#include "nika/report/loop_story.hpp"

#include <gtest/gtest.h>

#include "nika/report/loop_text.hpp"

namespace nika::report {
namespace {

const Cluster kCluster = make_cluster(4, std::vector<std::uint8_t>{2}).value();

// Rounds 1 to so many, in each of which B votes.
Story rounds(unsigned count) {
  Story story;
  for (unsigned number = 1; number <= count; ++number) {
    RoundStory round;
    round.number = number;
    round.leaders = "A";
    round.network = "{A* B}";
    round.seats = {{Seat{1}, {"votes for A" + std::to_string(number)}}};
    story.rounds.push_back(round);
  }
  return story;
}

store::LoopRecord loop_of(unsigned first_round, unsigned length) {
  store::LoopRecord loop{.first_round = first_round, .length = length, .proved = true};
  loop.assumptions.healed = true;
  loop.waiting = {"B"};
  loop.ends = {{"B", {first_round, "A1", "A1", "genesis"}, {first_round + length, "A1", "A1", "genesis"}},
               {"A'", {first_round, "genesis", "genesis", "genesis"}, {first_round, "A2", "genesis", "genesis"}}};
  return loop;
}

TEST(LoopStory, MarksTheLoopAndTellsWhatIsHeldAtItsEnds) {
  EXPECT_EQ(loop_story_text(rounds(5), kCluster, loop_of(2, 2)),
            "round 1  leader A  {A* B}\n"
            "  B    votes for A1\n"
            "\n"
            "+-- the loop: these rounds for ever, as it begins\n"
            "    B    view 2    prepared A1       locked A1       executed genesis\n"
            "    A'   view 2    prepared genesis  locked genesis  executed genesis\n"
            "|\n"
            "| round 2  leader A  {A* B}\n"
            "|   B    votes for A2\n"
            "|\n"
            "| round 3  leader A  {A* B}\n"
            "|   B    votes for A3\n"
            "|\n"
            "+-- after round 3 all is as it was after round 1, but for the numbers of rounds\n"
            "    B    view 4    prepared A1       locked A1       executed genesis\n"
            "    A'   view 2    prepared A2       locked genesis  executed genesis\n"
            "    rounds 4 to 5 are the same again\n"
            "\n");
}

TEST(LoopStory, OfALoopBehindTheRecordedRoundsSaysSo) {
  store::LoopRecord loop = loop_of(4, 1);
  loop.ends = {{"B", {4, "", "", ""}, {5, "", "", ""}}};
  EXPECT_EQ(loop_story_text(rounds(1), kCluster, loop),
            "round 1  leader A  {A* B}\n"
            "  B    votes for A1\n"
            "\n"
            "rounds 2 to 3: not recorded; the schedule goes on in turns\n"
            "\n"
            "+-- the loop: this round for ever, as it begins\n"
            "    B    view 4\n"
            "|\n"
            "| round 4: not recorded; the schedule goes on in turns\n"
            "|\n"
            "+-- after round 4 all is as it was after round 3, but for the numbers of rounds\n"
            "    B    view 5\n"
            "\n");
  loop = loop_of(1, 3);
  loop.ends.clear();
  const std::string partly = loop_story_text(rounds(2), kCluster, loop);
  EXPECT_NE(partly.find("| round 2  leader A  {A* B}\n|   B    votes for A2\n|\n| round 3: not recorded;"),
            std::string::npos)
      << partly;
}

// The schedule of three rounds ends with the first; the loop repeats its round 2, which D leads, and not what came
// next.
TEST(LoopStory, DrawsTheRunThatTheLoopTellsAndTheRoundsThatItRepeats) {
  Scenario scenario;
  scenario.copies = {2};
  scenario.rounds.resize(3);
  for (unsigned r = 0; r < 3; ++r) scenario.rounds[r].leaders = {static_cast<Identity>(r == 1 ? 3 : 0)};
  const auto votes = [](unsigned time) {
    return Event{.kind = EventKind::kVoted, .seat = Seat{1}, .time = time, .value = ValueId(Round(time), Seat{0}, 0)};
  };
  const Trace recorded{votes(1), votes(2), {.kind = EventKind::kTimedOut, .seat = Seat{2}, .time = 3}};
  store::LoopRecord loop = loop_of(3, 1);
  loop.ends.clear();
  loop.run = store::LoopRunRecord{2, 1, 2, 3, 3, {votes(3)}};
  const Story story = story_of_loop(scenario, {kCluster, {}, recorded, {}}, loop);
  EXPECT_EQ(loop_story_text(story, kCluster, loop),
            "from round 3 on: round 2 comes again and again\n"
            "\n"
            "round 1  leader A  {A* B C D A'*}\n"
            "  B    votes for A1\n"
            "\n"
            "round 2  leader D  {A B C D* A'}\n"
            "  B    votes for A2\n"
            "\n"
            "+-- the loop: this round for ever, as it begins\n"
            "|\n"
            "| round 3  leader D  {A B C D* A'}\n"
            "|   B    votes for A3\n"
            "|\n"
            "+-- after round 3 all is as it was after round 2, but for the numbers of rounds\n"
            "\n");
}

TEST(LoopStory, OfATimedRunIsDrawnByTheClock) {
  Scenario scenario;
  scenario.copies = {2};
  scenario.rounds.resize(1);
  scenario.timing = Timing{.delta_ticks = 2};
  const auto enters = [](unsigned time, unsigned view) {
    return Event{.kind = EventKind::kEnteredRound, .seat = Seat{1}, .time = time, .round = Round(view)};
  };
  const Trace recorded{enters(1, 2), enters(4, 3)};
  store::LoopRecord loop = loop_of(3, 1);
  loop.counts_views = true;
  EXPECT_EQ(loop_story_text(story_of_loop(scenario, {kCluster, {}, recorded, {}}, loop), kCluster, loop),
            story_text(story_of(scenario, {kCluster, {}, recorded, {}}), kCluster));
  loop.run = store::LoopRunRecord{2, 1, 4, 7, 7, {enters(7, 4)}};
  const std::string text = loop_story_text(story_of_loop(scenario, {kCluster, {}, recorded, {}}, loop), kCluster, loop);
  EXPECT_EQ(text.substr(text.find("from view")),
            "from view 3 on: view 2 comes again and again\n"
            "\n"
            "at 0.5Δ\n"
            "  B    enters view 2\n"
            "\n"
            "at 2Δ\n"
            "  B    enters view 3\n"
            "\n"
            "+-- the loop: view 3 for ever, as it begins at 2Δ\n"
            "    B    view 3    prepared A1       locked A1       executed genesis\n"
            "    A'   view 3    prepared genesis  locked genesis  executed genesis\n"
            "|\n"
            "| at 3.5Δ\n"
            "|   B    enters view 4\n"
            "|\n"
            "+-- at 3.5Δ all is as it was at 2Δ, but for the time and the numbers of views\n"
            "    B    view 4    prepared A1       locked A1       executed genesis\n"
            "    A'   view 3    prepared A2       locked genesis  executed genesis\n"
            "\n");
}

TEST(LoopStory, OfALoopThatIsNotProvedDrawsNone) {
  store::LoopRecord loop = loop_of(2, 2);
  loop.proved = false;
  EXPECT_EQ(loop_story_text(rounds(5), kCluster, loop), story_text(rounds(5), kCluster));
}

TEST(LoopText, SaysForEverOnlyOfWhatIsProved) {
  store::LoopRecord loop = loop_of(5, 4);
  loop.assumptions = {.healed = true, .fair = true, .order = Assumptions::Arrival::kAny};
  EXPECT_EQ(
      loop_text(loop),
      "loops for ever: rounds 5..8 repeat, proved; assumptions: healed, fair, any order of arrival, liars silent");
  loop.assumptions = {};
  loop.assumptions.liars = Assumptions::Liars::kActive;
  loop.length = 1;
  EXPECT_EQ(
      loop_text(loop),
      "loops for ever: round 5 repeats, proved; assumptions: asynchrony goes on, not fair (some honest node never "
      "leads), one order of arrival, liars active");
  loop.counts_views = true;
  EXPECT_TRUE(loop_text(loop).starts_with("loops for ever: view 5 repeats, proved;"));
  loop.counts_views = false;
  loop.proved = false;
  EXPECT_EQ(loop_text(loop), "no loop proved: round 5 repeats once, but not when run again");
  EXPECT_EQ(loop_text(std::nullopt), "no loop found: the world never came back without a decision");
}

TEST(LoopText, TellsWhatTheRepairedProtocolDoes) {
  store::LoopRecord loop = loop_of(5, 4);
  EXPECT_EQ(repaired_text(loop), "");
  loop.repaired = store::RepairedRecord{"hotstuff", {}, 7};
  EXPECT_EQ(repaired_text(loop), "repaired: the same schedule, with the loop repeated, on hotstuff decides in round 7");
  loop.counts_views = true;
  EXPECT_EQ(repaired_text(loop), "repaired: the same schedule, with the loop repeated, on hotstuff decides in view 7");
  loop.repaired = store::RepairedRecord{"fab", {"x", "y"}, 0};
  EXPECT_EQ(repaired_text(loop),
            "repaired: the same schedule, with the loop repeated, on fab with bug x, y does not decide either");
}

}  // namespace
}  // namespace nika::report
