// XRP LCP, the consensus protocol of the XRP Ledger: Chase and MacBrough, "Analysis of the XRP Ledger Consensus
// Protocol" (arXiv 1802.07242), with what rippled 1.7.2 adds to it. Ledgers are made in rounds of open, establish and
// accepted, and fully validated by 80 % of a node's unique node list. Where it departs, and why that is harmless, is in
// docs/xrp_lcp.md: clocks that run alike, and ledgers and sets of transactions that come with their names.
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/xrp_lcp/validations.hpp"

namespace nika::xrp_lcp {

enum class Phase : std::uint8_t { kOpen, kEstablish, kAccepted };

// The position of another node in its deliberation on a ledger.
struct Position {
  Ledger previous{};
  TxSet transactions{};
  Identity from{};
  std::uint8_t number = 0;

  bool operator==(const Position&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("previous", &Position::previous), field("transactions", &Position::transactions),
                      field("from", &Position::from), field("number", &Position::number)};
  }
};

struct State {
  static constexpr std::size_t kMostPositions = 2 * kMaxSeats;

  Ledger previous{};  // the last closed ledger, on which the next one is built
  Ledger valid{};     // the last fully validated ledger
  // mLastValidLedger of rippled: a name, and the sequence that a VALIDATION gave with it.
  Ledger last_valid{};
  Round last_valid_sequence{};
  Round round{};           // of consensus
  Round largest_issued{};  // sequence of its own validations
  Phase phase{};
  std::uint8_t number = 0;    // of its last proposal
  bool has_switched = false;  // to another ledger in this round, so that it only observes
  bool has_paused = false;    // in the round before, for those who are behind
  TxSet known{};              // of each payment the version that it holds
  TxSet position{};           // its own
  TxSet disputed{};           // in this round: of each payment the lowest version that somebody of its list wanted
  BoundedVector<Position, kMostPositions> positions{};  // of others, by node and ledger
  Validations validations{};

  // What an open ledger holds: all payments that no ledger has applied.
  TxSet open() const {
    TxSet transactions = known;
    for (unsigned n = 1; n <= kPayments; ++n) {
      if (previous.applied.amount_of(n) != 0) transactions.set(n, 0);
    }
    return transactions;
  }
  static constexpr auto fields() {
    return std::tuple{field("previous", &State::previous),
                      field("valid", &State::valid),
                      field("last_valid", &State::last_valid),
                      field("last_valid_sequence", &State::last_valid_sequence),
                      field("round", &State::round),
                      field("largest_issued", &State::largest_issued),
                      field("phase", &State::phase),
                      field("number", &State::number),
                      field("has_switched", &State::has_switched),
                      field("has_paused", &State::has_paused),
                      field("known", &State::known),
                      field("position", &State::position),
                      field("disputed", &State::disputed),
                      field("positions", &State::positions),
                      field("validations", &State::validations)};
  }
};

// A round has a timer for each of its moments: when the open ledger closes, the four heartbeats of the avalanche, when
// time is over, and when the next round begins. The later a moment, the lower its number: who gives up early is at the
// next moment then, and not at the end of the round.
inline constexpr TimerId kCloseTimer{6};
inline constexpr TimerId kFirstBeat{5};
inline constexpr TimerId kEndTimer{1};
inline constexpr TimerId kNextTimer{0};

struct XrpLcp {
  using State = xrp_lcp::State;
  using Message = xrp_lcp::Message;

  static constexpr std::string_view kName = "xrp-lcp";
  static constexpr std::string_view kSummary =
      "XRP Ledger consensus: proposals with rising thresholds, validation by 80 % of each node's own list";
  static constexpr std::array<std::string_view, 4> kBugs{"unchecked-sequence", "quorum-half", "no-preferred-ledger",
                                                         "rules-of-2014"};
  static constexpr std::array<std::string_view, 3> kNotes{"closed", "switched", "incompatible"};
  // Twice as long as a silent node is reckoned with. All of 10,000 drawn runs of six nodes without a liar decided in
  // that time, half of them with late and repeated messages, early timeouts and a crash, and all but 7 of 20,000 with
  // one. A liar that takes sides can stop the protocol for ever (Amores-Sesar et al., "Security Analysis of Ripple
  // Consensus"): see docs/xrp_lcp.md.
  static constexpr unsigned kHealRounds = 40;
  static constexpr bool kOutlastsLiars = false;
  static constexpr unsigned kTimerCount = 7;
  static constexpr unsigned kResilience = 5;  // "up to f Byzantine processes in a cluster of 5f + 1"
  static constexpr bool kHasUnls = true;
  static constexpr unsigned kQuorumPercent = 80;
  static constexpr bool kAnyoneProposes = true;
  static constexpr bool kIsResponsive = false;  // nobody leads: who hands in payments decides nothing
  // All that a node sends are its own words, and no message holds what others have signed: proposals and validations
  // are counted one by one. Names of ledgers and of sets of transactions are atomic, since nobody can make a hash of
  // nothing. Clients are outside f: a liar has other versions of any payment, which its client has signed too.
  static constexpr bool kLiesAreReviewed = true;
  // Table 4 of ByzzFuzz: numbers are raised, and a name is one of the latest; in any scope a number is any, and a name
  // is any that was heard of.
  static constexpr std::array<PaperLie, 5> kPaperLies{{
      {"transaction", "amount", {Twist::kRaise}, {Twist::kSet}},
      {"proposal", "transactions", {Twist::kSeen}, {Twist::kSeen}},
      {"proposal", "number", {Twist::kRaise}, {Twist::kSet}},
      {"validation", "ledger", {Twist::kSeen}, {Twist::kSeen}},
      {"validation", "sequence", {Twist::kRaise}, {Twist::kSet}},
  }};
  // As its artifact counts: PROPOSAL and VALIDATION of ledger i are rounds 2i and 2i + 1, and TRANSACTIONs that come
  // before a ledger is open are of the round before.
  static constexpr unsigned kProtocolRounds = 2;
  static unsigned protocol_round_of(const Message& message);
  static void make_consistent(const Message& truth, Message& lie);

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.round; }
  static Progress progress(const State& state, const Context& context);
  static bool extends(const State& state, Held block, Held ancestor);
};

}  // namespace nika::xrp_lcp
