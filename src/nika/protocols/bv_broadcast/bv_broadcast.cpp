#include "nika/protocols/bv_broadcast/bv_broadcast.hpp"

namespace nika::bv_broadcast {

static_assert(Protocol<BvBroadcast>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<BvBroadcast::Message>;
using binary::Bits;
using binary::Bv;

constexpr Round kOnlyRound{1};
constexpr TimerId kResendTimer{0};
constexpr Ticks kResendTicks = 4;

enum class Bug : std::uint8_t { kEchoT, kDeliver2T };

// The seeded bugs are read here and nowhere else.
binary::BvThresholds thresholds_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  binary::BvThresholds thresholds = binary::bv_thresholds(context);
  if (has(Bug::kEchoT)) --thresholds.to_echo;
  if (has(Bug::kDeliver2T)) --thresholds.to_deliver;
  return thresholds;
}

bool value_in(const BvBroadcast::Message& message) { return std::get<BvMessage>(message).value; }

// L2 and L5: broadcast (BV, v).
void broadcast(Bv& bv, const Context& context, bool value, Box& out) {
  bv.sent.insert(value);
  out.note(EventKind::kVoted, kOnlyRound, value_of(Bits::of(value)));
  out.send(context.everyone(), BvMessage{value});
}

}  // namespace

// L1 and L2.
void BvBroadcast::start(State& state, const Context& context, Box& out) {
  const bool input = binary::input_of(context);
  out.note(EventKind::kProposed, kOnlyRound, value_of(Bits::of(input)));
  broadcast(state.bv, context, input, out);
  out.set_timer(kResendTimer, kResendTicks);
}

// L3: for ever.
void BvBroadcast::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  const bool value = value_in(message);
  const binary::BvThresholds needed = thresholds_of(context);
  Bv& bv = state.bv;
  bv.heard(value).insert(from);
  if (bv.must_echo(value, needed)) broadcast(bv, context, value, out);
  if (!bv.must_deliver(value, needed)) return;
  bv.delivered.insert(value);  // L7
  out.commit(Height(bv.delivered.mask), value_of(bv.delivered));
}

// The paper's channels lose nothing. Here partitions do, so a replica says again, once in each network round, all that
// it has said; who heard it before counts it once.
void BvBroadcast::expire(State& state, const Context& context, TimerId, Box& out) {
  for (const bool value : {false, true}) {
    if (state.bv.sent.contains(value)) out.send(context.everyone(), BvMessage{value});
  }
  out.set_timer(kResendTimer, kResendTicks);
}

bool BvBroadcast::ignores(const State& state, const Context&, Identity from, const Message& message) {
  const bool value = value_in(message);
  const Bv& bv = state.bv;
  return bv.heard(value).contains(from) || (bv.sent.contains(value) && bv.delivered.contains(value));
}

void BvBroadcast::forget_heard(State& state) {
  Bv& bv = state.bv;
  for (const bool value : {false, true}) {
    if (bv.sent.contains(value) && bv.delivered.contains(value)) bv.heard(value) = {};
  }
}

ValueId BvBroadcast::subject_of(const Message& message) { return binary::subject_of(value_in(message)); }

}  // namespace nika::bv_broadcast
