#include "quorum_write.hpp"

#include <type_traits>

namespace quorum_write {

using nika::Context;
using nika::Identity;
using nika::IdentitySet;
using nika::ValueId;

static_assert(nika::Protocol<QuorumWrite>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = QuorumWrite::Box;

constexpr nika::Round kOnlyRound{1};
constexpr nika::TimerId kResendTimer{0};
constexpr nika::Ticks kResendTicks = 4;

// Any two quorums share an honest node, so two values can only be chosen if an honest node stores both. With the bug it
// does: it lets the second value take the place of the first.
bool may_store(const State& state, const Context& context, ValueId value) {
  const bool overwrites = (context.bugs & 1U) != 0;
  return state.stored.is_genesis() || state.stored == value || overwrites;
}

class Replica {
 public:
  Replica(State& state, const Context& context, Box& out) : state_(state), context_(context), out_(out) {}

  // A leader says the last thing that it has to say, again and again: a partition may have lost it.
  void speak() {
    if (context_.leads(kOnlyRound)) {
      const ValueId value = context_.fresh_value(kOnlyRound);
      if (state_.signers.size() < context_.quorum()) {
        out_.send(context_.everyone(), Write{value});
      } else {
        out_.send(context_.everyone(), Chosen{value, state_.signers});
      }
    }
    out_.set_timer(kResendTimer, kResendTicks);
  }

  void receive(Identity from, const Write& write) {
    if (!context_.leaders_of(kOnlyRound).contains(from) || !may_store(state_, context_, write.value)) return;
    if (state_.stored != write.value) out_.note(nika::EventKind::kVoted, kOnlyRound, write.value);
    state_.stored = write.value;
    out_.send(IdentitySet::single(from), Stored{write.value});
  }

  // An answer goes to an identity, so it reaches the leader's twin as well; each counts those to its own value.
  void receive(Identity from, const Stored& stored) {
    if (!context_.leads(kOnlyRound) || stored.value != context_.fresh_value(kOnlyRound)) return;
    const bool was_chosen = state_.signers.size() >= context_.quorum();
    state_.signers.insert(from);
    if (was_chosen || state_.signers.size() < context_.quorum()) return;
    out_.note(nika::EventKind::kCertified, kOnlyRound, stored.value);
    speak();
  }

  void receive(Identity, const Chosen& chosen) {
    if (!state_.chosen.is_genesis() || chosen.signers.size() < context_.quorum()) return;
    state_.chosen = chosen.value;
    out_.commit(nika::Height(1), chosen.value);
  }

 private:
  State& state_;
  const Context& context_;
  Box& out_;
};

}  // namespace

void QuorumWrite::start(State& state, const Context& context, Box& out) {
  if (context.leads(kOnlyRound)) {
    out.note(nika::EventKind::kProposed, kOnlyRound, context.fresh_value(kOnlyRound));
  }
  Replica(state, context, out).speak();
}

void QuorumWrite::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void QuorumWrite::expire(State& state, const Context& context, nika::TimerId, Box& out) {
  Replica(state, context, out).speak();
}

ValueId QuorumWrite::subject_of(const Message& message) {
  return std::visit([](const auto& m) { return m.value; }, message);
}

}  // namespace quorum_write
