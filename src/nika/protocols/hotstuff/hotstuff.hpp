// Basic HotStuff (Yin et al., PODC 2019, Algorithm 2) and its two-phase variant (section 4.4 there; "2-Phase
// HotStuff"). A view proposes one block on the highest certificate of a quorum and takes it through the phases; a
// decision commits the block with its branch. Both variants are one implementation with another number of phases.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/protocols/chain/pacemaker.hpp"
#include "nika/protocols/chain/retrieval.hpp"

namespace nika::hotstuff {

using chain::Block;
using chain::BlockRequest;
using chain::BlockResponse;
using chain::QuorumCertificate;
using chain::Report;

// The phases of a view in their order. The two-phase variant goes from prepare to commit.
enum class Phase : std::uint8_t { kNone, kPrepare, kPreCommit, kCommit, kDecide };

// "I have entered `view`, and this is my prepareQC."
struct NewView {
  static constexpr std::string_view kName = "new-view";
  QuorumCertificate certificate{};
  Round view{};
  std::uint8_t unused = 0;  // no padding: messages that wait are compared as bytes

  static constexpr auto fields() {
    return std::tuple{field("certificate", &NewView::certificate), field("view", &NewView::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &NewView::unused)}; }
};

struct Prepare {
  static constexpr std::string_view kName = "prepare";
  ValueId block{};
  QuorumCertificate justify{};  // "highQC"; the block extends its block

  static constexpr auto fields() {
    return std::tuple{field("block", &Prepare::block), field("justify", &Prepare::justify)};
  }
};

// What the leader sends in the later phases: the certificate that the phase before has made.
struct PreCommit {
  static constexpr std::string_view kName = "pre-commit";
  static constexpr Phase kPhase = Phase::kPreCommit;
  QuorumCertificate certificate{};
  static constexpr auto fields() { return std::tuple{field("certificate", &PreCommit::certificate)}; }
};
struct Commit {
  static constexpr std::string_view kName = "commit";
  static constexpr Phase kPhase = Phase::kCommit;
  QuorumCertificate certificate{};
  static constexpr auto fields() { return std::tuple{field("certificate", &Commit::certificate)}; }
};
struct Decide {
  static constexpr std::string_view kName = "decide";
  static constexpr Phase kPhase = Phase::kDecide;
  QuorumCertificate certificate{};
  static constexpr auto fields() { return std::tuple{field("certificate", &Decide::certificate)}; }
};

struct PrepareVote {
  static constexpr std::string_view kName = "prepare-vote";
  static constexpr Phase kPhase = Phase::kPrepare;
  ValueId block{};
  static constexpr auto fields() { return std::tuple{field("block", &PrepareVote::block)}; }
};
struct PreCommitVote {
  static constexpr std::string_view kName = "pre-commit-vote";
  static constexpr Phase kPhase = Phase::kPreCommit;
  ValueId block{};
  static constexpr auto fields() { return std::tuple{field("block", &PreCommitVote::block)}; }
};
struct CommitVote {
  static constexpr std::string_view kName = "commit-vote";
  static constexpr Phase kPhase = Phase::kCommit;
  ValueId block{};
  static constexpr auto fields() { return std::tuple{field("block", &CommitVote::block)}; }
};

using Message = std::variant<NewView, Prepare, PrepareVote, PreCommit, PreCommitVote, Commit, CommitVote, Decide,
                             BlockRequest, BlockResponse>;

// A leader's message that waits until a block has been fetched.
struct Waiting {
  ValueId block{};
  ValueId missing{};  // the parent in the prepare phase, the block itself later
  Phase phase{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const Waiting&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("block", &Waiting::block), field("missing", &Waiting::missing),
                      field("phase", &Waiting::phase)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Waiting::unused)}; }
};

struct State {
  chain::Pacemaker pacemaker{};
  QuorumCertificate prepared{};  // "prepareQC"
  QuorumCertificate locked{};    // "lockedQC"
  chain::Tip committed{};
  ValueId proposed{};    // by this replica as the leader of its view, or genesis
  IdentitySet voters{};  // for `proposed`, in the phase that is being collected
  Phase collecting{};    // the phase whose votes the leader collects
  Phase voted{};         // the last phase of the view in which this replica voted
  BoundedVector<Waiting, 6> waiting{};
  chain::BlockTree tree{};

  static constexpr auto fields() {
    return std::tuple{field("pacemaker", &State::pacemaker),   field("prepared", &State::prepared),
                      field("locked", &State::locked),         field("committed", &State::committed),
                      field("proposed", &State::proposed),     field("voters", &State::voters),
                      field("collecting", &State::collecting), field("voted", &State::voted),
                      field("waiting", &State::waiting),       field("tree", &State::tree)};
  }
};

template <int kPhases>
struct Family {
  using State = hotstuff::State;
  using Message = hotstuff::Message;

  static constexpr std::array<std::string_view, 1> kBugs{"no-lock"};
  // Votes and views are their sender's own words, and a block is its leader's; certificates are not.
  static constexpr bool kLiesAreReviewed = true;
  // A leader has, and could show, n - f NEW-VIEW messages of the view that it proposes in: it has none of another.
  static bool is_forged(const Message& truth, const Message& lie) {
    const auto* told = std::get_if<Prepare>(&lie);
    return told != nullptr && told->block.round() > std::get<Prepare>(truth).block.round();
  }
  static BlockBinding binding_of(Message& message) {
    auto* prepare = std::get_if<Prepare>(&message);
    return prepare == nullptr ? BlockBinding{} : BlockBinding{&prepare->block, prepare->justify.block};
  }
  // Measured over 1,600,000 runs of Basic HotStuff with a twin, drawn by phases of 3 and 7 rounds, healing led by
  // honest nodes or by honest and compromised ones in turn, half of them with late and repeated messages, early
  // timeouts, orders of each receiver and a crash: all decided within 6 rounds of honest leaders.
  static constexpr unsigned kHealRounds = 12;
  // Folding keeps the last commit of each replica, and replicas commit upwards.
  static constexpr std::array<std::string_view, 3> kFoldsExactlyFor{"agreement", "termination", "responsiveness"};

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.pacemaker.view; }
  static Progress progress(const State& state, const Context&) {
    return {{state.prepared.block, {}}, {state.locked.block, {}}, {state.committed.id, {}}};
  }
  static bool extends(const State& state, Held block, Held ancestor) {
    return chain::extends(state.tree, block.value, ancestor.value);
  }

  // Forgets the history that no rule can look at any more, in all states and messages at once. False, with nothing
  // changed, if there is a message on its way that folding does not understand.
  static bool fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope);
};

extern template struct Family<2>;
extern template struct Family<3>;

struct HotStuff : Family<3> {
  static constexpr std::string_view kName = "hotstuff";
  static constexpr std::string_view kSummary = "Basic HotStuff: prepare, pre-commit, commit; locks in the second phase";
};

// Locks on a prepareQC at once. Safe, but not live: a leader that hears a quorum without the highest lock is refused by
// who holds that lock.
struct TwoPhaseHotStuff : Family<2> {
  static constexpr std::string_view kName = "two-phase-hotstuff";
  static constexpr std::string_view kSummary =
      "2-Phase HotStuff: prepare, commit; safe, but conflicting locks block it";
  static constexpr std::string_view kRepairedBy = "hotstuff";
};

}  // namespace nika::hotstuff
