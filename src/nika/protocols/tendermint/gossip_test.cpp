// How processes that lost messages come along, and what becomes of them without.
#include <gtest/gtest.h>

#include "nika/protocols/tendermint/process_test.hpp"

namespace nika::tendermint {
namespace {

constexpr std::uint32_t kNoRetransmission = 1U << 1U;

TEST(TendermintGossip, WhatWasSaidInARoundIsSaidAgain) {
  Process process = locked_in_round_one();
  process.forget_sent();
  process.expire(kGossipTimer);
  EXPECT_EQ(process.sent<Prevotes>(), (std::vector{polka(kOne, 1)}));
  EXPECT_EQ(process.sent<Prevote>(), (std::vector{prevote(kOne, 1)}));
  EXPECT_EQ(process.sent<Precommit>(), (std::vector{precommit(kOne, 1)}));
  EXPECT_EQ(process.sent<Status>(), (std::vector{Status{Height(1), Round(1), Step::kPrecommit, false}}));
  EXPECT_TRUE(process.runs(kGossipTimer));
}

TEST(TendermintGossip, AProposerSaysItsProposalAgainAsItWas) {
  Process proposer(kA);
  proposer.receive(kA, proposal(kOne, 1));
  proposer.receive_from({kA, kB, kC}, prevote(kOne, 1));
  proposer.forget_sent();
  proposer.expire(kGossipTimer);
  EXPECT_EQ(proposer.sent<Proposal>(), (std::vector{proposal(kOne, 1)}));
}

TEST(TendermintGossip, WithoutRetransmissionNothingIsSaidTwice) {
  Process process = locked_in_round_one(kD, kNoRetransmission);
  EXPECT_FALSE(process.runs(kGossipTimer));
  process.forget_sent();
  process.receive(kA, Status{Height(1), Round(1), Step::kPropose, true});
  process.receive_from({kA, kB, kC}, precommit(kOne, 1));
  process.receive(kA, Status{Height(1), Round(1), Step::kPropose, true});
  process.receive(kA, prevote(kOne, 9, 9));
  EXPECT_EQ(process.sent_count(), 0U);
}

TEST(TendermintGossip, WhoIsAtAnEarlierHeightGetsItsDecision) {
  Process ahead = locked_in_round_one();
  ahead.receive_from({kA, kB, kC}, precommit(kOne, 1));
  ahead.receive(kB, Status{Height(1), Round(7), Step::kPropose, false});
  const std::vector<Decision> decisions = ahead.sent<Decision>();
  ASSERT_EQ(decisions, (std::vector{Decision{{kOne, Height(1), Round(1)}}}));

  Process behind(kB);
  behind.receive(kD, decisions[0]);
  ASSERT_EQ(behind.commits.size(), 1U);
  EXPECT_EQ(behind.commits[0].value, kOne);
  EXPECT_EQ(behind.sent<Status>(), (std::vector{Status{Height(2), Round(2), Step::kPropose, true}}));
  behind.receive(kD, decisions[0]);
  EXPECT_EQ(behind.commits.size(), 1U);
}

TEST(TendermintGossip, WhoHearsOfALaterHeightSaysWhereItIs) {
  Process behind(kD);
  behind.receive(kB, prevote(kTwo, 3, 3));
  EXPECT_EQ(behind.sent<Status>(), (std::vector{Status{Height(1), Round(1), Step::kPropose, false}}));
}

TEST(TendermintGossip, WhoHasJustComeToARoundAndAsksGetsWhatWasSaidThere) {
  Process process = locked_in_round_one();
  process.forget_sent();
  process.receive(kB, Status{Height(1), Round(1), Step::kPropose, false});
  EXPECT_EQ(process.sent_count(), 0U);
  process.receive(kB, Status{Height(1), Round(1), Step::kPropose, true});
  EXPECT_EQ(process.sent<Prevotes>().size(), 1U);
  EXPECT_EQ(process.sent<Prevote>().size(), 1U);
  EXPECT_EQ(process.sent<Precommit>().size(), 1U);
}

// A liar may have precommitted to one process only, which then is alone in the next round.
TEST(TendermintGossip, WhoLeftARoundByPrecommitsShowsThem) {
  Process ahead(kD);
  ahead.receive_from({kA, kB, kC}, precommit(kGenesis, 1));
  ahead.expire(kPrecommitTimer);
  ahead.forget_sent();
  ahead.receive(kB, Status{Height(1), Round(1), Step::kPrecommit, false});
  ASSERT_EQ(ahead.sent<Precommits>(), (std::vector{Precommits{{Height(1), Round(1)}}}));
  Process behind(kB);
  behind.receive(kD, ahead.sent<Precommits>()[0]);
  ASSERT_TRUE(behind.runs(kPrecommitTimer));
  behind.expire(kPrecommitTimer);
  EXPECT_EQ(behind.state.round, Round(2));
}

TEST(TendermintGossip, PrecommitsOfALaterRoundTakeAProcessToThatRound) {
  Process behind(kB);
  behind.receive(kD, Precommits{{Height(1), Round(4)}});
  EXPECT_EQ(behind.state.round, Round(4));
  EXPECT_TRUE(behind.runs(kPrecommitTimer));
}

// Otherwise who is ahead of the others would give up on every proposal before it can be made.
TEST(TendermintGossip, TheTimeoutOfAProposalBeginsWhenAQuorumHasComeToTheRound) {
  Process process(kD);
  process.receive_from({kA, kB, kC}, precommit(kGenesis, 1));
  process.expire(kPrecommitTimer);
  EXPECT_FALSE(process.runs(kProposeTimer));
  process.receive(kA, Status{Height(1), Round(2), Step::kPropose, false});
  EXPECT_FALSE(process.runs(kProposeTimer));
  process.receive(kC, Status{Height(1), Round(2), Step::kPropose, false});
  EXPECT_TRUE(process.runs(kProposeTimer));

  Process alone(kD, kNoRetransmission);
  alone.receive_from({kA, kB, kC}, precommit(kGenesis, 1));
  alone.expire(kPrecommitTimer);
  EXPECT_TRUE(alone.runs(kProposeTimer));  // L21
}

TEST(TendermintGossip, WhoPrecommitsNilIsShownThePolkaOfTheRound) {
  Process first = locked_in_round_one();
  first.forget_sent();
  first.receive(kB, precommit(kGenesis, 1));
  EXPECT_EQ(first.sent<Prevotes>(), (std::vector{polka(kOne, 1)}));

  Process later(kD);
  later.receive(kA, proposal(kOne, 1));
  later.receive(kB, precommit(kGenesis, 1));
  EXPECT_TRUE(later.sent<Prevotes>().empty());
  later.receive_from({kA, kC, kD}, prevote(kOne, 1));
  EXPECT_EQ(later.sent<Prevotes>(), (std::vector{polka(kOne, 1)}));
}

TEST(TendermintGossip, APolkaOfARoundThatIsOverIsProposedButLocksNothing) {
  Process process(kB);
  process.receive_from({kA, kC}, Status{Height(1), Round(5), Step::kPropose, false});
  process.receive(kA, polka(kOne, 3));
  EXPECT_EQ(process.state.valid, (Choice{kOne, Round(3), 0}));
  EXPECT_EQ(process.state.locked, Choice{});
  process.receive(kA, polka(kTwo, 2));
  EXPECT_EQ(process.state.valid, (Choice{kOne, Round(3), 0}));
  process.come_to(6);
  EXPECT_EQ(process.sent<Proposal>(), (std::vector{proposal(kOne, 6, 3)}));
}

}  // namespace
}  // namespace nika::tendermint
