#include "nika/protocols/zyzzyva/zyzzyva.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nika/protocols/zyzzyva/seat_test.hpp"
#include "nika/protocols/zyzzyva/view_change.hpp"

namespace nika::zyzzyva {
namespace {

constexpr Round kFirst{1};
constexpr Round kSecond{2};

// Replica D of four, fed by hand. A leads view 1, B leads view 2, D itself view 3.
struct Replica : SeatForTests {
  Replica() : SeatForTests(3, 3) {}
};

// A NEW-VIEW of view 2 whose reports say that `voters` of A, B, C voted for kOne in view 1.
NewView new_view(const History& start, unsigned reporters, unsigned voters) {
  NewView message{start, {}};
  for (unsigned i = 0; i < reporters; ++i) {
    const History accepted = i < voters ? history(kFirst, {kOne}) : History{};
    EXPECT_TRUE(add_report(message.reports, static_cast<Identity>(i), {}, accepted));
  }
  return message;
}

TEST(ZyzzyvaReplica, OrdersAreAcceptedFromThePrimaryOnly) {
  Replica replica;
  replica.receive(1, OrderReq{history(kFirst, {kOne})});
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 0U);
  replica.receive(0, OrderReq{history(kFirst, {kOne})});
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 1U);
  replica.receive(0, OrderReq{history(kFirst, {kTwo})});        // the slot is taken
  replica.receive(0, OrderReq{history(kFirst, {kTwo, kOne})});  // another history
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 1U);
  EXPECT_EQ(replica.state.accepted, history(kFirst, {kOne}));
}

TEST(ZyzzyvaReplica, EachClientIsAnsweredWithTheHistoryUpToItsRequest) {
  Replica replica;
  replica.receive(0, OrderReq{history(kFirst, {kOne, kTwo})});  // the order before was lost
  const auto answers = replica.sent<SpecResponse>();
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].history, history(kFirst, {kOne}));
  EXPECT_EQ(answers[1].history, history(kFirst, {kOne, kTwo}));
  EXPECT_EQ(replica.receivers<SpecResponse>()[0], IdentitySet::single(kClientOne));
  EXPECT_EQ(replica.receivers<SpecResponse>()[1], IdentitySet::single(kClientTwo));
  replica.receive(0, OrderReq{history(kFirst, {kOne})});  // late
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 2U);
}

TEST(ZyzzyvaReplica, ARequestThatComesAgainIsAnsweredAgain) {
  Replica replica;
  replica.receive(5, Request{kOne, {}});
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 0U);
  replica.receive(0, OrderReq{history(kFirst, {kOne})});
  replica.receive(5, Request{kOne, {}});
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 2U);
  replica.expire(kViewTimer);
  replica.receive(5, Request{kOne, {}});  // view 2 has not started: nothing is executed in it
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 2U);
}

TEST(ZyzzyvaReplica, ANewViewIsAcceptedOnlyIfItsReportsProveIt) {
  const History kept = history(kSecond, {kOne});
  const History empty = history(kSecond, {});
  const auto is_accepted = [](const NewView& message, unsigned from = 1) {
    Replica replica;
    replica.receive(from, message);
    return replica.state.accepted == message.history;
  };
  EXPECT_TRUE(is_accepted(new_view(kept, 3, 2)));
  EXPECT_FALSE(is_accepted(new_view(kept, 3, 2), 2));                         // not the primary
  EXPECT_FALSE(is_accepted(new_view(kept, 2, 2)));                            // too few reports
  EXPECT_FALSE(is_accepted(new_view(kept, 3, 1)));                            // too few votes
  EXPECT_FALSE(is_accepted(new_view(empty, 3, 2)));                           // a request that is open is left out
  EXPECT_FALSE(is_accepted(new_view(history(kSecond, {kTwo}), 3, 2)));        // another one is put in its place
  EXPECT_TRUE(is_accepted(new_view(empty, 3, 0)));                            // nothing is open
  EXPECT_FALSE(is_accepted(new_view(history(kSecond, {kOne, kTwo}), 3, 2)));  // more than is proved
}

TEST(ZyzzyvaReplica, ANewViewUndoesSpeculation) {
  Replica replica;
  replica.receive(0, OrderReq{history(kFirst, {kTwo})});
  replica.receive(1, new_view(history(kSecond, {kOne}), 3, 2));
  EXPECT_EQ(replica.state.accepted, history(kSecond, {kOne}));
  EXPECT_EQ(replica.state.view, kSecond);
  replica.receive(1, new_view(history(kSecond, {}), 3, 0));  // one in each view
  EXPECT_EQ(replica.state.accepted, history(kSecond, {kOne}));
}

TEST(ZyzzyvaReplica, WhoHasLeftAViewAcknowledgesNothingOfIt) {
  const History certified = history(kFirst, {kOne});
  Replica in_time;
  in_time.receive(5, CommitCertificate{certified});  // fills the hole
  ASSERT_EQ(in_time.sent<LocalCommit>().size(), 1U);
  EXPECT_EQ(in_time.receivers<LocalCommit>()[0], IdentitySet::single(kClientOne));
  EXPECT_EQ(in_time.state.accepted, certified);
  Replica late;
  late.expire(kViewTimer);
  EXPECT_EQ(late.sent<ViewChange>().size(), 1U);
  late.receive(5, CommitCertificate{certified});
  EXPECT_EQ(late.sent<LocalCommit>().size(), 0U);
  ASSERT_EQ(late.state.certificates.chain.size(), 1U);
  EXPECT_EQ(late.state.certificates.slots, certified.slots);  // but it tells the next primary but one
}

TEST(ZyzzyvaReplica, ACertificateAgainstTheOwnHistoryIsNotAcknowledged) {
  Replica replica;
  replica.receive(0, OrderReq{history(kFirst, {kTwo})});
  replica.receive(5, CommitCertificate{history(kFirst, {kOne})});
  EXPECT_EQ(replica.sent<LocalCommit>().size(), 0U);
  EXPECT_EQ(replica.state.accepted, history(kFirst, {kTwo}));
}

// A history once knew its last eight requests only: a request before them was ordered a second time, and neither
// answered nor acknowledged, so that its client could wait for ever.
TEST(ZyzzyvaReplica, AnOldRequestIsAnsweredAndAcknowledgedHoweverManyFollowed) {
  SeatForTests primary(0, 0);
  const History first = history(kFirst, {kOne});
  History longer = first;
  for (std::uint8_t i = 1; i <= 20; ++i) ASSERT_TRUE(longer.slots.append({kTwo.client, i}, kOne.client));
  primary.receive(5, Request{kOne, {}});
  primary.expire(kReportTimer);
  primary.receive(5, CommitCertificate{longer});
  ASSERT_EQ(primary.state.accepted, longer);
  ASSERT_EQ(primary.sent<OrderReq>().size(), 1U);
  primary.receive(5, Request{kOne, {}});
  EXPECT_EQ(primary.sent<OrderReq>().size(), 1U);
  EXPECT_EQ(primary.sent<SpecResponse>().back().history, first);
  EXPECT_EQ(primary.receivers<SpecResponse>().back(), IdentitySet::single(kClientOne));
  primary.receive(5, CommitCertificate{first});
  EXPECT_EQ(primary.sent<LocalCommit>().back().history, first);
}

TEST(ZyzzyvaReplica, TellsWhatItHasPreparedLockedAndExecuted) {
  constexpr Held kFirstSlot{kOne.value(), Height(1)};
  constexpr Held kSecondSlot{kTwo.value(), Height(2)};
  Context context;
  context.self = Identity{3};
  Replica replica;
  EXPECT_EQ(Zyzzyva::progress(replica.state, context), Progress{});
  replica.receive(0, OrderReq{history(kFirst, {kOne, kTwo})});
  EXPECT_EQ(Zyzzyva::progress(replica.state, context), (Progress{kSecondSlot, {}, {}}));
  replica.receive(5, CommitCertificate{history(kFirst, {kOne})});
  EXPECT_EQ(Zyzzyva::progress(replica.state, context), (Progress{kSecondSlot, kFirstSlot, kFirstSlot}));
  EXPECT_TRUE(Zyzzyva::extends(replica.state, kSecondSlot, kFirstSlot));
  EXPECT_FALSE(Zyzzyva::extends(replica.state, kFirstSlot, kSecondSlot));
  // A new view overrules what was certified. Then a certificate of that view tells otherwise.
  const Held other{kTwo.value(), Height(1)};
  NewView message{history(kSecond, {kTwo}), {}};
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_TRUE(add_report(message.reports, static_cast<Identity>(i), {}, history(kFirst, {kTwo})));
  replica.receive(1, message);
  EXPECT_EQ(Zyzzyva::progress(replica.state, context), (Progress{other, {}, {}}));
  replica.receive(5, CommitCertificate{history(kSecond, {kOne})});
  EXPECT_EQ(Zyzzyva::progress(replica.state, context), (Progress{other, kFirstSlot, {}}));
  EXPECT_FALSE(Zyzzyva::extends(replica.state, kFirstSlot, other));
  context.clients = {Identity{3}};
  EXPECT_EQ(Zyzzyva::progress(replica.state, context), Progress{});
}

TEST(ZyzzyvaReplica, AReplicaNeverCommits) {
  Replica replica;
  const History certified = history(kFirst, {kOne});
  replica.receive(0, OrderReq{certified});
  replica.receive(5, CommitCertificate{certified});
  for (const unsigned from : {0U, 1U, 2U, 3U}) replica.receive(from, LocalCommit{certified});
  EXPECT_EQ(replica.commits.size(), 0U);
}

TEST(ZyzzyvaReplica, WhoGivesUpAloneSaysWhereItIsUntilAQuorumCame) {
  Replica replica;
  replica.expire(kViewTimer);
  replica.expire(kViewTimer);
  EXPECT_EQ(replica.state.view, Round(2));
  EXPECT_EQ(replica.sent<ViewChange>().size(), 2U);
  for (const unsigned from : {0U, 1U, 3U}) replica.receive(from, ViewChange{{}, {}, Round(2)});
  replica.expire(kViewTimer);
  EXPECT_EQ(replica.state.view, Round(3));
}

TEST(ZyzzyvaReplica, OneThatLagsBehindJoinsFPlus1InALaterView) {
  Replica replica;
  replica.receive(0, ViewChange{{}, {}, Round(5)});
  replica.expire(kJoinTimer);
  EXPECT_EQ(replica.state.view, Round(1));
  replica.receive(1, ViewChange{{}, {}, Round(4)});
  replica.expire(kJoinTimer);
  EXPECT_EQ(replica.state.view, Round(4));
}

TEST(ZyzzyvaReplica, ThePrimaryWaitsForMoreThan2FPlus1ReportsAndThenUsesThemAll) {
  Replica replica;
  replica.receive(6, Request{kTwo, {}});
  replica.expire(kViewTimer);
  for (const unsigned from : {0U, 1U, 3U}) replica.receive(from, ViewChange{{}, {}, Round(2)});
  replica.expire(kViewTimer);
  ASSERT_EQ(replica.state.view, Round(3));
  for (const unsigned from : {0U, 1U, 2U}) {
    replica.receive(from, ViewChange{{}, history(kFirst, {kOne}), Round(3)});
    EXPECT_EQ(replica.sent<NewView>().size(), 0U);
  }
  replica.expire(kReportTimer);
  ASSERT_EQ(replica.sent<NewView>().size(), 1U);
  const NewView message = replica.sent<NewView>()[0];
  EXPECT_EQ(identities_in(message.reports), 4);
  EXPECT_EQ(message.history, history(Round(3), {kOne}));
  EXPECT_EQ(replica.sent<OrderReq>().size(), 0U);
  replica.receive(3, message);  // its own: now everybody has it
  ASSERT_EQ(replica.sent<OrderReq>().size(), 1U);
  EXPECT_EQ(replica.sent<OrderReq>()[0].history, history(Round(3), {kOne, kTwo}));
}

// The first primary, of the given input. Both requests wait when it begins.
std::vector<OrderReq> orders_of_input(unsigned seat) {
  SeatForTests primary(0, seat);
  primary.receive(6, Request{kTwo, {}});
  primary.receive(5, Request{kOne, {}});
  EXPECT_EQ(primary.sent<OrderReq>().size(), 0U);
  primary.expire(kReportTimer);
  primary.receive(5, Request{kOne, {}});          // again
  primary.receive(5, Request{{Seat{5}, 2}, {}});  // more than a primary orders in one view
  return primary.sent<OrderReq>();
}

TEST(ZyzzyvaReplica, TwinsOrderTheRequestsOfTwoClientsDifferently) {
  const auto orders = orders_of_input(0);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[1].history, history(kFirst, {kOne, kTwo}));
  const auto of_twin = orders_of_input(4);
  ASSERT_EQ(of_twin.size(), 2U);
  EXPECT_EQ(of_twin[1].history, history(kFirst, {kTwo, kOne}));
}

}  // namespace
}  // namespace nika::zyzzyva
