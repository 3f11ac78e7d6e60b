// Sync HotStuff (Abraham, Malkhi, Nayak, Ren, Yin; IEEE S&P 2020), the first of its variants: n = 2f+1 replicas, a
// known bound Δ on delays, blocks that are committed 2Δ after voting for them, leaders that are blamed and replaced.
// Rounds are views. Safe only in a synchronous network, so it runs in timed scenarios only.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"
#include "nika/protocols/sync_hotstuff/chains.hpp"

namespace nika::sync_hotstuff {

// Proof that f+1 replicas voted for `block` in `view`. Signatures are symbolic: only a replica that counted them makes
// one. Genesis counts as certified in view 1. View 0 stands for no certificate.
struct Certificate {
  BlockName block{};
  Round view{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const Certificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("block", &Certificate::block), field("view", &Certificate::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Certificate::unused)}; }
};

// Signed by the leader, and passed on by everybody who gets it.
struct Proposal {
  static constexpr std::string_view kName = "proposal";
  BlockName block{};
  Certificate certificate{};  // for the parent
  Identity leader{};
  std::uint8_t unused = 0;  // no padding: states that hold proposals are compared as bytes

  Round view() const { return block.value.round(); }
  static constexpr auto fields() {
    return std::tuple{field("block", &Proposal::block), field("certificate", &Proposal::certificate),
                      field("leader", &Proposal::leader)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Proposal::unused)}; }
};

struct Vote {
  static constexpr std::string_view kName = "vote";
  BlockName block{};
  Round view{};  // later than the block's own when a new view certifies it anew

  static constexpr auto fields() { return std::tuple{field("block", &Vote::block), field("view", &Vote::view)}; }
};

struct Blame {
  static constexpr std::string_view kName = "blame";
  Round view{};

  static constexpr auto fields() { return std::tuple{field("view", &Blame::view)}; }
};

// f+1 blames, passed on by whoever quits the view.
struct BlameCertificate {
  static constexpr std::string_view kName = "blame-certificate";
  Round view{};

  static constexpr auto fields() { return std::tuple{field("view", &BlameCertificate::view)}; }
};

// To the leader of `view`, from whoever enters it.
struct Status {
  static constexpr std::string_view kName = "status";
  Certificate certificate{};
  Round view{};

  static constexpr auto fields() {
    return std::tuple{field("certificate", &Status::certificate), field("view", &Status::view)};
  }
};

// The leader of `view` wants to build on the block of the certificate. Signed, and passed on like a proposal.
struct NewView {
  static constexpr std::string_view kName = "new-view";
  Certificate certificate{};
  Round view{};
  Identity leader{};

  bool operator==(const NewView&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("certificate", &NewView::certificate), field("view", &NewView::view),
                      field("leader", &NewView::leader)};
  }
};

// Proposals that a replica cannot place yet: of a later view, or on an unknown parent. Those that one seat makes in one
// view build on each other, so the first one and the last height say it all.
struct Waiting {
  Proposal first{};
  Height last{};
  std::uint8_t unused = 0;

  static constexpr auto fields() { return std::tuple{field("first", &Waiting::first), field("last", &Waiting::last)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &Waiting::unused)}; }
};

// The votes for one block in one view.
struct Tally {
  BlockName block{};
  IdentitySet voters{};
  Round view{};
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("block", &Tally::block), field("voters", &Tally::voters), field("view", &Tally::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Tally::unused)}; }
};

struct State {
  static constexpr std::size_t kMaxCommitTimers = 6;
  Round view{};
  bool has_quit = false;          // the view, and waits Δ to enter the next one
  bool has_blamed = false;        // the leader of the view
  bool saw_equivocation = false;  // in the view: neither votes nor commits in it any more
  bool may_propose = false;       // leads the view, and neither waits for status nor for the pace of its proposals
  std::uint8_t first_commit_timer = 0;
  Certificate highest{};   // that this replica knows
  Certificate lock{};      // taken when it entered the view
  Certificate new_view{};  // of the first new-view message of this view, or none
  BlockName proposed{};    // the last one of its own in this view, or genesis
  BlockName committed{};
  IdentitySet blames{};                                     // of this view
  IdentitySet next_blames{};                                // of the next view
  BoundedVector<BlockName, kMaxCommitTimers> committing{};  // their timers run, the oldest first
  BoundedVector<Tally, 32> tallies{};                       // that can still make a higher certificate
  BoundedVector<Waiting, 12> waiting{};                     // later views, or parents, must come first
  BoundedVector<NewView, 4> waiting_new_views{};            // of later views
  Chains chains{};

  static constexpr auto fields() {
    return std::tuple{field("view", &State::view),
                      field("has_quit", &State::has_quit),
                      field("has_blamed", &State::has_blamed),
                      field("saw_equivocation", &State::saw_equivocation),
                      field("may_propose", &State::may_propose),
                      field("first_commit_timer", &State::first_commit_timer),
                      field("highest", &State::highest),
                      field("lock", &State::lock),
                      field("new_view", &State::new_view),
                      field("proposed", &State::proposed),
                      field("committed", &State::committed),
                      field("blames", &State::blames),
                      field("next_blames", &State::next_blames),
                      field("committing", &State::committing),
                      field("tallies", &State::tallies),
                      field("waiting", &State::waiting),
                      field("waiting_new_views", &State::waiting_new_views),
                      field("chains", &State::chains)};
  }
};

struct SyncHotStuff {
  using State = sync_hotstuff::State;
  using Message = std::variant<Proposal, Vote, Blame, BlameCertificate, Status, NewView>;

  static constexpr std::string_view kName = "sync-hotstuff";
  static constexpr std::string_view kSummary = "Sync HotStuff: n = 2f+1, synchronous, commits 2Δ after a vote";
  static constexpr std::array<std::string_view, 2> kBugs{"early-version", "short-status-wait"};
  static constexpr bool kIsSynchronous = true;
  static constexpr unsigned kResilience = 2;
  // The others enter within Δ, the leader too; it waits 2Δ for status, its new-view message, the votes for that and its
  // proposal take Δ each, and 2Δ after their votes all commit.
  static constexpr unsigned kDecisionDeltas = 8;
  static constexpr bool kRepeatsValues = true;  // a leader stays, and what it proposes is its own input
  static constexpr unsigned kTimerCount = 3 + State::kMaxCommitTimers;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.view; }
  // The lock is what keeps a replica from voting: in the early version the highest certified block that it knows.
  static Progress progress(const State& state, const Context& context);
  static bool extends(const State& state, Held block, Held ancestor) {
    return state.chains.extends_or_equals({block.value, block.height, 0}, {ancestor.value, ancestor.height, 0});
  }
  static int certificate_votes(const Context& context) { return context.fault_count + 1; }
  // Chains that no rule can look at any more.
  static void forget(std::span<State> states, std::span<const Context> contexts, std::span<const Message> in_flight);
};

}  // namespace nika::sync_hotstuff
