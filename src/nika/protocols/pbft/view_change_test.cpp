// PBFT's view change: what it carries over, what it fills with null requests, who joins, and how long replicas wait.
#include "nika/protocols/pbft/view_change.hpp"

#include "nika/protocols/pbft/cluster_test.hpp"

namespace nika::pbft {
namespace {

const auto kWithoutCommits = [](unsigned, unsigned, Message& message) { return !is<pbft::Commit>(message); };

TEST(PbftViewChange, WhatHasPreparedCommitsInTheNextView) {
  ClusterForTests cluster;
  cluster.filter = kWithoutCommits;
  cluster.start();
  cluster.filter = nullptr;
  cluster.change_view();
  const NewView message = cluster.sent<NewView>(kB).at(0);
  EXPECT_EQ(message.view, Round(2));
  ASSERT_EQ(message.proposals.size(), 2);
  EXPECT_EQ(message.proposals[0], (Proposal{SequenceNumber(1), kC1, digest_of(kC1, Rules{})}));
  EXPECT_EQ(message.proposals[1], (Proposal{SequenceNumber(2), kC2, digest_of(kC2, Rules{})}));
  for (const unsigned replica : {kA, kB, kC, kD}) {
    EXPECT_EQ(cluster.states[replica].view, Round(2));
    EXPECT_EQ(cluster.commits_of(replica), "c1.1@1 c2.1@2");
  }
  cluster.expire({kOne, kTwo}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kTwo), "c2.1@2");
  cluster.next_updates();
  EXPECT_EQ(cluster.commits_of(kC), "c1.1@1 c2.1@2 c1.3@3 c2.3@4");  // B goes on where A's numbers ended
}

TEST(PbftViewChange, ANumberThatNobodyPreparedBecomesANullRequest) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) {
    const auto* ordered = std::get_if<PrePrepare>(&message);
    return !is<pbft::Commit>(message) && (ordered == nullptr || ordered->sequence != SequenceNumber(1));
  };
  cluster.start();
  cluster.filter = nullptr;
  cluster.change_view();
  EXPECT_EQ(cluster.sent<NewView>(kB).at(0).proposals[0].request, Request{});
  // c1 has sent its request to A alone; now it sends it to all.
  EXPECT_EQ(cluster.commits_of(kC), "null@1 c2.1@2");
  cluster.expire({kOne}, kRetryTimer);
  EXPECT_EQ(cluster.commits_of(kC), "null@1 c2.1@2 c1.1@3");
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@3");
}

TEST(PbftViewChange, ASilentPrimaryIsReplaced) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned from, unsigned, Message&) { return from != kA; };
  cluster.start();
  cluster.expire({kOne, kTwo}, kRetryTimer);
  cluster.change_view();
  EXPECT_EQ(cluster.commits_of(kD), "c1.1@1 c2.1@2");
}

TEST(PbftViewChange, FPlusOneReplicasTakeTheOthersAlongAndOneDoesNot) {
  ClusterForTests cluster;
  cluster.filter = kWithoutCommits;
  cluster.start();
  cluster.expire({kC}, kViewTimer);
  cluster.expire({kA, kB, kD}, kJoinTimer);
  EXPECT_EQ(cluster.states[kA].view, Round(1));
  cluster.expire({kD}, kViewTimer);
  cluster.expire({kA, kB}, kJoinTimer);
  EXPECT_EQ(cluster.states[kA].view, Round(2));
  EXPECT_EQ(cluster.states[kB].view, Round(2));
}

TEST(PbftViewChange, ANewPrimaryNeedsAQuorum) {
  ClusterForTests cluster;
  cluster.filter = kWithoutCommits;
  cluster.start();
  cluster.expire({kB, kC}, kViewTimer);
  cluster.expire({kB}, kNewViewTimer);
  EXPECT_EQ(cluster.sent<NewView>(kB).size(), 0);
  cluster.expire({kD}, kViewTimer);
  cluster.expire({kB}, kNewViewTimer);
  EXPECT_EQ(cluster.sent<NewView>(kB).size(), 1);
}

TEST(PbftViewChange, TimeoutsDoubleUntilARequestIsExecuted) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) {
    return !is<pbft::Commit>(message) && !is<NewView>(message);
  };
  cluster.start();
  const auto waits = [&] { return cluster.timers[kC][static_cast<unsigned>(kViewTimer)].duration; };
  const Ticks first = waits();
  EXPECT_EQ(first, 16);
  cluster.expire({kA, kB, kC, kD}, kViewTimer);
  EXPECT_EQ(waits(), 2 * first);  // 2f+1 have asked for view 2, and NEW-VIEW is lost
  cluster.expire({kA, kB, kC, kD}, kViewTimer);
  EXPECT_EQ(waits(), 4 * first);
  EXPECT_EQ(cluster.states[kC].view, Round(3));
  cluster.filter = nullptr;
  cluster.expire({kC}, kNewViewTimer);
  EXPECT_EQ(cluster.commits_of(kC), "c1.1@1 c2.1@2");
  EXPECT_EQ(cluster.states[kC].patience, 0);
  EXPECT_EQ(waits(), 0);
}

TEST(PbftViewChange, WhoIsAloneInALaterViewAsksAgainAndGoesNoFurther) {
  ClusterForTests cluster;
  cluster.filter = kWithoutCommits;
  cluster.start();
  for (unsigned i = 0; i < 5; ++i) cluster.expire({kD}, kViewTimer);
  EXPECT_EQ(cluster.states[kD].view, Round(2));
  EXPECT_EQ(cluster.sent<ViewChange>(kD).size(), 5);
}

TEST(PbftViewChange, WhoMissedNewViewIsSentItAgain) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned to, Message& message) {
    return !is<pbft::Commit>(message) && (to != kD || !is<NewView>(message));
  };
  cluster.start();
  cluster.change_view();
  EXPECT_EQ(cluster.states[kD].phase, Phase::kAskedForView);
  cluster.filter = nullptr;
  const ViewChange own = cluster.sent<ViewChange>(kD).at(0);
  cluster.give(kD, kB, own);
  cluster.deliver();
  EXPECT_EQ(cluster.states[kD].phase, Phase::kNormal);
  EXPECT_EQ(cluster.states[kD].view, Round(2));
  EXPECT_EQ(cluster.sent<NewView>(kB).size(), 2);
}

TEST(PbftViewChange, WhoAsksForAViewThatHasStartedLearnsThatAQuorumWantsIt) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned to, Message& message) {
    return !is<pbft::Commit>(message) && (to != kD || !(is<NewView>(message) || is<ViewChange>(message)));
  };
  cluster.start();
  cluster.change_view();
  EXPECT_FALSE(cluster.states[kD].has_quorum);
  const std::size_t asked = cluster.sent<ViewChange>(kC).size();
  cluster.filter = [](unsigned from, unsigned, Message&) { return from != kB; };  // the primary keeps silent
  cluster.expire({kD}, kViewTimer);
  EXPECT_EQ(cluster.sent<ViewChange>(kC).size(), asked + 1);  // an answer is not answered
  EXPECT_TRUE(cluster.states[kD].has_quorum);
  cluster.expire({kD}, kViewTimer);
  EXPECT_EQ(cluster.states[kD].view, Round(3));
}

TEST(PbftViewChange, WhoFollowsNewViewCanTellThatItWantsTheView) {
  ClusterForTests cluster;
  cluster.filter = kWithoutCommits;
  cluster.start();
  cluster.expire({kB, kC, kD}, kViewTimer);
  cluster.expire({kB}, kNewViewTimer);  // A has not asked for view 2
  EXPECT_EQ(cluster.states[kA].view, Round(2));
  EXPECT_EQ(cluster.sent<ViewChange>(kA).size(), 0);
  cluster.give(kD, kA, cluster.sent<ViewChange>(kD).at(0));
  ASSERT_EQ(cluster.sent<ViewChange>(kA).size(), 1);
  EXPECT_EQ(cluster.sent<ViewChange>(kA)[0].view, Round(2));
  EXPECT_EQ(cluster.sent<ViewChange>(kA)[0].prepared[0].view, Round(1));  // what it had prepared when it followed
}

TEST(PbftViewChange, APrimaryThatCannotGetARequestExecutedGivesUpToo) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) { return !is<PrePrepare>(message); };
  cluster.start();
  cluster.expire({kA}, kViewTimer);
  EXPECT_EQ(cluster.states[kA].view, Round(2));
}

TEST(PbftViewChange, APrimaryThatLedBeforeTakesNumbersFromTheNewViewNotFromItsCounter) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) { return !is<PrePrepare>(message); };
  cluster.start();
  cluster.expire({kOne, kTwo}, kRetryTimer);
  for (unsigned view = 2; view <= 4; ++view) cluster.change_view();
  cluster.filter = nullptr;
  cluster.change_view();
  EXPECT_EQ(cluster.states[kA].view, Round(5));
  EXPECT_EQ(cluster.sent<PrePrepare>(kA).size(), 4);  // two in view 1, two in view 5
  EXPECT_EQ(cluster.commits_of(kD), "c1.1@1 c2.1@2");
}

TEST(PbftViewChange, ANewViewBringsWhoLagsToTheLatestStableCheckpoint) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned to, Message&) { return to != kD; };
  cluster.start();
  cluster.next_updates();
  cluster.filter = [](unsigned from, unsigned, Message&) { return from != kA; };  // A falls silent
  cluster.next_updates();
  cluster.expire({kOne, kTwo}, kRetryTimer);
  cluster.change_view();
  EXPECT_EQ(cluster.commits_of(kD), "c1.4@5 c2.4@6");  // reads, for which A and D were missing
  EXPECT_EQ(cluster.commits_of(kC), "c1.1@1 c2.1@2 c1.3@3 c2.3@4 c1.4@5 c2.4@6");
}

TEST(PbftViewChange, MessagesThatNoCorrectReplicaSendsAreNotValid) {
  const PreparedCertificate prepared{SequenceNumber(1), Round(1), kC1, 0, digest_of(kC1, Rules{})};
  ViewChange message{Round(2), {}, {}, {}, false, 0};
  ASSERT_TRUE(message.prepared.push_back(prepared));
  EXPECT_TRUE(is_valid(message));
  ViewChange wrong = message;
  wrong.sequence = SequenceNumber(2);  // not what C proves
  EXPECT_FALSE(is_valid(wrong));
  wrong = message;
  wrong.view = Round(1);
  EXPECT_FALSE(is_valid(wrong));
  wrong = message;
  wrong.prepared[0].view = Round(2);
  EXPECT_FALSE(is_valid(wrong));
  wrong = message;
  wrong.prepared[0].sequence = SequenceNumber(kWindow + 1);
  EXPECT_FALSE(is_valid(wrong));
  wrong = message;
  ASSERT_TRUE(wrong.prepared.push_back(prepared));  // twice
  EXPECT_FALSE(is_valid(wrong));
}

TEST(PbftViewChange, NewViewIsValidWithAQuorumOfReportsAndWhatFollowsFromThem) {
  Context context;
  context.replica_count = 4;
  context.fault_count = 1;
  ViewChange report{Round(2), {}, {}, {}, false, 0};
  ASSERT_TRUE(report.prepared.push_back({SequenceNumber(1), Round(1), kC1, 0, digest_of(kC1, Rules{})}));
  NewView message{Round(2), 0, {}, {}};
  ASSERT_TRUE(message.reports.push_back({report, IdentitySet{Identity{kA}, Identity{kB}, Identity{kC}}}));
  ASSERT_TRUE(message.proposals.push_back({SequenceNumber(1), kC1, digest_of(kC1, Rules{})}));
  EXPECT_TRUE(is_valid(message, context, Rules{}));
  NewView wrong = message;
  wrong.proposals[0].request = kC2;
  EXPECT_FALSE(is_valid(wrong, context, Rules{}));
  wrong = message;
  wrong.proposals.clear();
  EXPECT_FALSE(is_valid(wrong, context, Rules{}));
  wrong = message;
  wrong.reports[0].from = IdentitySet{Identity{kA}, Identity{kB}};
  EXPECT_FALSE(is_valid(wrong, context, Rules{}));
  wrong = message;
  wrong.view = Round(3);  // the reports are about another view
  EXPECT_FALSE(is_valid(wrong, context, Rules{}));
}

}  // namespace
}  // namespace nika::pbft
