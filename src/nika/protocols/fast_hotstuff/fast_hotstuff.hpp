// Fast-HotStuff, pipelined (Jalalzai, Niu, Feng, arXiv 2010.11454; summary in the Twins paper, section 14.1): votes to
// the next leader, 2-chain commit, and after a failed view a proof that the leader builds on the highest certificate
// of a quorum. There is no lock: the proof stands in for it.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/protocols/chain/pacemaker.hpp"
#include "nika/protocols/chain/retrieval.hpp"

namespace nika::fast_hotstuff {

using chain::Block;
using chain::BlockRequest;
using chain::BlockResponse;
using chain::QuorumCertificate;
using chain::Report;

// "AggQC" of the paper: NEW-VIEW messages of a quorum. Those with the same certificate are written together.
using AggregatedCertificate = BoundedVector<Report, chain::NewViews::kCapacity>;

struct Proposal {
  static constexpr std::string_view kName = "proposal";
  ValueId block{};
  QuorumCertificate certificate{};  // for the parent
  AggregatedCertificate proof{};    // empty when the parent is of the view before

  static constexpr auto fields() {
    return std::tuple{field("block", &Proposal::block), field("certificate", &Proposal::certificate),
                      field("proof", &Proposal::proof)};
  }
};

struct Vote {
  static constexpr std::string_view kName = "vote";
  ValueId block{};

  static constexpr auto fields() { return std::tuple{field("block", &Vote::block)}; }
};

// "I have entered `view`, and this is the highest certificate I know." The leader of the view collects them.
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

struct Tally {
  ValueId block{};
  IdentitySet voters{};

  bool operator==(const Tally&) const = default;
  static constexpr auto fields() { return std::tuple{field("block", &Tally::block), field("voters", &Tally::voters)}; }
};

// A replica leaves a view when it votes, so that it never votes twice in one view needs no register of its own.
struct State {
  chain::Pacemaker pacemaker{};
  QuorumCertificate certificate{};  // the highest one whose block is known: "highQC"
  QuorumCertificate wanted{};       // a higher one whose block is being fetched, or genesis
  chain::Tip committed{};
  bool proposal_is_due = false;       // this replica leads its view and has not proposed yet
  std::uint8_t unused = 0;            // no padding: states are compared as bytes
  BoundedVector<Tally, 6> votes{};    // of the view before the current one and later: each identity's latest at least
  BoundedVector<Block, 3> waiting{};  // proposed blocks on a parent that is being fetched
  chain::BlockTree tree{};

  static constexpr auto fields() {
    return std::tuple{field("pacemaker", &State::pacemaker),
                      field("certificate", &State::certificate),
                      field("wanted", &State::wanted),
                      field("committed", &State::committed),
                      field("proposal_is_due", &State::proposal_is_due),
                      field("votes", &State::votes),
                      field("waiting", &State::waiting),
                      field("tree", &State::tree)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::unused)}; }
};

struct FastHotStuff {
  using State = fast_hotstuff::State;
  using Message = std::variant<Proposal, Vote, NewView, BlockRequest, BlockResponse>;

  // A vote, a view and a block are their sender's own words; certificates, and the reports of others, are not.
  static constexpr bool kLiesAreReviewed = true;
  static BlockBinding binding_of(Message& message) {
    auto* proposal = std::get_if<Proposal>(&message);
    return proposal == nullptr ? BlockBinding{} : BlockBinding{&proposal->block, proposal->certificate.block};
  }
  // Two consecutive certified rounds commit the first of them, and the leader of a third tells of it.
  static constexpr unsigned kLeadersInARow = 3;
  // No run of 900,000 that were drawn needed more than 8 rounds of healing led by honest nodes.
  static constexpr unsigned kHealRounds = 14;
  // Folding keeps the last commit of each replica, and replicas commit upwards.
  static constexpr std::array<std::string_view, 3> kFoldsExactlyFor{"agreement", "termination", "responsiveness"};
  static constexpr std::string_view kName = "fast-hotstuff";
  static constexpr std::string_view kSummary =
      "Fast-HotStuff: pipelined, 2-chain commit, proof of the highest certificate";
  static constexpr std::array<std::string_view, 1> kBugs{"nonconsecutive-commit"};

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.pacemaker.view; }
  // There are no locks: a leader proves with an aggregate of new-view messages that its certificate is the highest.
  static Progress progress(const State& state, const Context&) {
    return {{state.certificate.block, {}}, {}, {state.committed.id, {}}};
  }
  static bool extends(const State& state, Held block, Held ancestor) {
    return chain::extends(state.tree, block.value, ancestor.value);
  }

  // Forgets the history that no rule can look at any more, in all states and messages at once. False, with nothing
  // changed, if there is a message on its way that folding does not understand.
  static bool fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope);
};

}  // namespace nika::fast_hotstuff
