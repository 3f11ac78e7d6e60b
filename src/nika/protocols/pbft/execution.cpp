// What a replica does with requests that have committed: execution and replies (sections 4.1 and 4.2), checkpoints and
// garbage collection (section 4.3), and read-only requests (section 5.1).
#include "nika/protocols/pbft/replica.hpp"

namespace nika::pbft {

void Replica::execute_ready() {
  while (Slot* slot = next_ready()) execute(*slot);
}

// Section 4.2: after all requests with lower numbers. Numbers below the low mark have no slots any more.
Slot* Replica::next_ready() {
  const auto is_ready = [](const Slot& slot) { return slot.is_committed && !slot.is_executed; };
  if (rules_.execution_is_in_order) {
    Slot* slot = slot_at(state_.slots, state_.next_to_execute);
    return slot != nullptr && is_ready(*slot) ? slot : nullptr;
  }
  auto* slot = std::ranges::find_if(state_.slots, is_ready);
  return slot == state_.slots.end() ? nullptr : slot;
}

void Replica::execute(Slot& slot) {
  slot.is_executed = true;
  // Section 4.1: by its timestamp a request is executed once, however often a faulty primary orders it: in its place
  // nothing is executed, and nothing committed. A null request goes through the protocol like others, and its execution
  // does nothing (section 4.4).
  const bool is_repeated = rules_.requests_count_once && was_executed(slot.request);
  const Request request = is_repeated ? Request{} : slot.request;
  const unsigned first = rules_.first_slot_is_one ? 1U : 0U;
  if (!is_repeated) out_.commit(Height(slot.sequence.number + 1U - first), request.value());
  apply(request);
  while (const Slot* next = slot_at(state_.slots, state_.next_to_execute)) {
    if (!next->is_executed) break;
    state_.service.executed = state_.next_to_execute;
    state_.next_to_execute = state_.next_to_execute.next();
    if (state_.service.executed.number % kCheckpointInterval == 0) make_checkpoint();
  }
}

const LastReply* Replica::reply_to(Seat client) const {
  const auto& replies = state_.service.replies;
  const auto* found = std::ranges::find(replies, client, &LastReply::client);
  return found == replies.end() ? nullptr : found;
}

bool Replica::was_executed(Request request) const {
  const LastReply* last = reply_to(request.client);
  return !request.is_null() && last != nullptr && request.timestamp <= last->timestamp;
}

void Replica::apply(Request request) {
  ServiceState& service = state_.service;
  if (service.position.number >= kMaxNumber) return out_.report_overflow();
  service.position = service.position.next();
  service.history = service.history.then(request);
  service.last = request;
  if (request.is_null()) return;
  auto* known = std::ranges::find(service.replies, request.client, &LastReply::client);
  if (known == service.replies.end()) {
    if (!service.replies.push_back({request.client})) return out_.report_overflow();
    std::ranges::sort(service.replies, {}, &LastReply::client);
    known = std::ranges::find(service.replies, request.client, &LastReply::client);
  }
  known->timestamp = request.timestamp;
  known->position = service.position;
  reply(*known);
  // Section 4.4: the timer stops, and starts again if another request waits. Progress ends the doubling of timeouts.
  state_.patience = 0;
  if (!state_.is_watching) return;
  state_.is_watching = false;
  out_.cancel_timer(kViewTimer);
  watch_primary();
}

// Clients have the numbers of their seats.
void Replica::reply(const LastReply& last) {
  const Request request{last.client, last.timestamp};
  const auto client = static_cast<Identity>(index_of(last.client));
  out_.send(IdentitySet::single(client), Reply{state_.view, request, {last.position, request}});
}

// Section 5.1: a replica answers a read-only request at once, in its own state. Nothing is executed tentatively here,
// so that all that the state reflects has committed.
void Replica::answer_read(Request request) {
  const auto client = static_cast<Identity>(index_of(request.client));
  const ServiceState& service = state_.service;
  out_.send(IdentitySet::single(client), Reply{state_.view, request, {service.position, service.last}});
}

// Section 4.3: one after each K sequence numbers.
void Replica::make_checkpoint() {
  const ServiceState state = state_.service;
  if (state.executed <= low()) return;
  out_.send(others(), Checkpoint{state_.view, state.executed, state});
  count_checkpoint(context_.self, state);
}

void Replica::receive(Identity from, const Checkpoint& message) {
  if (!is_replica(from) || message.sequence != message.state.executed) return;
  if (message.sequence.number % kCheckpointInterval == 0) count_checkpoint(from, message.state);
}

// Section 4.3: 2f+1 messages that tell the same are the proof of a stable checkpoint.
void Replica::count_checkpoint(Identity from, const ServiceState& state) {
  if (state.executed <= low()) return;
  if (state_.checkpoints.add(from, state) >= context_.quorum()) stabilise({state});
}

// Section 4.3: everything up to a stable checkpoint is discarded, and both water marks move. Who has not come as far
// fetches the state (section 4.4 ends with that); here it is at hand with its proof.
void Replica::stabilise(const CheckpointProof& proof) {
  const SequenceNumber sequence = proof.state.executed;
  if (sequence <= low()) return;
  state_.stable = proof;
  while (!state_.slots.empty() && state_.slots[0].sequence <= sequence) state_.slots.erase_at(0);
  state_.checkpoints.forget_until(sequence);
  if (state_.next_to_execute <= sequence) {
    state_.service = proof.state;
    state_.next_to_execute = sequence.next();
    if (state_.is_watching && !is_waiting()) {
      state_.is_watching = false;
      out_.cancel_timer(kViewTimer);
    }
  }
  order_waiting();
  execute_ready();
}

// Messages may be lost, and a checkpoint is told of once. Who changes views tells again of those that are not stable.
void Replica::send_checkpoints() {
  state_.checkpoints.for_each_of(context_.self, [&](const ServiceState& state) {
    out_.send(others(), Checkpoint{state_.view, state.executed, state});
  });
}

}  // namespace nika::pbft
