#include "nika/sim/round_network.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/sim/run.hpp"

namespace nika {
namespace {

using diembft::DiemBft;

Cluster four_nodes_and_a_twin() {
  const std::array<std::uint8_t, 1> copies{2};
  return *make_cluster(4, copies);
}

Partition partition_of(std::initializer_list<unsigned> blocks) {
  Partition partition;
  std::copy(blocks.begin(), blocks.end(), partition.block_of.begin());
  return partition;
}

// Rules and crashes of all rounds, with A as the leader of every round.
struct PlayedFaults {
  std::vector<Rule> rules;
  std::vector<Crash> crashes;
};

class PlayedSchedule final : public Schedule {
 public:
  PlayedSchedule(const Cluster& cluster, const PlayedFaults& faults)
      : seat_count_(cluster.seat_count), rules_(faults.rules) {
    begin(cluster.seat_count, kMaxRound, 0);
    set_crashes(faults.crashes);
    leaders_.fill(IdentitySet{Identity{0}});
  }

  Partition partition{};
  const KindLinks* kind_links = nullptr;
  bool heals = false;

 private:
  void choose(Round round, RoundAnswers& answers) override {
    links_ = links_of(partition, seat_count_);
    in_force_.clear();
    for (const Rule& rule : rules_) {
      if (rule.first_round <= round && round <= rule.last_round) in_force_.push_back(rule);
    }
    answers.links = &links_;
    answers.kind_links = kind_links;
    answers.order = &heal_order_;
    answers.rules = in_force_;
    answers.heals = heals;
  }

  unsigned seat_count_;
  std::vector<Rule> rules_;
  std::vector<Rule> in_force_;
  Links links_{};
};

// A run that keeps its trace.
struct Play {
  explicit Play(const Cluster& with, const PlayedFaults& faults = {})
      : cluster(with),
        schedule(with, faults),
        network(with, only(kAgreement)),
        world(std::make_unique<World<DiemBft>>()) {
    network.trace = &trace;
    network.start(*world, schedule);
  }
  void rounds(unsigned count, const Partition& partition, bool heals = false) {
    schedule.partition = partition;
    schedule.heals = heals;
    for (unsigned i = 0; i < count; ++i) EXPECT_TRUE(network.advance(*world, schedule));
  }
  std::size_t count(EventKind kind, Seat seat) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(trace, [&](const Event& e) { return e.kind == kind && e.seat == seat; }));
  }
  Round round_of(unsigned seat) const { return world->states[seat].current_round; }
  Height height_of(unsigned seat) const { return world->states[seat].committed.height; }

  Cluster cluster;
  Trace trace;
  PlayedSchedule schedule;
  RoundNetwork<DiemBft> network;
  std::unique_ptr<World<DiemBft>> world;
};

TEST(RoundNetwork, AConnectedNetworkCommitsOneBlockARound) {
  Play run(*make_cluster(4, {}));
  run.rounds(6, Partition{});
  // The block of round r is committed when the certificate of round r+2 arrives, with the proposal of round r+3.
  for (unsigned seat = 1; seat < 4; ++seat) EXPECT_EQ(run.height_of(seat), Height(3));
  EXPECT_EQ(run.count(EventKind::kTimedOut, Seat{1}), 0U);
}

TEST(RoundNetwork, TheNetworkMovesOnWhenEverybodyIsStuck) {
  Play run(*make_cluster(4, {}));
  run.rounds(3, partition_of({0, 0, 1, 1}));  // nobody has a quorum
  EXPECT_EQ(run.world->network_round, Round(3));
  for (unsigned seat = 0; seat < 4; ++seat) EXPECT_EQ(run.round_of(seat), Round(1));
  EXPECT_EQ(run.count(EventKind::kTimedOut, Seat{2}), 3U);  // once in each network round
  run.rounds(6, Partition{}, true);
  EXPECT_GE(run.height_of(1), Height(3));  // and they catch up once they can
}

TEST(RoundNetwork, ANodeThatWasCutOffFetchesTheBlocksItMissed) {
  Play run(*make_cluster(4, {}));
  run.rounds(4, partition_of({0, 0, 0, 1}));
  EXPECT_EQ(run.height_of(3), Height(0));
  run.rounds(1, Partition{}, true);
  EXPECT_GE(run.count(EventKind::kFetchedBlock, Seat{3}), 1U);
  EXPECT_EQ(run.height_of(3), run.height_of(2));
}

// However long it is: the fetched branch comes in one response.
TEST(RoundNetwork, ANodeThatWasCutOffForLongFetchesAWholeBranch) {
  Play run(*make_cluster(4, {}));
  run.rounds(15, partition_of({0, 0, 0, 1}));
  EXPECT_EQ(run.height_of(3), Height(0));
  run.rounds(1, Partition{}, true);
  EXPECT_GE(run.height_of(2), Height(12));
  EXPECT_EQ(run.height_of(3), run.height_of(2));
  EXPECT_EQ(run.count(EventKind::kFetchedBlock, Seat{3}), 1U);
}

TEST(RoundNetwork, TwinsProposeDifferentValuesUnderOneIdentity) {
  Play run(four_nodes_and_a_twin());
  run.rounds(1, Partition{});
  std::vector<ValueId> proposed;
  for (const Event& event : run.trace) {
    if (event.kind == EventKind::kProposed && event.round == Round(1)) proposed.push_back(event.value);
  }
  ASSERT_EQ(proposed.size(), 2U);
  EXPECT_NE(proposed[0], proposed[1]);
  EXPECT_EQ(run.cluster.identity(proposed[0].seat()), run.cluster.identity(proposed[1].seat()));
}

TEST(RoundNetwork, SeatsWithOneInputProposeOneValue) {
  Scenario scenario;
  scenario.copies = {2};
  scenario.inputs = {"v1", "v2", "", "v2", "v1"};
  const Cluster cluster = cluster_of(scenario, {}).value();
  Play run(cluster);
  run.rounds(1, partition_of({0, 0, 0, 1, 1}));
  std::vector<ValueId> proposed;
  for (const Event& event : run.trace) {
    if (event.kind == EventKind::kProposed && event.round == Round(1)) proposed.push_back(event.value);
  }
  ASSERT_EQ(proposed.size(), 2U);  // by A and by its twin
  EXPECT_EQ(proposed[0], proposed[1]);
  EXPECT_EQ(name_of(cluster, proposed[0]), "A1");
  EXPECT_EQ(cluster.input_of[3], Seat{1});
  EXPECT_EQ(cluster.input_of[2], Seat{2});
}

TEST(RoundNetwork, ACrashedSeatIsSilentAndForgetsOnlyWithoutMemory) {
  const Crash with_memory{Seat{3}, Round(3), Round(5), true};
  const Crash without_memory{Seat{3}, Round(3), Round(5), false};
  for (const Crash& crash : {with_memory, without_memory}) {
    Play run(*make_cluster(4, {}), PlayedFaults{{}, {crash}});
    run.rounds(4, Partition{});
    EXPECT_LT(run.round_of(3), run.round_of(1));
    const Height before = run.height_of(3);
    run.rounds(1, partition_of({0, 0, 0, 1}));
    EXPECT_EQ(run.height_of(3), crash.keeps_memory ? before : Height(0));
    EXPECT_EQ(run.world->incarnation[3], crash.keeps_memory ? 0 : 1);
    run.rounds(2, Partition{}, true);
    EXPECT_EQ(run.height_of(3), run.height_of(2));
  }
}

TEST(RoundNetwork, ADelayedMessageArrivesInItsTick) {
  // Proposals of round 1 to D come two ticks late: before its timer of four ticks runs out.
  Rule late{.first_round = Round(1),
            .last_round = Round(1),
            .kinds = 1,
            .to = {Seat{3}},
            .action = Action::kDelay,
            .delay_ticks = 2};
  Play in_time(*make_cluster(4, {}), PlayedFaults{{late}, {}});
  in_time.rounds(2, Partition{});
  EXPECT_EQ(in_time.count(EventKind::kVoted, Seat{3}), 2U);
  EXPECT_EQ(in_time.count(EventKind::kTimedOut, Seat{3}), 0U);
}

TEST(RoundNetwork, AWithheldMessageArrivesWhenTheNetworkHeals) {
  Rule withheld{.first_round = Round(1), .last_round = Round(2), .to = {Seat{3}}, .action = Action::kWithhold};
  Play run(*make_cluster(4, {}), PlayedFaults{{withheld}, {}});
  run.rounds(2, Partition{});
  EXPECT_EQ(run.count(EventKind::kVoted, Seat{3}), 0U);
  EXPECT_GT(run.world->pending_count, 0U);
  run.rounds(1, Partition{}, true);
  // It stays in round 1, and votes there, until it has fetched what round 3 builds on; round 2 was overtaken.
  EXPECT_EQ(run.count(EventKind::kVoted, Seat{3}), 2U);
  EXPECT_EQ(run.round_of(3), run.round_of(2));
}

TEST(RoundNetwork, EquivocatingAndDuplicateVotesAreNoticed) {
  Play run(four_nodes_and_a_twin());
  run.rounds(2, Partition{});
  EXPECT_GE(run.count(EventKind::kEquivocatingVote, Seat{0}) + run.count(EventKind::kEquivocatingVote, Seat{4}), 1U);
}

// A quicker way to say the same: the traces are equal, event by event.
TEST(RoundNetwork, LinksOfKindsAreOneRuleForEachKind) {
  Random random(11);
  for (unsigned run = 0; run < 200; ++run) {
    std::vector<KindLinks> links(6);
    PlayedFaults faults;
    for (unsigned r = 0; r < links.size(); ++r) {
      for (unsigned kind = 0; kind < kMaxKinds; ++kind) {
        Rule rule;
        rule.first_round = rule.last_round = Round(r + 1);
        rule.kinds = 1U << kind;
        rule.action = Action::kLinks;
        for (unsigned s = 0; s < 5; ++s) {
          rule.reach[s] = SeatSet::from_bits(static_cast<std::uint32_t>(random.below(32) | random.below(32) | 1U << s));
        }
        links[r][kind] = rule.reach;
        faults.rules.push_back(rule);
      }
    }
    Play slow(four_nodes_and_a_twin(), faults);
    slow.rounds(6, Partition{});
    Play quick(four_nodes_and_a_twin());
    for (const KindLinks& kinds : links) {
      quick.schedule.kind_links = &kinds;
      quick.rounds(1, partition_of({0, 1, 0, 1, 0}));  // which does not count
    }
    ASSERT_GT(slow.trace.size(), 0U);
    ASSERT_EQ(quick.trace, slow.trace) << run;
  }
}

}  // namespace
}  // namespace nika
