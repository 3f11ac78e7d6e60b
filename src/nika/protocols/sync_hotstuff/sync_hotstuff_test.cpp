#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nika::sync_hotstuff {
namespace {

constexpr std::uint32_t kEarly = 1;
constexpr Ticks kDelta = 2;
constexpr TimerId kBlameTimer{0};
constexpr TimerId kViewChangeTimer{1};
constexpr TimerId kProposeTimer{2};
constexpr TimerId kCommitTimer{3};
constexpr Identity kA{0};
constexpr Identity kB{1};

BlockName block(unsigned view, unsigned seat, unsigned height) {
  return {ValueId(Round(view), static_cast<Seat>(seat), 0), Height(height), 0};
}

Certificate certificate(BlockName of, unsigned view) { return {of, Round(view), 0}; }

const Certificate kGenesisCertificate = certificate({}, 1);

// One of five replicas, fed by hand. A leads view 1, B view 2.
class Replica {
 public:
  explicit Replica(std::uint32_t bugs = 0, Identity self = Identity{3}) {
    leaders_[1] = IdentitySet{kA};
    leaders_[2] = IdentitySet{kB};
    context_.self = self;
    context_.replica_count = 5;
    context_.fault_count = 2;
    context_.bugs = bugs;
    context_.delta_ticks = kDelta;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_.data();
    step([&](auto& out) { SyncHotStuff::start(state, context_, out); });
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  void receive(const SyncHotStuff::Message& message, Identity from = kA) {
    step([&](auto& out) { SyncHotStuff::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<unsigned> senders, const SyncHotStuff::Message& message) {
    for (const unsigned sender : senders) receive(message, static_cast<Identity>(sender));
  }
  void expire(TimerId timer) {
    timers[static_cast<unsigned>(timer)].duration = 0;
    step([&](auto& out) { SyncHotStuff::expire(state, context_, timer, out); });
  }
  void propose(BlockName what, const Certificate& on, Identity leader = kA) { receive(Proposal{what, on, leader, 0}); }
  // f+1 blames of the view, and Δ.
  void change_view(unsigned view) {
    receive_from({0, 1, 2}, Blame{Round(view)});
    expire(kViewChangeTimer);
  }
  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> found;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) found.push_back(*match);
    }
    return found;
  }
  Ticks duration(TimerId timer) const { return timers[static_cast<unsigned>(timer)].duration; }

  State state{};
  std::array<Timer, SyncHotStuff::kTimerCount> timers{};
  std::vector<Commit> commits;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<SyncHotStuff::Message>;
    Reader::open(out_, timers, nullptr);
    input(out_);
    for (const auto& sent : Reader::sent(out_)) sent_.push_back(sent.message);
    for (const Commit& commit : Reader::commits(out_)) commits.push_back(commit);
    EXPECT_FALSE(Reader::overflowed(out_));
  }

  Context context_;
  std::array<IdentitySet, 8> leaders_{};
  Outbox<SyncHotStuff::Message> out_;
  std::vector<SyncHotStuff::Message> sent_;
};

TEST(SyncHotStuff, AProposalIsPassedOnVotedForAndCommittedAfterTwoDelta) {
  Replica replica;
  replica.propose(block(1, 0, 1), kGenesisCertificate);
  EXPECT_EQ(replica.sent<Proposal>().size(), 1U);
  ASSERT_EQ(replica.sent<Vote>().size(), 1U);
  EXPECT_EQ(replica.sent<Vote>()[0].block, block(1, 0, 1));
  EXPECT_EQ(replica.duration(kCommitTimer), 2 * kDelta);
  EXPECT_EQ(replica.duration(kBlameTimer), 3 * kDelta);
  replica.propose(block(1, 0, 1), kGenesisCertificate);  // passed on by somebody else
  EXPECT_EQ(replica.sent<Vote>().size(), 1U);
  replica.expire(kCommitTimer);
  ASSERT_EQ(replica.commits.size(), 1U);
  EXPECT_EQ(replica.commits[0].height, Height(1));
}

TEST(SyncHotStuff, ALeaderProposesTheNextBlockWhenTheLastOneIsCertifiedAndTwoDeltaHavePassed) {
  Replica leader(0, kA);
  ASSERT_EQ(leader.sent<Proposal>().size(), 1U);
  leader.receive(leader.sent<Proposal>()[0]);
  leader.receive_from({0, 2, 2}, Vote{block(1, 0, 1), Round(1)});  // a repeated vote counts once
  EXPECT_EQ(leader.state.highest, kGenesisCertificate);
  leader.receive_from({4}, Vote{block(1, 0, 1), Round(1)});
  EXPECT_EQ(leader.state.highest, certificate(block(1, 0, 1), 1));
  EXPECT_EQ(leader.sent<Proposal>().size(), 1U);
  leader.expire(kProposeTimer);
  ASSERT_EQ(leader.sent<Proposal>().size(), 2U);
  EXPECT_EQ(leader.sent<Proposal>()[1].block, block(1, 0, 2));
  EXPECT_EQ(leader.sent<Proposal>()[1].certificate, certificate(block(1, 0, 1), 1));
}

TEST(SyncHotStuff, EquivocationIsBlamedAndStopsCommits) {
  Replica replica;
  replica.propose(block(1, 0, 1), kGenesisCertificate);
  replica.propose(block(1, 5, 1), kGenesisCertificate);  // of the twin
  EXPECT_EQ(replica.sent<Proposal>().size(), 2U);        // everybody shall see both
  EXPECT_EQ(replica.sent<Vote>().size(), 1U);
  EXPECT_EQ(replica.sent<Blame>().size(), 1U);
  EXPECT_EQ(replica.duration(kCommitTimer), 0);
}

TEST(SyncHotStuff, FPlus1BlamesQuitTheViewAndStopCommits) {
  Replica replica;
  replica.propose(block(1, 0, 1), kGenesisCertificate);
  replica.receive_from({0, 1, 1}, Blame{Round(1)});
  EXPECT_FALSE(replica.state.has_quit);
  replica.receive_from({2}, Blame{Round(1)});
  EXPECT_TRUE(replica.state.has_quit);
  EXPECT_EQ(replica.duration(kCommitTimer), 0);
  EXPECT_EQ(replica.duration(kViewChangeTimer), kDelta);
  EXPECT_EQ(replica.sent<BlameCertificate>().size(), 1U);
  replica.propose(block(1, 0, 2), certificate(block(1, 0, 1), 1));
  EXPECT_EQ(replica.sent<Vote>().size(), 1U);  // no more in this view
  replica.expire(kViewChangeTimer);
  EXPECT_EQ(replica.state.view, Round(2));
  ASSERT_EQ(replica.sent<Status>().size(), 1U);
  EXPECT_EQ(replica.sent<Status>()[0].certificate, certificate(block(1, 0, 1), 1));
}

// The heart of the repair: what is learnt after entering the view does not change what may be voted for in it.
TEST(SyncHotStuff, ALateCertificateOfTheOldViewForcesNoLockExceptInTheEarlyVersion) {
  for (const std::uint32_t bugs : {0U, kEarly}) {
    Replica replica(bugs);
    replica.change_view(1);
    replica.propose(block(1, 0, 1), kGenesisCertificate);
    replica.receive_from({0, 1, 2}, Vote{block(1, 0, 1), Round(1)});
    EXPECT_EQ(replica.state.lock, kGenesisCertificate);
    if (bugs == 0) {
      replica.receive(NewView{kGenesisCertificate, Round(2), kB});
      EXPECT_EQ(replica.sent<Vote>().size(), 1U);
      replica.receive_from({0, 1, 2}, Vote{{}, Round(2)});
      EXPECT_EQ(replica.state.highest, certificate({}, 2));  // the view ranks before the height
    }
    replica.propose(block(2, 1, 1), bugs == 0 ? certificate({}, 2) : kGenesisCertificate, kB);
    const auto votes = replica.sent<Vote>();
    const bool voted = !votes.empty() && votes.back().block == block(2, 1, 1);
    EXPECT_EQ(voted, bugs == 0);
  }
}

TEST(SyncHotStuff, ANewViewThatRanksBelowTheLockGetsNoVote) {
  Replica replica;
  replica.propose(block(1, 0, 1), kGenesisCertificate);
  replica.receive_from({0, 1, 2}, Vote{block(1, 0, 1), Round(1)});
  replica.change_view(1);
  replica.receive(NewView{kGenesisCertificate, Round(2), kB});
  EXPECT_EQ(replica.sent<Vote>().size(), 1U);
  EXPECT_EQ(replica.sent<Blame>().size(), 0U);
  replica.receive(NewView{certificate(block(1, 0, 1), 1), Round(2), kB});  // another one is equivocation
  EXPECT_EQ(replica.sent<Vote>().size(), 1U);
  EXPECT_EQ(replica.sent<Blame>().size(), 1U);
}

TEST(SyncHotStuff, WhatComesBeforeItsViewOrItsParentWaits) {
  Replica replica;
  replica.propose(block(1, 0, 2), certificate(block(1, 0, 1), 1));
  EXPECT_EQ(replica.sent<Vote>().size(), 0U);
  replica.propose(block(1, 0, 1), kGenesisCertificate);
  EXPECT_EQ(replica.sent<Vote>().size(), 2U);
  replica.receive(NewView{certificate(block(1, 0, 1), 1), Round(2), kB});
  EXPECT_EQ(replica.sent<Vote>().size(), 2U);
  replica.change_view(1);
  ASSERT_EQ(replica.sent<Vote>().size(), 3U);
  EXPECT_EQ(replica.sent<Vote>()[2].view, Round(2));
}

TEST(Chains, KnowTheAncestorsOfEveryBlock) {
  Chains chains;
  ASSERT_TRUE(chains.insert(block(1, 0, 1), {}));
  ASSERT_TRUE(chains.insert(block(1, 0, 2), block(1, 0, 1)));
  ASSERT_TRUE(chains.insert(block(2, 1, 2), block(1, 0, 1)));
  EXPECT_EQ(chains.parent_of(block(2, 1, 2)), block(1, 0, 1));
  EXPECT_TRUE(chains.extends_or_equals(block(2, 1, 2), block(1, 0, 1)));
  EXPECT_FALSE(chains.extends_or_equals(block(2, 1, 2), block(1, 0, 2)));
  EXPECT_FALSE(chains.contains(block(2, 1, 1)));
  EXPECT_FALSE(chains.has_rival(block(2, 1, 2)));
  EXPECT_TRUE(chains.has_rival(block(2, 6, 2)));
}

}  // namespace
}  // namespace nika::sync_hotstuff
