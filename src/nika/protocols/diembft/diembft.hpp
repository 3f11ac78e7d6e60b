// DiemBFT (LibraBFT): chained blocks, votes to the next leader, quorum certificates, 3-chain commit, timeout
// certificates, block retrieval. Rule names are those of the Gemini paper, section 5; the round rules are those of the
// Libra report.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"
#include "nika/protocols/chain/retrieval.hpp"

namespace nika::diembft {

using chain::Block;
using chain::BlockRequest;
using chain::BlockResponse;

// Proof that a quorum voted for `block`. Signatures are symbolic: only a replica that counted a quorum makes one.
struct QuorumCertificate {
  static constexpr bool kIsAtomic = true;
  ValueId block{};
  ValueId parent{};

  bool operator==(const QuorumCertificate&) const = default;
  Round round() const { return block.round(); }
  static constexpr auto fields() {
    return std::tuple{field("block", &QuorumCertificate::block), field("parent", &QuorumCertificate::parent)};
  }
};

struct Proposal {
  static constexpr std::string_view kName = "proposal";
  static constexpr std::array<std::string_view, 1> kAtomicFields{"timeout_certificate"};
  ValueId block{};
  QuorumCertificate certificate{};  // for the parent
  Round timeout_certificate{};      // the round that timed out, when the parent is not of the round before
  std::uint8_t unused = 0;          // no padding: states that hold proposals are compared as bytes

  bool operator==(const Proposal&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("block", &Proposal::block), field("certificate", &Proposal::certificate),
                      field("timeout_certificate", &Proposal::timeout_certificate)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Proposal::unused)}; }
};

struct Vote {
  static constexpr std::string_view kName = "vote";
  ValueId block{};
  ValueId parent{};

  bool operator==(const Vote&) const = default;
  static constexpr auto fields() { return std::tuple{field("block", &Vote::block), field("parent", &Vote::parent)}; }
};

// Signed over the round alone, as in the paper: a timeout certificate tells nothing of its signers' chains, which is
// why Safety Rule 2 is needed. What the sender knows comes along unsigned, as with every message of the Libra report
// that may be the first one to reach a node that lags.
struct Timeout {
  static constexpr std::string_view kName = "timeout";
  static constexpr std::array<std::string_view, 1> kAtomicFields{"timeout_certificate"};
  Round round{};
  Round timeout_certificate{};      // the sender's highest
  QuorumCertificate certificate{};  // the sender's highest

  static constexpr auto fields() {
    return std::tuple{field("round", &Timeout::round), field("timeout_certificate", &Timeout::timeout_certificate),
                      field("certificate", &Timeout::certificate)};
  }
};

// Helps a node that is seen to lag behind.
struct SyncInfo {
  static constexpr std::string_view kName = "sync-info";
  static constexpr std::array<std::string_view, 1> kAtomicFields{"timeout_certificate"};
  static constexpr bool kHasNoRound = true;
  Round round{};  // of the message that showed the lag
  Round timeout_certificate{};
  QuorumCertificate certificate{};

  static constexpr auto fields() {
    return std::tuple{field("round", &SyncInfo::round), field("timeout_certificate", &SyncInfo::timeout_certificate),
                      field("certificate", &SyncInfo::certificate)};
  }
};

// The votes of the current round for one block.
struct Tally {
  ValueId block{};
  ValueId parent{};
  IdentitySet voters{};

  bool operator==(const Tally&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("block", &Tally::block), field("parent", &Tally::parent), field("voters", &Tally::voters)};
  }
};

struct State {
  Round current_round{};
  Round last_voted_round{};
  Round preferred_round{};
  Round timeout_certificate{};      // the highest round known to have timed out
  Round later_round{};              // the highest later round that somebody is known to have given up on, or 0
  std::uint8_t failed_rounds = 0;   // timeouts in a row, as far as they lengthen the timer
  bool proposal_is_due = false;     // this replica leads the round and has not proposed yet
  std::uint8_t unused = 0;          // no padding: states are compared as bytes
  QuorumCertificate certificate{};  // the highest one whose block is known
  QuorumCertificate wanted{};       // a higher one whose block is being fetched, or genesis
  chain::Tip committed{};
  IdentitySet timeouts{};                // who gave up on the current round
  IdentitySet later_timeouts{};          // who gave up on `later_round`
  BoundedVector<Tally, 4> votes{};       // of the current round
  BoundedVector<Proposal, 3> waiting{};  // proposals on a parent that is being fetched
  chain::BlockTree tree{};

  static constexpr auto fields() {
    return std::tuple{field("current_round", &State::current_round),
                      field("last_voted_round", &State::last_voted_round),
                      field("preferred_round", &State::preferred_round),
                      field("timeout_certificate", &State::timeout_certificate),
                      field("later_round", &State::later_round),
                      field("failed_rounds", &State::failed_rounds),
                      field("proposal_is_due", &State::proposal_is_due),
                      field("certificate", &State::certificate),
                      field("wanted", &State::wanted),
                      field("committed", &State::committed),
                      field("timeouts", &State::timeouts),
                      field("later_timeouts", &State::later_timeouts),
                      field("votes", &State::votes),
                      field("waiting", &State::waiting),
                      field("tree", &State::tree)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::unused)}; }
};

struct DiemBft {
  using State = diembft::State;
  using Message = std::variant<Proposal, Vote, Timeout, SyncInfo, BlockRequest, BlockResponse>;

  // Three consecutive certified rounds commit the first of them, and the leader of a fourth tells of it.
  static constexpr unsigned kLeadersInARow = 4;
  // No run of 900,000 that were drawn needed more than 6 rounds of healing led by honest nodes.
  static constexpr unsigned kHealRounds = 12;
  // Folding keeps the last commit of each replica, and replicas commit upwards.
  static constexpr std::array<std::string_view, 3> kFoldsExactlyFor{"agreement", "termination", "responsiveness"};
  static constexpr std::string_view kName = "diembft";
  static constexpr std::string_view kSummary = "DiemBFT (LibraBFT): chained, 3-chain commit of consecutive rounds";
  static constexpr std::array<std::string_view, 5> kBugs{"quorum-2f", "conflicting-votes", "forgotten-preferred-round",
                                                         "nonconsecutive-commit", "preferred-round-never-updated"};

  static constexpr unsigned kTimerCount = 1;
  // A proposal, a vote and the round and certificates of a timeout are its sender's own words; certificates are not.
  static constexpr bool kLiesAreReviewed = true;
  static BlockBinding binding_of(Message& message) {
    auto* proposal = std::get_if<Proposal>(&message);
    return proposal == nullptr ? BlockBinding{} : BlockBinding{&proposal->block, proposal->certificate.block};
  }

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.current_round; }
  // The lock is the block of the preferred round, which is on the branch of the highest certificate.
  static Progress progress(const State& state, const Context&) {
    ValueId locked = state.certificate.block;
    while (locked.round() > state.preferred_round && locked != state.tree.root().id)
      locked = state.tree.parent_of(locked);
    return {{state.certificate.block, {}}, {locked, {}}, {state.committed.id, {}}};
  }
  static bool extends(const State& state, Held block, Held ancestor) {
    return chain::extends(state.tree, block.value, ancestor.value);
  }

  // Forgets votes of rounds in which nobody will propose any more, since no further vote will join them, and all of a
  // preferred round but how it compares with certificates to come. For replicas that keep their memory; the contexts
  // are those of the states, and the leaders of rounds that somebody is in are known.
  static void forget(std::span<State> states, std::span<const Context> contexts, std::span<const Message> in_flight);

  // Forgets the history that no rule can look at any more, in all states and messages at once. False, with nothing
  // changed, if there is a message on its way that folding does not understand.
  static bool fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope);
};

// Asked of every message that is sent.
inline Round DiemBft::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Proposal& m) const { return m.block.round(); }
    Round operator()(const Vote& m) const { return m.block.round(); }
    Round operator()(const Timeout& m) const { return m.round; }
    Round operator()(const SyncInfo& m) const { return m.round; }
    Round operator()(const BlockRequest& m) const { return m.round; }
    Round operator()(const BlockResponse& m) const { return m.round; }
  };
  return std::visit(Visitor{}, message);
}

inline ValueId DiemBft::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Proposal& m) const { return m.block; }
    ValueId operator()(const Vote& m) const { return m.block; }
    ValueId operator()(const Timeout& m) const { return m.certificate.block; }
    ValueId operator()(const SyncInfo& m) const { return m.certificate.block; }
    ValueId operator()(const BlockRequest& m) const { return m.wanted; }
    ValueId operator()(const BlockResponse& m) const { return m.wanted; }
  };
  return std::visit(Visitor{}, message);
}

}  // namespace nika::diembft
