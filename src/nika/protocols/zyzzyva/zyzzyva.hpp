// Zyzzyva (SOSP 2007): replicas execute the order of the primary speculatively and answer at once. A request is
// complete with the answers of all n, or with a commit certificate of 2f+1 that 2f+1 have acknowledged. A view is a
// network round; its primary orders requests one after the other and plays their client, so what a primary completes it
// commits.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"
#include "nika/protocols/zyzzyva/history.hpp"

namespace nika::zyzzyva {

// ORDER-REQ (section 3.1): the primary puts a request in the next slot. The history digest is the history itself.
struct OrderReq {
  static constexpr std::string_view kName = "order-req";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &OrderReq::history)}; }
};

// SPEC-RESPONSE (section 3.1): the vote for a history, to the client.
struct SpecResponse {
  static constexpr std::string_view kName = "spec-response";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &SpecResponse::history)}; }
};

// COMMIT (section 3.2): the client's certificate, 2f+1 matching answers. Signatures are symbolic.
struct CommitCertificate {
  static constexpr std::string_view kName = "commit-certificate";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &CommitCertificate::history)}; }
};

// LOCAL-COMMIT (section 3.2). It goes to everybody, so that everybody sees a request complete that needed two phases.
struct LocalCommit {
  static constexpr std::string_view kName = "local-commit";
  History history{};

  static constexpr auto fields() { return std::tuple{field("history", &LocalCommit::history)}; }
};

// VIEW-CHANGE (section 3.3), the NEW-VIEW status of the Twins papers: what the sender knows as it enters a view.
// Whoever sends it has given up on the view before; I-HATE-THE-PRIMARY is the timeout that makes it do so.
struct ViewChange {
  static constexpr std::string_view kName = "view-change";
  History certificate{};  // the commit certificate of the highest view
  History accepted{};     // the history of the last vote
  Round view{};           // the one that is entered
  std::uint8_t unused = 0;

  static constexpr auto fields() {
    return std::tuple{field("certificate", &ViewChange::certificate), field("accepted", &ViewChange::accepted),
                      field("view", &ViewChange::view)};
  }
};

// What the VIEW-CHANGE messages of some identities say alike.
struct Report {
  History certificate{};
  History accepted{};
  IdentitySet from{};

  bool operator==(const Report&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("certificate", &Report::certificate), field("accepted", &Report::accepted),
                      field("from", &Report::from)};
  }
};

// Different contents of VIEW-CHANGE messages, sorted by content: who sent first leaves no trace.
using Reports = BoundedVector<Report, 7>;

// NEW-VIEW (section 3.3): the history that the view starts with, and the reports that prove it valid. If they leave all
// slots free, it is the primary's first request.
struct NewView {
  static constexpr std::string_view kName = "new-view";
  History history{};
  Reports reports{};

  static constexpr auto fields() {
    return std::tuple{field("history", &NewView::history), field("reports", &NewView::reports)};
  }
};

struct State {
  History accepted{};           // executed speculatively; a new view may undo it
  History certificate{};        // the commit certificate of the highest view, and there the longest
  Reports reports{};            // of a primary that has not started its view yet
  IdentitySet responses{};      // of a primary: who has answered for `accepted`
  IdentitySet local_commits{};  // who has acknowledged `certificate` in this view
  Round view{};
  Round reports_view{};       // the view that `reports` are about
  Height committed{};         // the last slot that is known to be complete
  std::uint8_t ordered = 0;   // new requests of this primary in its view
  bool is_primary = false;    // this replica has started the view as its primary
  bool is_impatient = false;  // the client has waited for all n answers in this view, in vain

  static constexpr auto fields() {
    return std::tuple{field("accepted", &State::accepted),
                      field("certificate", &State::certificate),
                      field("reports", &State::reports),
                      field("responses", &State::responses),
                      field("local_commits", &State::local_commits),
                      field("view", &State::view),
                      field("reports_view", &State::reports_view),
                      field("committed", &State::committed),
                      field("ordered", &State::ordered),
                      field("is_primary", &State::is_primary),
                      field("is_impatient", &State::is_impatient)};
  }
};

struct Zyzzyva {
  using State = zyzzyva::State;
  using Message = std::variant<ViewChange, NewView, OrderReq, SpecResponse, CommitCertificate, LocalCommit>;

  static constexpr std::string_view kName = "zyzzyva";
  static constexpr std::string_view kSummary = "Zyzzyva: speculative, commits with all n or with a commit certificate";
  static constexpr std::array<std::string_view, 2> kBugs{"certificate-before-later-votes", "votes-of-one-view"};
  static constexpr unsigned kTimerCount = 3;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.view; }
};

}  // namespace nika::zyzzyva
