#include "nika/protocols/linear_pbft/linear_pbft.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nika::linear_pbft {
namespace {

constexpr std::uint32_t kResponsive = 1;
constexpr TimerId kViewTimer{0};
constexpr TimerId kNewViewTimer{1};
constexpr Identity kA{0};
constexpr Identity kB{1};
const ValueId kOne(Round(1), Seat{0}, 0);
const ValueId kTwo(Round(1), Seat{4}, 0);

// One of four replicas, fed by hand. A leads view 1, B view 2, C view 3 and D view 4.
template <class P>
class Replica {
 public:
  explicit Replica(Identity self, std::uint32_t bugs = 0) {
    for (unsigned i = 0; i < 4; ++i) leaders_[i + 1] = IdentitySet{static_cast<Identity>(i)};
    context_.self = self;
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.bugs = bugs;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_.data();
    step([&](auto& out) { P::start(state, context_, out); });
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { P::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<unsigned> senders, const Message& message) {
    for (const unsigned sender : senders) receive(static_cast<Identity>(sender), message);
  }
  void expire(TimerId timer) {
    step([&](auto& out) { P::expire(state, context_, timer, out); });
  }
  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> found;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) found.push_back(*match);
    }
    return found;
  }

  State state{};
  std::vector<nika::Commit> commits;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(out_, timers_, nullptr);
    input(out_);
    for (const auto& sent : Reader::sent(out_)) sent_.push_back(sent.message);
    for (const nika::Commit& commit : Reader::commits(out_)) commits.push_back(commit);
    EXPECT_FALSE(Reader::overflowed(out_));
  }

  Context context_;
  std::array<IdentitySet, 8> leaders_{};
  std::array<Timer, kMaxTimers> timers_{};
  Outbox<Message> out_;
  std::vector<Message> sent_;
};

Subject subject(ValueId value, unsigned view) { return {value, Round(view), Height(1)}; }
Certificate certificate(ValueId value, unsigned view) { return {value, Round(view), 0}; }
NewView new_view(unsigned view, const Certificate& highest = {}) { return {highest, Round(view), Height(1)}; }

TEST(LinearPbft, ALeaderTurnsQuorumsOfVotesIntoCertificates) {
  Replica<LinearPbft> leader(kA);
  ASSERT_EQ(leader.sent<Proposal>().size(), 1U);
  leader.receive_from({0, 1, 1}, Prepare{subject(kOne, 1)});
  EXPECT_EQ(leader.sent<Prepared>().size(), 0U);
  leader.receive_from({2, 3}, Prepare{subject(kOne, 1)});
  EXPECT_EQ(leader.sent<Prepared>().size(), 1U);
  leader.receive_from({0, 1}, linear_pbft::Commit{subject(kOne, 1)});
  EXPECT_EQ(leader.sent<Decision>().size(), 0U);
  leader.receive_from({3}, linear_pbft::Commit{subject(kOne, 1)});
  EXPECT_EQ(leader.sent<Decision>().size(), 1U);
}

TEST(LinearPbft, AReplicaVotesOnceInEachPhaseAndADecisionEndsTheView) {
  Replica<LinearPbft> replica(kB);
  replica.receive(kA, Proposal{kOne, {}, Round(1), Height(1)});
  replica.receive(kA, Proposal{kTwo, {}, Round(1), Height(1)});
  ASSERT_EQ(replica.sent<Prepare>().size(), 1U);
  EXPECT_EQ(replica.sent<Prepare>()[0].value, kOne);
  replica.receive(kA, Prepared{subject(kOne, 1)});
  replica.receive(kA, Prepared{subject(kOne, 1)});
  EXPECT_EQ(replica.sent<linear_pbft::Commit>().size(), 1U);
  replica.receive(kA, Decision{subject(kOne, 1)});
  ASSERT_EQ(replica.commits.size(), 1U);
  EXPECT_EQ(replica.commits[0].value, kOne);
  EXPECT_EQ(replica.state.pacemaker.view, Round(2));
  EXPECT_EQ(replica.state.height(), Height(2));
}

TEST(LinearPbft, AProposalBelowTheHighestKnownCertificateIsRefused) {
  Replica<LinearPbft> replica(Identity{3});
  replica.receive(kA, Prepared{subject(kOne, 1)});
  replica.expire(kViewTimer);
  replica.receive(kB, Proposal{kTwo, {}, Round(2), Height(1)});
  EXPECT_EQ(replica.sent<Prepare>().size(), 0U);
  replica.receive(kB, Proposal{kTwo, certificate(kOne, 1), Round(2), Height(1)});  // does not follow from it
  EXPECT_EQ(replica.sent<Prepare>().size(), 0U);
  replica.receive(kB, Proposal{kOne, certificate(kOne, 1), Round(2), Height(1)});
  EXPECT_EQ(replica.sent<Prepare>().size(), 1U);
}

TEST(LinearPbft, TheValueOfTheHighestKnownCertificateExtendsIt) {
  Replica<LinearPbft> replica(Identity{3});
  replica.receive(kA, Prepared{subject(kOne, 1)});
  replica.receive(kB, Prepared{subject(kOne, 2)});
  replica.receive(Identity{2}, Proposal{kOne, certificate(kOne, 1), Round(3), Height(1)});
  EXPECT_EQ(replica.sent<Prepare>().size(), 1U);
}

TEST(LinearPbft, ANewLeaderWaitsForAllOrForDeltaUnlessItIsResponsive) {
  for (const std::uint32_t bugs : {0U, kResponsive}) {
    Replica<LinearPbft> leader(kB, bugs);
    leader.expire(kViewTimer);
    leader.receive(kA, new_view(2));
    EXPECT_EQ(leader.sent<Proposal>().size(), 0U);
    leader.receive(Identity{2}, new_view(2));
    EXPECT_EQ(leader.sent<Proposal>().size(), bugs == 0 ? 0U : 1U);
    leader.receive(Identity{3}, new_view(2, certificate(kTwo, 1)));
    ASSERT_EQ(leader.sent<Proposal>().size(), 1U);
    EXPECT_EQ(leader.sent<Proposal>()[0].value, bugs == 0 ? kTwo : ValueId(Round(2), Seat{1}, 0));
  }
  Replica<LinearPbft> leader(kB);
  leader.expire(kViewTimer);
  leader.receive_from({0, 2}, new_view(2));
  leader.expire(kNewViewTimer);
  EXPECT_EQ(leader.sent<Proposal>().size(), 1U);
}

TEST(LinearPbft, WithAThirdPhaseOnlyALockMakesAReplicaRefuse) {
  Replica<LinearPbftThirdPhase> replica(Identity{3});
  replica.receive(kA, Prepared{subject(kOne, 1)});
  EXPECT_EQ(replica.sent<Lock>().size(), 1U);
  EXPECT_EQ(replica.sent<linear_pbft::Commit>().size(), 0U);
  replica.expire(kViewTimer);
  replica.receive(kB, Proposal{kTwo, {}, Round(2), Height(1)});
  EXPECT_EQ(replica.sent<Prepare>().size(), 1U);
  replica.receive(kB, Locked{subject(kTwo, 2)});
  EXPECT_EQ(replica.sent<linear_pbft::Commit>().size(), 1U);
  replica.expire(kViewTimer);
  replica.receive(Identity{2}, Proposal{kOne, certificate(kOne, 1), Round(3), Height(1)});
  EXPECT_EQ(replica.sent<Prepare>().size(), 1U);
}

TEST(LinearPbft, WhoLagsBehindFetchesDecisions) {
  Replica<LinearPbft> ahead(Identity{2});
  ahead.receive(kA, Decision{subject(kOne, 1)});
  Replica<LinearPbft> behind(kB);
  behind.receive(Identity{2}, ahead.sent<NewView>()[0]);
  ASSERT_EQ(behind.sent<Fetch>().size(), 1U);
  ahead.receive(kB, behind.sent<Fetch>()[0]);
  ASSERT_EQ(ahead.sent<OldDecision>().size(), 1U);
  behind.receive(Identity{2}, ahead.sent<OldDecision>()[0]);
  ASSERT_EQ(behind.commits.size(), 1U);
  EXPECT_EQ(behind.commits[0].value, kOne);
  EXPECT_EQ(ahead.sent<NewView>().size(), 2U);  // once more, now that its receiver understands it
}

// A certificate is proof of its view for those too who lack earlier decisions, or have got this one in another way.
TEST(LinearPbft, ADecisionOfAnotherHeightEndsTheView) {
  Replica<LinearPbft> behind(kB);
  behind.receive(kA, Decision{{kOne, Round(3), Height(4)}});
  EXPECT_EQ(behind.state.pacemaker.view, Round(4));
  EXPECT_TRUE(behind.state.pacemaker.is_proven);
  EXPECT_EQ(behind.commits.size(), 0U);

  Replica<LinearPbft> ahead(kB);
  ahead.receive(Identity{2}, OldDecision{subject(kOne, 1)});
  EXPECT_EQ(ahead.state.pacemaker.view, Round(1));
  ahead.receive(kA, Decision{subject(kOne, 1)});
  EXPECT_EQ(ahead.state.pacemaker.view, Round(2));
  EXPECT_EQ(ahead.commits.size(), 1U);
  ahead.receive(kA, Decision{subject(kOne, 1)});  // again
  EXPECT_EQ(ahead.state.pacemaker.view, Round(2));
}

// Within a view the leader does it.
TEST(LinearPbft, WhoIsInAnEarlierViewGetsDecisionsFromEverybodyAhead) {
  Replica<LinearPbft> ahead(Identity{3});
  ahead.receive(kA, Decision{subject(kOne, 1)});
  ahead.receive(Identity{2}, new_view(2));
  EXPECT_EQ(ahead.sent<OldDecision>().size(), 0U);
  ahead.receive(Identity{2}, new_view(1));
  ASSERT_EQ(ahead.sent<OldDecision>().size(), 1U);
  EXPECT_EQ(ahead.sent<OldDecision>()[0].value, kOne);
  EXPECT_EQ(ahead.sent<OldDecision>()[0].height, Height(1));
}

template <class P>
void expect_a_decision_to_be_passed_on() {
  Replica<P> leader(kB);
  leader.receive(kA, Decision{subject(kOne, 1)});
  leader.receive(Identity{2}, NewView{{}, Round(2), Height(2)});
  EXPECT_EQ(leader.template sent<Decision>().size(), 0U);
  leader.expire(kNewViewTimer);
  ASSERT_EQ(leader.template sent<Decision>().size(), 1U);
  EXPECT_EQ(leader.template sent<Decision>()[0], Decision{subject(kOne, 1)});
  EXPECT_EQ(leader.template sent<Proposal>().size(), 0U);
  leader.receive(Identity{3}, NewView{{}, Round(2), Height(2)});  // it followed
  EXPECT_EQ(leader.template sent<Proposal>().size(), 1U);
}

TEST(LinearPbft, ALeaderThatWaitedInVainPassesOnTheDecisionThatBroughtItThere) {
  expect_a_decision_to_be_passed_on<LinearPbft>();
  expect_a_decision_to_be_passed_on<LinearPbftThirdPhase>();
}

TEST(LinearPbft, ALeaderThatHasAQuorumOrGaveUpAlonePassesNothingOn) {
  Replica<LinearPbft> with_quorum(kB);
  with_quorum.receive(kA, Decision{subject(kOne, 1)});
  with_quorum.receive_from({2, 3}, NewView{{}, Round(2), Height(2)});
  with_quorum.expire(kNewViewTimer);
  EXPECT_EQ(with_quorum.sent<Proposal>().size(), 1U);
  EXPECT_EQ(with_quorum.sent<Decision>().size(), 0U);

  Replica<LinearPbft> alone(Identity{2});
  alone.receive(kA, Decision{subject(kOne, 1)});
  alone.expire(kViewTimer);  // view 2 fails, view 3 is its own
  alone.expire(kNewViewTimer);
  EXPECT_EQ(alone.state.pacemaker.view, Round(3));
  EXPECT_EQ(alone.sent<Decision>().size(), 0U);
}

// What is lost for good would otherwise be asked for and promised again without end.
TEST(LinearPbft, NobodyIsAskedTwiceForTheSameDecisions) {
  Replica<LinearPbft> behind(kB);
  const NewView ahead{{}, Round(2), Height(2)};
  for (int i = 0; i < 3; ++i) behind.receive(Identity{2}, ahead);
  EXPECT_EQ(behind.sent<Fetch>().size(), 1U);
  behind.receive(Identity{3}, ahead);
  EXPECT_EQ(behind.sent<Fetch>().size(), 2U);
  behind.receive(Identity{2}, OldDecision{subject(kOne, 2)});
  behind.receive(Identity{2}, NewView{{}, Round(2), Height(5)});
  EXPECT_EQ(behind.sent<Fetch>().size(), 3U);  // it has come further
}

TEST(LinearPbft, OneThatGaveUpAloneWaitsForAQuorum) {
  Replica<LinearPbft> replica(Identity{3});
  replica.expire(kViewTimer);
  replica.expire(kViewTimer);
  EXPECT_EQ(replica.state.pacemaker.view, Round(2));
  EXPECT_EQ(replica.sent<NewView>().size(), 2U);  // it says again where it is
  replica.receive_from({1, 2, 3}, new_view(2));
  replica.expire(kViewTimer);
  EXPECT_EQ(replica.state.pacemaker.view, Round(3));
}

TEST(LinearPbft, FPlusOneInALaterViewTakeAReplicaAlong) {
  Replica<LinearPbft> replica(Identity{3});
  replica.receive(kA, new_view(4));
  EXPECT_EQ(replica.state.pacemaker.view, Round(1));
  replica.receive(kB, new_view(3));
  EXPECT_EQ(replica.state.pacemaker.view, Round(3));
}

// Only the leader of a view looks at certificates in new-view messages: that is what makes the flaw.
TEST(LinearPbft, WhoDoesNotLeadLearnsNothingFromNewViews) {
  Replica<LinearPbft> replica(Identity{3});
  replica.receive_from({0, 1}, new_view(2, certificate(kOne, 1)));
  EXPECT_EQ(replica.state.pacemaker.view, Round(2));
  EXPECT_EQ(replica.state.highest, Certificate{});
}

// A liar that is far ahead must not make the leader forget who is in its next view.
TEST(LinearPbft, NewViewsOfSeveralLaterViewsAreKept) {
  chain::Arrivals arrivals;
  arrivals.tell(Identity{0}, Round(9));
  arrivals.tell(Identity{2}, Round(5));
  arrivals.tell(Identity{3}, Round(5));
  EXPECT_EQ(arrivals.told_in(Round(5)), (IdentitySet{Identity{2}, Identity{3}}));
  EXPECT_EQ(arrivals.entered_by(2), Round(5));
  arrivals.add(Identity{3}, Round(6));
  EXPECT_EQ(arrivals.told_in(Round(5)), IdentitySet{Identity{2}});
  EXPECT_EQ(arrivals.entered_by(2), Round(6));
  arrivals.tell(Identity{3}, Round(5));  // left it
  EXPECT_EQ(arrivals.told_in(Round(5)), IdentitySet{Identity{2}});
  arrivals.forget_before(Round(6));
  EXPECT_EQ(arrivals.told_in(Round(5)), IdentitySet{});
  EXPECT_EQ(arrivals.entered_by(3), Round(0));
}

}  // namespace
}  // namespace nika::linear_pbft
