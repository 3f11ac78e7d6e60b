#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

#include <algorithm>
#include <utility>

#include "nika/protocols/chain/branch.hpp"
#include "nika/protocols/fast_hotstuff/rules.hpp"

namespace nika::fast_hotstuff {

static_assert(Protocol<FastHotStuff>);
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) < 400);

namespace {

using Box = Outbox<FastHotStuff::Message>;

enum class Entry : std::uint8_t { kByProof, kAlone };

// One input to one replica: the state it changes and all that it needs to do so.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out)
      : state_(state), pace_(state.pacemaker), context_(context), rules_(rules_of(context)), out_(out) {}

  void start() { enter_view(Round(1), Entry::kByProof); }

  void receive(Identity from, const Proposal& proposal) {
    const Round view = proposal.block.round();
    if (!context_.leaders_of(view).contains(from) || !is_justified(proposal, rules_)) return;
    if (view > pace_.view) enter_view(view, Entry::kByProof);
    process_certificate(proposal.certificate, IdentitySet::single(from), view);
    const Block block{proposal.block, proposal.certificate.block};
    if (state_.tree.contains(block.parent)) {
      consider(block);
    } else if (view >= pace_.view && std::ranges::find(state_.waiting, block) == state_.waiting.end()) {
      if (!state_.waiting.push_back(block)) out_.report_overflow();
    }
  }

  // Votes go to the leader of the next view, who may have entered it already: by its own vote, or by giving up.
  void receive(Identity from, const Vote& vote) {
    const Round next = vote.block.round().next();
    if (next < pace_.view || !context_.leads(next)) return;
    if (vote.block.round() > state_.certificate.round()) count(from, vote);
  }

  void receive(Identity from, const NewView& message) {
    if (message.view < pace_.view) return;
    const auto reported = context_.leads(message.view) ? std::optional(message.certificate) : std::nullopt;
    if (!pace_.new_views.add(from, message.view, reported)) return out_.report_overflow();
    const Round later = pace_.view_to_join(context_.fault_count);
    if (later > pace_.view) {
      enter_view(later, Entry::kAlone);
      send_new_view();
    }
    propose_if_due();
    pace_.settle(rules_.quorum, state_.proposal_is_due);
  }

  void receive(Identity from, const BlockRequest& request) {
    if (state_.tree.contains(request.wanted)) {
      out_.send(IdentitySet::single(from), chain::answer(state_.tree, request));
    }
  }

  void receive(Identity /*from*/, const BlockResponse& response) {
    const bool learned = chain::learn(state_.tree, state_.committed, response, out_);
    if (!learned || !state_.tree.contains(response.wanted)) return;
    if (!state_.wanted.block.is_genesis() && state_.tree.contains(state_.wanted.block)) {
      adopt(std::exchange(state_.wanted, {}));
    }
    consider_waiting();
    propose_if_due();
  }

  void expire() {
    out_.note(EventKind::kTimedOut, pace_.view);
    pace_.fail();
    // A certificate whose block did not come is given up with the view: it must not stand in the way of one whose block
    // can be had.
    state_.wanted = {};
    if (pace_.is_proven) {
      enter_view(pace_.view.next(), Entry::kAlone);
    } else {
      restart_timer();
    }
    send_new_view();
  }

 private:
  // The paper sends it to the next leader. Everybody else hears it too, for the pacemaker's sake, and uses nothing of
  // it but the view.
  void send_new_view() { out_.send(context_.everyone(), NewView{state_.certificate, pace_.view}); }

  void consider(Block block) {
    chain::insert(state_.tree, state_.committed, block, out_);
    const Round view = block.id.round();
    if (view < pace_.view) return;  // voted in it before, or gave up on it
    out_.note(EventKind::kVoted, view, block.id, block.parent);
    out_.send(context_.leaders_of(view.next()), Vote{block.id});
    enter_view(view.next(), Entry::kByProof);
  }

  void consider_waiting() {
    for (std::size_t i = 0; i < state_.waiting.size();) {
      const Block block = state_.waiting[i];
      if (!state_.tree.contains(block.parent)) {
        ++i;
        continue;
      }
      state_.waiting.erase_at(i);
      adopt({block.parent});  // the proposal brought its certificate
      consider(block);
      i = 0;  // both may have entered a view and forgotten others
    }
  }

  // The first vote of an identity in a view counts.
  void count(Identity from, const Vote& vote) {
    Tally* tally = nullptr;
    for (Tally& other : state_.votes) {
      const bool same = other.block == vote.block;
      if (other.block.round() == vote.block.round() && other.voters.contains(from)) {
        out_.note(same ? EventKind::kDuplicateVote : EventKind::kEquivocatingVote, vote.block.round(), vote.block,
                  other.block);
        return;
      }
      if (same) tally = &other;
    }
    if (tally == nullptr) {
      if (state_.votes.size() == state_.votes.capacity() && !make_room(from, vote)) return;
      if (!state_.votes.push_back({vote.block, {}})) return out_.report_overflow();
      tally = &state_.votes.back();
    }
    tally->voters.insert(from);
    if (tally->voters.size() < rules_.quorum) return;
    out_.note(EventKind::kCertified, vote.block.round(), vote.block);
    process_certificate({vote.block}, IdentitySet(tally->voters), vote.block.round());
  }

  // A leader that hears votes but no proposals stays in its view while votes for ever later ones arrive. Who votes
  // leaves the view, so what an identity voted for before is needed least: without it there are no more tallies than
  // identities. (LibraBFT keeps nothing but the last vote of each author.) False if the vote itself has been overtaken.
  bool make_room(Identity from, const Vote& vote) {
    for (const Tally& tally : state_.votes) {
      if (tally.voters.contains(from) && tally.block.round() > vote.block.round()) return false;
    }
    for (Tally& tally : state_.votes) {
      tally.voters.erase(from);
      for (const Tally& later : state_.votes) {
        if (later.block.round() > tally.block.round()) tally.voters = tally.voters - later.voters;
      }
    }
    for (std::size_t i = state_.votes.size(); i > 0; --i) {
      if (state_.votes[i - 1].voters.empty()) state_.votes.erase_at(i - 1);
    }
    return true;
  }

  // `round` is that of the message that showed the certificate; `sources` know its block.
  void process_certificate(QuorumCertificate certificate, IdentitySet sources, Round round) {
    if (certificate == state_.certificate) return;  // adopted before
    if (state_.tree.contains(certificate.block)) return adopt(certificate);
    if (certificate.round() >= state_.wanted.round()) {
      state_.wanted = certificate;
      ask_for(certificate.block, sources, round);
    }
    if (certificate.round() >= pace_.view) enter_view(certificate.round().next(), Entry::kByProof);
  }

  void adopt(QuorumCertificate certificate) {
    if (certificate.round() > state_.certificate.round()) {
      state_.certificate = certificate;
      pace_.failed_views = 0;
    }
    if (state_.wanted.round() <= state_.certificate.round()) state_.wanted = {};
    forget_votes_before(state_.certificate.round().next());
    commit_by(certificate);
    if (certificate.round() >= pace_.view) enter_view(certificate.round().next(), Entry::kByProof);
    propose_if_due();
  }

  void commit_by(QuorumCertificate certificate) {
    if (certificate.block == state_.tree.root().id) return;
    const ValueId parent = state_.tree.parent_of(certificate.block);
    if (!commits_parent(certificate.block, parent, rules_)) return;
    if (state_.tree.is_ancestor_or_equal(parent, state_.committed.id)) return;
    chain::commit(state_.tree, state_.committed, parent, out_);
  }

  void enter_view(Round view, Entry entry) {
    pace_.enter(view, entry == Entry::kByProof);
    forget_votes_before(view.previous());
    forget_waiting_before(view);
    out_.note(EventKind::kEnteredRound, view);
    restart_timer();
    state_.proposal_is_due = context_.leads(view);
    propose_if_due();
  }

  void forget_votes_before(Round view) {
    for (std::size_t i = state_.votes.size(); i > 0; --i) {
      if (state_.votes[i - 1].block.round() < view) state_.votes.erase_at(i - 1);
    }
  }

  void forget_waiting_before(Round view) {
    for (std::size_t i = state_.waiting.size(); i > 0; --i) {
      if (state_.waiting[i - 1].id.round() < view) state_.waiting.erase_at(i - 1);
    }
  }

  void propose_if_due() {
    if (!state_.proposal_is_due) return;
    if (state_.certificate.round().next() == pace_.view) return propose(state_.certificate, {});
    const IdentitySet senders = pace_.new_views.in_view(pace_.view);
    if (senders.size() < rules_.quorum) return;
    const QuorumCertificate highest = pace_.new_views.highest_in(pace_.view);
    if (!state_.tree.contains(highest.block)) return ask_for(highest.block, senders, pace_.view);
    AggregatedCertificate proof;
    for (const Report& report : pace_.new_views.reports()) {
      if (report.view == pace_.view) NIKA_REQUIRE(proof.push_back(report));
    }
    propose(highest, proof);
    pace_.settle(rules_.quorum, false);
  }

  void propose(QuorumCertificate certificate, const AggregatedCertificate& proof) {
    state_.proposal_is_due = false;
    const ValueId block = context_.fresh_block(pace_.view, certificate.block);
    if (block.is_genesis()) return out_.report_overflow();
    out_.note(EventKind::kProposed, pace_.view, block, certificate.block);
    out_.send(context_.everyone(), Proposal{block, certificate, proof});
  }

  void ask_for(ValueId block, IdentitySet sources, Round round) {
    out_.note(EventKind::kAskedForBlock, round, block);
    out_.send(sources, BlockRequest{round, block, state_.committed.id});
  }

  void restart_timer() { out_.set_timer(chain::Pacemaker::kViewTimer, pace_.timeout_ticks()); }

  State& state_;
  chain::Pacemaker& pace_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void FastHotStuff::start(State& state, const Context& context, Box& out) { Replica(state, context, out).start(); }

void FastHotStuff::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void FastHotStuff::expire(State& state, const Context& context, TimerId, Box& out) {
  Replica(state, context, out).expire();
}

Round FastHotStuff::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Proposal& m) const { return m.block.round(); }
    Round operator()(const Vote& m) const { return m.block.round(); }
    Round operator()(const NewView& m) const { return m.view; }
    Round operator()(const BlockRequest& m) const { return m.round; }
    Round operator()(const BlockResponse& m) const { return m.round; }
  };
  return std::visit(Visitor{}, message);
}

ValueId FastHotStuff::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Proposal& m) const { return m.block; }
    ValueId operator()(const Vote& m) const { return m.block; }
    ValueId operator()(const NewView& m) const { return m.certificate.block; }
    ValueId operator()(const BlockRequest& m) const { return m.wanted; }
    ValueId operator()(const BlockResponse& m) const { return m.wanted; }
  };
  return std::visit(Visitor{}, message);
}

}  // namespace nika::fast_hotstuff
