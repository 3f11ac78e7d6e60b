// The rules of IBFT 2.0, one by one.
#include "nika/protocols/ibft/ibft.hpp"

#include <gtest/gtest.h>

#include "nika/protocols/ibft/validator_test.hpp"

namespace nika::ibft {
namespace {

TEST(Ibft, TheProposerOfAHeightProposesAtOnceAndAllTimersRun) {
  const OneValidator proposer(kA);
  EXPECT_EQ(proposer.sent<PrePrepare>(), (std::vector{first_proposal(kOne)}));
  const OneValidator other(kB);
  EXPECT_TRUE(other.sent<PrePrepare>().empty());
  EXPECT_EQ(proposer.duration(), 12);  // 6Δ
  EXPECT_EQ(other.duration(), 12);
}

// EIP-650, NEW ROUND to PRE-PREPARED.
TEST(Ibft, TheFirstProposalOfTheProposerIsPreparedOnce) {
  OneValidator validator(kB);
  validator.receive(kC, first_proposal(kTwo));  // does not lead
  EXPECT_TRUE(validator.sent<Prepare>().empty());
  validator.receive(kA, first_proposal(kOne));
  validator.receive(kA, first_proposal(kTwo));
  EXPECT_EQ(validator.sent<Prepare>(), (std::vector{prepare(kOne, 1)}));
}

// EIP-650, PRE-PREPARED to PREPARED to COMMITTED, and to the next height.
TEST(Ibft, AQuorumOfPreparesIsCommittedAndAQuorumOfCommitsIsFinal) {
  OneValidator validator(kB);
  validator.receive(kA, first_proposal(kOne));
  validator.receive_from({kA, kB}, prepare(kOne, 1));
  EXPECT_TRUE(validator.sent<Commit>().empty());
  validator.receive(kC, prepare(kOne, 1));
  EXPECT_EQ(validator.sent<Commit>(), (std::vector{commit(kOne, 1)}));
  EXPECT_EQ(validator.state.prepared, prepared(kOne, 1));
  validator.receive_from({kA, kB}, commit(kOne, 1));
  EXPECT_TRUE(validator.commits.empty());
  validator.receive(kC, commit(kOne, 1));
  ASSERT_EQ(validator.commits.size(), 1U);
  EXPECT_EQ(validator.commits[0].value, kOne);
  EXPECT_EQ(validator.state.height(), Height(2));
  EXPECT_EQ(validator.state.round, Round(2));
  EXPECT_TRUE(validator.state.prepared.is_none());
  EXPECT_EQ(validator.sent<PrePrepare>(), (std::vector{first_proposal(kTwo, 2)}));  // B leads round 2
}

TEST(Ibft, VotesThatComeBeforeTheProposalCountWithIt) {
  OneValidator validator(kB);
  validator.receive_from({kA, kC, kD}, prepare(kOne, 1));
  validator.receive_from({kA, kC, kD}, commit(kOne, 1));
  EXPECT_TRUE(validator.commits.empty());
  validator.receive(kA, first_proposal(kOne));
  EXPECT_EQ(validator.commits.size(), 1U);
}

// One vote of each identity: a liar and its twin are one.
TEST(Ibft, AVoteThatComesAgainCountsOnce) {
  OneValidator validator(kB);
  validator.receive(kA, first_proposal(kOne));
  validator.receive_from({kA, kA, kC}, prepare(kOne, 1));
  EXPECT_TRUE(validator.sent<Commit>().empty());
}

TEST(Ibft, AQuorumIsTwoThirdsOfAllRoundedUp) {
  for (const auto& [validators, quorum] : {std::pair{4, 3}, {5, 4}, {6, 4}, {7, 5}, {8, 6}, {9, 6}, {10, 7}}) {
    const OneValidator validator(kA, {kNoBug, static_cast<std::uint8_t>(validators)});
    EXPECT_EQ(Ibft::certificate_votes(validator.context()), quorum);
  }
}

// IBFT 2.0: ROUND-CHANGE with the latest prepared certificate.
TEST(Ibft, WhoTimesOutTellsWhatItHasPrepared) {
  OneValidator fresh(kD);
  fresh.time_out();
  EXPECT_EQ(fresh.sent<RoundChange>(), (std::vector{round_change(2)}));
  OneValidator other = prepared_in_round_one();
  other.time_out();
  other.time_out();
  EXPECT_EQ(other.sent<RoundChange>(),
            (std::vector{round_change(2, prepared(kOne, 1)), round_change(3, prepared(kOne, 1))}));
  EXPECT_EQ(other.state.round, Round(3));
}

// EIP-650: F + 1 of them, and the one that is behind goes along.
TEST(Ibft, TwoThatWantALaterRoundTakeOneAlongAndOneDoesNot) {
  OneValidator validator(kD);
  validator.receive(kA, round_change(4));
  EXPECT_EQ(validator.state.round, Round(1));
  validator.receive(kB, round_change(3));
  EXPECT_EQ(validator.state.round, Round(3));
  EXPECT_EQ(validator.sent<RoundChange>(), (std::vector{round_change(3)}));
}

TEST(Ibft, AProposerWaitsForAQuorumOfRoundChangesAndRepeatsWhatIsPreparedLatest) {
  OneValidator proposer(kC);
  proposer.receive_from({kA, kC}, round_change(3, prepared(kOne, 1)));
  EXPECT_TRUE(proposer.sent<PrePrepare>().empty());
  proposer.receive(kB, round_change(3, prepared(kTwo, 2)));
  EXPECT_EQ(proposer.sent<PrePrepare>(), (std::vector{later_proposal(kTwo, 3, prepared(kTwo, 2))}));
}

TEST(Ibft, WhereNothingIsPreparedAProposerMakesABlock) {
  OneValidator proposer(kB);
  proposer.receive_from({kA, kB, kC}, round_change(2));
  EXPECT_EQ(proposer.sent<PrePrepare>(), (std::vector{later_proposal(kTwo, 2)}));
}

// A ROUND-CHANGE for another round, of another height, or with a certificate that cannot be is none of a quorum.
TEST(Ibft, RoundChangesCountForTheirOwnRoundOnly) {
  OneValidator proposer(kB);
  proposer.time_out();
  proposer.receive(kB, round_change(2));
  proposer.receive(kC, round_change(3));
  proposer.receive(kA, round_change(2, prepared(kOne, 2)));     // of that round itself
  proposer.receive(kA, round_change(2, prepared(kOne, 1, 7)));  // of another height
  EXPECT_TRUE(proposer.sent<PrePrepare>().empty());
  proposer.receive(kA, round_change(2));
  EXPECT_TRUE(proposer.sent<PrePrepare>().empty());
  proposer.receive(kD, round_change(2));
  EXPECT_EQ(proposer.sent<PrePrepare>().size(), 1U);
}

// IBFT 2.0: justification of a proposal.
TEST(Ibft, ALaterProposalNeedsItsCertificateAndTheBlockInIt) {
  OneValidator validator(kD);
  validator.receive(kB, PrePrepare{kTwo, {}, Height(1), Round(2)});
  validator.receive(kB, PrePrepare{kTwo, {{}, Height(1), Round(3), {}, 0}, Height(1), Round(2)});
  validator.receive(kB, later_proposal(kTwo, 2, prepared(kOne, 1)));
  EXPECT_EQ(validator.state.round, Round(1));
  validator.receive(kB, later_proposal(kOne, 2, prepared(kOne, 1)));
  EXPECT_EQ(validator.state.round, Round(2));
  EXPECT_EQ(validator.sent<Prepare>(), (std::vector{prepare(kOne, 2)}));
}

// What it has prepared binds nobody: a quorum of which nobody had prepared it shows that it cannot be final.
TEST(Ibft, WhoIsPreparedFollowsAJustifiedProposalOfAnotherBlock) {
  OneValidator validator = prepared_in_round_one();
  validator.receive(kB, later_proposal(kTwo, 2));
  EXPECT_EQ(validator.sent<Prepare>().back(), prepare(kTwo, 2));
  EXPECT_EQ(validator.state.prepared, prepared(kOne, 1));
  validator.receive_from({kA, kB, kC}, prepare(kTwo, 2));
  EXPECT_EQ(validator.state.prepared, prepared(kTwo, 2));
}

TEST(Ibft, MessagesOfARoundThatIsOverCountNoMore) {
  OneValidator validator = prepared_in_round_one();
  validator.time_out();
  validator.receive_from({kA, kB, kC}, commit(kOne, 1));
  EXPECT_TRUE(validator.commits.empty());
}

// Peer synchronisation.
TEST(Ibft, WhoIsBehindAsksAndGetsBlocksOneByOne) {
  OneValidator behind(kD);
  behind.receive(kA, prepare(kTwo, 3, 3));
  EXPECT_EQ(behind.sent<Status>(), (std::vector{Status{Height(1), Round(1)}}));
  behind.receive(kA, block(kOne, 1));
  behind.receive(kA, block(kOne, 1));  // again
  ASSERT_EQ(behind.commits.size(), 1U);
  EXPECT_EQ(behind.sent<Status>().back(), (Status{Height(2), Round(2)}));
  OneValidator ahead = behind;
  ahead.receive(kB, Status{Height(1), Round(1)});
  ahead.receive(kB, round_change(2));
  EXPECT_EQ(ahead.sent<Block>(), (std::vector{block(kOne, 1), block(kOne, 1)}));
}

// Each timer runs out once in a network round, so who is behind uses another one for each round.
TEST(Ibft, WhoIsBehindIsLessPatientAndUsesAnotherTimerForEachRound) {
  OneValidator validator(kD);
  EXPECT_EQ(validator.state.timer, 0);
  validator.receive(kA, round_change(4));
  EXPECT_EQ(validator.state.timer, 1);
  EXPECT_EQ(validator.duration(), 10);  // 5Δ
  validator.time_out();
  EXPECT_EQ(validator.state.timer, 2);
  EXPECT_EQ(validator.duration(), 12);
  validator.time_out();
  EXPECT_EQ(validator.state.timer, 3);
  validator.time_out();
  EXPECT_EQ(validator.state.round, Round(4));
  EXPECT_EQ(validator.state.timer, 0);
  EXPECT_EQ(validator.duration(), 18);  // 6Δ and three rounds of growth
  EXPECT_EQ(validator.running_timers(), 1U);
}

TEST(Ibft, TimeoutsStopGrowingSoThatLoopsCanBeProved) {
  OneValidator validator(kD);
  for (int i = 0; i < 16; ++i) validator.time_out();
  const Ticks longest = validator.duration();
  validator.time_out();
  EXPECT_EQ(validator.duration(), longest);
}

}  // namespace
}  // namespace nika::ibft
