#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

#include <algorithm>
#include <utility>

#include "nika/protocols/sync_hotstuff/rules.hpp"

namespace nika::sync_hotstuff {

static_assert(Protocol<SyncHotStuff>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<SyncHotStuff::Message>;

constexpr TimerId kBlameTimer{0};       // the leader is silent
constexpr TimerId kViewChangeTimer{1};  // Δ after quitting a view
constexpr TimerId kProposeTimer{2};     // a leader waits for status messages, or for the pace of its proposals
constexpr unsigned kFirstCommitTimer = 3;

// One input to one replica: the state it changes and all that it needs to do so. Figures are those of the paper.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out)
      : state_(state), context_(context), rules_(rules_of(context)), out_(out) {}

  // Everybody is in view 1 from the start and knows all there is, so its leader need not wait.
  void start() {
    state_.view = Round(1);
    state_.highest.view = state_.lock.view = Round(1);
    state_.may_propose = true;
    out_.set_timer(kBlameTimer, rules_.next_proposal_ticks);
    propose_if_ready();
  }

  void receive(Identity, const Proposal& proposal) {
    const bool is_signed = context_.leaders_of(proposal.view()).contains(proposal.leader);
    if (!is_signed || proposal.certificate.block.height.next() != proposal.block.height) return;
    if (!state_.chains.contains(proposal.block)) wait(proposal);
    consider_waiting();
  }

  // A vote that cannot lead to a higher certificate is of no use. One of a view before the last comes too late to
  // matter: what was committed there, every honest replica held certified before it left that view.
  void receive(Identity from, const Vote& vote) {
    const Certificate wanted{vote.block, vote.view, 0};
    if (!outranks(wanted, state_.highest) || vote.view.next() < state_.view) return;
    const auto same = [&](const Tally& t) { return t.block == vote.block && t.view == vote.view; };
    auto* tally = std::ranges::find_if(state_.tallies, same);
    if (tally == state_.tallies.end()) {
      if (!state_.tallies.push_back({vote.block, {}, vote.view, 0})) return out_.report_overflow();
      tally = &state_.tallies.back();
    }
    tally->voters.insert(from);
    if (tally->voters.size() < rules_.quorum) return;
    out_.note(EventKind::kCertified, vote.view, vote.block.value);
    learn(wanted);
    propose_if_ready();
  }

  void receive(Identity from, const Blame& blame) {
    if (blame.view == state_.view.next()) state_.next_blames.insert(from);
    if (blame.view != state_.view) return;
    state_.blames.insert(from);
    quit_if_blamed();
  }

  void receive(Identity, const BlameCertificate& certificate) {
    if (certificate.view < state_.view) return;
    if (certificate.view > state_.view) enter_view(certificate.view);
    quit();
  }

  void receive(Identity, const Status& status) {
    learn(status.certificate);
    propose_if_ready();
  }

  void receive(Identity, const NewView& message) {
    if (!context_.leaders_of(message.view).contains(message.leader)) return;
    if (message.view == state_.view) return consider(message);
    if (message.view < state_.view) return;
    if (std::ranges::find(state_.waiting_new_views, message) != state_.waiting_new_views.end()) return;
    if (!state_.waiting_new_views.push_back(message)) out_.report_overflow();
  }

  void expire(TimerId timer) {
    if (timer == kBlameTimer) return blame();
    if (timer == kViewChangeTimer) return change_view();
    if (timer == kProposeTimer) {
      state_.may_propose = true;
      return open_view_or_propose();
    }
    commit_oldest();
  }

 private:
  void wait(const Proposal& proposal) {
    for (Waiting& chain : state_.waiting) {
      if (chain.first.block.value != proposal.block.value) continue;
      if (chain.first.block.height <= proposal.block.height && proposal.block.height <= chain.last) return;
      if (chain.last.next() != proposal.block.height) continue;
      chain.last = proposal.block.height;
      return;
    }
    if (!state_.waiting.push_back({proposal, proposal.block.height, 0})) out_.report_overflow();
  }

  // Figure 1, step 2: what can be done with the proposals that are there. One may make the parent of another known.
  void consider_waiting() {
    for (std::size_t i = 0; i < state_.waiting.size();) {
      const Proposal proposal = state_.waiting[i].first;
      if (proposal.view() > state_.view || !state_.chains.contains(proposal.certificate.block)) {
        ++i;
        continue;
      }
      if (state_.waiting[i].last == proposal.block.height) {
        state_.waiting.erase_at(i);
      } else {
        const BlockName next{proposal.block.value, proposal.block.height.next(), 0};
        state_.waiting[i].first = {next, {proposal.block, proposal.view(), 0}, proposal.leader, 0};
      }
      if (!state_.chains.contains(proposal.block)) consider(proposal);
      i = 0;
    }
  }

  void consider(const Proposal& proposal) {
    const bool has_rival = state_.chains.has_rival(proposal.block);
    if (!state_.chains.insert(proposal.block, proposal.certificate.block)) return out_.report_overflow();
    learn(proposal.certificate);
    if (proposal.view() == state_.view && !state_.has_quit) {
      // Who votes passes the proposal on. To pass on what is not voted for as well shows equivocation to everybody.
      if (context_.self != proposal.leader) out_.send(context_.everyone(), proposal);
      if (has_rival) {
        blame_equivocation();
      } else if (may_vote_for(proposal)) {
        vote_for(proposal);
      }
    }
    propose_if_ready();
  }

  // Figure 1, step 2: it extends the highest certified block. In the published version the certificate for its parent
  // is of this view.
  bool may_vote_for(const Proposal& proposal) const {
    if (state_.saw_equivocation) return false;
    if (rules_.certifies_anew && proposal.certificate.view != state_.view) return false;
    return state_.chains.extends_or_equals(proposal.block, state_.highest.block);
  }

  void vote_for(const Proposal& proposal) {
    out_.note(EventKind::kVoted, state_.view, proposal.block.value, proposal.certificate.block.value);
    out_.send(context_.everyone(), Vote{proposal.block, state_.view});
    if (!state_.has_blamed) out_.set_timer(kBlameTimer, rules_.next_proposal_ticks);
    // All commit timers run for 2Δ, so they expire in the order in which they started.
    const std::size_t slot = (state_.first_commit_timer + state_.committing.size()) % State::kMaxCommitTimers;
    if (!state_.committing.push_back(proposal.block)) return out_.report_overflow();
    out_.set_timer(commit_timer(slot), static_cast<Ticks>(2 * context_.delta_ticks));
  }

  // Figure 1, step 3: 2Δ after the vote, unless the view was quit or its leader equivocated meanwhile.
  void commit_oldest() {
    const BlockName block = state_.committing[0];
    state_.committing.erase_at(0);
    state_.first_commit_timer = static_cast<std::uint8_t>(
        state_.committing.empty() ? 0 : (state_.first_commit_timer + 1) % State::kMaxCommitTimers);
    if (!state_.chains.extends_or_equals(state_.committed, block)) commit(block);
  }

  void commit(BlockName block) {
    std::array<BlockName, kMaxHeight + 1> path;
    std::size_t length = 0;
    for (BlockName at = block; at != state_.committed && !at.is_genesis(); at = state_.chains.parent_of(at)) {
      path[length++] = at;
    }
    for (std::size_t i = length; i > 0; --i) out_.commit(path[i - 1].height, path[i - 1].value);
    state_.committed = block;
  }

  void cancel_commits() {
    for (std::size_t i = 0; i < state_.committing.size(); ++i) {
      out_.cancel_timer(commit_timer((state_.first_commit_timer + i) % State::kMaxCommitTimers));
    }
    state_.committing.clear();
    state_.first_commit_timer = 0;
  }

  static TimerId commit_timer(std::size_t slot) { return static_cast<TimerId>(kFirstCommitTimer + slot); }

  // Figure 2, step 1.
  void blame() {
    if (state_.has_blamed) return;
    state_.has_blamed = true;
    out_.note(EventKind::kTimedOut, state_.view);
    out_.send(context_.everyone(), Blame{state_.view});
  }

  // Everybody gets both proposals within Δ and blames too.
  void blame_equivocation() {
    state_.saw_equivocation = true;
    cancel_commits();
    out_.cancel_timer(kBlameTimer);
    blame();
  }

  void quit_if_blamed() {
    if (state_.blames.size() >= rules_.quorum) quit();
  }

  // Figure 2, step 1: pass the blames on, stop voting, do not commit any more in this view.
  void quit() {
    if (state_.has_quit) return;
    state_.has_quit = true;
    out_.note(EventKind::kTimeoutCertified, state_.view);
    out_.send(context_.everyone(), BlameCertificate{state_.view});
    cancel_commits();
    out_.cancel_timer(kBlameTimer);
    out_.cancel_timer(kProposeTimer);
    out_.set_timer(kViewChangeTimer, context_.delta_ticks);
  }

  // Figure 2, step 2: by now every honest replica has quit the old view, too.
  void change_view() {
    enter_view(state_.view.next());
    out_.send(context_.leaders_of(state_.view), Status{state_.highest, state_.view});
    out_.set_timer(kBlameTimer, rules_.first_proposal_ticks);
    if (context_.leads(state_.view)) out_.set_timer(kProposeTimer, rules_.status_ticks);
    const auto new_views = std::exchange(state_.waiting_new_views, {});
    for (const NewView& message : new_views) {
      if (message.view == state_.view) consider(message);
      if (message.view > state_.view && !state_.waiting_new_views.push_back(message)) out_.report_overflow();
    }
    consider_waiting();
    quit_if_blamed();
  }

  void enter_view(Round view) {
    state_.blames = view == state_.view.next() ? state_.next_blames : IdentitySet{};
    state_.next_blames = {};
    state_.view = view;
    state_.has_quit = state_.has_blamed = state_.saw_equivocation = state_.may_propose = false;
    state_.new_view = {};
    state_.proposed = {};
    state_.lock = state_.highest;
    forget_tallies([&](const Tally& tally) { return tally.view.next() < view; });
    cancel_commits();
    out_.note(EventKind::kEnteredRound, view);
  }

  // Figure 2, step 3, in the published version; the early one has its leader propose at once.
  void open_view_or_propose() {
    const bool opens = rules_.certifies_anew && state_.highest.view != state_.view;
    if (!opens) return propose_if_ready();
    out_.send(context_.everyone(), NewView{state_.highest, state_.view, context_.self});
  }

  // Figure 2, step 4: the first vote of a view. Two different new-view messages are an equivocation.
  void consider(const NewView& message) {
    if (state_.has_quit || state_.saw_equivocation || message.certificate == state_.new_view) return;
    if (context_.self != message.leader) out_.send(context_.everyone(), message);
    if (state_.new_view.view != Round(0)) return blame_equivocation();
    state_.new_view = message.certificate;
    const bool ranks_too_low = outranks(state_.lock, message.certificate);
    learn(message.certificate);
    if (ranks_too_low) return;
    out_.note(EventKind::kVoted, state_.view, message.certificate.block.value);
    out_.send(context_.everyone(), Vote{message.certificate.block, state_.view});
  }

  // Figure 1, step 1: a leader extends the highest certified block; after its first proposal that is its own last one.
  // It proposes no faster than a certificate can take, so that time passes even where messages take none.
  void propose_if_ready() {
    if (!state_.may_propose || state_.has_quit || state_.saw_equivocation || !context_.leads(state_.view)) return;
    const BlockName parent = state_.highest.block;
    if (rules_.certifies_anew && state_.highest.view != state_.view) return;
    if (!state_.proposed.is_genesis() && parent != state_.proposed) return;
    if (!state_.chains.contains(parent)) return;
    if (parent.height == Height(kMaxHeight)) return out_.report_overflow();
    state_.may_propose = false;
    state_.proposed = {context_.fresh_value(state_.view), parent.height.next(), 0};
    out_.note(EventKind::kProposed, state_.view, state_.proposed.value, parent.value);
    out_.send(context_.everyone(), Proposal{state_.proposed, state_.highest, context_.self, 0});
    out_.set_timer(kProposeTimer, static_cast<Ticks>(2 * context_.delta_ticks));
  }

  // Published: by view, then by height. Early: by height alone.
  bool outranks(const Certificate& one, const Certificate& other) const {
    if (rules_.ranks_by_view && one.view != other.view) return one.view > other.view;
    return one.block.height > other.block.height;
  }

  void learn(const Certificate& certificate) {
    if (!outranks(certificate, state_.highest)) return;
    state_.highest = certificate;
    forget_tallies([&](const Tally& tally) { return !outranks({tally.block, tally.view, 0}, certificate); });
  }

  template <class Condition>
  void forget_tallies(const Condition& is_useless) {
    for (std::size_t i = state_.tallies.size(); i > 0; --i) {
      if (is_useless(state_.tallies[i - 1])) state_.tallies.erase_at(i - 1);
    }
  }

  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void SyncHotStuff::start(State& state, const Context& context, Box& out) { Replica(state, context, out).start(); }

void SyncHotStuff::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void SyncHotStuff::expire(State& state, const Context& context, TimerId timer, Box& out) {
  Replica(state, context, out).expire(timer);
}

Round SyncHotStuff::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Proposal& m) const { return m.view(); }
    Round operator()(const Vote& m) const { return m.view; }
    Round operator()(const Blame& m) const { return m.view; }
    Round operator()(const BlameCertificate& m) const { return m.view; }
    Round operator()(const Status& m) const { return m.view; }
    Round operator()(const NewView& m) const { return m.view; }
  };
  return std::visit(Visitor{}, message);
}

ValueId SyncHotStuff::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Proposal& m) const { return m.block.value; }
    ValueId operator()(const Vote& m) const { return m.block.value; }
    ValueId operator()(const Blame&) const { return kGenesis; }
    ValueId operator()(const BlameCertificate&) const { return kGenesis; }
    ValueId operator()(const Status& m) const { return m.certificate.block.value; }
    ValueId operator()(const NewView& m) const { return m.certificate.block.value; }
  };
  return std::visit(Visitor{}, message);
}

Progress SyncHotStuff::progress(const State& state, const Context& context) {
  const auto held = [](BlockName block) { return Held{block.value, block.height}; };
  const Certificate& lock = rules_of(context).certifies_anew ? state.lock : state.highest;
  return {held(state.highest.block), held(lock.block), held(state.committed)};
}

}  // namespace nika::sync_hotstuff
