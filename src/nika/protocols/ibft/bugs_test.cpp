// The two flaws of EIP-650, by the rules that they break: the flawed validator does what the repaired one does not.
#include <gtest/gtest.h>

#include "nika/protocols/ibft/validator_test.hpp"

namespace nika::ibft {
namespace {

// EIP-650, case 2.2 of PRE-PREPARE.
TEST(IbftBugs, WhoIsLockedAnswersAnotherBlockWithARoundChange) {
  for (const std::uint32_t bugs : {kNoBug, kLocked}) {
    OneValidator validator = prepared_in_round_one(bugs);
    validator.receive(kB, later_proposal(kTwo, 2));
    EXPECT_EQ(validator.sent<Prepare>().size(), bugs == kNoBug ? 2U : 1U);
    EXPECT_EQ(validator.state.round, Round(bugs == kNoBug ? 2 : 3));
    EXPECT_EQ(validator.sent<RoundChange>(),
              bugs == kNoBug ? std::vector<RoundChange>{} : std::vector{round_change(3)});
  }
}

// Case 2.1, and what those who are not locked count.
TEST(IbftBugs, WhoIsLockedCommitsItsBlockAtOnceAndThatCountsAsAPrepare) {
  OneValidator locked = prepared_in_round_one(kLocked);
  locked.receive(kB, later_proposal(kOne, 2));
  EXPECT_EQ(locked.sent<Prepare>().size(), 1U);
  EXPECT_EQ(locked.sent<Commit>().back(), commit(kOne, 2));
  for (const std::uint32_t bugs : {kNoBug, kLocked}) {
    OneValidator other(kC, {bugs});
    other.receive(kB, later_proposal(kOne, 2));
    other.receive_from({kB, kC}, prepare(kOne, 2));
    other.receive(kD, commit(kOne, 2));
    EXPECT_EQ(other.sent<Commit>().size(), bugs == kNoBug ? 0U : 1U);
  }
}

// Case 1 of the proposer.
TEST(IbftBugs, AProposerThatIsLockedProposesItsBlockAndTellsNobodyWhatItHasPrepared) {
  OneValidator proposer = prepared_in_round_one(kLocked, kB);
  proposer.time_out();
  EXPECT_EQ(proposer.sent<RoundChange>(), (std::vector{round_change(2)}));
  proposer.receive_from({kA, kB, kC}, round_change(2));
  EXPECT_EQ(proposer.sent<PrePrepare>(), (std::vector{later_proposal(kOne, 2)}));
}

// The height is over, and so is the lock.
TEST(IbftBugs, AFinalBlockUnlocks) {
  OneValidator validator = prepared_in_round_one(kLocked);
  validator.receive(kA, block(kTwo, 2));
  EXPECT_TRUE(validator.state.prepared.is_none());
}

TEST(IbftBugs, SmallQuorumDecidesWithHalfOfSix) {
  for (const std::uint32_t bugs : {kNoBug, kSmallQuorum}) {
    OneValidator validator(kB, {bugs, 6});
    validator.receive(kA, first_proposal(kOne));
    validator.receive_from({kA, kB, kC}, commit(kOne, 1));
    EXPECT_EQ(validator.commits.size(), bugs == kNoBug ? 0U : 1U);
  }
}

// With 3F+1 validators it is the same number.
TEST(IbftBugs, SmallQuorumIsNoneWithFour) {
  const OneValidator validator(kA, {kSmallQuorum, 4});
  EXPECT_EQ(Ibft::certificate_votes(validator.context()), 3);
}

TEST(IbftBugs, WhatIsPreparedBindsOnlyWhoIsLocked) {
  for (const std::uint32_t bugs : {kNoBug, kLocked}) {
    const OneValidator validator = prepared_in_round_one(bugs);
    const Progress progress = Ibft::progress(validator.state, validator.context());
    EXPECT_EQ(progress.prepared, (Held{kOne, Height(1)}));
    EXPECT_EQ(progress.locked, bugs == kNoBug ? Held{} : progress.prepared);
  }
}

}  // namespace
}  // namespace nika::ibft
