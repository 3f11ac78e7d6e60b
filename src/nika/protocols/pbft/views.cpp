// How a replica changes views (section 4.4), and what keeps that live (section 4.5.2).
#include "nika/protocols/pbft/replica.hpp"

namespace nika::pbft {

namespace {

// Who joins a later view, and who starts one, waits a moment and uses all that comes in that time, so that nothing
// depends on what is handled first. A new primary lets everybody enter its view before it orders new requests.
constexpr Ticks kMoment = 1;
constexpr unsigned kMostDoublings = 5;
constexpr unsigned kLongestTicks = 60000;

}  // namespace

// Section 4.5.2: twice as long after each view change that led to nothing.
Ticks Replica::timeout() const {
  const unsigned ticks = (kViewDeltas * context_.delta_ticks) << state_.patience;
  return static_cast<Ticks>(std::min(ticks, kLongestTicks));
}

bool Replica::is_waiting() const {
  return std::ranges::any_of(state_.requests, [&](Request request) { return !was_executed(request); });
}

// Section 4.4: a backup that has received a request and not executed it has a timer running. So has a primary here: its
// messages may be lost for good, and it may be the only one that the others lack for a view change.
void Replica::watch_primary() {
  if (state_.phase != Phase::kNormal || state_.is_watching || !is_waiting()) return;
  state_.is_watching = true;
  out_.set_timer(kViewTimer, timeout());
}

// Section 4.4: a timer that runs out in view v starts a view change to v+1. Section 4.5.2: who has asked for a view
// starts its timer once 2f+1 have asked for it, and only then goes on to the next; until then it asks again, since
// messages may be lost.
void Replica::give_up() {
  state_.is_watching = false;
  if (state_.phase == Phase::kNormal && !is_waiting()) return;
  out_.note(EventKind::kTimedOut, state_.view);
  if (state_.phase == Phase::kNormal || state_.has_quorum) return ask_for_view(state_.view.next());
  out_.set_timer(kViewTimer, timeout());
  send_view_change();
}

void Replica::ask_for_view(Round view) {
  if (view > Round(kMaxRound)) return out_.report_overflow();
  state_.view = view;
  state_.phase = Phase::kAskedForView;
  state_.leads = state_.has_quorum = state_.is_watching = false;
  leave_slots();
  state_.reports.forget_before(view);
  out_.note(EventKind::kEnteredRound, view);
  out_.cancel_timer(kOrderTimer);
  out_.set_timer(kViewTimer, timeout());
  if (state_.patience < kMostDoublings) ++state_.patience;
  if (!state_.reports.add(context_.self, view_change(), {})) out_.report_overflow();
  send_view_change();
  consider_views();
}

// What was proposed and voted in a view ends with it; what it prepared and executed stays.
void Replica::leave_slots() {
  for (std::size_t i = state_.slots.size(); i > 0; --i) {
    Slot& slot = state_.slots[i - 1];
    slot.leave_view();
    if (!slot.is_executed && slot.certificate.view == Round(0)) state_.slots.erase_at(i - 1);
  }
}

void Replica::send_view_change() {
  out_.send(others(), view_change());
  send_checkpoints();
}

// Section 4.4: P has a certificate for each request that prepared at this replica with a number above the checkpoint.
ViewChange Replica::view_change() const {
  ViewChange message{state_.view, low(), state_.stable, {}, false, 0};
  if (!rules_.certificates_are_reported) return message;
  for (const Slot& slot : state_.slots) {
    if (slot.certificate.view == Round(0) || slot.sequence <= low()) continue;
    if (!message.prepared.push_back(slot.certificate)) out_.report_overflow();
  }
  return message;
}

// Messages may be lost for good, and a faulty primary may keep NEW-VIEW from somebody. Whoever asks for a view that has
// started is therefore told by its primary how it started, and by everybody else that they have asked for it too: with
// 2f+1 such messages it need not wait any longer (section 4.5.2).
void Replica::receive(Identity from, const ViewChange& message) {
  if (!is_replica(from) || from == context_.self || !is_valid(message)) return;
  if (message.view < state_.view || is_in_view(message.view)) {
    if (state_.phase == Phase::kNormal && state_.view > Round(1) && !message.is_answer) answer(from);
    return;
  }
  ViewChange kept = message;
  kept.is_answer = false;
  if (!state_.reports.add(from, kept, state_.phase == Phase::kNormal ? state_.view : Round(0))) out_.report_overflow();
  consider_views();
}

void Replica::answer(Identity asking) {
  const IdentitySet to = IdentitySet::single(asking);
  if (state_.leads) return out_.send(to, new_view());
  for (const Report& report : state_.reports.all()) {
    if (report.view_change.view != state_.view || !report.from.contains(context_.self)) continue;
    ViewChange own = report.view_change;
    own.is_answer = true;
    out_.send(to, own);
  }
}

void Replica::consider_views() {
  // Section 4.5.2: f+1 replicas that want later views are reason enough to want the smallest of these.
  if (state_.reports.wanted_by(context_.fault_count + 1) > state_.view) out_.set_timer(kJoinTimer, kMoment);
  if (state_.phase != Phase::kAskedForView) return;
  if (!state_.has_quorum && state_.reports.wanted_by(context_.quorum()) >= state_.view) {
    state_.has_quorum = true;
    out_.set_timer(kViewTimer, timeout());
  }
  if (may_start_view()) out_.set_timer(kNewViewTimer, kMoment);
}

bool Replica::may_start_view() const {
  return state_.phase == Phase::kAskedForView && is_primary(context_.self) &&
         context_.is_quorum(state_.reports.from_in(state_.view));
}

NewView Replica::new_view() const {
  NewView message{state_.view, 0, {}, {}};
  if (!state_.reports.copy(state_.view, message.reports)) out_.report_overflow();
  message.proposals = select({message.reports.begin(), message.reports.size()}, rules_).proposals;
  return message;
}

// Section 4.4: the primary of the new view makes NEW-VIEW of 2f+1 valid VIEW-CHANGE messages.
void Replica::start_view() {
  if (!may_start_view()) return;
  const NewView message = new_view();
  out_.send(others(), message);
  enter_view(message, true);
  out_.set_timer(kOrderTimer, kMoment);
}

// Section 4.4: a backup accepts NEW-VIEW of the primary of that view if it contains valid VIEW-CHANGE messages of 2f+1
// and O follows from them.
void Replica::receive(Identity from, const NewView& message) {
  if (!is_replica(from) || from == context_.self) return;
  if (message.view < Round(2) || message.view > Round(kMaxRound)) return;
  if (message.view < state_.view || is_in_view(message.view)) return;
  if (rules_.new_views_are_checked) {
    if (!is_valid(message, context_, rules_) || !context_.leaders_of(message.view).contains(from)) return;
  }
  enter_view(message, false);
}

void Replica::enter_view(const NewView& message, bool leads) {
  const Selection selection = select({message.reports.begin(), message.reports.size()}, rules_);
  state_.view = message.view;
  state_.phase = Phase::kNormal;
  state_.leads = state_.has_quorum = state_.is_watching = false;
  leave_slots();
  state_.reports.forget_before(message.view);
  // Who follows NEW-VIEW without having asked for the view asks now, for whoever will want to know.
  if (!state_.reports.from_in(message.view).contains(context_.self)) {
    if (!state_.reports.add(context_.self, view_change(), {})) out_.report_overflow();
  }
  out_.note(EventKind::kEnteredRound, message.view);
  for (const TimerId timer : {kViewTimer, kOrderTimer, kNewViewTimer}) out_.cancel_timer(timer);
  stabilise(selection.checkpoint);
  // Section 4.4: the primary goes on with the number after max-s, whatever it has given to requests in earlier views.
  // The flawed form takes a counter that stands at max-s for one that is past it.
  if (rules_.counter_passes_new_view || state_.next != selection.last) state_.next = selection.last.next();
  state_.leads = leads;
  for (const Proposal& proposal : message.proposals) {
    if (is_in_window(proposal.sequence) && (proposal.request.is_null() || is_request(proposal.request)))
      accept(proposal);
  }
  watch_primary();
  send_checkpoints();
}

}  // namespace nika::pbft
