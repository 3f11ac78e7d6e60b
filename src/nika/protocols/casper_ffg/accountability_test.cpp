#include "nika/protocols/casper_ffg/accountability.hpp"

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"
#include "nika/protocols/ibft/ibft.hpp"

namespace nika::casper_ffg {
namespace {

constexpr Identity kA{0};
constexpr Identity kB{1};
constexpr Identity kC{2};
constexpr Identity kD{3};

ValueId block(unsigned height, unsigned maker = 0) { return {Round(height), static_cast<Seat>(maker), 0}; }

// Two honest seats that finalised different blocks, and what the validators know of votes.
class Fork {
 public:
  explicit Fork(const Insight& insight = kInsight<CasperFfg>) : run(kAccountableSafety), insight_(insight) {
    context_.replica_count = 4;
    context_.fault_count = 1;
  }
  void fork() {
    run.commit(Seat{1}, 1, block(1, 0));
    run.commit(Seat{2}, 1, block(1, 1));
  }
  void voted(unsigned seat, Link link, IdentitySet voters) {
    for (Identity voter : voters) ASSERT_NE(states[seat].links.add(voter, link), nullptr);
  }
  Judgement judged() {
    const auto sight = run.sight();
    Sight shown = sight;
    shown.show(insight_, states.data(), &context_);
    return AccountableSafetyMonitor{}.judge(shown);
  }

  PlantedRun run;
  std::array<State, kMaxSeats> states{};

 private:
  const Insight& insight_;
  Context context_;
};

TEST(Commandments, AreThoseOfThePaper) {
  const Link low{block(1), block(2)};
  EXPECT_FALSE(is_slashable(low, low));
  EXPECT_TRUE(is_double_vote(low, {block(1), block(2, 1)}));
  EXPECT_TRUE(is_double_vote(low, {kGenesis, block(2)}));  // distinct votes for one target
  EXPECT_FALSE(is_slashable(low, {block(2), block(3)}));
  EXPECT_FALSE(is_slashable(low, {block(1), block(3)}));  // from one source
  EXPECT_TRUE(is_surround_vote(low, {kGenesis, block(3)}));
  EXPECT_TRUE(is_surround_vote({kGenesis, block(3)}, low));
  EXPECT_FALSE(is_surround_vote({kGenesis, block(2)}, {block(2), block(3)}));
}

TEST(AccountableSafety, HoldsWhereNothingConflicts) {
  Fork fork;
  fork.run.commit_all(1);
  EXPECT_EQ(fork.judged().verdict, Verdict::kHolds);
}

TEST(AccountableSafety, HoldsIfAThirdVotedTwiceForOneHeight) {
  for (const Insight* insight : {&kInsight<CasperFfg>, &kInsight<CasperFfgLed>}) {
    Fork fork(*insight);
    fork.fork();
    fork.voted(1, {kGenesis, block(1, 0)}, {kA, kB, kD});
    fork.voted(2, {kGenesis, block(1, 1)}, {kA, kC, kD});
    EXPECT_EQ(guilty_in(fork.states, 3), (IdentitySet{kA, kD}));
    EXPECT_EQ(fork.judged().verdict, Verdict::kHolds);
  }
}

TEST(AccountableSafety, HoldsIfAThirdSurroundedAVote) {
  Fork fork;
  fork.fork();
  fork.voted(1, {kGenesis, block(1)}, {kA, kB, kC});
  fork.voted(1, {block(1), block(2)}, {kA, kB, kC});
  fork.voted(2, {kGenesis, block(3, 1)}, {kB, kC, kD});
  EXPECT_EQ(guilty_in(fork.states, 3), (IdentitySet{kB, kC}));
  EXPECT_EQ(fork.judged().verdict, Verdict::kHolds);
}

TEST(AccountableSafety, IsBrokenIfNobodyIsGuilty) {
  Fork fork;
  fork.fork();
  fork.voted(1, {kGenesis, block(1, 0)}, {kA, kB, kC});
  fork.voted(2, {kGenesis, block(2, 1)}, {kB, kC, kD});
  const Judgement found = fork.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.kind, "conflicting finalised checkpoints, and nobody is guilty");
  EXPECT_EQ(found.evidence.height, Height(1));
  EXPECT_TRUE(found.evidence.seats.empty());
  EXPECT_EQ(found.evidence.claims.size(), 2U);
}

// Of seven one is too few, and is named with its seats.
TEST(AccountableSafety, IsBrokenIfFewerThanAThirdAreGuilty) {
  Fork fork;
  fork.run.cluster.node_count = 7;
  fork.fork();
  fork.voted(1, {kGenesis, block(1, 0)}, {kA, kB, kD});
  fork.voted(2, {kGenesis, block(1, 1)}, {kA, Identity{4}, kC});
  const Judgement found = fork.judged();
  EXPECT_EQ(found.verdict, Verdict::kViolated);
  EXPECT_EQ(found.evidence.seats, (SeatSet{Seat{0}, Seat{4}}));  // A and A'
}

// A vote that helped nothing to be justified accuses nobody: that is more than the theorem needs.
TEST(AccountableSafety, VotesOutsideOfSupermajoritiesDoNotCount) {
  Fork fork;
  fork.voted(1, {kGenesis, block(1, 0)}, {kA, kB, kD});
  fork.voted(2, {kGenesis, block(1, 1)}, {kA, kD});
  EXPECT_TRUE(guilty_in(fork.states, 3).empty());
  fork.voted(3, {kGenesis, block(1, 1)}, {kC});  // who heard another of the votes
  EXPECT_EQ(guilty_in(fork.states, 3), (IdentitySet{kA, kD}));
}

TEST(AccountableSafety, IsPromisedHoweverManyLie) {
  Fork fork;
  fork.run.cluster = *make_cluster(4, std::array<std::uint8_t, 2>{2, 2});
  EXPECT_EQ(fork.judged().verdict, Verdict::kHolds);
  fork.run.commit(Seat{2}, 1, block(1, 0));
  fork.run.commit(Seat{3}, 1, block(1, 1));
  EXPECT_EQ(fork.judged().verdict, Verdict::kViolated);
}

TEST(AccountableSafety, IsUnknownWhereWhatShowsItMayBeForgotten) {
  Fork fork;
  fork.run.amnesiac = {Seat{3}};
  EXPECT_EQ(fork.judged().verdict, Verdict::kHolds);
  fork.fork();
  EXPECT_EQ(fork.judged().unjudged, Unjudged::kTooManyFaulty);
  fork.voted(1, {kGenesis, block(1, 0)}, {kA, kB, kD});
  fork.voted(2, {kGenesis, block(1, 1)}, {kA, kC, kD});
  EXPECT_EQ(fork.judged().verdict, Verdict::kHolds);
}

TEST(AccountableSafety, IsNotPromisedByOtherProtocols) {
  EXPECT_EQ(PlantedRun(kAccountableSafety).unjudged(), Unjudged::kNotPromised);
  PlantedRun other(kAccountableSafety);
  other.insight = &kInsight<ibft::Ibft>;
  EXPECT_EQ(other.unjudged(), Unjudged::kNotPromised);
}

TEST(AccountableSafety, AFullBufferLeavesItUnknown) {
  PlantedRun run(kAccountableSafety);
  run.overflowed = true;
  EXPECT_EQ(run.unjudged(), Unjudged::kOverflow);
}

}  // namespace
}  // namespace nika::casper_ffg
