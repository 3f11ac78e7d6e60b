// Zyzzyva (SOSP 2007; sections are those of the TOCS 2009 version) with n = 3f+1 replicas and two clients: replicas
// execute the primary's order speculatively and answer the client at once. Only a client sees a request complete: with
// matching answers of all n, or with a commit certificate of 2f+1 that 2f+1 replicas have acknowledged. So only clients
// commit. docs/zyzzyva.md says what is left out, why that is harmless, and how the repair compares with other ones.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"
#include "nika/protocols/chain/arrivals.hpp"
#include "nika/protocols/zyzzyva/history.hpp"

namespace nika::zyzzyva {

// REQUEST (section 4.1): what a client wants ordered, named by the client and its timestamp. It goes to all replicas,
// as a retransmission does; replicas need not forward it to the primary.
struct Request {
  static constexpr std::string_view kName = "request";
  static constexpr bool kHasNoRound = true;
  RequestName request{};
  Round view{};  // the last that the client has heard of
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("request", &Request::request), field("view", &Request::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Request::unused)}; }
};

// ORDER-REQ (section 4.1): the primary puts a request in the next slot. The history digest is the history itself.
struct OrderReq {
  static constexpr std::string_view kName = "order-req";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &OrderReq::history)}; }
};

// SPEC-RESPONSE (section 4.1): the vote for a history that ends with a request of the client it goes to.
struct SpecResponse {
  static constexpr std::string_view kName = "spec-response";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &SpecResponse::history)}; }
};

// COMMIT (section 4.2): the client's certificate, 2f+1 matching answers. Signatures are symbolic.
struct CommitCertificate {
  static constexpr std::string_view kName = "commit-certificate";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &CommitCertificate::history)}; }
};

// LOCAL-COMMIT (section 4.2), to the client whose certificate it acknowledges.
struct LocalCommit {
  static constexpr std::string_view kName = "local-commit";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &LocalCommit::history)}; }
};

// VIEW-CHANGE (section 4.3), the NEW-VIEW status of the Twins papers: what the sender knows as it enters a view.
// Whoever sends it has given up on the view before; I-HATE-THE-PRIMARY is the timeout that makes it do so.
// It goes to the primary of the view, and to all replicas if a timer made its sender enter the view.
struct ViewChange {
  static constexpr std::string_view kName = "view-change";
  Certificates certificates{};  // CC
  History accepted{};           // O, with what lies before it: the requests that the sender has accepted in order
  Round view{};                 // the one that is entered
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("certificates", &ViewChange::certificates), field("accepted", &ViewChange::accepted),
                      field("view", &ViewChange::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &ViewChange::unused)}; }
};

// What the VIEW-CHANGE messages of some identities say alike.
struct Report {
  Certificates certificates{};
  History accepted{};
  IdentitySet from{};

  bool operator==(const Report&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("certificates", &Report::certificates), field("accepted", &Report::accepted),
                      field("from", &Report::from)};
  }
};

// Different contents of VIEW-CHANGE messages, sorted by content: who sent first leaves no trace.
using Reports = BoundedVector<Report, 7>;

// NEW-VIEW (section 4.3): the history that the view starts with, and the reports that prove it valid. New requests
// follow in ORDER-REQ messages.
struct NewView {
  static constexpr std::string_view kName = "new-view";
  History history{};
  Reports reports{};

  static constexpr auto fields() {
    return std::tuple{field("history", &NewView::history), field("reports", &NewView::reports)};
  }
};

// What a client has heard of one history that ends with its open request.
struct Tally {
  History history{};
  IdentitySet responses{};
  IdentitySet local_commits{};
  bool is_certified = false;  // the client has sent the certificate
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("history", &Tally::history), field("responses", &Tally::responses),
                      field("local_commits", &Tally::local_commits), field("is_certified", &Tally::is_certified)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Tally::unused)}; }
};

struct State {
  History accepted{};  // executed speculatively, a new view may undo it; of a client: the last that it saw complete
  Certificates certificates{};
  Reports reports{};                         // of a primary that has not started its view yet
  BoundedVector<Tally, 4> tallies{};         // of a client, sorted; the oldest make room
  chain::Arrivals arrivals{};                // who is in which view, as far as their reports tell
  BoundedVector<RequestName, 2> requests{};  // the last known one of each client
  RequestName open{};                        // of a client: the request that is not complete
  Round view{};
  Round reports_view{};      // the view that `reports` are about
  Round impatient_view{};    // of a client: it has waited for all n answers of that view, in vain
  std::uint8_t ordered = 0;  // new requests of this primary in its view
  bool is_primary = false;   // this replica has started the view as its primary
  bool is_proven = false;    // a quorum is known to have come as far as this view
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("accepted", &State::accepted),
                      field("certificates", &State::certificates),
                      field("reports", &State::reports),
                      field("requests", &State::requests),
                      field("tallies", &State::tallies),
                      field("arrivals", &State::arrivals),
                      field("open", &State::open),
                      field("view", &State::view),
                      field("reports_view", &State::reports_view),
                      field("impatient_view", &State::impatient_view),
                      field("ordered", &State::ordered),
                      field("is_primary", &State::is_primary),
                      field("is_proven", &State::is_proven)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::unused)}; }
};

// Left out: CHECKPOINT and state transfer (histories and messages are whole, so that there is nothing to forget or to
// fetch), FILL-HOLE (messages carry histories, not digests), CONFIRM-REQ (clients send to all replicas), the proof of
// misbehaviour (it only ends a view, and every view ends), and VIEW-CONFIRM, in whose place replicas report longer
// certificates of earlier views. The view change is that of the Twins papers' summary, repaired.
struct Zyzzyva {
  using State = zyzzyva::State;
  using Message = std::variant<ViewChange, NewView, OrderReq, SpecResponse, CommitCertificate, LocalCommit, Request>;

  static constexpr std::string_view kName = "zyzzyva";
  static constexpr std::string_view kSummary = "Zyzzyva: speculative, commits with all n or with a commit certificate";
  static constexpr std::array<std::string_view, 4> kBugs{"certificate-before-later-votes", "votes-of-one-view",
                                                         "latest-certificate-only", "all-answers-only"};
  // Measured over 800,000 runs with a twin, drawn by phases of 3 and 7 rounds, healing led by honest nodes or by honest
  // and compromised ones in turn, half of them with late and repeated messages, early timeouts, orders of each receiver
  // and a crash: the clients of all that had room had decided within 6 rounds of honest leaders.
  static constexpr unsigned kHealRounds = 12;
  static constexpr unsigned kTimerCount = 3;
  // A replica answers and reports with any history or certificates that there are, and says itself which view it is in.
  // Reports are signed with their view: a primary can show fewer of those that it has, and no others.
  static constexpr bool kLiesAreReviewed = true;
  static bool is_forged(const Message& truth, const Message& lie) {
    const auto* told = std::get_if<NewView>(&lie);
    if (told == nullptr) return false;
    const auto& [history, reports] = std::get<NewView>(truth);
    return told->history.view != history.view || told->reports.size() > reports.size() ||
           !std::equal(told->reports.begin(), told->reports.end(), reports.begin());
  }
  static constexpr unsigned kClientCount = 2;  // so that a primary has two requests to choose from

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.view; }
  static unsigned requests(const State& client) { return client.open.number; }
  // Of the partial process state (Definition 1 of "Liveness Checking of the HotStuff Protocol Family") a replica of
  // Zyzzyva has: as *prepared* the last request that it has accepted in order and executed speculatively, which a new
  // view may undo; as *locked* the end of the longest history that a commit certificate binds it to: one that it has
  // accepted, or that a quorum voted for in no earlier view, since a valid later view overrules a certificate for good;
  // as *executed* the end of its committed history, as the paper calls the part of the accepted one that a certificate
  // covers. While all n answer, clients need no certificates, and nobody holds a lock. A request is told with its slot
  // but not with what lies before: two histories that have the same request in the same slot count as one there.
  static Progress progress(const State& state, const Context& context);
  static bool extends(const State& state, Held block, Held ancestor);
};

// The timers of replicas and clients.
inline constexpr TimerId kViewTimer{0};
inline constexpr TimerId kRetryTimer{0};  // of a client, which is in no view
inline constexpr TimerId kReportTimer{1};
inline constexpr TimerId kJoinTimer{2};
inline constexpr TimerId kResponseTimer{2};  // of a client

}  // namespace nika::zyzzyva
