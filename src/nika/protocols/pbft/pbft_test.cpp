// PBFT without faults of replicas: the normal case, checkpoints, clients, and that nothing that arrives does any harm.
#include "nika/protocols/pbft/pbft.hpp"

#include "nika/base/random.hpp"
#include "nika/protocols/pbft/cluster_test.hpp"

namespace nika::pbft {
namespace {

constexpr std::string_view kBoth = "c1.1@1 c2.1@2";

TEST(Pbft, InTheNormalCaseThreePhasesCommitAtEverybody) {
  ClusterForTests cluster;
  cluster.start();
  for (const unsigned replica : {kA, kB, kC, kD}) {
    EXPECT_EQ(cluster.commits_of(replica), kBoth);
    EXPECT_EQ(cluster.sent<PrePrepare>(replica).size(), replica == kA ? 2 : 0);
    EXPECT_EQ(cluster.sent<Prepare>(replica).size(), replica == kA ? 0 : 2);  // the primary has said it all before
    EXPECT_EQ(cluster.sent<pbft::Commit>(replica).size(), 2);
    EXPECT_EQ(cluster.sent<Reply>(replica).size(), 2);
    EXPECT_EQ(cluster.timers[replica][0].duration, 0);
  }
  cluster.expire({kOne, kTwo}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1");
  EXPECT_EQ(cluster.commits_of(kTwo), "c2.1@2");
}

TEST(Pbft, RequestsInFlightMayCommitInAnyOrderAndAreExecutedInTheirs) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned to, Message& message) {
    const auto* vote = std::get_if<pbft::Commit>(&message);
    return !is<Checkpoint>(message) && (vote == nullptr || to != kD || vote->sequence != SequenceNumber(1));
  };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kD), "");
  const Digest digest = cluster.sent<PrePrepare>(kA)[0].digest;
  for (const unsigned from : {kA, kB}) cluster.give(from, kD, pbft::Commit{{Round(1), SequenceNumber(1), digest}});
  EXPECT_EQ(cluster.commits_of(kD), kBoth);
}

TEST(Pbft, AStableCheckpointMovesTheWaterMarksAndEmptiesTheLog) {
  ClusterForTests cluster;
  cluster.start();
  for (const unsigned replica : {kA, kB, kC, kD}) {
    EXPECT_EQ(cluster.sent<Checkpoint>(replica).size(), 1);
    EXPECT_EQ(cluster.states[replica].stable.state.executed, SequenceNumber(2));
    EXPECT_EQ(cluster.states[replica].slots.size(), 0);
    EXPECT_EQ(cluster.states[replica].checkpoints.size(), 0);
  }
}

TEST(Pbft, WithoutAStableCheckpointThePrimaryStopsAtTheHighMarkUntilAViewChangeTellsOfItAgain) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) { return !is<Checkpoint>(message); };
  cluster.start();
  cluster.next_updates();
  cluster.next_updates();
  EXPECT_EQ(cluster.commits_of(kB), "c1.1@1 c2.1@2 c1.3@3 c2.3@4");
  EXPECT_EQ(cluster.states[kA].slots.size(), kWindow);
  EXPECT_EQ(cluster.sent<PrePrepare>(kA).size(), kWindow);
  cluster.filter = nullptr;
  cluster.expire({kOne, kTwo}, kRetryTimer);
  cluster.change_view();
  EXPECT_EQ(cluster.states[kA].view, Round(2));
  EXPECT_EQ(cluster.commits_of(kB), "c1.1@1 c2.1@2 c1.3@3 c2.3@4 c1.5@5 c2.5@6");
  EXPECT_EQ(cluster.states[kB].stable.state.executed, SequenceNumber(6));
}

TEST(Pbft, AReplicaBelowTheLowMarkTakesTheStateOfTheNextStableCheckpoint) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned to, Message&) { return to != kD; };
  cluster.start();
  EXPECT_EQ(cluster.states[kD].stable.state.executed, SequenceNumber(0));
  cluster.filter = nullptr;
  cluster.next_updates();
  EXPECT_EQ(cluster.commits_of(kD), "");  // its window ends where the others' begins to matter
  EXPECT_EQ(cluster.states[kD].stable.state.executed, SequenceNumber(4));
  EXPECT_EQ(cluster.states[kD].service, cluster.states[kA].service);
  cluster.next_updates();
  EXPECT_EQ(cluster.commits_of(kD), "c1.5@5 c2.5@6");
}

TEST(Pbft, AClientSendsAnUnansweredRequestToAllAndBackupsRelayIt) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned from, unsigned to, Message& message) {
    return !is<RequestMessage>(message) || from == kTwo || (from != kOne || to != kA);
  };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kA), "c2.1@1");
  cluster.expire({kOne}, kRetryTimer);  // still not to A itself
  EXPECT_EQ(cluster.commits_of(kA), "c2.1@1 c1.1@2");
  EXPECT_EQ(cluster.sent<RequestMessage>(kB).size(), 1);
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@2");
}

TEST(Pbft, WhatWasExecutedIsAnsweredAgainAndNotOrderedAgain) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned to, Message& message) { return !is<Reply>(message) || to != kOne; };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kOne), "");
  cluster.filter = nullptr;
  cluster.expire({kOne}, kRetryTimer);
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1");
  EXPECT_EQ(cluster.sent<PrePrepare>(kA).size(), 2);
}

TEST(Pbft, FPlusOneMatchingRepliesCompleteARequestAndFewerDoNot) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned from, unsigned, Message& message) { return !is<Reply>(message) || from == kD; };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kOne), "");
  cluster.give(kC, kOne, Reply{Round(1), kC1, {Height(2), kC1}});  // a lie about its place
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "");
  cluster.give(kB, kOne, Reply{Round(1), kC1, {Height(1), kC1}});
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1");
}

TEST(Pbft, AClientBelievesInALaterViewOnceOneCorrectReplicaMustHaveSaidSo) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) { return !is<Reply>(message); };
  cluster.start();
  const auto reply = [](unsigned view) { return Reply{Round(view), kC1, {Height(1), kC1}}; };
  cluster.give(kD, kOne, reply(200));
  cluster.give(kD, kOne, reply(100));
  EXPECT_EQ(cluster.states[kOne].view, Round(1));
  cluster.give(kC, kOne, reply(3));
  EXPECT_EQ(cluster.states[kOne].view, Round(3));
}

TEST(Pbft, AReadIsAnsweredAtOnceAndCompleteWithTwoFPlusOne) {
  ClusterForTests cluster;
  cluster.start();
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.sent<PrePrepare>(kA).size(), 2);
  EXPECT_EQ(cluster.sent<Reply>(kD).size(), 3);
  cluster.expire({kOne}, kThinkAfterReadTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1 c2.1@2");  // what the read has seen last
}

// The answers of two replicas each are enough for an update: which one is taken must not depend on who came first.
TEST(Pbft, OfTwoAnswersThatAreBothGoodEnoughAClientTakesTheSameInWhateverOrder) {
  for (const bool is_first : {false, true}) {
    ClusterForTests cluster;
    cluster.filter = [](unsigned, unsigned, Message& message) { return !is<Reply>(message); };
    cluster.start();
    for (const bool low : {is_first, !is_first}) {
      for (const unsigned from : {kA, kB})
        cluster.give(low ? from : from + 2, kOne, Reply{Round(1), kC1, {Height(low ? 1 : 2), kC1}});
    }
    cluster.expire({kOne}, kThinkTimer);
    EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1");
  }
}

TEST(Pbft, AReadWithoutEnoughMatchingAnswersIsOrderedLikeOtherRequests) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned from, unsigned, Message& message) {
    const auto* reply = std::get_if<Reply>(&message);
    return reply == nullptr || !reply->request.is_read_only() || from == kA || from == kB;
  };
  cluster.start();
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1");
  cluster.expire({kOne}, kRetryTimer);
  cluster.expire({kOne}, kThinkTimer);
  EXPECT_EQ(cluster.commits_of(kOne), "c1.1@1 c1.2@3");
  EXPECT_TRUE(cluster.commits_of(kD).starts_with("c1.1@1 c2.1@2 c1.2@3"));
}

// Makes up messages: half of what they hold is small enough to mean something, the rest is anything.
class Liar {
 public:
  Message message() {
    switch (random_.below(8)) {
      case 0: return RequestMessage{request(), Round(number())};
      case 1: return PrePrepare{Round(number()), sequence(), request(), 0, digest()};
      case 2: return Prepare{vote()};
      case 3: return pbft::Commit{vote()};
      case 4: return Checkpoint{Round(number()), sequence(), state()};
      case 5: return view_change();
      case 6: return new_view();
      default: return Reply{Round(number()), request(), {Height(number()), request()}};
    }
  }

 private:
  bool often() { return random_.below(2) == 0; }
  unsigned any() { return static_cast<unsigned>(random_.below(256)); }
  unsigned few() { return static_cast<unsigned>(random_.below(8)); }
  unsigned number() { return random_.below(4) == 0 ? any() : few(); }
  SequenceNumber sequence() { return SequenceNumber(number()); }
  Request request() {
    return {static_cast<Seat>(often() ? any() : kOne), static_cast<std::uint8_t>(number()),
            static_cast<Operation>(random_.below(3))};
  }
  Digest digest() {
    return often() ? Digest{static_cast<std::uint16_t>(any() * any())} : digest_of(request(), Rules{});
  }
  Vote vote() { return {Round(number()), sequence(), digest()}; }
  ServiceState state() { return {{}, {}, Height(number()), request(), sequence()}; }
  ViewChange view_change() {
    ViewChange message{Round(number()), sequence(), {}, {}, often(), 0};
    if (often()) message.checkpoint.state = state();
    for (unsigned i = few(); i > 4; --i)
      (void)message.prepared.push_back({sequence(), Round(number()), request(), 0, digest()});
    return message;
  }
  NewView new_view() {
    NewView message{Round(number()), 0, {}, {}};
    for (unsigned i = few(); i > 3; --i) (void)message.reports.push_back({view_change(), IdentitySet{Identity{kD}}});
    for (unsigned i = few(); i > 3; --i) (void)message.proposals.push_back({sequence(), request(), digest()});
    return message;
  }

  Random random_{7};
};

// D is the liar. It never leads here, and alone it makes nobody commit, move or adopt anything.
TEST(Pbft, NoReplicaOrClientMindsWhatALiarMakesUp) {
  ClusterForTests cluster;
  cluster.filter = [](unsigned, unsigned, Message& message) { return !is<pbft::Commit>(message); };
  cluster.start();
  Liar liar;
  for (unsigned i = 0; i < 20000; ++i) {
    const Message lie = liar.message();
    (void)Pbft::subject_of(lie);
    (void)Pbft::round_of(lie);
    for (const unsigned to : {kA, kB, kOne}) {
      if (is<RequestMessage>(lie) && to == kA) continue;  // a request in a client's name would be a forgery
      cluster.give(kD, to, lie);
    }
  }
  for (const unsigned seat : {kA, kB, kOne}) {
    EXPECT_EQ(cluster.commits_of(seat), "");
    EXPECT_EQ(cluster.states[seat].view, Round(1));
    EXPECT_EQ(cluster.states[seat].stable.state.executed, SequenceNumber(0));
  }
}

}  // namespace
}  // namespace nika::pbft
