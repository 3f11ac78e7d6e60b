#include "nika/protocols/hotstuff/hotstuff.hpp"

#include <algorithm>

#include "nika/protocols/chain/branch.hpp"

namespace nika::hotstuff {

static_assert(Protocol<HotStuff> && Protocol<TwoPhaseHotStuff>);
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) < 400);

namespace {

using Box = Outbox<Message>;

enum class Entry : std::uint8_t { kByProof, kAlone };

// One input to one replica: the state it changes and all that it needs to do so.
template <int kPhases>
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out)
      : state_(state), pace_(state.pacemaker), context_(context), out_(out) {}

  void start() {
    enter_view(Round(1), Entry::kByProof);
    send_new_view(context_.leaders_of(Round(1)));
  }

  void receive(Identity from, const NewView& message) {
    if (message.view < pace_.view) return;
    const auto reported = context_.leads(message.view) ? std::optional(message.certificate) : std::nullopt;
    if (!pace_.new_views.add(from, message.view, reported)) return out_.report_overflow();
    const Round later = pace_.view_to_join(context_.fault_count);
    if (later > pace_.view) {
      enter_view(later, Entry::kAlone);
      send_new_view(context_.everyone());
    }
    propose_if_due();
    pace_.settle(context_.quorum(), is_due());
  }

  // A leader proposes when it has n - f NEW-VIEW messages of the view, and could show them; so who lags behind follows.
  // The paper leaves this to the pacemaker ("nextView interrupt"). Without it a liar that keeps its decisions from one
  // replica keeps that replica a view behind, and the next leader is one vote short for ever.
  void receive(Identity from, const Prepare& message) {
    const Round view = message.block.round();
    if (view < pace_.view || !context_.leaders_of(view).contains(from)) return;
    if (view > pace_.view) enter_view(view, Entry::kByProof);
    if (state_.voted != Phase::kNone) return;
    handle({message.block, message.justify.block, Phase::kPrepare}, from);
  }

  template <class Later>
    requires requires { Later::certificate; }
  void receive(Identity from, const Later& message) {
    const Round view = message.certificate.round();
    const bool is_decision = Later::kPhase == Phase::kDecide;  // which may also be passed on by somebody else
    if (!is_decision && (view < pace_.view || !context_.leaders_of(view).contains(from))) return;
    if (view > pace_.view) enter_view(view, Entry::kByProof);
    handle({message.certificate.block, message.certificate.block, Later::kPhase}, from);
    if (is_decision && view == pace_.view) begin_next_view();
  }

  template <class Vote>
    requires requires { Vote::block; }
  void receive(Identity from, const Vote& vote) {
    if (state_.proposed.is_genesis() || vote.block != state_.proposed || Vote::kPhase != state_.collecting) return;
    state_.voters.insert(from);
    if (context_.is_quorum(state_.voters)) conclude_phase();
  }

  void receive(Identity from, const BlockRequest& request) {
    if (state_.tree.contains(request.wanted)) {
      out_.send(IdentitySet::single(from), chain::answer(state_.tree, request));
    }
  }

  void receive(Identity /*from*/, const BlockResponse& response) {
    const bool learned = chain::learn(state_.tree, state_.committed, response, out_);
    if (!learned || !state_.tree.contains(response.wanted)) return;
    handle_waiting();
    propose_if_due();
  }

  // "nextView interrupt". One that is already ahead of the others only says again where it is.
  void expire() {
    out_.note(EventKind::kTimedOut, pace_.view);
    pace_.fail();
    pass_on_decision();
    if (pace_.is_proven) {
      enter_view(pace_.view.next(), Entry::kAlone);
    } else {
      restart_timer();
    }
    // The leader needs it for the prepare phase; everybody else hears it for the pacemaker's sake.
    send_new_view(context_.everyone());
  }

 private:
  void send_new_view(IdentitySet to) { out_.send(to, NewView{state_.prepared, pace_.view}); }

  bool is_due() const { return state_.proposed.is_genesis() && context_.leads(pace_.view); }

  // Prepare phase, as a leader: act on the first n - f NEW-VIEW messages.
  void propose_if_due() {
    if (!is_due()) return;
    const IdentitySet senders = pace_.new_views.in_view(pace_.view);
    if (!context_.is_quorum(senders)) return;
    const QuorumCertificate highest = pace_.new_views.highest_in(pace_.view);
    if (!state_.tree.contains(highest.block)) return ask_for(highest.block, senders, pace_.view);
    state_.proposed = context_.fresh_block(pace_.view, highest.block);
    if (state_.proposed.is_genesis()) return out_.report_overflow();
    state_.collecting = Phase::kPrepare;
    out_.note(EventKind::kProposed, pace_.view, state_.proposed, highest.block);
    out_.send(context_.everyone(), Prepare{state_.proposed, highest});
    pace_.settle(context_.quorum(), false);
  }

  // As a leader: n - f votes make the certificate of the phase, with which the next phase begins.
  void conclude_phase() {
    const QuorumCertificate certificate{state_.proposed};
    out_.note(EventKind::kCertified, certificate.round(), certificate.block);
    state_.voters = {};
    if (state_.collecting == Phase::kPrepare && kPhases == 3) {
      state_.collecting = Phase::kPreCommit;
      out_.send(context_.everyone(), PreCommit{certificate});
    } else if (state_.collecting != Phase::kCommit) {
      state_.collecting = Phase::kCommit;
      out_.send(context_.everyone(), hotstuff::Commit{certificate});
    } else {
      state_.collecting = Phase::kDecide;
      out_.send(context_.everyone(), Decide{certificate});
    }
  }

  void handle(const Waiting& message, Identity from) {
    if (state_.tree.contains(message.missing)) return handle(message);
    keep_waiting(message);
    ask_for(message.missing, IdentitySet::single(from), message.block.round());
  }

  // Decisions may pile up while the blocks they are for cannot be fetched. The oldest gives way when there is no more
  // room: the branch of a later one holds it.
  void keep_waiting(const Waiting& message) {
    auto& waiting = state_.waiting;
    if (std::ranges::find(waiting, message) != waiting.end()) return;
    const auto* oldest = std::ranges::find(waiting, Phase::kDecide, &Waiting::phase);
    const bool is_full = waiting.size() == waiting.capacity();
    if (is_full && oldest != waiting.end()) waiting.erase_at(static_cast<std::size_t>(oldest - waiting.begin()));
    if (!waiting.push_back(message)) out_.report_overflow();
  }

  void handle(const Waiting& message) {
    const QuorumCertificate certificate{message.block};
    switch (message.phase) {
      case Phase::kPrepare:
        chain::insert(state_.tree, state_.committed, {message.block, message.missing}, out_);
        if (is_safe({message.missing})) vote(PrepareVote{message.block});
        break;
      case Phase::kPreCommit:
        state_.prepared = certificate;
        vote(PreCommitVote{message.block});
        break;
      case Phase::kCommit:
        if (kPhases == 2) state_.prepared = certificate;
        state_.locked = certificate;
        vote(CommitVote{message.block});
        break;
      default: decide(certificate);
    }
  }

  // "safeNode": the block extends the locked one, or a later certificate shows that the lock is out of date.
  bool is_safe(QuorumCertificate justify) const {
    if (context_.bugs != 0) return true;  // "no-lock", the only one: the lock is ignored
    return state_.tree.is_ancestor_or_equal(state_.locked.block, justify.block) ||
           justify.round() > state_.locked.round();
  }

  template <class Vote>
  void vote(const Vote& vote) {
    if (vote.block.round() != pace_.view || state_.voted >= Vote::kPhase) return;
    state_.voted = Vote::kPhase;
    if (Vote::kPhase == Phase::kPrepare) {
      out_.note(EventKind::kVoted, pace_.view, vote.block, state_.tree.parent_of(vote.block));
    }
    out_.send(context_.leaders_of(pace_.view), vote);
  }

  // Decide phase: commits the branch up to the block.
  void decide(QuorumCertificate certificate) {
    if (state_.tree.is_ancestor_or_equal(certificate.block, state_.committed.id)) return;
    chain::commit(state_.tree, state_.committed, certificate.block, out_);
  }

  // A decision ends its view, also for a replica that must still fetch what was decided.
  void begin_next_view() {
    pace_.failed_views = 0;
    enter_view(pace_.view.next(), Entry::kByProof);
    send_new_view(context_.leaders_of(pace_.view));
  }

  // Who came to its view by a decision may be the only one that heard of it. A liar that decides with one replica alone
  // would keep it a view ahead of the others for ever; so, if the view fails, they get the certificate too.
  void pass_on_decision() {
    const auto led_here = [&](ValueId block) { return !block.is_genesis() && block.round().next() == pace_.view; };
    ValueId decided = state_.committed.id;
    for (const Waiting& message : state_.waiting) {
      if (message.phase == Phase::kDecide && led_here(message.block)) decided = message.block;
    }
    if (led_here(decided)) out_.send(context_.everyone(), Decide{{decided}});
  }

  void handle_waiting() {
    for (std::size_t i = 0; i < state_.waiting.size();) {
      const Waiting message = state_.waiting[i];
      if (!state_.tree.contains(message.missing)) {
        ++i;
        continue;
      }
      state_.waiting.erase_at(i);
      const bool in_time = message.block.round() == pace_.view || message.phase == Phase::kDecide;
      if (in_time) handle(message);
      i = 0;  // handling may have entered a view and forgotten others
    }
  }

  void enter_view(Round view, Entry entry) {
    pace_.enter(view, entry == Entry::kByProof);
    for (std::size_t i = state_.waiting.size(); i > 0; --i) {
      const Waiting& message = state_.waiting[i - 1];
      if (message.block.round() < view && message.phase != Phase::kDecide) state_.waiting.erase_at(i - 1);
    }
    state_.proposed = {};
    state_.voters = {};
    state_.collecting = state_.voted = Phase::kNone;
    out_.note(EventKind::kEnteredRound, view);
    restart_timer();
    if (!context_.leads(view)) return;
    // A leader needs no network to hear itself: its own NEW-VIEW is always among the first.
    if (!pace_.new_views.add(context_.self, view, state_.prepared)) return out_.report_overflow();
    propose_if_due();
  }

  void ask_for(ValueId block, IdentitySet sources, Round round) {
    out_.note(EventKind::kAskedForBlock, round, block);
    out_.send(sources, BlockRequest{round, block, state_.committed.id});
  }

  void restart_timer() { out_.set_timer(chain::Pacemaker::kViewTimer, pace_.timeout_ticks()); }

  State& state_;
  chain::Pacemaker& pace_;
  const Context& context_;
  Box& out_;
};

}  // namespace

template <int kPhases>
void Family<kPhases>::start(State& state, const Context& context, Box& out) {
  Replica<kPhases>(state, context, out).start();
}

template <int kPhases>
void Family<kPhases>::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica<kPhases> replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

template <int kPhases>
void Family<kPhases>::expire(State& state, const Context& context, TimerId, Box& out) {
  Replica<kPhases>(state, context, out).expire();
}

template <int kPhases>
ValueId Family<kPhases>::subject_of(const Message& message) {
  const auto subject = [](const auto& m) {
    if constexpr (requires { m.block; }) {
      return m.block;
    } else if constexpr (requires { m.certificate; }) {
      return m.certificate.block;
    } else {
      return m.wanted;
    }
  };
  return std::visit(subject, message);
}

template <int kPhases>
Round Family<kPhases>::round_of(const Message& message) {
  const auto round = [](const auto& m) {
    if constexpr (requires { m.block; }) {
      return m.block.round();
    } else if constexpr (requires { m.view; }) {
      return m.view;
    } else if constexpr (requires { m.certificate; }) {
      return m.certificate.round();
    } else {
      return m.round;
    }
  };
  return std::visit(round, message);
}

template struct Family<2>;
template struct Family<3>;

}  // namespace nika::hotstuff
