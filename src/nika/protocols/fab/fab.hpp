// Parameterised FaB Paxos (Martin and Alvisi, 2006) with t = 0, so n = 3f+1: one value, decided with the votes of all n
// in one step, or with 2f+1 commit proofs in two. Every node is proposer, acceptor and learner; a view is a network
// round. A new leader proves its proposal by the reports of n-f acceptors.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"
#include "nika/protocols/chain/arrivals.hpp"

namespace nika::fab {

// A value that was accepted, or has a commit proof, in a view. View 0: none.
struct Vote {
  ValueId value{};
  Round view{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  constexpr auto operator<=>(const Vote&) const = default;
  bool is_none() const { return view == Round(0); }
  static constexpr auto fields() { return std::tuple{field("value", &Vote::value), field("view", &Vote::view)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &Vote::unused)}; }
};

// What the REP messages of some acceptors say alike.
struct Report {
  Vote accepted{};
  Vote proof{};
  IdentitySet from{};
  std::uint8_t wave = 0;  // reports for the same value that arrive one after the other are a wave
  std::uint8_t unused = 0;

  bool operator==(const Report&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("accepted", &Report::accepted), field("proof", &Report::proof),
                      field("from", &Report::from), field("wave", &Report::wave)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Report::unused)}; }
};

// A progress certificate, in waves; inside a wave sorted by content.
using Reports = BoundedVector<Report, 7>;

// REP: what an acceptor knows as it enters a view, to the view's leader, and to all if it does so by its timer.
struct Rep {
  static constexpr std::string_view kName = "rep";
  static constexpr std::array<std::string_view, 1> kAtomicFields{"proof"};
  Vote accepted{};
  Vote proof{};
  Round view{};
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("accepted", &Rep::accepted), field("proof", &Rep::proof), field("view", &Rep::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Rep::unused)}; }
};

// PROPOSE, with the progress certificate that vouches for the value; the first view needs none.
struct Propose {
  static constexpr std::string_view kName = "propose";
  Vote proposal{};
  Reports reports{};

  static constexpr auto fields() {
    return std::tuple{field("proposal", &Propose::proposal), field("reports", &Propose::reports)};
  }
};

// ACCEPTED: an acceptor's vote, to all.
struct Accepted {
  static constexpr std::string_view kName = "accepted";
  Vote vote{};

  static constexpr auto fields() { return std::tuple{field("vote", &Accepted::vote)}; }
};

// COMMITPROOF: the sender has seen 2f+1 votes, to all.
struct CommitProof {
  static constexpr std::string_view kName = "commit-proof";
  static constexpr bool kIsAtomic = true;
  Vote vote{};

  static constexpr auto fields() { return std::tuple{field("vote", &CommitProof::vote)}; }
};

// Who has said what for one value in the current view.
struct Tally {
  ValueId value{};
  IdentitySet accepted{};
  IdentitySet proofs{};

  static constexpr auto fields() {
    return std::tuple{field("value", &Tally::value), field("accepted", &Tally::accepted),
                      field("proofs", &Tally::proofs)};
  }
};

struct State {
  Vote accepted{};  // the last one
  Vote proof{};     // the last one that this node has made
  ValueId learned{};
  Round view{};
  Round reports_view{};               // the view that `reports` are about
  BoundedVector<Tally, 4> tallies{};  // sorted by value
  Reports reports{};                  // of a leader that has not proposed yet
  chain::Arrivals arrivals{};         // who is in which view, as far as their reports tell
  bool is_blocked = false;            // no proposal was valid when this node led last, and it has accepted none since
  bool is_proven = false;             // a quorum is known to have come as far as this view

  static constexpr auto fields() {
    return std::tuple{field("accepted", &State::accepted),         field("proof", &State::proof),
                      field("learned", &State::learned),           field("view", &State::view),
                      field("reports_view", &State::reports_view), field("tallies", &State::tallies),
                      field("reports", &State::reports),           field("arrivals", &State::arrivals),
                      field("is_blocked", &State::is_blocked),     field("is_proven", &State::is_proven)};
  }
};

struct Fab {
  using State = fab::State;
  using Message = std::variant<Rep, Propose, Accepted, CommitProof>;

  static constexpr std::string_view kName = "fab";
  static constexpr std::string_view kSummary = "FaB Paxos, n = 3f+1: one value, in one step with all n or in two";
  static constexpr std::array<std::string_view, 1> kBugs{"proofs-and-votes-bind-alike"};
  static constexpr bool kSingleShot = true;
  // Measured over 360,000 runs with and without a twin, drawn by phases of 2, 4 and 7 rounds, half of them with late
  // and repeated messages, early timeouts and a crash: all decided within 5 rounds of honest leaders.
  static constexpr unsigned kHealRounds = 10;
  static constexpr unsigned kTimerCount = 3;
  // What an acceptor accepts, and the view it is in, are its own words, and a proposal is its leader's. Proofs are of
  // 2f+1 votes, and reports are signed with their view: a leader can show fewer of those that it has, and no others.
  static constexpr bool kLiesAreReviewed = true;
  static bool is_forged(const Message& truth, const Message& lie) {
    const auto* told = std::get_if<Propose>(&lie);
    if (told == nullptr) return false;
    const auto& [proposal, reports] = std::get<Propose>(truth);
    return told->proposal.view != proposal.view || told->reports.size() > reports.size() ||
           !std::equal(told->reports.begin(), told->reports.end(), reports.begin());
  }

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.view; }
  static Progress progress(const State& state, const Context&) {
    return {{state.accepted.value, {}}, {state.proof.value, {}}, {state.learned, {}}};
  }
  // Why this replica could not propose when it led: its progress certificate vouches for no value at all.
  static std::string_view blocked(const State& state, const Context& context);
};

}  // namespace nika::fab
