#include "nika/protocols/xrp_lcp/xrp_lcp.hpp"

#include <gtest/gtest.h>

#include "nika/protocols/xrp_lcp/nodes_test.hpp"

namespace nika::xrp_lcp {
namespace {

enum : unsigned { kA, kB, kC, kD, kE, kF, kG };
const Ledger kGenesisLedger;

bool is(const Message& message, std::size_t kind) { return message.index() == kind; }
constexpr TimerId kSecondBeat{4};
constexpr std::size_t kTransaction = 0;
constexpr std::size_t kProposal = 1;
constexpr std::size_t kValidation = 2;

TEST(XrpLcp, ARoundOfAllMakesAValidatedLedger) {
  NodesForTests nodes(6);
  nodes.start();
  nodes.run_round();
  for (const State& state : nodes.states) {
    EXPECT_EQ(state.valid, kGenesisLedger.child(payments({1})));
    EXPECT_EQ(state.round, Round(2));
  }
  nodes.deliver();
  nodes.run_round();
  nodes.run_round();
  for (const std::string& commits : nodes.commits) EXPECT_EQ(commits, "1:1 2:4 3:16");  // payments 1, 2 and 3
}

TEST(XrpLcp, AfterTheLastPaymentLedgersAreEmpty) {
  NodesForTests nodes(6);
  nodes.start();
  for (unsigned round = 1; round <= 9; ++round) nodes.run_round();
  EXPECT_EQ(nodes.states[kA].valid.sequence, Round(9));
  EXPECT_TRUE(nodes.states[kA].valid.transactions().empty());
  EXPECT_EQ(nodes.states[kA].valid.applied, payments({1, 2, 3, 4, 5, 6, 7}));
}

TEST(XrpLcp, ATransactionIsPassedOnOnceAndInItsFirstVersion) {
  NodesForTests nodes(6);
  nodes.give(kA, kB, Transaction{{}, 3, 2});
  nodes.give(kC, kB, Transaction{{}, 3, 1});
  nodes.give(kC, kB, Transaction{{}, 3, 2});
  EXPECT_EQ(nodes.states[kB].known, payments({3}, 2));
  EXPECT_EQ(nodes.sent.size(), 1U);
  for (const Transaction& broken :
       {Transaction{{}, 0, 1}, Transaction{{}, 8, 1}, Transaction{{}, 1, 0}, Transaction{{}, 255, 255}}) {
    nodes.give(kC, kB, broken);
  }
  EXPECT_EQ(nodes.states[kB].known, payments({3}, 2));
}

TEST(XrpLcp, AnyAmountIsOneOfThreeVersions) {
  NodesForTests nodes(6);
  for (const unsigned amount : {1U, 2U, 3U, 4U, 5U, 255U}) {
    nodes.states[kB].known = {};
    nodes.give(kA, kB, Transaction{{}, 1, static_cast<std::uint8_t>(amount)});
    EXPECT_EQ(nodes.states[kB].known, payments({1}, amount % 3 == 0 ? 3 : amount % 3)) << amount;
  }
}

TEST(XrpLcp, ALedgerHasARoundOfProposalsAndOneOfValidations) {
  const Ledger second = kGenesisLedger.child({}).child({});
  EXPECT_EQ(XrpLcp::protocol_round_of(Transaction{{}, 2, 1}), 3U);
  EXPECT_EQ(XrpLcp::protocol_round_of(Proposal{{}, 0, 0, second.ancestor(Round(1))}), 4U);
  EXPECT_EQ(XrpLcp::protocol_round_of(Validation{second, Round(2), 0}), 5U);
  EXPECT_EQ(XrpLcp::protocol_round_of(Validation{second, Round(3), 0}), 5U);  // a lie comes when the truth would
  EXPECT_EQ(XrpLcp::protocol_round_of(Validation{{}, Round(1), 0}), 0U);
}

TEST(XrpLcp, WhoValidatesAnotherLedgerSaysItsSequence) {
  const Ledger first = kGenesisLedger.child(payments({1}));
  const Message truth = Validation{first.child({}), Round(2), 0};
  Message lie = Validation{first, Round(2), 0};
  XrpLcp::make_consistent(truth, lie);
  EXPECT_EQ(std::get<Validation>(lie), (Validation{first, Round(1), 0}));
  lie = Validation{first.child({}), Round(3), 0};
  XrpLcp::make_consistent(truth, lie);
  EXPECT_EQ(std::get<Validation>(lie).sequence, Round(3));  // the lie of Algorithm 2
}

// Deliberation: in this round A, B, C and so on have the payment, the others never hear of it.
NodesForTests::Filter payment_reaches(unsigned count) {
  return [count](unsigned, unsigned to, Message& message) { return !is(message, kTransaction) || to < count; };
}

TEST(XrpLcp, AMajorityForATransactionBringsItIn) {
  NodesForTests nodes(6);
  nodes.filter = payment_reaches(4);
  nodes.start();
  nodes.run_round();
  for (const std::string& commits : nodes.commits) EXPECT_EQ(commits, "1:1");
}

TEST(XrpLcp, ATransactionOfTheFewWaitsForTheNextLedger) {
  NodesForTests nodes(6);
  nodes.filter = payment_reaches(2);
  nodes.start();
  nodes.run_round();
  nodes.filter = nullptr;
  nodes.run_round();
  // Disputed transactions are the first of the next open ledger, also where the client's message never came.
  for (const std::string& commits : nodes.commits) EXPECT_EQ(commits, "1:0 2:1");
}

TEST(XrpLcp, TheThresholdRises) {
  // Three of five are for it: more than 50 %, less than 65 %.
  NodesForTests nodes(5);
  nodes.filter = [&](unsigned from, unsigned to, Message& message) {
    if (is(message, kTransaction)) return to < 3;
    // Nobody hears of a changed mind.
    return !is(message, kProposal) || std::get<Proposal>(message).number == 0 || from == to;
  };
  nodes.start();
  nodes.expire(kCloseTimer);
  EXPECT_EQ(nodes.states[kA].position, payments({1}));
  EXPECT_TRUE(nodes.states[kD].position.empty());
  nodes.expire(kFirstBeat);
  EXPECT_EQ(nodes.states[kA].position, payments({1}));
  EXPECT_EQ(nodes.states[kD].position, payments({1}));
  EXPECT_EQ(nodes.states[kA].phase, Phase::kEstablish);  // three of five agree with A
  nodes.expire(kSecondBeat);
  EXPECT_TRUE(nodes.states[kA].position.empty());
}

TEST(XrpLcp, EightyPercentOfTheListForOnePositionIsConsensus) {
  NodesForTests nodes(5);
  nodes.start();
  nodes.expire(kCloseTimer);
  State& a = nodes.states[kA];
  a.positions.clear();
  for (const unsigned other : {kB, kC}) nodes.give(other, kA, Proposal{payments({1}), 0, 0, kGenesisLedger});
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.expire(kFirstBeat);
  EXPECT_EQ(a.phase, Phase::kEstablish);  // three of five
  nodes.give(kD, kA, Proposal{payments({1}), 0, 0, kGenesisLedger});
  nodes.expire(kSecondBeat);
  EXPECT_EQ(a.phase, Phase::kAccepted);
}

TEST(XrpLcp, WhoHearsNobodyClosesItsLedgerWhenTimeIsOver) {
  NodesForTests nodes(5);
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.start();
  nodes.run_round();
  EXPECT_EQ(nodes.states[kA].previous, kGenesisLedger.child(payments({1})));
  EXPECT_EQ(nodes.states[kB].previous, kGenesisLedger.child({}));
  EXPECT_EQ(nodes.states[kA].valid, kGenesisLedger);
  EXPECT_EQ(nodes.states[kB].largest_issued, Round(1));
}

TEST(XrpLcp, WhoIsLateClosesWithTheMajorityOfItsList) {
  NodesForTests nodes(5);
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.start();
  for (const unsigned other : {kB, kC}) nodes.give(other, kA, Proposal{{}, 0, 0, kGenesisLedger});
  EXPECT_EQ(nodes.states[kA].phase, Phase::kOpen);
  nodes.give(kD, kA, Proposal{{}, 0, 0, kGenesisLedger});
  EXPECT_EQ(nodes.states[kA].phase, Phase::kEstablish);
}

TEST(XrpLcp, OnlyTheOwnListCounts) {
  NodesForTests nodes(7, "A-D:A-E,E-G:C-G");
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.start();
  const Ledger ledger = kGenesisLedger.child({});
  for (const unsigned other : {kB, kC, kF, kG}) {
    nodes.give(other, kA, Proposal{{}, 0, 0, kGenesisLedger});
    nodes.give(other, kA, Validation{ledger, Round(1), 0});
  }
  EXPECT_EQ(nodes.states[kA].positions.size(), 2U);
  EXPECT_EQ(nodes.states[kA].valid, kGenesisLedger);
  nodes.give(kD, kA, Validation{ledger, Round(1), 0});
  EXPECT_EQ(nodes.states[kA].valid, kGenesisLedger);  // three of five
  nodes.give(kE, kA, Validation{ledger, Round(1), 0});
  EXPECT_EQ(nodes.states[kA].valid, ledger);
}

TEST(XrpLcp, WithALedgerItsAncestorsAreValidated) {
  NodesForTests nodes(5);
  nodes.start();
  const Ledger ledger = kGenesisLedger.child(payments({2})).child({}).child(payments({1}));
  for (const unsigned other : {kB, kC, kD, kE}) nodes.give(other, kA, Validation{ledger, Round(3), 0});
  EXPECT_EQ(nodes.commits[kA], "1:4 2:0 3:1");
}

TEST(XrpLcp, ANodeThatIsBehindChangesToThePreferredLedgerAndOnlyObserves) {
  NodesForTests nodes(5);
  nodes.start();
  const Ledger ahead = kGenesisLedger.child({}).child({});
  for (const unsigned other : {kB, kC, kD}) nodes.give(other, kA, Validation{ahead, Round(2), 0});
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.sent.clear();
  nodes.expire(kCloseTimer);
  EXPECT_EQ(nodes.states[kA].previous, ahead);
  EXPECT_TRUE(nodes.states[kA].has_switched);
  EXPECT_EQ(std::ranges::count_if(nodes.sent, [](const Message& m) { return is(m, kProposal); }), 4);  // not A's
  nodes.run_round();
  EXPECT_EQ(nodes.states[kA].largest_issued, Round(0));
  EXPECT_EQ(nodes.states[kB].largest_issued, Round(1));
}

TEST(XrpLcp, NoLedgerIsValidatedThatContradictsTheLastOne) {
  NodesForTests nodes(5);
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.start();
  const Ledger other = kGenesisLedger.child(payments({5}));
  for (const unsigned node : {kB, kC, kD, kE}) nodes.give(node, kA, Validation{other, Round(1), 0});
  EXPECT_EQ(nodes.states[kA].valid, other);
  nodes.expire(kCloseTimer);  // A is on the parent of the preferred ledger, and makes one of its own
  for (unsigned timer = 5; timer > 0; --timer) nodes.expire(static_cast<TimerId>(timer));
  EXPECT_EQ(nodes.states[kA].previous, kGenesisLedger.child(payments({1})));
  EXPECT_EQ(nodes.states[kA].largest_issued, Round(0));
  nodes.expire(kNextTimer);
  EXPECT_EQ(nodes.states[kA].previous, other);
}

TEST(XrpLcp, NoSequenceIsValidatedTwice) {
  NodesForTests nodes(5);
  nodes.start();
  nodes.run_round();
  nodes.states[kA].largest_issued = Round(2);  // it has been on another branch
  nodes.sent.clear();
  nodes.run_round();
  EXPECT_EQ(nodes.states[kA].previous.sequence, Round(2));
  EXPECT_EQ(std::ranges::count_if(nodes.sent, [](const Message& m) { return is(m, kValidation); }), 4);  // not A's
  EXPECT_EQ(nodes.states[kA].valid.sequence, Round(2));
}

// Algorithm 2 and Figure 3b: D says i + 1 with the name of ledger i, to B, C and E, who have heard of a quorum for it.
void mislead(NodesForTests& nodes) {
  const auto is_lied_to = [](unsigned to) { return to == kB || to == kC || to == kE; };
  nodes.filter = [&](unsigned from, unsigned to, Message& message) {
    return !(is(message, kValidation) && from == kD && is_lied_to(to));
  };
  nodes.start();
  nodes.expire(kCloseTimer);
  nodes.expire(kFirstBeat);
  nodes.filter = nullptr;
  const Ledger first = kGenesisLedger.child(payments({1}));
  for (const unsigned to : {kB, kC, kE}) nodes.give(kD, to, Validation{first, Round(2), 0});
  nodes.expire(kNextTimer);
  for (unsigned round = 2; round <= 6; ++round) nodes.run_round();
}

TEST(XrpLcp, ASequenceThatIsNotComparedStopsWhoeverHearsAWrongOne) {
  NodesForTests nodes(7, "A-D:A-E,E-G:C-G", {Bug::kUncheckedSequence});
  mislead(nodes);
  const Ledger first = kGenesisLedger.child(payments({1}));
  EXPECT_EQ(nodes.states[kB].last_valid, first);
  EXPECT_EQ(nodes.states[kB].last_valid_sequence, Round(2));
  EXPECT_EQ(nodes.states[kA].last_valid_sequence, Round(1));
  for (const unsigned stuck : {kB, kC, kE}) EXPECT_EQ(nodes.states[stuck].largest_issued, Round(1));
  for (const std::string& commits : nodes.commits) EXPECT_EQ(commits, "1:1");
}

TEST(XrpLcp, ASequenceThatIsComparedIsNoDanger) {
  NodesForTests nodes(7, "A-D:A-E,E-G:C-G");
  mislead(nodes);
  for (const State& state : nodes.states) EXPECT_EQ(state.valid.sequence, Round(6));
}

// shouldPause: A is two ledgers ahead of what is fully validated, where 85 % of the list must be up with it.
TEST(XrpLcp, WhoIsAheadWaitsARoundForTheOthers) {
  NodesForTests nodes(5);
  nodes.filter = [](unsigned, unsigned, Message&) { return false; };
  nodes.start();
  nodes.run_round();
  nodes.run_round();
  const Ledger ahead = nodes.states[kA].previous;
  for (const unsigned other : {kB, kC, kD}) nodes.give(other, kA, Validation{ahead, Round(2), 0});
  nodes.give(kE, kA, Validation{ahead.ancestor(Round(1)), Round(1), 0});
  EXPECT_EQ(nodes.states[kA].valid, ahead);  // four of five: it is not ahead any more
  nodes.states[kA].valid = kGenesisLedger;
  nodes.run_round();
  EXPECT_EQ(nodes.states[kA].previous, ahead);
  EXPECT_TRUE(nodes.states[kA].has_paused);
  nodes.run_round();
  EXPECT_EQ(nodes.states[kA].previous.sequence, Round(3));
  EXPECT_FALSE(nodes.states[kA].has_paused);
}

TEST(XrpLcp, HalfOfTheListIsNoQuorum) {
  for (const bool is_half_enough : {false, true}) {
    NodesForTests nodes(6, {}, is_half_enough ? std::vector{Bug::kQuorumHalf} : std::vector<Bug>{});
    nodes.start();
    const Ledger ledger = kGenesisLedger.child({});
    for (const unsigned other : {kB, kC, kD}) nodes.give(other, kA, Validation{ledger, Round(1), 0});
    EXPECT_EQ(nodes.states[kA].valid == ledger, is_half_enough);
  }
}

TEST(XrpLcp, WithoutThePreferredLedgerANodeStaysOnItsBranch) {
  NodesForTests nodes(5, {}, {Bug::kNoPreferredLedger});
  nodes.start();
  const Ledger ahead = kGenesisLedger.child({}).child({});
  for (const unsigned other : {kB, kC, kD}) nodes.give(other, kA, Validation{ahead, Round(2), 0});
  nodes.expire(kCloseTimer);
  EXPECT_EQ(nodes.states[kA].previous, kGenesisLedger);
}

// The white paper of 2014: rounds of 50, 60, 70 and 80 %, of the whole list, and the ledger closes with what is left.
TEST(RulesOf2014, TheFinalRoundAsksForEightyPercentOfTheList) {
  for (const unsigned deaf : {1U, 2U}) {
    NodesForTests nodes(5, {}, {Bug::kRulesOf2014});
    // The last one or two hear of no transaction, and are not heard with theirs.
    nodes.filter = [&](unsigned from, unsigned to, Message& message) {
      return is(message, kValidation) || (from < 5 - deaf) == (to < 5 - deaf);
    };
    nodes.start();
    nodes.run_round();
    // Four of five are enough, and 80 % validate; three of five are no more than 60 %, so that everybody closes empty.
    EXPECT_EQ(nodes.states[kA].previous, kGenesisLedger.child(deaf == 1 ? payments({1}) : TxSet{})) << deaf;
    EXPECT_EQ(nodes.commits[kA], deaf == 1 ? "1:1" : "1:0");
    EXPECT_TRUE(nodes.states[kE].previous.transactions().empty());
  }
}

TEST(RulesOf2014, NobodyClosesBeforeTheFinalRound) {
  NodesForTests nodes(5, {}, {Bug::kRulesOf2014});
  nodes.start();
  nodes.expire(kCloseTimer);
  for (const TimerId beat : {kFirstBeat, kSecondBeat, TimerId{3}}) nodes.expire(beat);
  EXPECT_EQ(nodes.states[kA].phase, Phase::kEstablish);
  nodes.expire(TimerId{2});
  EXPECT_EQ(nodes.states[kA].phase, Phase::kAccepted);
  EXPECT_EQ(nodes.commits[kA], "1:1");
}

// Lists of five that overlap by a fifth, and one partition: A to D validate a ledger with the payment, F to I an empty
// one. Nobody lies.
TEST(RulesOf2014, ListsThatOverlapByTwentyPercentFork) {
  NodesForTests nodes(9, "A-E:A-E,F-I:E-I", {Bug::kRulesOf2014});
  nodes.filter = [](unsigned from, unsigned to, Message&) { return (from < kE) == (to < kE); };
  nodes.start();
  nodes.run_round();
  EXPECT_EQ(nodes.commits[kA], "1:1");
  EXPECT_EQ(nodes.commits[kE], "");
  EXPECT_EQ(nodes.commits[kF], "1:0");
}

TEST(XrpLcp, SurvivesWhateverArrives) {
  NodesForTests nodes(5);
  nodes.start();
  Ledger broken;
  broken.sequence = Round(255);
  broken.applied.amounts = 0xffff;
  Ledger late = kGenesisLedger;
  late.sequence = Round(kMaxRound);
  for (const Ledger& ledger : {broken, late, kGenesisLedger}) {
    for (const unsigned sequence : {0U, 1U, 7U, 255U}) {
      nodes.give(kB, kA, Validation{ledger, Round(sequence), 0});
      nodes.give(kC, kA, Proposal{{0xffff}, 255, 0, ledger});
      nodes.give(kD, kA, Proposal{{1}, 0, 0, ledger});
    }
  }
  nodes.run_round();
  EXPECT_EQ(nodes.states[kE].valid.sequence, Round(1));
}

}  // namespace
}  // namespace nika::xrp_lcp
