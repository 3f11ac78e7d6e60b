#include "nika/protocols/zyzzyva/zyzzyva.hpp"

#include "nika/protocols/zyzzyva/rules.hpp"
#include "nika/protocols/zyzzyva/view_change.hpp"

namespace nika::zyzzyva {

static_assert(Protocol<Zyzzyva>);
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) < 400);

namespace {

using Box = Outbox<Zyzzyva::Message>;

constexpr Round kFirstView{1};
// Requests wait for every primary, one after the other. A view in which they all complete ends as well: more requests
// wait than a primary orders, and the scenario says who leads next.
constexpr unsigned kRequestsPerView = 2;

constexpr TimerId kViewTimer{0};
constexpr Ticks kViewTicks = 4;
// A new primary waits a moment for more than 2f+1 reports. It uses all that come in that time, so that nothing depends
// on whose report is handled first.
constexpr TimerId kReportTimer{1};
constexpr Ticks kReportTicks = 1;
// The client's timer of section 3.2: how long it waits for all n answers before it makes do with 2f+1.
constexpr TimerId kResponseTimer{2};
constexpr Ticks kResponseTicks = 2;

// One input to one replica: the state it changes and all that it needs to do so.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out) : state_(state), context_(context), out_(out) {}

  void start() { enter_view(kFirstView); }

  void receive(Identity from, const ViewChange& message) {
    if (message.view < state_.view || message.view < state_.reports_view || !context_.leads(message.view)) return;
    collect(message.view, from, message.certificate, message.accepted);
    if (message.view > state_.view) {
      // f+1 reports are enough to know that an honest replica is in that view.
      if (identities_in(state_.reports) > context_.fault_count) enter_view(message.view);
      return;
    }
    if (may_start_view()) out_.set_timer(kReportTimer, kReportTicks);
  }

  void receive(Identity from, const NewView& message) {
    const Round view = message.history.view;
    if (view < state_.view || !context_.leaders_of(view).contains(from) || !is_valid(message)) return;
    if (view > state_.view) enter_view(view);
    if (state_.accepted.view == view) return;  // one NEW-VIEW in each view
    // Whatever was executed speculatively in earlier views and is not in this history is undone.
    accept(message.history);
  }

  void receive(Identity from, const OrderReq& message) {
    const History& history = message.history;
    if (history.view != state_.view || !context_.leaders_of(history.view).contains(from)) return;
    // Section 3.1: the next sequence number, on the same history. A request that would leave a hole is not accepted;
    // the next view brings what is missing.
    const bool has_started = state_.accepted.view == state_.view || state_.view == kFirstView;
    if (has_started && state_.accepted.with(history.tip()).in_view(state_.view) == history) accept(history);
  }

  void receive(Identity from, const SpecResponse& message) {
    if (!state_.is_primary || message.history != state_.accepted) return;
    state_.responses.insert(from);
    if (state_.responses.size() == context_.replica_count) return complete_fast();
    if (state_.responses.size() < context_.quorum()) return;
    if (state_.is_impatient) return certify();
    out_.set_timer(kResponseTimer, kResponseTicks);
  }

  void receive(Identity, const CommitCertificate& message) {
    keep_certificate(message.history);
    // Who has left the view must not acknowledge: its report to the next primary may be on its way without this
    // certificate.
    if (message.history == state_.certificate && message.history.view == state_.view)
      out_.send(context_.everyone(), LocalCommit{message.history});
  }

  void receive(Identity from, const LocalCommit& message) {
    if (message.history != state_.certificate || message.history.view != state_.view) return;
    state_.local_commits.insert(from);
    if (state_.local_commits.size() >= context_.quorum()) complete(message.history);
  }

  void expire(TimerId timer) {
    if (timer == kViewTimer) {
      out_.note(EventKind::kTimedOut, state_.view);
      enter_view(state_.view.next());
    } else if (timer == kReportTimer) {
      if (may_start_view()) start_view();
    } else {
      state_.is_impatient = true;
      certify();
    }
  }

 private:
  void enter_view(Round view) {
    state_.view = view;
    state_.responses = state_.local_commits = {};
    state_.ordered = 0;
    state_.is_primary = state_.is_impatient = false;
    if (state_.reports_view < view) forget_reports();
    out_.note(EventKind::kEnteredRound, view);
    out_.set_timer(kViewTimer, kViewTicks);
    out_.cancel_timer(kReportTimer);
    out_.cancel_timer(kResponseTimer);
    if (view == kFirstView) {
      if (context_.leads(view)) order_next();
      return;
    }
    if (context_.leads(view)) collect(view, context_.self, state_.certificate, state_.accepted);
    out_.send(context_.leaders_of(view), ViewChange{state_.certificate, state_.accepted, view});
  }

  void collect(Round view, Identity from, const History& certificate, const History& accepted) {
    if (view > state_.reports_view) forget_reports();
    state_.reports_view = view;
    if (!add_report(state_.reports, from, certificate, accepted)) out_.report_overflow();
  }

  void forget_reports() {
    state_.reports.clear();
    state_.reports_view = {};
  }

  bool may_start_view() const {
    return state_.reports_view == state_.view && state_.accepted.view < state_.view &&
           identities_in(state_.reports) >= context_.quorum();
  }

  void start_view() {
    const Selection selection = select(state_.reports, context_.fault_count, rules_of(context_));
    if (selection.needs_older) return out_.report_overflow();
    // An open request comes first; new ones follow when it is complete. Without one, the view starts with a new one.
    const bool is_open = selection.history.length > Height(0);
    const History history = is_open ? selection.history : selection.history.with(next_request());
    adopt(history.in_view(state_.view));
    out_.send(context_.everyone(), NewView{state_.accepted, state_.reports});
    forget_reports();
  }

  bool is_valid(const NewView& message) const {
    if (identities_in(message.reports) < context_.quorum()) return false;
    const Selection selection = select(message.reports, context_.fault_count, rules_of(context_));
    const History& history = message.history;
    if (selection.history.length == Height(0))
      return history.length == Height(1) && history.tip().round() == history.view;
    return selection.history.in_view(history.view) == history;
  }

  void order_next() {
    if (state_.ordered == kRequestsPerView || state_.accepted.length.number == kMaxHeight) return;
    adopt(state_.accepted.with(next_request()).in_view(state_.view));
    out_.send(context_.everyone(), OrderReq{state_.accepted});
  }

  ValueId next_request() {
    ++state_.ordered;
    return context_.fresh_value(state_.view);
  }

  // Section 3.1: the primary executes its own order first.
  void adopt(const History& history) {
    state_.accepted = history;
    state_.is_primary = true;
    state_.responses = IdentitySet::single(context_.self);
    out_.note(EventKind::kProposed, state_.view, history.tip(), history.before_tip());
  }

  // The speculative answer of a replica.
  void accept(const History& history) {
    state_.accepted = history;
    forget_reports();
    out_.note(EventKind::kVoted, history.view, history.tip(), history.before_tip());
    out_.send(context_.leaders_of(history.view), SpecResponse{history});
  }

  void keep_certificate(const History& history) {
    const History& known = state_.certificate;
    if (history.view < known.view || (history.view == known.view && history.length <= known.length)) return;
    state_.certificate = history;
    state_.local_commits = {};
    out_.note(EventKind::kCertified, history.view, history.tip(), history.before_tip());
  }

  // Section 3.2: between 2f+1 and 3f answers are a commit certificate, which must be acknowledged.
  void certify() {
    const int answers = state_.responses.size();
    if (!state_.is_primary || answers < context_.quorum() || answers == context_.replica_count) return;
    if (state_.certificate == state_.accepted) return;
    keep_certificate(state_.accepted);
    out_.send(context_.everyone(), CommitCertificate{state_.accepted});
  }

  // Section 3.1: with the same answer from all n the request is complete. Nobody else is told, but who has all n
  // answers has 2f+1 too.
  void complete_fast() {
    out_.cancel_timer(kResponseTimer);
    keep_certificate(state_.accepted);
    complete(state_.accepted);
  }

  // Requests before the window of the history were complete before this one was ordered.
  void complete(const History& history) {
    const unsigned first = std::max(state_.committed.number + 1U, history.first_known());
    for (unsigned slot = first; slot <= history.length.number; ++slot) out_.commit(Height(slot), history.at(slot));
    state_.committed = std::max(state_.committed, history.length);
    if (state_.is_primary && history == state_.accepted) order_next();
  }

  State& state_;
  const Context& context_;
  Box& out_;
};

// The history that a message is about; for a report, the sender's own.
const History& history_of(const Zyzzyva::Message& message) {
  struct Visitor {
    const History& operator()(const ViewChange& m) const { return m.accepted; }
    const History& operator()(const NewView& m) const { return m.history; }
    const History& operator()(const OrderReq& m) const { return m.history; }
    const History& operator()(const SpecResponse& m) const { return m.history; }
    const History& operator()(const CommitCertificate& m) const { return m.history; }
    const History& operator()(const LocalCommit& m) const { return m.history; }
  };
  return std::visit(Visitor{}, message);
}

}  // namespace

void Zyzzyva::start(State& state, const Context& context, Box& out) { Replica(state, context, out).start(); }

void Zyzzyva::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void Zyzzyva::expire(State& state, const Context& context, TimerId timer, Box& out) {
  Replica(state, context, out).expire(timer);
}

Round Zyzzyva::round_of(const Message& message) {
  if (const auto* view_change = std::get_if<ViewChange>(&message)) return view_change->view;
  return history_of(message).view;
}

ValueId Zyzzyva::subject_of(const Message& message) { return history_of(message).tip(); }

}  // namespace nika::zyzzyva
