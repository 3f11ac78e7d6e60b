// The rules of Casper FFG, one validator at a time.
#include "nika/protocols/casper_ffg/casper_ffg.hpp"

#include <cstring>
#include <optional>

#include "nika/protocols/casper_ffg/validator_test.hpp"

namespace nika::casper_ffg {
namespace {

const ValueId kA1 = block_of(kA, 1);
const ValueId kB1 = block_of(kB, 1);
const ValueId kB2 = block_of(kB, 2);
const ValueId kA2 = block_of(kA, 2);
const ValueId kC3 = block_of(kC, 3);
const ValueId kA3 = block_of(kA, 3);
const ValueId kD4 = block_of(kD, 4);

TEST(CasperFfg, EverybodyProposesAndVotesForWhatComesFirst) {
  Published validator(kB);
  EXPECT_EQ(validator.sent<Proposal>(), (std::vector{proposal(kB1)}));
  validator.receive(kA, proposal(kA1));
  validator.receive(kB, proposal(kB1));
  EXPECT_EQ(validator.sent<Vote>(), (std::vector{vote(kGenesis, kA1)}));
}

TEST(CasperFfgLed, OnlyTheLeaderProposesAndOthersTellWhatIsJustified) {
  Led validator(kB);
  EXPECT_TRUE(validator.sent<Proposal>().empty());
  EXPECT_EQ(validator.sent<Status>(), (std::vector{status(1)}));
  validator.receive(kC, proposal(block_of(kC, 1)));
  EXPECT_TRUE(validator.sent<Vote>().empty());
  validator.receive(kA, proposal(kA1));
  EXPECT_EQ(validator.sent<Vote>(), (std::vector{vote(kGenesis, kA1)}));
}

TEST(CasperFfg, TwoThirdsOfTheVotesJustifyAndALinkToADirectChildFinalises) {
  Published validator(kD);
  validator.receive(kA, proposal(kA1));
  validator.receive_from({kA, kB}, vote(kGenesis, kA1));
  EXPECT_TRUE(validator.state.justified.checkpoint.is_genesis());
  validator.receive(kC, vote(kGenesis, kA1));
  EXPECT_EQ(validator.state.justified.checkpoint, kA1);
  EXPECT_TRUE(validator.commits.empty());
  validator.pass_to(2);
  EXPECT_EQ(validator.sent<Proposal>().back(), proposal(block_of(kD, 2), kA1));
  validator.justify(kA1, kB2);
  EXPECT_EQ(validator.finalised(), (std::vector{kA1}));
  EXPECT_EQ(validator.commits[0].height, Height(1));
}

TEST(CasperFfg, ALinkOverAHeightFinalisesNothingUntilADirectChildFollows) {
  Published validator(kD);
  validator.justify(kGenesis, kA1);
  validator.pass_to(3);
  validator.justify(kA1, kC3);
  EXPECT_EQ(validator.state.justified.checkpoint, kC3);
  EXPECT_TRUE(validator.commits.empty());
  validator.pass_to(4);
  validator.justify(kC3, kD4);
  EXPECT_EQ(validator.finalised(), (std::vector{kA1, kC3}));
}

// Of a double vote both votes count, of a liar and its twin each once.
TEST(CasperFfg, AVoteThatComesAgainCountsOnceAndADoubleVoteIsNoted) {
  Published validator(kC);
  validator.receive(kA, proposal(kA1));
  validator.receive_from({kA, kA, kB}, vote(kGenesis, kA1));
  EXPECT_TRUE(validator.state.justified.checkpoint.is_genesis());
  EXPECT_EQ(validator.noted(EventKind::kEquivocatingVote), 0U);
  validator.receive(kA, vote(kGenesis, kB1));
  EXPECT_EQ(validator.noted(EventKind::kEquivocatingVote), 1U);
  validator.receive(kD, vote(kGenesis, kA1));
  EXPECT_EQ(validator.state.justified.checkpoint, kA1);
}

TEST(CasperFfg, ThreeVotesForOneHeightAreNoMoreThanTwo) {
  Votes votes;
  EXPECT_NE(votes.add(kA, {kGenesis, kA1}), nullptr);
  EXPECT_NE(votes.add(kA, {kGenesis, kB1}), nullptr);
  EXPECT_EQ(votes.add(kA, {kGenesis, block_of(kC, 1)}), nullptr);
  EXPECT_NE(votes.add(kA, {kA1, kB2}), nullptr);
  EXPECT_EQ(votes.size(), 3U);
  EXPECT_FALSE(votes.is_full());
}

TEST(CasperFfg, ASurroundVoteIsNoted) {
  Published validator(kC);
  validator.justify(kGenesis, kA1);
  validator.pass_to(3);
  validator.receive(kD, vote(kA1, kA2));
  validator.receive(kD, vote(kGenesis, kC3));
  EXPECT_EQ(validator.noted(own_note(0)), 1U);
}

// The fork choice: the chain with the justified checkpoint of the greatest height.
TEST(CasperFfg, WhoKnowsAJustifiedCheckpointVotesForNothingThatDoesNotExtendIt) {
  Published validator(kD);
  validator.justify(kGenesis, kA1);
  validator.pass_to(2);
  validator.receive(kB, proposal(kB2, kGenesis));
  EXPECT_EQ(validator.sent<Vote>().size(), 1U);
  validator.receive(kA, proposal(kA2, kA1));
  EXPECT_EQ(validator.sent<Vote>().back(), vote(kA1, kA2));
}

// Led, what binds are the commandments alone.
TEST(CasperFfgLed, WhoKnowsAJustifiedCheckpointFollowsTheLeaderUnlessItVotedFromIt) {
  Led validator(kD);
  validator.justify(kGenesis, kA1);
  validator.pass_to(2);
  validator.receive(kB, proposal(kB2, kGenesis));
  EXPECT_EQ(validator.sent<Vote>().back(), vote(kGenesis, kB2));
  validator.pass_to(3);
  validator.receive(kC, proposal(kC3, kA1));
  EXPECT_EQ(validator.sent<Vote>().back(), vote(kA1, kC3));
  validator.pass_to(4);
  validator.receive(kD, proposal(kD4, kGenesis));  // would surround the last vote
  EXPECT_EQ(validator.sent<Vote>().size(), 3U);
}

TEST(CasperFfg, NobodyVotesTwiceForAHeightNorAfterItsEpoch) {
  Published validator(kD);
  validator.receive(kA, proposal(kA1));
  validator.receive(kB, proposal(kB1));
  EXPECT_EQ(validator.sent<Vote>().size(), 1U);
  Published late(kD);
  late.pass_to(2);
  late.receive(kA, proposal(kA1));
  EXPECT_TRUE(late.sent<Vote>().empty());
}

TEST(CasperFfg, VotesThatComeBeforeTheBlockCountWithIt) {
  Published validator(kD);
  validator.receive_from({kA, kB, kC}, vote(kGenesis, kA1));
  EXPECT_EQ(validator.sent<BlockRequest>().size(), 1U);
  validator.receive(kA, proposal(kA1));
  EXPECT_EQ(validator.state.justified.checkpoint, kA1);
}

TEST(CasperFfg, VotesThatAreAnEpochLateCountAndLaterOnesDoNot) {
  for (const unsigned epoch : {2U, 3U}) {
    Published validator(kD);
    validator.receive(kA, proposal(kA1));
    validator.receive_from({kA, kB}, vote(kGenesis, kA1));
    validator.pass_to(epoch);
    validator.receive(kC, vote(kGenesis, kA1));
    EXPECT_EQ(validator.state.justified.checkpoint, epoch == 2 ? kA1 : kGenesis);
  }
}

// Peer synchronisation: what is shown to be justified is fetched, and proposals on it wait.
TEST(CasperFfg, WhoLacksAChainAsksForItAndThenVotes) {
  Published ahead(kA);
  ahead.justify(kGenesis, kA1);
  ahead.pass_to(2);
  ahead.justify(kA1, kB2);
  ahead.pass_to(3);
  Published behind(kD);
  behind.pass_to(3);
  behind.receive(kA, proposal(kA3, kB2));
  ASSERT_EQ(behind.sent<BlockRequest>().size(), 1U);
  ASSERT_EQ(behind.state.wanted.size(), 1U);
  ahead.receive(kD, behind.sent<BlockRequest>()[0]);
  ASSERT_EQ(ahead.sent<BlockResponse>().size(), 1U);
  behind.receive(kA, ahead.sent<BlockResponse>()[0]);
  EXPECT_EQ(behind.state.justified.checkpoint, kB2);
  EXPECT_EQ(behind.finalised(), (std::vector{kA1}));
  EXPECT_EQ(behind.sent<Vote>(), (std::vector{vote(kB2, kA3)}));
}

TEST(CasperFfg, OneValidatorAheadIsNotFollowedAndTwoAre) {
  Published validator(kD);
  validator.receive(kA, status(7));
  EXPECT_EQ(validator.state.epoch, Round(1));
  validator.receive(kB, status(5));
  EXPECT_EQ(validator.state.epoch, Round(5));
}

// Clocks that differ: who is ahead of the others tells them so, and stays.
TEST(CasperFfg, WhoseTimerRunsOutWaitsUntilTheOthersAreInItsEpoch) {
  Led validator(kD);
  validator.receive_from({kA, kD}, status(1));
  validator.time_out();
  EXPECT_EQ(validator.state.epoch, Round(1));
  EXPECT_EQ(validator.sent<Status>().size(), 2U);
  validator.receive(kB, status(1));
  validator.time_out();
  EXPECT_EQ(validator.state.epoch, Round(2));
}

// Of who is ahead by no more than the time that its block takes.
TEST(CasperFfgLed, ABlockOfTheNextEpochIsVotedForWhenItBegins) {
  Led validator(kD);
  validator.receive(kB, proposal(kB2));
  EXPECT_TRUE(validator.sent<Vote>().empty());
  validator.pass();
  EXPECT_EQ(validator.sent<Vote>(), (std::vector{vote(kGenesis, kB2)}));
}

// Votes that one alone has counted for a block that nobody sends it must not keep it from what others have.
TEST(CasperFfg, WhatNobodySendsIsGivenUpWithTheEpoch) {
  Published validator(kD);
  validator.receive(kA, proposal(kA3, kB2));
  EXPECT_EQ(validator.state.wanted.size(), 1U);
  validator.receive(kA, status(1, kA1));  // lower, and asked for all the same
  EXPECT_EQ(validator.state.wanted.size(), 2U);
  EXPECT_EQ(validator.sent<BlockRequest>().back().wanted, kA1);
  validator.pass();
  EXPECT_TRUE(validator.state.wanted.empty());
}

TEST(CasperFfg, ASupermajorityIsTwoThirdsRoundedUp) {
  for (const auto& [validators, votes] : {std::pair{4, 3}, {5, 4}, {6, 4}, {7, 5}, {9, 6}, {10, 7}}) {
    const Published validator(kA, {kNoBug, static_cast<std::uint8_t>(validators)});
    EXPECT_EQ(CasperFfg::certificate_votes(validator.context()), votes);
  }
  EXPECT_EQ(CasperFfg::certificate_votes(Published(kA, {kHalfQuorum}).context()), 2);
}

// Blocks that were not justified are forgotten, so that a tree does not fill while nothing is.
TEST(CasperFfg, AHundredEpochsWithoutASupermajorityLeaveNoTrace) {
  Published validator(kD);
  for (unsigned epoch = 1; epoch <= 100; ++epoch) {
    for (const Identity maker : {kA, kB, kC, kD}) {
      validator.receive(maker, proposal(block_of(maker, epoch)));
      validator.receive(maker, vote(kGenesis, block_of(maker, epoch)));
    }
    validator.pass();
  }
  EXPECT_EQ(validator.sent<Vote>().size(), 100U);
  EXPECT_EQ(validator.state.tree.blocks().size(), 4U);
  EXPECT_EQ(validator.state.votes.size(), 4U);
  EXPECT_EQ(validator.state.links.size(), 0U);
  EXPECT_FALSE(validator.overflowed);
}

TEST(CasperFfg, TheOrderOfArrivalLeavesNoTrace) {
  const std::vector<Identity> makers{kA, kB, kC};
  std::vector<Identity> order = makers;
  std::optional<State> first;
  do {
    Published validator(kD);
    validator.receive(kA, proposal(kA1));
    for (const Identity maker : order) validator.receive(maker, proposal(block_of(maker, 1)));
    for (const Identity maker : order) validator.receive(maker, vote(kGenesis, kA1));
    if (!first) first = validator.state;
    EXPECT_EQ(std::memcmp(&*first, &validator.state, sizeof(State)), 0);
  } while (std::ranges::next_permutation(order).found);
}

TEST(CasperFfgBugs, EachBreaksItsRule) {
  Published half(kD, {kHalfQuorum});
  half.receive(kA, proposal(kA1));
  half.receive_from({kA, kB}, vote(kGenesis, kA1));
  EXPECT_EQ(half.state.justified.checkpoint, kA1);

  Published twice(kD, {kDoubleVote});
  twice.receive(kA, proposal(kA1));
  twice.receive(kB, proposal(kB1));
  EXPECT_EQ(twice.sent<Vote>().size(), 2U);

  Led surrounding(kA, {kSurroundVote});
  surrounding.justify(kGenesis, kA1);
  surrounding.pass_to(3);
  surrounding.receive(kC, proposal(kC3, kA1));
  surrounding.pass_to(4);
  surrounding.receive(kD, proposal(kD4, kGenesis));
  EXPECT_EQ(surrounding.sent<Vote>().back(), vote(kGenesis, kD4));

  Published indirect(kD, {kIndirectFinality});
  indirect.justify(kGenesis, kA1);
  indirect.pass_to(3);
  indirect.justify(kA1, kC3);
  EXPECT_EQ(indirect.finalised(), (std::vector{kA1}));
}

TEST(CasperFfg, GarbageChangesNothing) {
  Published validator(kD);
  const State before = validator.state;
  validator.receive(kA, proposal(kGenesis));
  validator.receive(kA, proposal(kA1, kB2));
  validator.receive(kA, proposal(ValueId::nameless(Round(1), 1)));
  validator.receive(kA, vote(kA1, kA1));
  validator.receive(kA, vote(kB2, kA1));
  validator.receive(kA, vote(kGenesis, kGenesis));
  validator.receive(kA, Status{});
  EXPECT_EQ(std::memcmp(&before, &validator.state, sizeof(State)), 0);
}

}  // namespace
}  // namespace nika::casper_ffg
