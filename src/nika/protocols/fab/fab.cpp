#include "nika/protocols/fab/fab.hpp"

#include <algorithm>

#include "nika/protocols/fab/progress.hpp"

namespace nika::fab {

static_assert(Protocol<Fab>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Fab::Message>;

constexpr Round kFirstView{1};
constexpr Height kOnlyHeight{1};

constexpr TimerId kViewTimer{0};
constexpr Ticks kViewTicks = 4;
// A moment in which reports of the last wave may still come, so that nothing depends on whose is handled first.
constexpr TimerId kReportTimer{1};
constexpr Ticks kReportTicks = 1;
// Likewise for who joins a later view.
constexpr TimerId kJoinTimer{2};
constexpr Ticks kJoinTicks = 1;

// One input to one replica: the state it changes and all that it needs to do so.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out) : state_(state), context_(context), out_(out) {}

  void start() { enter_view(kFirstView, Entry::kByProof); }

  void receive(Identity from, const Rep& message) {
    if (message.view < state_.view) return;
    state_.arrivals.add(from, message.view);
    if (context_.leads(message.view) && message.view >= state_.reports_view)
      collect(message.view, from, {message.accepted, message.proof});
    if (view_to_join() > state_.view) out_.set_timer(kJoinTimer, kJoinTicks);
    settle();
  }

  void receive(Identity from, const Propose& message) {
    const Round view = message.proposal.view;
    if (message.proposal.value.is_genesis()) return;  // nobody's value
    if (view < state_.view || !context_.leaders_of(view).contains(from) || !is_vouched_for(message)) return;
    if (view > state_.view) enter_view(view, Entry::kByProof);
    if (state_.accepted.view < view) accept(message.proposal);  // once in each view
  }

  void receive(Identity from, const Accepted& message) {
    Tally* tally = tally_of(message.vote);
    if (tally == nullptr) return;
    tally->accepted.insert(from);
    if (context_.is_quorum(tally->accepted) && state_.proof != message.vote) {
      state_.proof = message.vote;
      out_.note(EventKind::kCertified, state_.view, message.vote.value);
      out_.send(context_.everyone(), CommitProof{message.vote});
    }
    // The fast track: the votes of all n.
    if (tally->accepted.size() == context_.replica_count) learn(message.vote.value);
  }

  // The two-phase track: 2f+1 nodes have proofs, so one of any n-f reports to a later leader tells of it.
  void receive(Identity from, const CommitProof& message) {
    Tally* tally = tally_of(message.vote);
    if (tally == nullptr) return;
    tally->proofs.insert(from);
    if (context_.is_quorum(tally->proofs)) learn(message.vote.value);
  }

  void expire(TimerId timer) {
    if (timer == kReportTimer) {
      if (may_propose()) propose_vouched();
      return;
    }
    if (timer == kJoinTimer) {
      if (view_to_join() <= state_.view) return;
      enter_view(view_to_join(), Entry::kAlone);
      return settle();
    }
    out_.note(EventKind::kTimedOut, state_.view);
    if (state_.is_proven) return enter_view(state_.view.next(), Entry::kAlone);
    out_.set_timer(kViewTimer, kViewTicks);
    report(context_.everyone());
  }

 private:
  // FaB leaves to an election who leads when. As in PBFT (Castro and Liskov, section 4.5.2), who gave up on a view
  // alone tells everybody and waits in the next one until a quorum has come along: otherwise it would stay ahead for
  // ever. A proposal proves by its certificate that a quorum is there.
  enum class Entry : std::uint8_t { kAlone, kByProof };

  // f+1 acceptors in a later view: one of them is honest, and there is no use in staying behind.
  Round view_to_join() const { return state_.arrivals.entered_by(context_.fault_count + 1); }

  void settle() {
    if (state_.arrivals.entered_by(context_.quorum()) >= state_.view) state_.is_proven = true;
    if (state_.is_proven) state_.arrivals.forget_before(state_.view.next());
    if (may_propose()) out_.set_timer(kReportTimer, kReportTicks);
  }

  void enter_view(Round view, Entry entry) {
    state_.view = view;
    state_.is_proven = entry == Entry::kByProof;
    state_.arrivals.forget_before(state_.is_proven ? view.next() : view);
    state_.tallies.clear();
    if (state_.reports_view < view) forget_reports();
    out_.note(EventKind::kEnteredRound, view);
    out_.set_timer(kViewTimer, kViewTicks);
    out_.cancel_timer(kReportTimer);
    if (view == kFirstView) {
      if (context_.leads(view)) propose(context_.input());
      return;
    }
    if (context_.leads(view)) collect(view, context_.self, {state_.accepted, state_.proof});
    report(entry == Entry::kAlone ? context_.everyone() : context_.leaders_of(view));
  }
  void report(IdentitySet to) { out_.send(to, Rep{state_.accepted, state_.proof, state_.view}); }

  // A progress certificate holds the reports of n-f acceptors, those that came first. Reports for the same value that
  // come together count together, which may make it a little larger.
  void collect(Round view, Identity from, const Told& told) {
    if (view > state_.reports_view) forget_reports();
    state_.reports_view = view;
    std::uint8_t wave = 0;  // the leader's own report, even if it enters the view after others
    if (from != context_.self) {
      const Report last = state_.reports.empty() ? Report{} : state_.reports.back();
      const bool goes_on = last.wave > 0 && last.accepted.value == told.accepted.value;
      if (!goes_on && is_complete()) return;
      wave = static_cast<std::uint8_t>(goes_on ? last.wave : last.wave + 1);
    }
    if (!add_report(state_.reports, from, told, wave)) out_.report_overflow();
  }

  void forget_reports() {
    state_.reports.clear();
    state_.reports_view = {};
  }

  bool is_complete() const { return identities_in(state_.reports) >= context_.replica_count - context_.fault_count; }

  bool may_propose() const {
    return state_.reports_view == state_.view && state_.accepted.view < state_.view && is_complete();
  }

  void propose_vouched() {
    const Vouched vouched = vouched_by(state_.reports, context_.fault_count, rules_of(context_));
    state_.is_blocked = vouched.vouches == Vouches::kForNoValue;
    if (state_.is_blocked) return;
    propose(vouched.vouches == Vouches::kForAnyValue ? context_.input() : vouched.value);
  }

  void propose(ValueId value) {
    const Propose message{{value, state_.view}, state_.reports};
    out_.note(EventKind::kProposed, state_.view, value);
    out_.send(context_.everyone(), message);
    accept(message.proposal);
  }

  bool is_vouched_for(const Propose& message) const {
    if (message.proposal.view == kFirstView) return true;
    if (identities_in(message.reports) < context_.replica_count - context_.fault_count) return false;
    const Vouched vouched = vouched_by(message.reports, context_.fault_count, rules_of(context_));
    return vouched.vouches == Vouches::kForAnyValue ||
           (vouched.vouches == Vouches::kForOneValue && vouched.value == message.proposal.value);
  }

  void accept(const Vote& proposal) {
    state_.accepted = proposal;
    state_.is_blocked = false;
    forget_reports();
    out_.note(EventKind::kVoted, proposal.view, proposal.value);
    out_.send(context_.everyone(), Accepted{proposal});
  }

  void learn(ValueId value) {
    if (!state_.learned.is_genesis()) return;
    state_.learned = value;
    out_.commit(kOnlyHeight, value);
  }

  // The tally of a value of the current view, made if there is none; null if the vote is of another view.
  Tally* tally_of(const Vote& vote) {
    if (vote.view != state_.view) return nullptr;
    const auto find = [&] { return std::ranges::find(state_.tallies, vote.value, &Tally::value); };
    if (Tally* known = find(); known != state_.tallies.end()) return known;
    if (!state_.tallies.push_back({vote.value, {}, {}})) {
      out_.report_overflow();
      return nullptr;
    }
    std::ranges::sort(state_.tallies, {}, &Tally::value);
    return find();
  }

  State& state_;
  const Context& context_;
  Box& out_;
};

}  // namespace

void Fab::start(State& state, const Context& context, Box& out) { Replica(state, context, out).start(); }

void Fab::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void Fab::expire(State& state, const Context& context, TimerId timer, Box& out) {
  Replica(state, context, out).expire(timer);
}

Round Fab::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Rep& m) const { return m.view; }
    Round operator()(const Propose& m) const { return m.proposal.view; }
    Round operator()(const Accepted& m) const { return m.vote.view; }
    Round operator()(const CommitProof& m) const { return m.vote.view; }
  };
  return std::visit(Visitor{}, message);
}

ValueId Fab::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Rep& m) const { return m.accepted.value; }
    ValueId operator()(const Propose& m) const { return m.proposal.value; }
    ValueId operator()(const Accepted& m) const { return m.vote.value; }
    ValueId operator()(const CommitProof& m) const { return m.vote.value; }
  };
  return std::visit(Visitor{}, message);
}

std::string_view Fab::blocked(const State& state, const Context&) {
  return state.is_blocked ? "no valid proposal exists: two values are each bound by f+1 votes or a commit proof" : "";
}

}  // namespace nika::fab
