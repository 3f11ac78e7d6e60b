#include "nika/protocols/linear_pbft/linear_pbft.hpp"

#include <algorithm>

namespace nika::linear_pbft {

static_assert(Protocol<LinearPbft>);
static_assert(Protocol<LinearPbftThirdPhase>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Message>;

enum class Entry : std::uint8_t { kByProof, kAlone };

constexpr TimerId kViewTimer{0};
constexpr TimerId kNewViewTimer{1};
// A view lasts longer than the wait of its leader. Timers do not grow: a network round lasts as long as it takes.
constexpr unsigned kViewDeltas = 2;
constexpr unsigned kMaxFetched = 16;  // decisions in answer to one request

// One input to one replica: the state it changes and all that it needs to do so. Quoted rules are of the Gemini paper,
// section 3.3.
class Replica {
 public:
  Replica(State& state, const Context& context, Repair repair, Box& out)
      : state_(state), pace_(state.pacemaker), context_(context), rules_(rules_of(context, repair)), out_(out) {}

  // There is nothing to be told of in view 1.
  void start() {
    enter(Round(1), Entry::kByProof);
    if (context_.leads(pace_.view)) propose();
  }

  // One in an earlier view has missed the help of that view's leader, so whoever is ahead gives it the decisions that
  // it lacks. Tendermint does so: peers say at each step where they are, and any peer sends the commits of heights that
  // they lack (consensus reactor, gossip votes routine). Otherwise a liar that leads every second view, decides there
  // with two replicas and keeps the third late for the views between starves that one for ever.
  void receive(Identity from, const NewView& message) {
    if (message.view < pace_.view) return send_decisions(from, message.view, message.height);
    pace_.new_views.add(from, message.view);
    if (context_.leads(message.view)) hear(from, message);
    const Round later = pace_.view_to_join(context_.fault_count);
    if (later > pace_.view) change_view(later, Entry::kAlone);
    go_on_as_leader();
    pace_.settle(rules_.quorum, leads_without_proposal());
  }

  // A leader proposes when a quorum has come to its view, and could prove it; so who lags behind follows.
  void receive(Identity from, const Proposal& proposal) {
    if (!context_.leaders_of(proposal.view).contains(from) || proposal.view < pace_.view) return;
    if (proposal.view > pace_.view) change_view(proposal.view, Entry::kByProof);
    if (proposal.height < state_.height()) return send_decisions(from, proposal.view, proposal.height);
    if (proposal.height > state_.height()) {
      state_.waiting.clear();
      (void)state_.waiting.push_back(proposal);
      return fetch(from, proposal.view);
    }
    consider(proposal);
  }

  void receive(Identity from, const Prepare& vote) { count(from, vote, Phase::kPrepare); }
  void receive(Identity from, const Lock& vote) { count(from, vote, Phase::kLock); }
  void receive(Identity from, const Commit& vote) { count(from, vote, Phase::kCommit); }

  // "A commit decision forms if 2f+1 nodes form a QC, and then 2f+1 nodes vote for the QC."
  // In two phases it binds who is still in its view, as in Tendermint (L36). Who has left the view has told the next
  // leader what it knows; if it learned more after that, a liar could show it an old certificate then, and the leader's
  // waiting would be in vain.
  void receive(Identity, const Prepared& certificate) {
    if (!reach(certificate) || (!rules_.has_third_phase && certificate.view < pace_.view)) return;
    learn({certificate.value, certificate.view, 0});
    if (rules_.has_third_phase) {
      vote(Phase::kLock, Lock{certificate});
    } else {
      vote(Phase::kCommit, Commit{certificate});
    }
  }

  void receive(Identity, const Locked& certificate) {
    if (!reach(certificate)) return;
    learn({certificate.value, certificate.view, 0});
    if (certificate.view > state_.lock.view) state_.lock = {certificate.value, certificate.view, 0};
    vote(Phase::kCommit, Commit{certificate});
  }

  // It ends the view for those too who are at another height and have no other use for it.
  void receive(Identity, const Decision& decision) {
    if (reach(decision)) decide(decision.value);
    if (decision.view < pace_.view) return;
    state_.latest = decision;
    change_view(pace_.view.next(), Entry::kByProof);
  }

  // A leader that had to fetch decisions could not make sense of the new-view message, so it comes again behind them.
  void receive(Identity from, const Fetch& request) {
    send_decisions(from, request.view, request.height);
    const bool leads = context_.leaders_of(request.view).contains(from);
    if (leads && request.view == pace_.view) send_new_view(IdentitySet::single(from));
  }

  void receive(Identity, const OldDecision& decision) {
    if (decision.height != state_.height()) return;
    decide(decision.value);
    const auto waiting = state_.waiting;
    if (waiting.empty() || waiting[0].height != state_.height()) return;
    state_.waiting.clear();
    consider(waiting[0]);
  }

  // One that is already ahead of the others only says again where it is.
  void expire(TimerId timer) {
    if (timer == kNewViewTimer) {
      state_.has_waited = true;
      go_on_as_leader();
      if (leads_without_proposal()) pass_on_decision();
      return;
    }
    out_.note(EventKind::kTimedOut, pace_.view);
    if (pace_.is_proven) return change_view(pace_.view.next(), Entry::kAlone);
    restart_timer();
    send_new_view(context_.everyone());
  }

 private:
  void enter(Round view, Entry entry) {
    pace_.enter(view, entry == Entry::kByProof);
    state_.voted = state_.certified = Phase::kNone;
    state_.has_proposed = false;
    state_.has_waited = !rules_.waits_for_new_views;
    state_.proposed = {};
    state_.votes = state_.asked = {};
    state_.waiting.clear();
    out_.note(EventKind::kEnteredRound, view);
    out_.cancel_timer(kNewViewTimer);
    restart_timer();
  }

  // A leader has told itself.
  void change_view(Round view, Entry entry) {
    enter(view, entry);
    send_new_view(entry == Entry::kAlone ? context_.everyone() : context_.leaders_of(view));
    if (!context_.leads(view)) return;
    pace_.new_views.tell(context_.self, view);
    out_.set_timer(kNewViewTimer, context_.delta_ticks);
    go_on_as_leader();
  }

  void send_new_view(IdentitySet to) { out_.send(to, NewView{state_.highest, pace_.view, state_.height()}); }
  void restart_timer() { out_.set_timer(kViewTimer, static_cast<Ticks>(kViewDeltas * context_.delta_ticks)); }

  bool leads_without_proposal() const { return context_.leads(pace_.view) && !state_.has_proposed; }

  // A leader that has proposed has no use for more of them; it only helps those who lag behind.
  void hear(Identity from, const NewView& message) {
    if (message.height > state_.height()) return fetch(from, message.view);
    if (message.height < state_.height()) send_decisions(from, message.view, message.height);
    if (message.view == pace_.view && state_.has_proposed) return;
    if (message.height == state_.height()) learn(message.highest);
    pace_.new_views.tell(from, message.view);
  }

  // Nobody is asked twice for the same: the answers may be what is lost.
  void fetch(Identity from, Round view) {
    if (state_.asked.contains(from)) return;
    state_.asked.insert(from);
    out_.send(IdentitySet::single(from), Fetch{view, state_.height()});
  }

  // "A leader proposes to extend the highest quorum certificate it knows." It acts on 2f+1 new-view messages: on the
  // first ones if it is responsive, else after Δ, when it has heard all honest replicas, or when it has heard
  // everybody.
  void go_on_as_leader() {
    if (!leads_without_proposal()) return;
    const IdentitySet told = pace_.new_views.told_in(pace_.view);
    if (told == context_.everyone() || (state_.has_waited && told.size() >= rules_.quorum)) propose();
  }

  // The decision by which a leader came to its view may have come to too few others. It proves the view, so a leader
  // that waited in vain shows it to them, and they follow. Otherwise a liar could make every turn of an honest leader
  // fail. In Tendermint the network does it: what one correct process receives, all do ("gossip communication").
  void pass_on_decision() {
    if (state_.latest.view.next() == pace_.view) out_.send(context_.everyone(), Decision{state_.latest});
  }

  void propose() {
    state_.has_proposed = true;
    out_.cancel_timer(kNewViewTimer);
    const bool is_new = state_.highest.view == Round(0);
    state_.proposed = is_new ? context_.fresh_value(pace_.view) : state_.highest.value;
    out_.note(EventKind::kProposed, pace_.view, state_.proposed);
    out_.send(context_.everyone(), Proposal{state_.proposed, state_.highest, pace_.view, state_.height()});
  }

  void consider(const Proposal& proposal) {
    if (!is_allowed(proposal)) return;
    learn(proposal.highest);
    vote(Phase::kPrepare, Prepare{{proposal.value, proposal.view, proposal.height}});
  }

  // "Nodes vote on the leader proposal if it extends the highest QC they know." With a third phase: the highest lock.
  // The value of that certificate extends it, whatever the leader knows.
  bool is_allowed(const Proposal& proposal) const {
    const Certificate& known = rules_.has_third_phase ? state_.lock : state_.highest;
    const bool follows = proposal.highest.view == Round(0) || proposal.highest.value == proposal.value;
    if (proposal.value.is_genesis()) return false;  // nobody's value
    return follows && (proposal.highest.view >= known.view || proposal.value == known.value);
  }

  // A replica votes once in each phase of a view, and never in an earlier phase than before.
  template <class Ballot>
  void vote(Phase phase, const Ballot& ballot) {
    if (ballot.view != pace_.view || phase <= state_.voted) return;
    state_.voted = phase;
    out_.note(phase == Phase::kPrepare ? EventKind::kVoted : EventKind::kCertified, ballot.view, ballot.value);
    out_.send(context_.leaders_of(ballot.view), ballot);
  }

  // A leader counts the votes for its own proposal, phase by phase, and tells everybody of a quorum.
  void count(Identity from, const Subject& vote, Phase phase) {
    const bool is_mine = state_.has_proposed && vote == Subject{state_.proposed, pace_.view, state_.height()};
    if (!is_mine || phase != next_phase()) return;
    state_.votes.insert(from);
    if (state_.votes.size() < rules_.quorum) return;
    state_.votes = {};
    state_.certified = phase;
    if (phase == Phase::kPrepare) out_.send(context_.everyone(), Prepared{vote});
    if (phase == Phase::kLock) out_.send(context_.everyone(), Locked{vote});
    if (phase == Phase::kCommit) out_.send(context_.everyone(), Decision{vote});
  }

  Phase next_phase() const {
    if (state_.certified == Phase::kNone) return Phase::kPrepare;
    if (state_.certified == Phase::kPrepare && rules_.has_third_phase) return Phase::kLock;
    return state_.certified == Phase::kCommit ? Phase::kNone : Phase::kCommit;
  }

  // A certificate proves itself, and that a quorum has come to its view, whoever sends it and however late. False if it
  // is of another height.
  bool reach(const Subject& certificate) {
    if (certificate.view > pace_.view) change_view(certificate.view, Entry::kByProof);
    return certificate.height == state_.height();
  }

  void learn(const Certificate& certificate) {
    if (certificate.view > state_.highest.view) state_.highest = certificate;
  }

  void decide(ValueId value) {
    out_.commit(state_.height(), value);
    if (!state_.decided.push_back(value)) return out_.report_overflow();
    state_.highest = state_.lock = {};
    state_.asked = {};
  }

  void send_decisions(Identity to, Round view, Height from) {
    for (unsigned h = from.number; h < state_.height().number && h < from.number + kMaxFetched; ++h) {
      if (h > 0) out_.send(IdentitySet::single(to), OldDecision{{state_.decided[h - 1], view, Height(h)}});
    }
  }

  State& state_;
  chain::PacemakerWith<chain::Arrivals>& pace_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void start(State& state, const Context& context, Repair repair, Box& out) {
  Replica(state, context, repair, out).start();
}

void receive(State& state, const Context& context, Repair repair, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, repair, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void expire(State& state, const Context& context, Repair repair, TimerId timer, Box& out) {
  Replica(state, context, repair, out).expire(timer);
}

Round round_of(const Message& message) {
  return std::visit([](const auto& m) { return m.view; }, message);
}

ValueId subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const NewView& m) const { return m.highest.value; }
    ValueId operator()(const Proposal& m) const { return m.value; }
    ValueId operator()(const Fetch&) const { return kGenesis; }
    ValueId operator()(const Subject& m) const { return m.value; }
  };
  return std::visit(Visitor{}, message);
}

}  // namespace nika::linear_pbft
