#include "nika/protocols/hotstuff/hotstuff.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nika::hotstuff {
namespace {

constexpr Identity kA{0};
constexpr Identity kB{1};
constexpr Identity kC{2};
constexpr Identity kD{3};

constexpr ValueId block(unsigned view, Identity leader) { return {Round(view), static_cast<Seat>(leader), 0}; }

constexpr ValueId kA1 = block(1, kA);
constexpr ValueId kA2 = block(2, kA);
constexpr ValueId kA3 = block(3, kA);

// Replica B, fed by hand, in a cluster of four that A leads. It remembers all that it put into its outbox.
template <Protocol P>
class Fed {
 public:
  explicit Fed(Identity self = kB) {
    leaders_.fill(IdentitySet{kA});
    context_.self = self;
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_.data();
    step([&](auto& out) { P::start(state, context_, out); });
  }
  Fed(const Fed&) = delete;
  Fed& operator=(const Fed&) = delete;

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { P::receive(state, context_, from, message, out); });
  }
  void expire() {
    step([&](auto& out) { P::expire(state, context_, chain::Pacemaker::kViewTimer, out); });
  }
  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> messages;
    for (const Message& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) messages.push_back(*match);
    }
    return messages;
  }
  const std::vector<ValueId>& commits() const { return commits_; }
  Round view() const { return state.pacemaker.view; }
  Ticks timer() const { return timers_[0].duration; }

  State state{};

 private:
  template <class Input>
  void step(Input&& input) {
    OutboxReader<Message>::open(out_, timers_, nullptr);
    input(out_);
    for (const auto& sent : OutboxReader<Message>::sent(out_)) sent_.push_back(sent.message);
    for (const auto& commit : OutboxReader<Message>::commits(out_)) commits_.push_back(commit.value);
    EXPECT_FALSE(OutboxReader<Message>::overflowed(out_));
  }

  Context context_;
  std::array<IdentitySet, 256> leaders_{};
  std::array<Timer, kMaxTimers> timers_{};
  Outbox<Message> out_;
  std::vector<Message> sent_;
  std::vector<ValueId> commits_;
};

TEST(HotStuff, AReplicaVotesThroughThePhasesAndCommits) {
  Fed<HotStuff> replica;
  replica.receive(kA, Prepare{kA1, {}});
  EXPECT_EQ(replica.sent<PrepareVote>().size(), 1U);
  replica.receive(kA, PreCommit{{kA1}});
  EXPECT_EQ(replica.state.prepared.block, kA1);
  EXPECT_EQ(replica.state.locked.block, kGenesis);
  replica.receive(kA, Commit{{kA1}});
  EXPECT_EQ(replica.state.locked.block, kA1);
  EXPECT_EQ(replica.sent<CommitVote>().size(), 1U);
  replica.receive(kA, Decide{{kA1}});
  EXPECT_EQ(replica.commits(), std::vector{kA1});
  EXPECT_EQ(replica.view(), Round(2));
  ASSERT_EQ(replica.sent<NewView>().size(), 2U);  // of views 1 and 2
  EXPECT_EQ(replica.sent<NewView>()[1].certificate.block, kA1);
}

TEST(HotStuff, TwoPhasesLockOnAPrepareCertificateAtOnce) {
  Fed<TwoPhaseHotStuff> replica;
  replica.receive(kA, Prepare{kA1, {}});
  replica.receive(kA, Commit{{kA1}});
  EXPECT_EQ(replica.state.prepared.block, kA1);
  EXPECT_EQ(replica.state.locked.block, kA1);
}

TEST(HotStuff, NobodyVotesTwiceInAPhaseOrForAStranger) {
  Fed<HotStuff> replica;
  replica.receive(kC, Prepare{block(1, kC), {}});
  EXPECT_TRUE(replica.sent<PrepareVote>().empty());
  replica.receive(kA, Prepare{kA1, {}});
  replica.receive(kA, Prepare{ValueId(Round(1), Seat{4}, 0), {}});  // of A's twin
  EXPECT_EQ(replica.sent<PrepareVote>().size(), 1U);
}

// safeNode: a block that conflicts with the lock needs a later certificate.
TEST(HotStuff, ALockYieldsOnlyToALaterCertificate) {
  Fed<HotStuff> replica;
  replica.receive(kA, Prepare{kA1, {}});
  replica.receive(kA, Commit{{kA1}});
  replica.expire();
  replica.receive(kA, Prepare{kA2, {}});  // on genesis
  EXPECT_EQ(replica.sent<PrepareVote>().size(), 1U);
  replica.receive(kA, PreCommit{{kA2}});  // a quorum prepared it nevertheless
  replica.receive(kA, Decide{{kA2}});
  replica.receive(kA, Prepare{kA3, {kA2}});
  EXPECT_EQ(replica.sent<PrepareVote>().size(), 2U);
}

TEST(HotStuff, ALeaderActsOnItsOwnAndTheFirstNewViewsOfAQuorum) {
  Fed<HotStuff> leader(kA);
  leader.receive(kA, NewView{{}, Round(1)});  // its own, again
  leader.receive(kC, NewView{{}, Round(1)});
  leader.receive(kC, NewView{{kA1}, Round(1)});  // C again
  EXPECT_TRUE(leader.sent<Prepare>().empty());
  leader.receive(kD, NewView{{}, Round(1)});
  ASSERT_EQ(leader.sent<Prepare>().size(), 1U);
  EXPECT_EQ(leader.sent<Prepare>()[0].justify.block, kGenesis);
  leader.receive(kB, NewView{{}, Round(1)});
  EXPECT_EQ(leader.sent<Prepare>().size(), 1U);
}

TEST(HotStuff, ALeaderFetchesTheBlockItMustExtend) {
  Fed<HotStuff> leader(kA);
  const ValueId unknown = block(1, kD);
  leader.receive(kB, NewView{{}, Round(1)});
  leader.receive(kD, NewView{{unknown}, Round(1)});
  EXPECT_TRUE(leader.sent<Prepare>().empty());
  ASSERT_EQ(leader.sent<BlockRequest>().size(), 1U);
  BlockResponse response{Round(1), unknown, kGenesis, {}};
  ASSERT_TRUE(response.branch.push_back(unknown));
  leader.receive(kD, response);
  ASSERT_EQ(leader.sent<Prepare>().size(), 1U);
  EXPECT_EQ(leader.sent<Prepare>()[0].justify.block, unknown);
}

TEST(HotStuff, ADecisionOnAMissingBlockCommitsOnceItIsFetched) {
  Fed<HotStuff> replica;
  replica.receive(kA, Decide{{kA2}});
  EXPECT_EQ(replica.view(), Round(3));
  EXPECT_TRUE(replica.commits().empty());
  BlockResponse response{Round(2), kA2, kGenesis, {}};
  ASSERT_TRUE(response.branch.push_back(kA1) && response.branch.push_back(kA2));
  replica.receive(kA, response);
  EXPECT_EQ(replica.commits(), (std::vector{kA1, kA2}));
}

TEST(HotStuff, AReplicaThatGivesUpAloneSaysWhereItIsUntilAQuorumCame) {
  Fed<HotStuff> replica;
  EXPECT_EQ(replica.timer(), 4);
  replica.expire();
  EXPECT_EQ(replica.view(), Round(2));
  EXPECT_EQ(replica.timer(), 8);
  replica.expire();
  EXPECT_EQ(replica.view(), Round(2));
  EXPECT_EQ(replica.timer(), 16);
  for (Identity from : {kB, kC, kD}) replica.receive(from, NewView{{}, Round(2)});
  replica.expire();
  EXPECT_EQ(replica.view(), Round(3));
}

// The decision of view 1 never came to this replica; the proposal of view 2 takes it along, and what it missed is
// committed with the next decision.
TEST(HotStuff, OneThatLagsBehindFollowsAProposalOfALaterView) {
  Fed<HotStuff> replica;
  replica.receive(kA, Prepare{kA1, {}});
  replica.receive(kC, Prepare{block(2, kC), {kA1}});  // of one that does not lead
  EXPECT_EQ(replica.view(), Round(1));
  replica.receive(kA, Prepare{kA2, {kA1}});
  EXPECT_EQ(replica.view(), Round(2));
  EXPECT_TRUE(replica.state.pacemaker.is_proven);
  ASSERT_EQ(replica.sent<PrepareVote>().size(), 2U);
  EXPECT_EQ(replica.sent<PrepareVote>()[1].block, kA2);
  replica.receive(kA, PreCommit{{kA1}});  // too late
  EXPECT_TRUE(replica.sent<PreCommitVote>().empty());
  replica.receive(kA, Decide{{kA2}});
  EXPECT_EQ(replica.commits(), (std::vector{kA1, kA2}));
  EXPECT_EQ(replica.view(), Round(3));
}

// Nobody else may have heard the decision by which this replica came to view 2. It is told once that view fails, by
// whoever knows it, and proves itself.
TEST(HotStuff, ADecisionIsPassedOnWhenTheNextViewFails) {
  Fed<HotStuff> replica;
  replica.receive(kA, Decide{{kA1}});  // cannot be fetched
  EXPECT_TRUE(replica.sent<Decide>().empty());
  replica.expire();
  ASSERT_EQ(replica.sent<Decide>().size(), 1U);
  EXPECT_EQ(replica.sent<Decide>()[0].certificate.block, kA1);
  replica.expire();  // of view 3, which no decision led to
  EXPECT_EQ(replica.sent<Decide>().size(), 1U);

  Fed<HotStuff> other(kC);
  other.receive(kA, Prepare{kA1, {}});
  other.receive(kB, Decide{{kA1}});
  EXPECT_EQ(other.commits(), std::vector{kA1});
  EXPECT_EQ(other.view(), Round(2));
  other.expire();
  EXPECT_EQ(other.sent<Decide>().size(), 1U);
}

// The lock of a view that was left keeps its say about the proposal of the later one.
TEST(HotStuff, FollowingAProposalIsNotVotingForIt) {
  Fed<HotStuff> replica;
  replica.receive(kA, Prepare{kA1, {}});
  replica.receive(kA, Commit{{kA1}});
  replica.receive(kA, Prepare{kA2, {}});  // on genesis
  EXPECT_EQ(replica.view(), Round(2));
  EXPECT_EQ(replica.sent<PrepareVote>().size(), 1U);
}

// Blocks that cannot be fetched: decisions pile up, and the last ones are kept.
TEST(HotStuff, WaitingDecisionsGiveWayToLaterOnes) {
  Fed<HotStuff> replica;
  for (unsigned view = 1; view <= 10; ++view) replica.receive(kA, Decide{{block(view, kA)}});
  ASSERT_EQ(replica.state.waiting.size(), replica.state.waiting.capacity());
  EXPECT_EQ(replica.state.waiting.back().block, block(10, kA));
  BlockResponse response{Round(10), block(10, kA), kGenesis, {}};
  for (unsigned view = 5; view <= 10; ++view) ASSERT_TRUE(response.branch.push_back(block(view, kA)));
  replica.receive(kA, response);
  ASSERT_EQ(replica.commits().size(), 6U);
  EXPECT_EQ(replica.commits().back(), block(10, kA));
  EXPECT_TRUE(replica.state.waiting.empty());
}

}  // namespace
}  // namespace nika::hotstuff
