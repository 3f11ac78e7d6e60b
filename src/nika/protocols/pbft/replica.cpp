#include "nika/protocols/pbft/replica.hpp"

namespace nika::pbft {

namespace {

constexpr Round kFirstView{1};
// A primary with an input of its own, which only a twin has, waits a moment for the requests of all clients.
constexpr Ticks kOrderTicks = 1;

}  // namespace

void Replica::start() {
  state_.view = kFirstView;
  // Sequence numbers start above the low mark, which is 0.
  state_.next = state_.next_to_execute = SequenceNumber(rules_.first_slot_is_one ? 1U : 0U);
  state_.leads = context_.leads(kFirstView);
  out_.note(EventKind::kEnteredRound, kFirstView);
}

// Section 4.2: a sequence number between the water marks h and H, as long as nothing is stable from the first one on.
bool Replica::is_in_window(SequenceNumber sequence) const {
  const unsigned low_mark = low().number;
  const unsigned first = low_mark == 0 && !rules_.first_slot_is_one ? 0U : low_mark + 1U;
  return sequence.number >= first && sequence.number <= low_mark + kWindow;
}

// Section 4.1: signed by its client. In the form without digests nobody looks whether a request is what was asked for.
bool Replica::is_request(Request request) const {
  if (request.operation == Operation::kMadeUp && rules_.digests_tell) return false;
  const unsigned client = index_of(request.client);
  return client < kMaxSeats && context_.clients.contains(static_cast<Identity>(client)) && request.timestamp > 0 &&
         request.timestamp <= kMaxNumber;
}

// Section 4.1: replicas answer again what they have executed, and drop what is older. Section 4.2: the primary orders a
// request, a backup relays it to the primary; section 4.4: and starts to wait for it.
void Replica::receive(Identity from, const RequestMessage& message) {
  const Request request = message.request;
  if (!is_request(request)) return;
  if (request.is_read_only()) return answer_read(request);
  if (const LastReply* last = reply_to(request.client); last != nullptr && request.timestamp <= last->timestamp) {
    if (request.timestamp == last->timestamp) reply(*last);
    return;
  }
  keep_request(request);
  if (state_.phase != Phase::kNormal) return;
  const bool has_own_input = index_of(context_.fresh.seat()) >= context_.replica_count;
  if (state_.leads && has_own_input) {
    out_.set_timer(kOrderTimer, kOrderTicks);
  } else if (state_.leads) {
    order(request);
  } else if (context_.clients.contains(from)) {
    out_.send(context_.leaders_of(state_.view), RequestMessage{request, state_.view});
  }
  watch_primary();
}

void Replica::keep_request(Request request) {
  auto& requests = state_.requests;
  auto* known = std::ranges::find(requests, request.client, &Request::client);
  if (known != requests.end()) {
    if (known->timestamp < request.timestamp) *known = request;
    return;
  }
  if (!requests.push_back(request)) return out_.report_overflow();
  std::ranges::sort(requests, {}, &Request::client);
}

// Twins have different inputs: the twin begins with the last client.
void Replica::order_waiting() {
  if (!state_.leads || state_.phase != Phase::kNormal) return;
  const bool last_first = index_of(context_.fresh.seat()) >= context_.replica_count;
  const auto waiting = state_.requests;
  const std::size_t count = waiting.size();
  for (std::size_t i = 0; i < count; ++i) order(waiting[last_first ? count - 1 - i : i]);
}

// Section 4.2: the primary gives a request the next number, below the high mark.
void Replica::order(Request request) {
  const SequenceNumber sequence = state_.next;
  if (was_executed(request) || is_in_flight(request) || !is_in_window(sequence)) return;
  if (sequence.number >= kMaxNumber) return out_.report_overflow();
  state_.next = sequence.next();
  const Proposal proposal{sequence, request, digest_of(request, rules_)};
  out_.note(EventKind::kProposed, state_.view, request.value(), {}, Height(sequence.number));
  out_.send(others(), PrePrepare{state_.view, sequence, request, 0, proposal.digest});
  accept(proposal);
}

bool Replica::is_in_flight(Request request) const {
  return rules_.requests_count_once && std::ranges::any_of(state_.slots, [&](const Slot& slot) {
           return slot.view == state_.view && slot.request == request;
         });
}

// Section 4.2: a backup accepts a PRE-PREPARE of the primary of its view if the digest is that of the request, and it
// has not accepted another one for the same number in this view.
void Replica::receive(Identity from, const PrePrepare& message) {
  if (!is_in_view(message.view) || !is_primary(from) || !is_in_window(message.sequence)) return;
  if (!is_request(message.request) || message.request.is_read_only()) return;
  if (message.digest != digest_of(message.request, rules_)) return;
  accept({message.sequence, message.request, message.digest});
}

void Replica::accept(const Proposal& proposal) {
  Slot& slot = slot_for(state_.slots, proposal.sequence);
  if (slot.view == state_.view) return;
  slot.view = state_.view;
  slot.request = proposal.request;
  slot.digest = proposal.digest;
  if (!is_primary(context_.self)) {
    out_.note(EventKind::kVoted, state_.view, proposal.request.value(), {}, Height(proposal.sequence.number));
    vote(slot, Ballot::kPrepare);
  }
  if (!proposal.request.is_null() && !was_executed(proposal.request)) keep_request(proposal.request);
  watch_primary();
  settle(slot);
}

void Replica::vote(Slot& slot, Ballot ballot) {
  const Vote own{state_.view, slot.sequence, slot.digest};
  if (ballot == Ballot::kPrepare) {
    out_.send(others(), Prepare{own});
  } else {
    out_.send(others(), pbft::Commit{own});
  }
  count(slot, ballot, context_.self, slot.digest);
}

// Section 4.2: 2f PREPARE messages are of different backups, 2f+1 COMMIT messages of different replicas.
void Replica::count(Slot& slot, Ballot ballot, Identity from, Digest digest) {
  bool is_full = false;
  Tally* tally = slot.tally_for(from, digest, is_full);
  if (is_full) out_.report_overflow();
  if (tally == nullptr) return;
  IdentitySet& senders = ballot == Ballot::kPrepare ? tally->prepares : tally->commits;
  std::uint8_t& votes = ballot == Ballot::kPrepare ? tally->prepare_count : tally->commit_count;
  const bool is_known = senders.contains(from);
  senders.insert(from);
  if ((!is_known || !rules_.senders_are_counted) && votes < 255) ++votes;
}

void Replica::receive(Identity from, const Prepare& message) {
  if (!is_in_view(message.view) || is_primary(from)) return;
  count_vote(from, message, Ballot::kPrepare);
}

void Replica::receive(Identity from, const pbft::Commit& message) {
  if (is_in_view(message.view)) count_vote(from, message, Ballot::kCommit);
}

// Votes may come before the PRE-PREPARE that they are about.
void Replica::count_vote(Identity from, const Vote& vote, Ballot ballot) {
  if (!is_replica(from) || !is_in_window(vote.sequence)) return;
  Slot& slot = slot_for(state_.slots, vote.sequence);
  count(slot, ballot, from, vote.digest);
  settle(slot);
}

// Section 4.2: prepared(m, v, n, i), then committed-local(m, v, n, i).
void Replica::settle(Slot& slot) {
  if (slot.view != state_.view) return;
  const auto votes = [&](auto member) {
    const Tally* tally = slot.tally_of(slot.digest);
    return tally == nullptr ? 0 : static_cast<int>(tally->*member);
  };
  if (!slot.is_prepared && votes(&Tally::prepare_count) >= context_.quorum() - 1) {
    slot.is_prepared = true;
    slot.certificate = {slot.sequence, state_.view, slot.request, 0, slot.digest};
    out_.note(EventKind::kCertified, state_.view, slot.request.value(), {}, Height(slot.sequence.number));
    vote(slot, Ballot::kCommit);
  }
  if (!slot.is_prepared || slot.is_committed || votes(&Tally::commit_count) < context_.quorum()) return;
  slot.is_committed = true;
  execute_ready();
}

void Replica::expire(TimerId timer) {
  if (timer == kViewTimer) {
    give_up();
  } else if (timer == kOrderTimer) {
    order_waiting();
  } else if (timer == kJoinTimer) {
    const Round wanted = state_.reports.wanted_by(context_.fault_count + 1);
    if (wanted > state_.view) ask_for_view(wanted);
  } else {
    start_view();
  }
}

}  // namespace nika::pbft
