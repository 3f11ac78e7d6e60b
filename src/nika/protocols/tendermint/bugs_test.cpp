// Each seeded bug, by the rule that it breaks: the flawed process does what the correct one does not.
#include <gtest/gtest.h>

#include "nika/protocols/tendermint/process_test.hpp"

namespace nika::tendermint {
namespace {

constexpr std::uint32_t kNone = 0;
constexpr std::uint32_t kEarlyUnlock = 1U << 0U;
constexpr std::uint32_t kQuorum2f = 1U << 2U;
constexpr std::uint32_t kRepeatedVotes = 1U << 3U;
constexpr std::uint32_t kPrecommitWithoutLock = 1U << 4U;
constexpr std::uint32_t kOlderPolka = 1U << 5U;
constexpr std::uint32_t kUncheckedValidRound = 1U << 6U;

TEST(TendermintBugs, EarlyUnlockForgetsALockForALaterPolkaOfItsOwnValue) {
  for (const std::uint32_t bugs : {kNone, kEarlyUnlock}) {
    Process process = locked_in_round_one(kD, bugs);
    process.come_to(3);
    process.receive(kA, polka(kOne, 2));
    process.receive(kC, proposal(kTwo, 3));
    EXPECT_EQ(process.sent<Prevote>().back(), prevote(bugs == kNone ? kGenesis : kTwo, 3));
  }
}

// The lock itself is no later polka, nor is that of the current round, which is locked on by L36.
TEST(TendermintBugs, EarlyUnlockKeepsALockUntilALaterRoundIsOver) {
  Process process = locked_in_round_one(kD, kEarlyUnlock);
  process.come_to(2);
  EXPECT_EQ(process.state.locked, (Choice{kOne, Round(1), 0}));
  process.receive(kA, polka(kOne, 2));
  EXPECT_EQ(process.state.locked, (Choice{kOne, Round(2), 0}));
}

TEST(TendermintBugs, Quorum2fDecidesWithTwoOfFour) {
  for (const std::uint32_t bugs : {kNone, kQuorum2f}) {
    Process process(kD, bugs);
    process.receive(kA, proposal(kOne, 1));
    process.receive_from({kA, kB}, precommit(kOne, 1));
    EXPECT_EQ(process.commits.size(), bugs == kNone ? 0U : 1U);
  }
}

TEST(TendermintBugs, RepeatedVotesAreCountedAgain) {
  for (const std::uint32_t bugs : {kNone, kRepeatedVotes}) {
    Process process(kD, bugs);
    process.receive(kA, proposal(kOne, 1));
    process.receive_from({kA, kA, kB}, prevote(kOne, 1));
    EXPECT_EQ(process.sent<Precommit>().size(), bugs == kNone ? 0U : 1U);
    process.receive_from({kA, kB, kB}, precommit(kOne, 1));
    EXPECT_EQ(process.commits.size(), bugs == kNone ? 0U : 1U);
  }
}

TEST(TendermintBugs, PrecommitWithoutLockLeavesAProcessFree) {
  for (const std::uint32_t bugs : {kNone, kPrecommitWithoutLock}) {
    Process process = locked_in_round_one(kD, bugs);
    EXPECT_EQ(process.sent<Precommit>().size(), 1U);
    process.come_to(2);
    process.receive(kB, proposal(kTwo, 2));
    EXPECT_EQ(process.sent<Prevote>().back(), prevote(bugs == kNone ? kGenesis : kTwo, 2));
  }
}

TEST(TendermintBugs, AnOlderPolkaOverrulesALock) {
  for (const std::uint32_t bugs : {kNone, kOlderPolka}) {
    Process process(kD, bugs);
    process.come_to(2);
    process.receive(kB, proposal(kOne, 2));
    process.receive_from({kA, kB, kC}, prevote(kOne, 2));
    process.come_to(3);
    process.receive(kA, polka(kTwo, 1));
    process.receive(kC, proposal(kTwo, 3, 1));
    EXPECT_EQ(process.sent<Prevote>().back(), prevote(bugs == kNone ? kGenesis : kTwo, 3));
  }
}

TEST(TendermintBugs, AnUncheckedValidRoundNeedsNoPolka) {
  for (const std::uint32_t bugs : {kNone, kUncheckedValidRound}) {
    Process process = locked_in_round_one(kD, bugs);
    process.come_to(3);
    process.receive(kC, proposal(kTwo, 3, 2));
    const std::vector<Prevote> prevotes = process.sent<Prevote>();
    EXPECT_EQ(prevotes.size(), bugs == kNone ? 1U : 2U);
    EXPECT_EQ(prevotes.back().value, bugs == kNone ? kOne : kTwo);
  }
}

}  // namespace
}  // namespace nika::tendermint
