#include "nika/protocols/pbft/pbft.hpp"

#include "nika/protocols/pbft/client.hpp"
#include "nika/protocols/pbft/replica.hpp"

namespace nika::pbft {

static_assert(Protocol<Pbft>);
static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) < 1350);
static_assert(sizeof(Message) < 400);

namespace {

using Box = Outbox<Message>;

// The request with this digest, for traces. Nobody decides anything by it.
ValueId named_by(Digest digest) {
  if (digest.bits == 0 || digest.bits == 0xffff) return kGenesis;
  const bool is_made_up = (digest.bits & kOfMadeUp) != 0;
  const unsigned name = ((digest.bits & ~kOfMadeUp) - 1U) / 2U;
  const unsigned client = name >> 8U;
  const unsigned timestamp = name & 255U;
  if (client >= kMaxSeats || timestamp == 0) return kGenesis;
  return ValueId(Round(timestamp), static_cast<Seat>(client), is_made_up ? 1 : 0);
}

}  // namespace

void Pbft::start(State& state, const Context& context, Box& out) {
  if (context.is_client()) return Client(state, context, out).start();
  Replica(state, context, out).start();
}

void Pbft::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  const auto give = [&](auto&& receiver) { std::visit([&](const auto& m) { receiver.receive(from, m); }, message); };
  if (context.is_client()) return give(Client(state, context, out));
  give(Replica(state, context, out));
}

void Pbft::expire(State& state, const Context& context, TimerId timer, Box& out) {
  if (context.is_client()) return Client(state, context, out).expire(timer);
  Replica(state, context, out).expire(timer);
}

Round Pbft::round_of(const Message& message) {
  return std::visit([](const auto& m) { return m.view; }, message);
}

ValueId Pbft::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const ViewChange&) const { return kGenesis; }
    ValueId operator()(const NewView&) const { return kGenesis; }
    ValueId operator()(const PrePrepare& m) const { return m.request.subject(); }
    ValueId operator()(const Vote& m) const { return named_by(m.digest); }
    ValueId operator()(const Checkpoint& m) const { return m.state.last.subject(); }
    ValueId operator()(const RequestMessage& m) const { return m.request.subject(); }
    ValueId operator()(const Reply& m) const { return m.request.subject(); }
  };
  return std::visit(Visitor{}, message);
}

Progress Pbft::progress(const State& state, const Context& context) {
  if (context.is_client()) return {};
  Held prepared;
  for (const Slot& slot : state.slots) {
    if (slot.certificate.view > Round(0)) prepared = {slot.certificate.request.value(), Height(slot.sequence.number)};
  }
  const ServiceState& service = state.service;
  const Held executed = service.position == Height(0) ? Held{} : Held{service.last.value(), service.position};
  return {prepared, prepared, executed};
}

bool Pbft::extends(const State& state, Held block, Held ancestor) {
  if (ancestor.is_genesis() || block == ancestor) return true;
  if (ancestor.height >= block.height) return false;
  const SequenceNumber sequence(ancestor.height.number);
  if (sequence <= state.stable.state.executed) return true;
  const Slot* slot = slot_at(state.slots, sequence);
  return slot != nullptr && slot->certificate.view > Round(0) && slot->certificate.request.value() == ancestor.value;
}

}  // namespace nika::pbft
