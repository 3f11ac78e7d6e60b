#include "nika/protocols/zyzzyva/zyzzyva.hpp"

#include "nika/protocols/zyzzyva/client.hpp"
#include "nika/protocols/zyzzyva/rules.hpp"
#include "nika/protocols/zyzzyva/view_change.hpp"

namespace nika::zyzzyva {

static_assert(Protocol<Zyzzyva>);
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) < 1250);

namespace {

using Box = Outbox<Zyzzyva::Message>;

constexpr Round kFirstView{1};
// A primary orders as many new requests as there are clients. A view in which they all complete ends as well: more
// requests wait then, and the scenario says who leads next.
constexpr unsigned kRequestsPerView = 2;

constexpr Ticks kViewTicks = 4;
// A new primary waits a moment for more than 2f+1 reports, and the first one for the requests of all clients. It uses
// all that come in that time, so that nothing depends on what is handled first.
constexpr Ticks kReportTicks = 1;
// Likewise for who joins a later view.
constexpr Ticks kJoinTicks = 1;

// One input to one replica: the state it changes and all that it needs to do so.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out) : state_(state), context_(context), out_(out) {}

  void start() { enter_view(kFirstView, Entry::kByProof); }

  void receive(Identity from, const ViewChange& message) {
    if (message.view < state_.view) return;
    state_.arrivals.add(from, message.view);
    if (context_.leads(message.view) && message.view >= state_.reports_view)
      collect(message.view, from, message.certificates, message.accepted);
    if (view_to_join() > state_.view) out_.set_timer(kJoinTimer, kJoinTicks);
    settle();
  }

  void receive(Identity from, const NewView& message) {
    const Round view = message.history.view;
    if (view < state_.view || !context_.leaders_of(view).contains(from)) return;
    if (state_.accepted.view != view && !is_valid(message)) return;
    if (view > state_.view) enter_view(view, Entry::kByProof);
    state_.is_proven = true;
    state_.arrivals.forget_before(view.next());
    if (state_.accepted.view != view) {  // one NEW-VIEW in each view
      // Whatever was executed speculatively in earlier views and is not in this history is undone.
      accept(message.history, 1);
    } else if (state_.is_primary) {
      order_waiting();  // its own NEW-VIEW, which everybody has before the first new request
    }
  }

  void receive(Identity from, const OrderReq& message) {
    const History& history = message.history;
    if (history.view == state_.view && context_.leaders_of(history.view).contains(from)) extend(history);
  }

  // Section 4.2, case 4b: a replica stores the certificate and acknowledges it if its own history is consistent with
  // it. Who has left the view must not acknowledge: its report to the next primary may be on its way without this
  // certificate.
  void receive(Identity client, const CommitCertificate& message) {
    const History& history = message.history;
    keep_certificate(history);
    if (history.view != state_.view || !has_started()) return;
    extend(history);
    if (state_.accepted.begins_with(history)) out_.send(IdentitySet::single(client), LocalCommit{history});
  }

  void receive(Identity, const Request& message) {
    keep_request(message.request);
    if (state_.is_primary) order_waiting();
    // A request that comes again asks for an answer that may have been lost.
    const Slots& slots = state_.accepted.slots;
    const unsigned slot = slots.last_slot_of(message.request.client);
    if (slot != 0 && has_started() && slots.at(slot) == message.request) respond(slot);
  }

  template <class ForClients>
  void receive(Identity, const ForClients&) {}

  void expire(TimerId timer) {
    if (timer == kViewTimer) {
      give_up();
    } else if (timer == kJoinTimer) {
      if (view_to_join() <= state_.view) return;
      enter_view(view_to_join(), Entry::kAlone);
      settle();
    } else if (timer == kReportTimer && state_.view == kFirstView) {
      state_.is_primary = true;
      order_waiting();
    } else if (timer == kReportTimer && may_start_view()) {
      start_view();
    }
  }

 private:
  // As in PBFT (Castro and Liskov, section 4.5.2), whose view change Zyzzyva keeps, who gave up on a view alone tells
  // everybody and waits in the next one until a quorum has come along: otherwise it would stay ahead for ever. A
  // NEW-VIEW message proves by its reports that a quorum is there.
  enum class Entry : std::uint8_t { kAlone, kByProof };

  // f+1 replicas in a later view: one of them is honest, and there is no use in staying behind.
  Round view_to_join() const { return state_.arrivals.entered_by(context_.fault_count + 1); }

  void settle() {
    if (state_.arrivals.entered_by(context_.quorum()) >= state_.view) state_.is_proven = true;
    if (state_.is_proven) state_.arrivals.forget_before(state_.view.next());
    if (may_start_view()) out_.set_timer(kReportTimer, kReportTicks);
  }

  void give_up() {
    out_.note(EventKind::kTimedOut, state_.view);
    if (state_.is_proven) return enter_view(state_.view.next(), Entry::kAlone);
    out_.set_timer(kViewTimer, kViewTicks);
    report(context_.everyone());
  }

  void enter_view(Round view, Entry entry) {
    state_.view = view;
    state_.is_proven = entry == Entry::kByProof;
    state_.arrivals.forget_before(state_.is_proven ? view.next() : view);
    state_.ordered = 0;
    state_.is_primary = false;
    if (state_.reports_view < view) forget_reports();
    out_.note(EventKind::kEnteredRound, view);
    out_.set_timer(kViewTimer, kViewTicks);
    out_.cancel_timer(kReportTimer);
    if (view == kFirstView) {
      if (context_.leads(view)) out_.set_timer(kReportTimer, kReportTicks);
      return;
    }
    if (context_.leads(view)) collect(view, context_.self, state_.certificates, state_.accepted);
    report(entry == Entry::kAlone ? context_.everyone() : context_.leaders_of(view));
  }
  void report(IdentitySet to) { out_.send(to, ViewChange{state_.certificates, state_.accepted, state_.view}); }

  void collect(Round view, Identity from, const Certificates& certificates, const History& accepted) {
    if (view > state_.reports_view) forget_reports();
    state_.reports_view = view;
    if (!add_report(state_.reports, from, certificates, accepted)) out_.report_overflow();
  }

  void forget_reports() {
    state_.reports.clear();
    state_.reports_view = {};
  }

  bool has_started() const { return state_.accepted.view == state_.view || state_.view == kFirstView; }

  bool may_start_view() const {
    return state_.reports_view == state_.view && state_.accepted.view < state_.view &&
           identities_in(state_.reports) >= context_.quorum();
  }

  void start_view() {
    const History selected = select(state_.reports, context_.fault_count, rules_of(context_));
    const NewView message{selected.in_view(state_.view), state_.reports};
    state_.is_primary = true;
    out_.note(EventKind::kProposed, state_.view, message.history.tip(), message.history.before_tip());
    out_.send(context_.everyone(), message);
    accept(message.history, 1);
  }

  bool is_valid(const NewView& message) const {
    if (identities_in(message.reports) < context_.quorum()) return false;
    return select(message.reports, context_.fault_count, rules_of(context_)).slots == message.history.slots;
  }

  void keep_request(RequestName request) {
    auto& requests = state_.requests;
    for (RequestName& known : requests) {
      if (known.client != request.client) continue;
      known.number = std::max(known.number, request.number);
      return;
    }
    NIKA_REQUIRE(requests.push_back(request));
    std::ranges::sort(requests, {}, &RequestName::client);
  }

  // Section 4.1: the primary assigns the next sequence numbers, and executes its own order first. Twins have different
  // inputs: the twin begins with the last client.
  void order_waiting() {
    const bool last_first = index_of(context_.fresh.seat()) >= context_.replica_count;
    const std::size_t count = state_.requests.size();
    for (std::size_t i = 0; i < count; ++i) order(state_.requests[last_first ? count - 1 - i : i]);
  }

  void order(RequestName request) {
    if (state_.ordered == kRequestsPerView) return;
    // Section 4.1: a client's requests are ordered by timestamp, each once.
    History longer = state_.accepted.in_view(state_.view);
    if (longer.slots.last_number_of(request.client) >= request.number) return;
    if (!longer.slots.append(request, first_client())) return out_.report_overflow();
    ++state_.ordered;
    out_.note(EventKind::kProposed, state_.view, longer.tip(), longer.before_tip());
    out_.send(context_.everyone(), OrderReq{longer});
    accept(longer, longer.length());
  }
  Seat first_client() const { return static_cast<Seat>(index_of(*context_.clients.begin())); }

  // Section 4.1: the next sequence number, on the same history. Histories are told in full, so who has missed some
  // orders has its holes filled by the next one (section 4.1.2).
  void extend(const History& history) {
    const unsigned known = state_.accepted.length();
    if (has_started() && history.length() > known && history.begins_with(state_.accepted)) accept(history, known + 1);
  }

  // Executes a history, and answers the clients that have a request in it from slot `first` on.
  void accept(const History& history, unsigned first) {
    state_.accepted = history;
    forget_reports();
    out_.note(EventKind::kVoted, history.view, history.tip(), history.before_tip());
    for (const Identity client : context_.clients) {
      const unsigned slot = history.slots.last_slot_of(static_cast<Seat>(index_of(client)));
      if (slot >= first) respond(slot);
    }
  }

  // The speculative answer of a replica. Clients have the numbers of their seats.
  void respond(unsigned slot) {
    SpecResponse answer{state_.accepted};
    if (slot < answer.history.length()) answer.history.slots.cut(slot);
    const auto client = static_cast<Identity>(index_of(answer.history.slots.last().client));
    out_.send(IdentitySet::single(client), answer);
  }

  void keep_certificate(const History& history) {
    Certificates& known = state_.certificates;
    if (!rules_of(context_).longer_certificates_are_kept && !known.empty()) {
      if (history.view < known.chain[0].view) return;
      if (history.view > known.chain[0].view) known.clear();
    }
    if (!known.add(history)) out_.report_overflow();
    out_.note(EventKind::kCertified, history.view, history.tip(), history.before_tip());
  }

  State& state_;
  const Context& context_;
  Box& out_;
};

constexpr History kNoHistory{};

// The history that a message is about; for a report, the sender's own.
const History& history_of(const Zyzzyva::Message& message) {
  struct Visitor {
    const History& operator()(const ViewChange& m) const { return m.accepted; }
    const History& operator()(const NewView& m) const { return m.history; }
    const History& operator()(const OrderReq& m) const { return m.history; }
    const History& operator()(const SpecResponse& m) const { return m.history; }
    const History& operator()(const CommitCertificate& m) const { return m.history; }
    const History& operator()(const LocalCommit& m) const { return m.history; }
    const History& operator()(const Request&) const { return kNoHistory; }
  };
  return std::visit(Visitor{}, message);
}

}  // namespace

void Zyzzyva::start(State& state, const Context& context, Box& out) {
  if (context.is_client()) return Client(state, context, out).start();
  Replica(state, context, out).start();
}

void Zyzzyva::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  const auto give = [&](auto&& receiver) { std::visit([&](const auto& m) { receiver.receive(from, m); }, message); };
  if (context.is_client()) return give(Client(state, context, out));
  give(Replica(state, context, out));
}

void Zyzzyva::expire(State& state, const Context& context, TimerId timer, Box& out) {
  if (context.is_client()) return Client(state, context, out).expire(timer);
  Replica(state, context, out).expire(timer);
}

Round Zyzzyva::round_of(const Message& message) {
  if (const auto* view_change = std::get_if<ViewChange>(&message)) return view_change->view;
  if (const auto* request = std::get_if<Request>(&message)) return request->view;
  return history_of(message).view;
}

Progress Zyzzyva::progress(const State& state, const Context& context) {
  if (context.is_client()) return {};
  const auto held = [](const Slots& slots, unsigned slot) {
    return slot == 0 ? Held{} : Held{slots.at(slot).value(), Height(slot)};
  };
  const History& accepted = state.accepted;
  const Certificates& certificates = state.certificates;
  return {held(accepted.slots, accepted.length()), held(certificates.slots, certificates.not_overruled_by(accepted)),
          held(accepted.slots, certificates.covering(accepted))};
}

bool Zyzzyva::extends(const State& state, Held block, Held ancestor) {
  if (ancestor.is_genesis() || block == ancestor) return true;
  if (ancestor.height > block.height) return false;
  const auto has_both = [&](const Slots& slots) {
    return slots.size >= block.height.number && slots.at(block.height.number).value() == block.value &&
           slots.at(ancestor.height.number).value() == ancestor.value;
  };
  return has_both(state.certificates.slots) || has_both(state.accepted.slots);
}

ValueId Zyzzyva::subject_of(const Message& message) {
  if (const auto* request = std::get_if<Request>(&message)) return request->request.value();
  return history_of(message).tip();
}

}  // namespace nika::zyzzyva
