#include "nika/protocols/tendermint/tendermint.hpp"

#include <gtest/gtest.h>

#include "nika/protocols/tendermint/process_test.hpp"

namespace nika::tendermint {
namespace {

TEST(Tendermint, TheProposerOfTheFirstRoundMakesAValueAndOthersWaitForIt) {
  const Process proposer(kA);
  EXPECT_EQ(proposer.sent<Proposal>(), (std::vector{proposal(kOne, 1)}));
  EXPECT_FALSE(proposer.runs(kProposeTimer));
  const Process other(kB);
  EXPECT_TRUE(other.sent<Proposal>().empty());
  EXPECT_EQ(other.duration(kProposeTimer), 6);
}

// L22 to L27
TEST(Tendermint, TheFirstProposalOfARoundIsPrevotedOnce) {
  Process process(kB);
  process.receive(kC, proposal(kTwo, 1));  // does not lead
  EXPECT_TRUE(process.sent<Prevote>().empty());
  process.receive(kA, proposal(kOne, 1));
  process.receive(kA, proposal(kTwo, 1));
  EXPECT_EQ(process.sent<Prevote>(), (std::vector{prevote(kOne, 1)}));
  EXPECT_EQ(process.state.step, Step::kPrevote);
}

// L23
TEST(Tendermint, WhoIsLockedPrevotesNilForAFreshValueAndItsOwnForItsOwn) {
  for (const ValueId value : {kTwo, kOne}) {
    Process process = locked_in_round_one();
    process.come_to(2);
    process.receive(kB, proposal(value, 2));
    EXPECT_EQ(process.sent<Prevote>().back(), prevote(value == kOne ? kOne : kGenesis, 2));
  }
}

// L28 to L33
TEST(Tendermint, AnOldProposalIsPrevotedWhenItsPolkaIsKnown) {
  Process process(kD);
  process.come_to(2);
  process.receive(kB, proposal(kOne, 2, 1));
  EXPECT_TRUE(process.sent<Prevote>().empty());
  process.receive_from({kA, kB, kC}, prevote(kOne, 1));
  EXPECT_EQ(process.sent<Prevote>(), (std::vector{prevote(kOne, 2)}));
}

TEST(Tendermint, APolkaThatIsPassedOnServesAsWellAsItsPrevotes) {
  Process process(kD);
  process.come_to(2);
  process.receive(kB, proposal(kOne, 2, 1));
  process.receive(kB, polka(kOne, 1));
  EXPECT_EQ(process.sent<Prevote>(), (std::vector{prevote(kOne, 2)}));
}

// L29
TEST(Tendermint, AnOlderPolkaDoesNotOverruleALockAndALaterOneDoes) {
  for (const unsigned valid_round : {1U, 3U}) {
    Process process(kD);
    process.come_to(2);
    process.receive(kB, proposal(kTwo, 2));
    process.receive_from({kA, kB, kD}, prevote(kTwo, 2));
    ASSERT_EQ(process.state.locked, (Choice{kTwo, Round(2), 0}));
    process.come_to(4);
    process.receive(kA, polka(kOne, valid_round));
    process.receive(kD, proposal(kOne, 4, valid_round));
    EXPECT_EQ(process.sent<Prevote>().back(), prevote(valid_round == 3 ? kOne : kGenesis, 4));
    EXPECT_EQ(process.state.locked, (Choice{kTwo, Round(2), 0}));
  }
}

TEST(Tendermint, AProposalWithAValidRoundOfItsOwnRoundOrLaterIsNotPrevoted) {
  Process process(kD);
  process.receive(kA, polka(kOne, 1));
  process.receive(kA, proposal(kOne, 1, 1));
  process.receive(kA, proposal(kTwo, 1, 9));
  EXPECT_EQ(process.sent<Prevote>(), (std::vector{prevote(kOne, 1)}));  // by the proposal that came with the polka
}

// L34, L35 and L61 to L64
TEST(Tendermint, MixedPrevotesOfAQuorumStartATimeoutThatPrecommitsNil) {
  Process process(kD);
  process.receive(kA, proposal(kOne, 1));
  process.receive(kD, prevote(kOne, 1));
  process.receive(kB, prevote(kGenesis, 1));
  process.receive(kB, prevote(kTwo, 1));  // a liar counts once
  EXPECT_FALSE(process.runs(kPrevoteTimer));
  process.receive(kC, prevote(kTwo, 1));
  EXPECT_EQ(process.duration(kPrevoteTimer), 6);
  process.expire(kPrevoteTimer);
  EXPECT_EQ(process.sent<Precommit>(), (std::vector{precommit(kGenesis, 1)}));
}

// L36 to L43
TEST(Tendermint, APolkaLocksAndIsPrecommitted) {
  const Process process = locked_in_round_one();
  EXPECT_EQ(process.state.locked, (Choice{kOne, Round(1), 0}));
  EXPECT_EQ(process.state.valid, (Choice{kOne, Round(1), 0}));
  EXPECT_EQ(process.sent<Precommit>(), (std::vector{precommit(kOne, 1)}));
}

TEST(Tendermint, APolkaAfterItsPrecommitMakesAValueValidAndLocksNothing) {
  Process process(kD);
  process.receive(kA, proposal(kOne, 1));
  process.receive_from({kA, kB, kC}, prevote(kGenesis, 1));
  process.receive_from({kA, kB, kD}, prevote(kOne, 1));
  EXPECT_EQ(process.sent<Precommit>(), (std::vector{precommit(kGenesis, 1)}));
  EXPECT_EQ(process.state.locked, Choice{});
  EXPECT_EQ(process.state.valid, (Choice{kOne, Round(1), 0}));
}

TEST(Tendermint, APolkaWithoutItsProposalDoesNothing) {
  Process process(kD);
  process.expire(kProposeTimer);
  process.receive_from({kA, kB, kC}, prevote(kOne, 1));
  EXPECT_TRUE(process.sent<Precommit>().empty());
  process.receive(kA, proposal(kOne, 1));
  EXPECT_EQ(process.sent<Precommit>(), (std::vector{precommit(kOne, 1)}));
}

// L44 to L46
TEST(Tendermint, AQuorumOfNilIsPrecommittedAtOnce) {
  Process process(kD);
  process.expire(kProposeTimer);
  process.receive_from({kA, kB, kD}, prevote(kGenesis, 1));
  EXPECT_EQ(process.sent<Precommit>(), (std::vector{precommit(kGenesis, 1)}));
}

// L47, L48 and L65 to L67. Timeouts grow with the round.
TEST(Tendermint, PrecommitsOfAQuorumStartATimeoutThatEndsTheRound) {
  Process process(kD);
  process.receive(kA, precommit(kOne, 1));
  process.receive_from({kA, kB}, precommit(kGenesis, 1));
  EXPECT_FALSE(process.runs(kPrecommitTimer));
  process.receive(kC, precommit(kGenesis, 1));
  ASSERT_TRUE(process.runs(kPrecommitTimer));
  process.expire(kPrecommitTimer);
  EXPECT_EQ(process.state.round, Round(2));
  process.receive_from({kA, kB, kC}, precommit(kGenesis, 2));
  EXPECT_EQ(process.duration(kPrecommitTimer), 8);
}

// L49 to L54
TEST(Tendermint, PrecommitsOfAQuorumDecideWhateverTheRound) {
  Process process = locked_in_round_one();
  process.come_to(3);
  process.receive_from({kA, kB}, precommit(kOne, 1));
  EXPECT_TRUE(process.commits.empty());
  process.receive_from({kB, kC}, precommit(kOne, 1));
  ASSERT_EQ(process.commits.size(), 1U);
  EXPECT_EQ(process.commits[0].height, Height(1));
  EXPECT_EQ(process.commits[0].value, kOne);
  EXPECT_EQ(process.state.height(), Height(2));
  EXPECT_EQ(process.state.round, Round(2));  // the first one of height 2
  EXPECT_EQ(process.state.furthest, Round(3));
  EXPECT_EQ(process.state.locked, Choice{});
  EXPECT_EQ(process.state.valid, Choice{});
  EXPECT_EQ(process.state.tallies.size(), 0U);
}

TEST(Tendermint, WhatWasSaidOfALaterHeightCountsThere) {
  Process process = locked_in_round_one();
  process.receive(kB, proposal(kTwo, 2, 0, 2));
  process.receive_from({kA, kB, kC}, prevote(kTwo, 2, 2));
  process.receive_from({kA, kB, kC}, precommit(kOne, 1));
  EXPECT_EQ(process.sent<Prevote>().back(), prevote(kTwo, 2, 2));
  EXPECT_EQ(process.sent<Precommit>().back(), precommit(kTwo, 2, 2));
}

TEST(Tendermint, ADecidedValueIsNotValidAgain) {
  Process process = locked_in_round_one();
  process.receive_from({kA, kB, kC}, precommit(kOne, 1));
  process.receive(kB, proposal(kOne, 2, 0, 2));
  EXPECT_EQ(process.sent<Prevote>().back(), prevote(kGenesis, 2, 2));
}

// L55, L56
TEST(Tendermint, FPlusOneInALaterRoundTakeAProcessAlong) {
  Process process(kD);
  process.receive(kA, prevote(kGenesis, 5));
  process.receive(kA, precommit(kGenesis, 5));
  EXPECT_EQ(process.state.round, Round(1));
  process.receive(kB, precommit(kGenesis, 3));
  EXPECT_EQ(process.state.round, Round(3));
}

// L15 to L19
TEST(Tendermint, AProposerRepeatsTheValidValueWithItsRound) {
  Process process = locked_in_round_one(kB);
  process.come_to(2);
  EXPECT_EQ(process.sent<Proposal>(), (std::vector{proposal(kOne, 2, 1)}));
  EXPECT_EQ(process.sent<Prevotes>().back(), polka(kOne, 1));
}

// Round 2 of height 1 and the first round of height 2 have one number, and B leads both.
TEST(Tendermint, NoValueIsMadeTwice) {
  Process process(kB);
  process.receive(kA, proposal(kOne, 1));
  process.come_to(2);
  process.receive_from({kA, kC, kD}, precommit(kOne, 1));
  EXPECT_EQ(process.sent<Proposal>(), (std::vector{proposal(ValueId(Round(2), Seat{1}, 0), 2),
                                                   proposal(ValueId(Round(3), Seat{1}, 0), 2, 0, 2)}));
}

TEST(Tendermint, ProgressTellsWhatIsValidLockedAndDecided) {
  Process process = locked_in_round_one();
  EXPECT_EQ(Tendermint::progress(process.state, {}), (Progress{{kOne, Height(1)}, {kOne, Height(1)}, {}}));
  process.receive_from({kA, kB, kC}, precommit(kOne, 1));
  EXPECT_EQ(Tendermint::progress(process.state, {}), (Progress{{}, {}, {kOne, Height(1)}}));
  EXPECT_TRUE(Tendermint::extends(process.state, {kTwo, Height(2)}, {kOne, Height(1)}));
  EXPECT_FALSE(Tendermint::extends(process.state, {kTwo, Height(2)}, {kTwo, Height(1)}));
}

// Whatever a liar sends is either understood or ignored.
TEST(Tendermint, MalformedMessagesAreIgnored) {
  Process process(kD);
  const State before = process.state;
  const ValueId nameless = ValueId::nameless(Round(1), 3);
  for (const Message& message : std::initializer_list<Message>{
           Proposal{kGenesis, Height(1), Round(1), Round(0), 0}, Proposal{nameless, Height(1), Round(1), Round(0), 0},
           Proposal{kOne, Height(0), Round(1), Round(0), 0}, Proposal{kOne, Height(2), Round(1), Round(0), 0},
           Proposal{kOne, Height(1), Round(255), Round(0), 0}, Prevote{{nameless, Height(1), Round(1)}},
           Prevote{{kOne, Height(1), Round(0)}}, Precommit{{kOne, Height(255), Round(254)}},
           Status{Height(0), Round(0), Step{9}, true}, polka(kGenesis, 1), polka(kOne, 0),
           Precommits{{Height(0), Round(255)}}, Decision{{kGenesis, Height(1), Round(1)}},
           Decision{{kOne, Height(9), Round(9)}}}) {
    process.receive(kA, message);
    EXPECT_EQ(Tendermint::subject_of(message).is_nameless(), false);
  }
  EXPECT_EQ(std::memcmp(&before, &process.state, sizeof before), 0);
}

// A liar can fill the room for what is ahead, not that for what is now.
TEST(Tendermint, WhatIsAheadGivesWayToWhatIsNow) {
  Process process(kD);
  for (unsigned h = 2; h < 2 + Tallies::kMost + 5; ++h) process.receive(kA, prevote(kGenesis, 100, h));
  EXPECT_TRUE(process.state.tallies.is_full());
  process.receive(kA, proposal(kOne, 1));
  EXPECT_EQ(process.sent<Prevote>(), (std::vector{prevote(kOne, 1)}));
  EXPECT_FALSE(process.overflowed);
}

}  // namespace
}  // namespace nika::tendermint
