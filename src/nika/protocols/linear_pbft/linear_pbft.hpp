// PBFT with linear leader replacement (Gemini paper, section 3.3; Tendermint and Casper replace leaders this way): a
// log of heights, votes that go to the leader only, two phases, and a new leader that extends the highest quorum
// certificate it is told of, without a proof that there is no higher one. Rounds are views; a decision ends a view.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/protocols/chain/arrivals.hpp"
#include "nika/protocols/chain/pacemaker.hpp"
#include "nika/protocols/linear_pbft/rules.hpp"

namespace nika::linear_pbft {

// Proof that a quorum voted for `value` in `view`, at the height of the message or state that holds it. Signatures are
// symbolic: only a leader that counted a quorum makes one. View 0 stands for no certificate.
struct Certificate {
  static constexpr bool kIsAtomic = true;
  ValueId value{};
  Round view{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const Certificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Certificate::value), field("view", &Certificate::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Certificate::unused)}; }
};

// The sender has entered `view`, and this is the highest certificate that it knows: the leader of the view needs that.
// Who gave up on a view tells everybody, for the pacemaker's sake; nobody but the leader looks at the certificate then.
struct NewView {
  static constexpr std::string_view kName = "new-view";
  Certificate highest{};
  Round view{};
  Height height{};

  static constexpr auto fields() {
    return std::tuple{field("highest", &NewView::highest), field("view", &NewView::view),
                      field("height", &NewView::height)};
  }
};

struct Proposal {
  static constexpr std::string_view kName = "proposal";
  ValueId value{};
  Certificate highest{};  // that the leader knows, for the same value
  Round view{};
  Height height{};

  static constexpr auto fields() {
    return std::tuple{field("value", &Proposal::value), field("highest", &Proposal::highest),
                      field("view", &Proposal::view), field("height", &Proposal::height)};
  }
};

// What votes and the certificates made of them speak of.
struct Subject {
  ValueId value{};
  Round view{};
  Height height{};

  bool operator==(const Subject&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Subject::value), field("view", &Subject::view),
                      field("height", &Subject::height)};
  }
};

// Votes go to the leader, which turns a quorum of them into a certificate for everybody. The lock phase is that of the
// third-phase repair.
struct Prepare : Subject {
  static constexpr std::string_view kName = "prepare";
};
struct Prepared : Subject {
  static constexpr std::string_view kName = "prepared";
  static constexpr bool kIsAtomic = true;
};
struct Lock : Subject {
  static constexpr std::string_view kName = "lock";
};
struct Locked : Subject {
  static constexpr std::string_view kName = "locked";
  static constexpr bool kIsAtomic = true;
};
struct Commit : Subject {
  static constexpr std::string_view kName = "commit";
};
struct Decision : Subject {
  static constexpr std::string_view kName = "decision";
  static constexpr bool kIsAtomic = true;
};

// The sender lacks the decisions from `height` on.
struct Fetch {
  static constexpr std::string_view kName = "fetch";
  static constexpr bool kHasNoRound = true;
  Round view{};
  Height height{};

  static constexpr auto fields() { return std::tuple{field("view", &Fetch::view), field("height", &Fetch::height)}; }
};

// An old decision, for who lacks it; `view` is that of the message that showed the lack.
struct OldDecision : Subject {
  static constexpr std::string_view kName = "old-decision";
  static constexpr bool kIsAtomic = true;
  static constexpr bool kHasNoRound = true;
};

enum class Phase : std::uint8_t { kNone, kPrepare, kLock, kCommit };

struct State {
  chain::PacemakerWith<chain::Arrivals> pacemaker{};
  Phase voted{};                         // the last phase of this view in which the replica voted
  bool has_proposed = false;             // in this view
  bool has_waited = false;               // Δ, or it need not
  Phase certified{};                     // the last phase of this view for which the leader made a certificate
  IdentitySet votes{};                   // for the phase that follows `certified`
  IdentitySet asked{};                   // for decisions, in this view and at this height
  Certificate highest{};                 // for the current height
  Certificate lock{};                    // for the current height, in the third-phase repair
  ValueId proposed{};                    // of its own in this view
  Subject latest{};                      // decision that ended a view, of whatever height
  BoundedVector<Proposal, 1> waiting{};  // of this view, at a height that the replica has not reached
  BoundedVector<ValueId, 64> decided{};  // from height 1 on

  Height height() const { return Height(static_cast<unsigned>(decided.size()) + 1U); }
  static constexpr auto fields() {
    return std::tuple{field("pacemaker", &State::pacemaker),
                      field("voted", &State::voted),
                      field("has_proposed", &State::has_proposed),
                      field("has_waited", &State::has_waited),
                      field("certified", &State::certified),
                      field("votes", &State::votes),
                      field("asked", &State::asked),
                      field("highest", &State::highest),
                      field("lock", &State::lock),
                      field("proposed", &State::proposed),
                      field("latest", &State::latest),
                      field("waiting", &State::waiting),
                      field("decided", &State::decided)};
  }
};

using Message = std::variant<NewView, Proposal, Prepare, Prepared, Lock, Locked, Commit, Decision, Fetch, OldDecision>;

// What both forms of the protocol share.
void start(State& state, const Context& context, Repair repair, Outbox<Message>& out);
void receive(State& state, const Context& context, Repair repair, Identity from, const Message& message,
             Outbox<Message>& out);
void expire(State& state, const Context& context, Repair repair, TimerId timer, Outbox<Message>& out);
Round round_of(const Message& message);
ValueId subject_of(const Message& message);

template <Repair kRepair>
struct RepairedBy {
  using State = linear_pbft::State;
  using Message = linear_pbft::Message;

  // Measured over 360,000 runs of each form, with and without a twin, drawn by phases of 2, 4 and 7 rounds, half of
  // them with late and repeated messages, early timeouts and a crash: all decided within 5 rounds of honest leaders.
  static constexpr unsigned kHealRounds = 10;
  // Votes, views and heights are their sender's own words, and a value is its leader's; certificates are not. One that
  // a message brings is of the height of that message, so a liar can leave it out and put no other in its place. A
  // leader has, and could show, a quorum of new-view messages of the view that it proposes in.
  static constexpr bool kLiesAreReviewed = true;
  static bool is_forged(const Message& truth, const Message& lie) {
    const auto is_other = [](const auto& was, const auto& is) {
      const bool is_none = is.highest == Certificate{};
      return !is_none && (is.highest != was.highest || is.height != was.height);
    };
    if (const auto* told = std::get_if<NewView>(&lie)) return is_other(std::get<NewView>(truth), *told);
    const auto* told = std::get_if<Proposal>(&lie);
    if (told == nullptr) return false;
    const auto& proposal = std::get<Proposal>(truth);
    return told->view > proposal.view || is_other(proposal, *told);
  }

  static void start(State& state, const Context& context, Outbox<Message>& out) {
    linear_pbft::start(state, context, kRepair, out);
  }
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out) {
    linear_pbft::receive(state, context, kRepair, from, message, out);
  }
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out) {
    linear_pbft::expire(state, context, kRepair, timer, out);
  }
  static Round round_of(const Message& message) { return linear_pbft::round_of(message); }
  static ValueId subject_of(const Message& message) { return linear_pbft::subject_of(message); }
  static Round current_round(const State& state) { return state.pacemaker.view; }
  // What a replica refuses other proposals for is its lock: the highest certificate, or what the third phase locks.
  static Progress progress(const State& state, const Context&) {
    const Certificate& lock = kRepair == Repair::kThirdPhase ? state.lock : state.highest;
    const ValueId executed = state.decided.empty() ? kGenesis : state.decided.back();
    return {at(state, state.highest), at(state, lock), {executed, Height(static_cast<unsigned>(state.decided.size()))}};
  }
  // Heights are decided one after the other: what is held at one extends all that was decided below.
  static bool extends(const State& state, Held block, Held ancestor) {
    if (block == ancestor || ancestor.is_genesis()) return true;
    const unsigned height = ancestor.height.number;
    return height < block.height.number && height <= state.decided.size() &&
           state.decided[height - 1U] == ancestor.value;
  }

 private:
  static Held at(const State& state, const Certificate& certificate) {
    return certificate.view == Round(0) ? Held{} : Held{certificate.value, state.height()};
  }
};

struct LinearPbft : RepairedBy<Repair::kWaiting> {
  static constexpr std::string_view kName = "linear-pbft";
  static constexpr std::string_view kSummary = "PBFT with linear leader replacement: two phases, new leaders wait Δ";
  static constexpr std::array<std::string_view, 1> kBugs{"responsive-two-phase"};
};

struct LinearPbftThirdPhase : RepairedBy<Repair::kThirdPhase> {
  static constexpr std::string_view kName = "linear-pbft-third-phase";
  static constexpr std::string_view kSummary = "PBFT with linear leader replacement: three phases, responsive";
  static constexpr std::array<std::string_view, 0> kBugs{};
};

}  // namespace nika::linear_pbft
