#include "nika/protocols/zyzzyva/client.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "nika/protocols/zyzzyva/seat_test.hpp"

namespace nika::zyzzyva {
namespace {

constexpr Round kFirst{1};

struct ClientOne : SeatForTests {
  ClientOne() : SeatForTests(5, 5) {}

  void answer(std::initializer_list<unsigned> replicas, const History& history) {
    for (const unsigned replica : replicas) receive(replica, SpecResponse{history});
  }
  void acknowledge(std::initializer_list<unsigned> replicas, const History& history) {
    for (const unsigned replica : replicas) receive(replica, LocalCommit{history});
  }
};

const History kAlone = history(kFirst, {kOne});
const History kBehind = history(kFirst, {kTwo, kOne});

TEST(ZyzzyvaClient, ItsRequestGoesToAllReplicasAndAgainUntilItIsComplete) {
  ClientOne client;
  ASSERT_EQ(client.sent<Request>().size(), 1U);
  EXPECT_EQ(client.sent<Request>()[0].request, kOne);
  EXPECT_EQ(client.receivers<Request>()[0], IdentitySet::first(4));
  client.expire(kRetryTimer);
  ASSERT_EQ(client.sent<Request>().size(), 2U);
  EXPECT_EQ(client.sent<Request>()[1].request, kOne);
}

TEST(ZyzzyvaClient, MatchingAnswersOfAll3FPlus1CompleteARequestAndThoseOf3FDoNot) {
  ClientOne client;
  client.answer({0, 1, 2, 2, 0}, kAlone);
  EXPECT_EQ(client.commits.size(), 0U);
  client.answer({3}, kBehind);                   // another history
  client.answer({3}, kAlone.in_view(Round(2)));  // another view
  client.receive(6, SpecResponse{kAlone});       // no replica
  EXPECT_EQ(client.commits.size(), 0U);
  client.answer({3}, kAlone);
  ASSERT_EQ(client.commits.size(), 1U);
  EXPECT_EQ(client.commits[0].height, Height(1));
  EXPECT_EQ(client.commits[0].value, kOne.value());
  EXPECT_EQ(client.sent<CommitCertificate>().size(), 0U);
}

TEST(ZyzzyvaClient, CompleteRequestsHaveDifferentNamesAndWhatWasToldIsNotToldAgain) {
  ClientOne client;
  client.answer({0, 1, 2, 3}, kAlone);
  ASSERT_EQ(client.sent<Request>().size(), 2U);
  const RequestName next = client.sent<Request>()[1].request;
  EXPECT_EQ(next, (RequestName{Seat{5}, 2}));
  client.answer({0, 1, 2, 3}, kBehind);  // of a request that is complete
  EXPECT_EQ(client.commits.size(), 1U);
  client.answer({0, 1, 2, 3}, history(kFirst, {kOne, kTwo, next}));
  ASSERT_EQ(client.commits.size(), 3U);
  EXPECT_EQ(client.commits[1].height, Height(2));
  EXPECT_EQ(client.commits[1].value, kTwo.value());
  EXPECT_EQ(client.commits[2].height, Height(3));
}

// What contradicts an earlier answer is told, or nobody would see it.
TEST(ZyzzyvaClient, AClientThatIsToldTwoHistoriesSaysSo) {
  ClientOne client;
  client.answer({0, 1, 2, 3}, kAlone);
  const RequestName next = client.sent<Request>()[1].request;
  client.answer({0, 1, 2, 3}, history(Round(2), {kTwo, next}));
  ASSERT_EQ(client.commits.size(), 3U);
  EXPECT_EQ(client.commits[1].height, Height(1));
  EXPECT_EQ(client.commits[1].value, kTwo.value());
}

TEST(ZyzzyvaClient, AnswersOf2FPlus1AreACertificateOnceTheClientHasWaitedAndThoseOf2FAreNot) {
  ClientOne client;
  client.answer({0, 1}, kAlone);
  client.expire(kResponseTimer);
  EXPECT_EQ(client.sent<CommitCertificate>().size(), 0U);
  client.answer({2}, kAlone);
  ASSERT_EQ(client.sent<CommitCertificate>().size(), 1U);
  EXPECT_EQ(client.sent<CommitCertificate>()[0].history, kAlone);
  EXPECT_EQ(client.receivers<CommitCertificate>()[0], IdentitySet::first(4));
  client.answer({0, 1}, kAlone);  // the same again
  EXPECT_EQ(client.sent<CommitCertificate>().size(), 1U);
  EXPECT_EQ(client.commits.size(), 0U);
}

TEST(ZyzzyvaClient, BeforeItHasWaitedItSendsNoCertificate) {
  ClientOne client;
  client.answer({0, 1, 2}, kAlone);
  EXPECT_EQ(client.sent<CommitCertificate>().size(), 0U);
  client.expire(kResponseTimer);
  EXPECT_EQ(client.sent<CommitCertificate>().size(), 1U);
}

TEST(ZyzzyvaClient, Acknowledgements2FPlus1CompleteARequestAndThoseOf2FDoNot) {
  ClientOne client;
  client.acknowledge({0, 1, 2}, kAlone);  // of no certificate
  client.answer({0, 1, 2}, kAlone);
  client.expire(kResponseTimer);
  client.acknowledge({0, 1, 1}, kAlone);
  client.acknowledge({2, 3}, kBehind);  // of another one
  EXPECT_EQ(client.commits.size(), 0U);
  client.acknowledge({2}, kAlone);
  EXPECT_EQ(client.commits.size(), 1U);
}

TEST(ZyzzyvaClient, OrderOfAnswersLeavesNoTrace) {
  ClientOne one;
  ClientOne other;
  one.answer({0, 1}, kAlone);
  one.answer({2}, kBehind);
  other.answer({2}, kBehind);
  other.answer({1, 0}, kAlone);
  EXPECT_EQ(std::memcmp(&one.state, &other.state, sizeof one.state), 0);
}

TEST(ZyzzyvaClient, TheOldestAnswersMakeRoom) {
  ClientOne client;
  for (unsigned view = 1; view <= 6; ++view) client.answer({0}, kAlone.in_view(Round(view)));
  ASSERT_EQ(client.state.tallies.size(), 4U);
  EXPECT_EQ(client.state.tallies[0].history.view, Round(3));
  client.answer({1}, kAlone);  // of a view that is forgotten
  EXPECT_EQ(client.state.tallies[0].history.view, Round(3));
}

}  // namespace
}  // namespace nika::zyzzyva
