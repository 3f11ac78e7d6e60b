#include "nika/sim/adversary.hpp"

#include <gtest/gtest.h>

#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

Envelope envelope(unsigned round, Kind kind, unsigned from, unsigned to) {
  return {Round(round), kind, static_cast<Seat>(from), static_cast<Seat>(to)};
}

Partition split_after(unsigned first_block, unsigned seats) {
  Partition partition;
  for (unsigned s = first_block; s < seats; ++s) partition.block_of[s] = 1;
  return partition;
}

TEST(Adversary, WithoutRulesThePartitionDecides) {
  const Links links = links_of(split_after(2, 5), 5);
  EXPECT_EQ(links.component_count, 2U);
  EXPECT_EQ(fate_of({}, links.reach, envelope(1, 0, 0, 1)).action, Action::kDeliver);
  EXPECT_EQ(fate_of({}, links.reach, envelope(1, 0, 1, 2)).action, Action::kDrop);
  EXPECT_EQ(fate_of({}, links.reach, envelope(1, 0, 3, 4)).action, Action::kDeliver);
}

TEST(Adversary, TheFirstMatchingRuleDecides) {
  const Links links = full_links(4);
  Rule votes_lost{.first_round = Round(2), .last_round = Round(3), .kinds = 0b10, .from = {Seat{0}}, .to = {Seat{1}}};
  Rule late{.first_round = Round(2), .action = Action::kDelay, .delay_ticks = 3};
  const std::vector<Rule> rules{votes_lost, late};
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 1, 0, 1)).action, Action::kDeliver);  // before round 2
  EXPECT_EQ(fate_of(rules, links.reach, envelope(2, 1, 0, 1)).action, Action::kDrop);
  EXPECT_EQ(fate_of(rules, links.reach, envelope(2, 0, 0, 1)).action, Action::kDelay);  // another kind
  EXPECT_EQ(fate_of(rules, links.reach, envelope(2, 1, 1, 0)).action,
            Action::kDelay);  // the other way: links may be one-way
  EXPECT_EQ(fate_of(rules, links.reach, envelope(4, 1, 0, 1)).delay, 3);
}

TEST(Adversary, ASeatAlwaysReachesItself) {
  const Rule all_lost{};
  const std::vector<Rule> rules{all_lost};
  EXPECT_EQ(fate_of(rules, full_links(4).reach, envelope(1, 0, 2, 2)).action, Action::kDeliver);
}

TEST(Adversary, ARuleMayJoinWhatThePartitionSeparates) {
  const Rule bridge{.from = {Seat{0}}, .to = {Seat{3}}, .action = Action::kDeliver};
  const std::vector<Rule> rules{bridge};
  const Links links = links_of(split_after(2, 4), 4);
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 0, 0, 3)).action, Action::kDeliver);
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 0, 3, 0)).action, Action::kDrop);
}

TEST(Adversary, LinksCarryTheirKindOfMessagesAndNothingElseDoes) {
  Rule votes_to_a{.kinds = 0b10, .action = Action::kLinks};
  votes_to_a.reach = {SeatSet{Seat{0}}, {Seat{0}, Seat{1}}, {Seat{2}}, {Seat{0}, Seat{3}}};  // B D -> A
  const std::vector<Rule> rules{votes_to_a};
  const Links links = links_of(split_after(2, 4), 4);
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 1, 1, 0)).action, Action::kDeliver);
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 1, 3, 0)).action, Action::kDeliver);  // across the partition
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 1, 0, 1)).action, Action::kDrop);     // inside a block
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 0, 0, 1)).action, Action::kDeliver);  // another kind
  EXPECT_EQ(fate_of(rules, links.reach, envelope(1, 0, 3, 0)).action, Action::kDrop);
}

TEST(Adversary, LateMessagesTellTheirRoundsAndDelayedOnesTheirTicks) {
  Rule rule{.kinds = 0b01, .delay_ticks = 5, .delay_rounds = 3};
  const auto fate_by = [&](Action action) {
    rule.action = action;
    return fate_of(std::span(&rule, 1), full_links(4).reach, envelope(1, 0, 0, 1));
  };
  for (const Action action : {Action::kLate, Action::kTwice}) {
    EXPECT_EQ(fate_by(action).action, action);
    EXPECT_EQ(fate_by(action).delay, 3);
  }
  EXPECT_EQ(fate_by(Action::kDelay).delay, 5);
  EXPECT_EQ(fate_of(std::span(&rule, 1), full_links(4).reach, envelope(1, 1, 0, 1)).action, Action::kDeliver);
}

TEST(Adversary, ARuleWithoutALastRoundEndsWhenTheNetworkHeals) {
  Scenario scenario;
  scenario.rounds.resize(2);
  scenario.heal_rounds = 3;
  const Rule silent{.first_round = Round(3), .last_round = Round(4), .from = {Seat{0}}};
  scenario.rules = {silent, Rule{}};
  RecordedSchedule schedule(scenario);
  const auto fate_in = [&](unsigned round, unsigned from, unsigned to) {
    const RoundAnswers& answers = schedule.round(Round(round));
    return fate_of(answers.rules, answers.links->reach, envelope(round, 0, from, to)).action;
  };
  EXPECT_EQ(fate_in(2, 1, 2), Action::kDrop);
  EXPECT_EQ(fate_in(3, 1, 2), Action::kDeliver);
  EXPECT_EQ(fate_in(4, 0, 2), Action::kDrop);
  EXPECT_EQ(fate_in(5, 0, 2), Action::kDeliver);
}

}  // namespace
}  // namespace nika
