#include "nika/model/scenario.hpp"

#include <gtest/gtest.h>

#include <array>

namespace nika {
namespace {

const std::vector<std::uint8_t> kTwin{2};
const Cluster kCluster = make_cluster(4, kTwin).value();  // A B C D A'

Scenario scenario(std::size_t rounds, unsigned heal_rounds) {
  Scenario s;
  s.copies = kTwin;
  s.rounds.resize(rounds);
  s.heal_rounds = static_cast<std::uint8_t>(heal_rounds);
  return s;
}

TEST(Partition, BlocksAreNumberedByTheirFirstSeat) {
  Partition partition{{3, 7, 3, 0, 7}};
  partition.normalize(5);
  EXPECT_EQ(partition, (Partition{{0, 1, 0, 2, 1}}));
  EXPECT_EQ(partition.block_count(5), 3U);
  EXPECT_EQ(partition.block(1, 5), (SeatSet{Seat{1}, Seat{4}}));
}

TEST(Partition, IsFoundInItsLinksAndOnlyThere) {
  const Partition partition{{0, 1, 0, 2, 1}};
  const Cluster five = *make_cluster(5, {});
  Reach reach = reach_of(partition, 5);
  EXPECT_EQ(partition_of(reach, five), partition);
  reach[0].insert(Seat{1});
  EXPECT_EQ(partition_of(reach, five), std::nullopt);  // A reaches B one way
  reach = reach_of(partition, 5);
  reach[3] = {};
  EXPECT_EQ(partition_of(reach, five), std::nullopt);
}

TEST(LinksText, IsAPartitionWhereItCanBe) {
  Reach reach = reach_of(Partition{{0, 0, 1, 1, 1}}, 5);
  EXPECT_EQ(links_text(kCluster, reach), "A B | C D A'");
  reach[0].insert(Seat{2});
  EXPECT_EQ(links_text(kCluster, reach), "A -> B C, B -> A, C -> D A', D -> C A', A' -> C D");
}

TEST(RoundPlan, IsWrittenWithItsLeadersStarred) {
  RoundPlan plan;
  plan.leaders = {Identity{0}, Identity{2}};
  plan.partition = {{0, 0, 1, 1, 1}};
  EXPECT_EQ(to_text(kCluster, plan), "{A* B | C* D A'*}");
}

TEST(Order, ReversedTurnsTheSeatsAround) {
  const Order order = Order::reversed(3);
  EXPECT_EQ(order.rank[0], 2);
  EXPECT_EQ(order.rank[2], 0);
  EXPECT_FALSE(order.own_first);
  EXPECT_NE(order, Order::fifo());
}

TEST(BugBits, FollowTheOrderOfTheProtocol) {
  static constexpr std::array<std::string_view, 2> kKnown{"one", "two"};
  EXPECT_EQ(bug_bits(std::vector<std::string>{"two"}, kKnown, "p").value(), 2U);
  EXPECT_EQ(bug_bits({}, kKnown, "p").value(), 0U);
  EXPECT_EQ(bug_bits(std::vector<std::string>{"three"}, kKnown, "p").error().message,
            "protocol p has no bug \"three\"; it has: one, two");
  EXPECT_EQ(bug_bits(std::vector<std::string>{"three"}, {}, "p").error().message,
            "protocol p has no bug \"three\"; it has: none");
}

TEST(ClusterOf, SeatsWithOneInputShareTheFirstOfThem) {
  Scenario s = scenario(1, 0);
  s.inputs = {"v1", "v2", "", "v1", "v2"};
  s.fault_count = 2;
  const Cluster cluster = cluster_of(s, {}).value();
  EXPECT_EQ(cluster.input_of[0], Seat{0});
  EXPECT_EQ(cluster.input_of[2], Seat{2});
  EXPECT_EQ(cluster.input_of[3], Seat{0});
  EXPECT_EQ(cluster.input_of[4], Seat{1});
  EXPECT_EQ(cluster.fault_count, 2U);
}

TEST(WithoutNotes, OnlyWhatIsForReadersIsGone) {
  Scenario s = scenario(2, 1);
  s.rules.resize(1);
  Scenario noted = s;
  noted.about = noted.rounds[1].note = noted.rules[0].note = "a note";
  EXPECT_NE(noted, s);
  EXPECT_EQ(without_notes(noted), s);
}

std::string healing_complaint(const Rule& rule) {
  const auto sound = check_healing(rule, scenario(2, 3), kCluster);
  return sound ? "" : sound.error().message;
}

TEST(CheckHealing, HonestSeatsHearEachOtherWhenTheNetworkHasHealed) {
  EXPECT_EQ(healing_complaint({.last_round = Round(3)}),
            "rounds 3 to 5 heal, when honest seats hear each other, but this rule keeps messages of B from C");
  EXPECT_EQ(healing_complaint({.last_round = Round(2)}), "");
  EXPECT_EQ(healing_complaint({}), "");  // an open rule ends when the network heals
  EXPECT_EQ(healing_complaint({.first_round = Round(6), .last_round = Round(9)}), "");
  EXPECT_EQ(healing_complaint({.last_round = Round(3), .from = {Seat{0}, Seat{4}}}), "");
  EXPECT_EQ(healing_complaint({.last_round = Round(3), .to = {Seat{4}}}), "");
  EXPECT_EQ(healing_complaint({.last_round = Round(3), .action = Action::kDeliver}), "");
  EXPECT_EQ(healing_complaint({.last_round = Round(3), .action = Action::kTwice, .delay_rounds = 1}), "");
  Rule links{.last_round = Round(3), .action = Action::kLinks};
  links.reach = reach_of({{0, 1, 1, 1, 0}}, 5);
  EXPECT_EQ(healing_complaint(links), "");  // only A and A' are parted from the others
  links.reach = reach_of({{0, 0, 1, 1, 1}}, 5);
  EXPECT_NE(healing_complaint(links), "");
}

Scenario timed(const Rule& rule) {
  Scenario s = scenario(1, 0);
  s.timing = Timing{2, 24, 0};
  s.rules = {rule};
  return s;
}

TEST(CheckSynchrony, NothingCountsInRoundsOrWaitsForHealing) {
  const std::string complaint =
      "a timed scenario has no network rounds and never heals, but this rule puts messages off until then: delay them "
      "by ticks, or drop them";
  const auto complaint_about = [](const Rule& rule) {
    const auto sound = check_synchrony(timed(rule));
    return sound ? "" : sound.error().message;
  };
  const SeatSet liar{Seat{0}};
  EXPECT_EQ(complaint_about({.from = liar, .action = Action::kLate, .delay_rounds = 1}), complaint);
  EXPECT_EQ(complaint_about({.from = liar, .action = Action::kTwice, .delay_rounds = 1}), complaint);
  EXPECT_EQ(complaint_about({.from = liar, .action = Action::kWithhold}), complaint);
  EXPECT_EQ(complaint_about({.action = Action::kTwice}), "");  // also between honest seats: it comes at once
}

// What takes exactly delta is in time: a tie of an honest seat is decided.
TEST(CheckSynchrony, TimersOfHonestSeatsWaitForWhatArrivesWithThem) {
  Scenario s = timed({.from = {Seat{0}}});
  s.copies = {2};
  s.timing->timers_first = {Seat{0}};
  EXPECT_TRUE(check_synchrony(s).has_value());
  s.timing->timers_first = {Seat{0}, Seat{2}};
  EXPECT_EQ(check_synchrony(s).error().message,
            "a message that takes delta is in time, but the timers of honest C run out before what arrives in their "
            "tick");
}

TEST(CheckSynchrony, HonestSeatsHearEachOtherWithinDelta) {
  const Rule slow{.from = {Seat{1}}, .to = {Seat{2}}, .action = Action::kDelay, .delay_ticks = 3};
  EXPECT_EQ(check_synchrony(timed(slow)).error().message,
            "messages between honest seats take at most delta = 2 ticks in a synchronous network, but this rule keeps "
            "messages of B from C");
  Rule fast = slow;
  fast.delay_ticks = 2;
  EXPECT_TRUE(check_synchrony(timed(fast)).has_value());
  Rule liar = slow;
  liar.from = {Seat{0}};
  EXPECT_TRUE(check_synchrony(timed(liar)).has_value());
  EXPECT_FALSE(check_synchrony(timed({})).has_value());
}

TEST(CheckSynchrony, ATimedScenarioHasNeitherPartitionsNorCrashes) {
  Scenario parted = timed({.from = {}});
  EXPECT_TRUE(check_synchrony(parted).has_value());
  parted.rounds[0].partition = {{0, 1}};
  EXPECT_FALSE(check_synchrony(parted).has_value());
  parted.timing.reset();
  EXPECT_TRUE(check_synchrony(parted).has_value());
  Scenario crashed = timed({.from = {}});
  crashed.crashes = {{Seat{1}, Round(1), Round(2), true}};
  EXPECT_FALSE(check_synchrony(crashed).has_value());
  Scenario late = timed({.from = {}});
  late.timing->delay_ticks = 3;
  EXPECT_FALSE(check_synchrony(late).has_value());
}

}  // namespace
}  // namespace nika
