// Each seeded bug of PBFT breaks a scripted run that the correct form survives.
#include "nika/protocols/pbft/cluster_test.hpp"

namespace nika::pbft {
namespace {

using Bugs = std::initializer_list<Bug>;
const Bugs kNone{};

TEST(PbftBugs, NamesAndFlagsGoTogether) {
  EXPECT_EQ(kBugNames.size(), static_cast<std::size_t>(Bug::kClientTwoFPlusOne) + 1);
  for (const std::string_view name : kCaoBugs) EXPECT_EQ(std::ranges::count(kBugNames, name), 1) << name;
}

// The faulty primary sends D another request of those that exist, and the digest of the first.
std::string committed_by_d_after_a_changed_request(Bugs bugs) {
  ClusterForTests cluster(bugs);
  cluster.filter = [](unsigned, unsigned to, Message& message) {
    auto* ordered = std::get_if<PrePrepare>(&message);
    if (ordered != nullptr && to == kD && ordered->sequence == SequenceNumber(1)) ordered->request = kC2;
    return !is<Checkpoint>(message);
  };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kC), "c1.1@1 c2.1@2");
  return cluster.commits_of(kD);
}
TEST(PbftBugs, EmptyDigest) {
  EXPECT_EQ(committed_by_d_after_a_changed_request(kNone), "");
  EXPECT_EQ(committed_by_d_after_a_changed_request({Bug::kEmptyDigest}), "c2.1@1");  // D and C disagree
}

// The faulty primary orders what no client asked for, with the digest that fits.
std::string committed_by_d_after_a_made_up_request(Bugs bugs) {
  ClusterForTests cluster(bugs);
  cluster.filter = [](unsigned, unsigned, Message& message) {
    auto* ordered = std::get_if<PrePrepare>(&message);
    if (ordered != nullptr && ordered->sequence == SequenceNumber(1)) {
      const Message truth = message;
      ordered->request.make_up();
      Pbft::make_consistent(truth, message);
    }
    return !is<Checkpoint>(message);
  };
  cluster.start();
  return cluster.commits_of(kD);
}
TEST(PbftBugs, EmptyDigestTakesWhatNoClientAskedFor) {
  EXPECT_EQ(committed_by_d_after_a_made_up_request(kNone), "");
  EXPECT_EQ(committed_by_d_after_a_made_up_request({Bug::kEmptyDigest}), "c1.1!@1 c2.1@2");
}

// Only A hears enough COMMITs; then A falls silent, and the others change views.
std::string committed_by_d_after_a_alone(Bugs bugs) {
  ClusterForTests cluster(bugs);
  cluster.filter = [](unsigned, unsigned to, Message& message) { return !is<pbft::Commit>(message) || to == kA; };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kA), "c1.1@1 c2.1@2");
  cluster.filter = [](unsigned from, unsigned, Message&) { return from != kA; };
  cluster.change_view();
  return cluster.commits_of(kD);
}
TEST(PbftBugs, SlotZeroUncertified) {
  EXPECT_EQ(committed_by_d_after_a_alone(kNone), "c1.1@1 c2.1@2");
  EXPECT_EQ(committed_by_d_after_a_alone({Bug::kSlotZeroUncertified}), "");  // slot 0 is never proposed again
}

TEST(PbftBugs, NewViewRange) {
  EXPECT_EQ(committed_by_d_after_a_alone({Bug::kNewViewRange}), "c1.1@1 c2.1@2");
  // With slot 0 in the range and without its certificate, the new view puts a null request there.
  EXPECT_EQ(committed_by_d_after_a_alone({Bug::kSlotZeroUncertified, Bug::kNewViewRange}), "null@1 c2.1@2 c1.1@3");
  Report report;
  report.view_change.view = Round(2);
  report.view_change.sequence = report.view_change.checkpoint.state.executed = SequenceNumber(2);
  ASSERT_TRUE(report.view_change.prepared.push_back({SequenceNumber(3), Round(1), kC1, 0, digest_of(kC1, Rules{})}));
  const auto first = [&](const Rules& rules) { return select({&report, 1}, rules).proposals[0]; };
  EXPECT_EQ(first(Rules{}).sequence, SequenceNumber(3));
  EXPECT_EQ(first({.new_view_begins_above_checkpoint = false}).sequence, SequenceNumber(2));  // what was collected
  EXPECT_EQ(first({.new_view_begins_above_checkpoint = false}).request, Request{});
}

// One request prepares, and its COMMITs are lost; the new primary has the other one waiting.
std::string committed_by_d_after_a_view_change(Bugs bugs) {
  ClusterForTests cluster(bugs);
  cluster.filter = [](unsigned from, unsigned, Message& message) { return !is<pbft::Commit>(message) && from != kTwo; };
  cluster.start();
  cluster.filter = [](unsigned, unsigned to, Message& message) { return !is<RequestMessage>(message) || to != kA; };
  cluster.expire({kTwo}, kRetryTimer);
  cluster.change_view();
  return cluster.commits_of(kD);
}
TEST(PbftBugs, NewPrimaryCounter) {
  EXPECT_EQ(committed_by_d_after_a_view_change(kNone), "c1.1@1 c2.1@2");
  EXPECT_EQ(committed_by_d_after_a_view_change({Bug::kNewPrimaryCounter}), "c1.1@1");  // number 1 is given twice
}

// D hears nothing of the first request, which the others execute; the second comes in the next view.
std::string committed_by_d_after_missing_the_first(Bugs bugs) {
  ClusterForTests cluster(bugs);
  cluster.filter = [](unsigned from, unsigned to, Message&) { return to != kD && from != kTwo; };
  cluster.start();
  EXPECT_EQ(cluster.commits_of(kC), "c1.1@1");
  cluster.filter = [](unsigned, unsigned to, Message& message) { return !is<RequestMessage>(message) || to != kA; };
  cluster.expire({kTwo}, kRetryTimer);
  cluster.change_view();
  return cluster.commits_of(kD);
}
TEST(PbftBugs, SequenceReuseTakesTwoOfThem) {
  EXPECT_EQ(committed_by_d_after_missing_the_first(kNone), "c1.1@1 c2.1@2");
  EXPECT_EQ(committed_by_d_after_missing_the_first({Bug::kSlotZeroUncertified}), "");
  // D has the second request where the others have the first.
  EXPECT_EQ(committed_by_d_after_missing_the_first({Bug::kSlotZeroUncertified, Bug::kNewPrimaryCounter}), "c2.1@1");
}

// A request that waits for its votes is sent again.
std::string committed_after_a_retransmission(Bugs bugs) {
  ClusterForTests cluster(bugs);
  std::vector<std::pair<unsigned, Message>> held;
  cluster.filter = [&](unsigned from, unsigned to, Message& message) {
    if (from == kTwo || (is<RequestMessage>(message) && from != kOne)) return false;
    if (is<Prepare>(message) && to == kD) held.emplace_back(from, message);
    return !is<Prepare>(message);
  };
  cluster.start();
  cluster.expire({kOne}, kRetryTimer);
  EXPECT_EQ(cluster.commits_of(kA), "");
  cluster.filter = [](unsigned, unsigned, Message& message) { return !is<RequestMessage>(message); };
  for (const unsigned to : {kA, kB, kC, kD}) {
    for (const unsigned from : {kB, kC, kD}) {
      if (from == to) continue;
      for (const Prepare& vote : cluster.sent<Prepare>(from)) cluster.give(from, to, vote);
    }
  }
  cluster.deliver();
  return cluster.commits_of(kC);
}
TEST(PbftBugs, NoRequestDedup) {
  EXPECT_EQ(committed_after_a_retransmission(kNone), "c1.1@1");
  EXPECT_EQ(committed_after_a_retransmission({Bug::kNoRequestDedup}), "c1.1@1 c1.1@2");  // executed twice
}

TEST(PbftBugs, NewViewLastCertificate) {
  const auto certificate = [](Request request, unsigned view) {
    return PreparedCertificate{SequenceNumber(1), Round(view), request, 0, digest_of(request, Rules{})};
  };
  Reports reports;
  for (const unsigned from : {kA, kB}) {
    ViewChange message{Round(3), {}, {}, {}, false, 0};
    ASSERT_TRUE(message.prepared.push_back(from == kA ? certificate(kC2, 1) : certificate(kC1, 2)));
    ASSERT_TRUE(reports.add(static_cast<Identity>(from), message, {}));
  }
  EXPECT_EQ(select(reports.all(), Rules{}).proposals[0].request, kC1);  // of view 2, in which it may have committed
  EXPECT_EQ(select(reports.all(), {.highest_view_wins = false}).proposals[0].request, kC2);
}

TEST(PbftBugs, NewViewUnchecked) {
  const auto view_of_c = [](Bugs bugs) {
    ClusterForTests cluster(bugs);
    cluster.start();
    cluster.give(kD, kC, NewView{Round(2), 0, {}, {}});  // D does not lead view 2, and proves nothing
    return cluster.states[kC].view;
  };
  EXPECT_EQ(view_of_c(kNone), Round(1));
  EXPECT_EQ(view_of_c({Bug::kNewViewUnchecked}), Round(2));
}

TEST(PbftBugs, MessagesNotSenders) {
  const auto committed_by_c = [](Bugs bugs) {
    ClusterForTests cluster(bugs);
    // C hears of D alone, over and over, and of the primary's proposal.
    cluster.filter = [](unsigned from, unsigned to, Message& message) {
      return to != kC || is<PrePrepare>(message) || from == kD;
    };
    cluster.start();
    for (const Prepare& vote : cluster.sent<Prepare>(kD)) cluster.give(kD, kC, vote);
    for (const pbft::Commit& vote : cluster.sent<pbft::Commit>(kD)) cluster.give(kD, kC, vote);
    return cluster.commits_of(kC);
  };
  EXPECT_EQ(committed_by_c(kNone), "");
  EXPECT_EQ(committed_by_c({Bug::kMessagesNotSenders}), "c1.1@1 c2.1@2");
}

TEST(PbftBugs, OutOfOrderExecution) {
  const auto run = [](Bugs bugs) {
    ClusterForTests cluster(bugs);
    cluster.filter = [](unsigned, unsigned to, Message& message) {
      const auto* ordered = std::get_if<PrePrepare>(&message);
      return !is<Checkpoint>(message) && (ordered == nullptr || to != kD || ordered->sequence != SequenceNumber(1));
    };
    cluster.start();
    const auto replies = cluster.sent<Reply>(kD);
    const std::string answered = replies.empty() ? "" : fmt::format("{}", replies[0].answer.position.number);
    return cluster.commits_of(kD) + "/" + answered;
  };
  EXPECT_EQ(run(kNone), "/");
  EXPECT_EQ(run({Bug::kOutOfOrderExecution}), "c2.1@2/1");  // the others tell its client that it is the second
}

// The request of c2 commits at A alone, and A falls silent while that of c1 waits.
TEST(PbftBugs, LostCertificate) {
  const auto committed_by_d = [](Bugs bugs) {
    ClusterForTests cluster(bugs);
    cluster.filter = [](unsigned from, unsigned to, Message& message) {
      return from != kOne && (!is<pbft::Commit>(message) || to == kA);
    };
    cluster.start();
    EXPECT_EQ(cluster.commits_of(kA), "c2.1@1");
    cluster.filter = [](unsigned from, unsigned to, Message&) { return from != kA && to != kA; };
    cluster.expire({kOne, kTwo}, kRetryTimer);
    cluster.change_view();
    return cluster.commits_of(kD);
  };
  EXPECT_EQ(committed_by_d(kNone), "c2.1@1 c1.1@2");
  EXPECT_EQ(committed_by_d({Bug::kLostCertificate}), "c1.1@1 c2.1@2");  // D and A disagree
}

// Section 3.1 of the paper on ByzzFuzz: D misses the PRE-PREPAREs, and the faulty A never answers a client.
TEST(PbftBugs, ClientThatWaitsForTwoFPlusOneIsStuck) {
  const auto committed_by_clients = [](Bugs bugs) {
    ClusterForTests cluster(bugs);
    cluster.filter = [](unsigned from, unsigned to, Message& message) {
      const bool is_withheld = from == kA && is<PrePrepare>(message) && to == kD;
      return !is_withheld && !(from == kA && is<Reply>(message)) && (from != kTwo || to != kA);
    };
    cluster.start();
    for (unsigned i = 0; i < 4; ++i) {
      cluster.expire({kOne}, kRetryTimer);
      cluster.expire({kD}, kViewTimer);  // nobody follows D, since the others have executed the request
      cluster.expire({kA, kB, kC, kD}, kJoinTimer);
    }
    EXPECT_EQ(cluster.commits_of(kC), "c1.1@1");
    EXPECT_EQ(cluster.states[kC].view, Round(1));
    cluster.expire({kOne}, kThinkTimer);
    return cluster.commits_of(kOne);
  };
  EXPECT_EQ(committed_by_clients(kNone), "c1.1@1");
  EXPECT_EQ(committed_by_clients({Bug::kClientTwoFPlusOne}), "");
}

}  // namespace
}  // namespace nika::pbft
