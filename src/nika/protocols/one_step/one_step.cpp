#include "nika/protocols/one_step/one_step.hpp"

#include "nika/protocols/dbft/replica.hpp"

namespace nika::one_step {

static_assert(Protocol<OneStep>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Message>;

constexpr Round kOnlyExchange{1};
constexpr TimerId kVoteTimer{3};  // those before it are of the consensus underneath
constexpr Ticks kVoteTicks = 4;

enum class Bug : std::uint8_t { kDecideNPlusT, kKeepsOwnValue };

// The numbers of the paper, and what becomes of who does not see enough. The seeded bugs are read here and nowhere
// else.
struct Rules {
  int votes = 0;      // n - t are waited for
  int to_decide = 0;  // decide v with more than (n + 3t) / 2 votes for v
  int to_follow = 0;  // hand over v with more than (n - t) / 2
  bool follows = true;
};
Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  const int n = context.replica_count;
  const int t = context.fault_count;
  return {n - t, (n + (has(Bug::kDecideNPlusT) ? 1 : 3) * t) / 2 + 1, (n - t) / 2 + 1, !has(Bug::kKeepsOwnValue)};
}

// The outbox of the consensus underneath: who has decided in one step does not decide again.
class Under {
 public:
  Under(Box& out, bool has_decided) : out_(out), has_decided_(has_decided) {}

  template <class Alternative>
  void send(IdentitySet to, const Alternative& message) {
    out_.send(to, message);
  }
  void note(EventKind kind, Round round, ValueId value = {}) { out_.note(kind, round, value); }
  void commit(Height height, ValueId value) {
    if (!has_decided_) out_.commit(height, value);
  }
  void set_timer(TimerId id, Ticks duration) { out_.set_timer(id, duration); }
  void cancel_timer(TimerId id) { out_.cancel_timer(id); }
  void report_overflow() { out_.report_overflow(); }

 private:
  Box& out_;
  const bool has_decided_;
};

template <class Input>
void run_under(State& state, const Context& context, Box& out, const Input& input) {
  Under under(out, !state.decided.empty());
  dbft::Replica replica(state.under, context, dbft::rules_of(context, 0), under);
  input(replica);
  replica.act();
}

// L9: everybody takes part in the consensus underneath, who has decided too.
void hand_over(State& state, const Context& context, bool value, Box& out) {
  state.handed_over = Bits::of(value);
  out.cancel_timer(kVoteTimer);
  run_under(state, context, out, [&](auto& replica) { replica.start(value); });
}

// L3 to L8, once, when n - t votes have come.
void count_votes(State& state, const Context& context, Box& out) {
  const Rules rules = rules_of(context);
  if ((state.votes_0 | state.votes_1).size() < rules.votes) return;
  const std::array<int, 2> votes{state.votes_0.size(), state.votes_1.size()};
  bool value = state.own.contains(true);
  for (const bool v : {false, true}) {
    // L4 and L5
    if (votes[v ? 1 : 0] >= rules.to_decide && state.decided.empty()) {
      state.decided = Bits::of(v);
      out.commit(dbft::kOnlyHeight, value_of(state.decided));
    }
    // L6 to L8: of n - t votes one value at most has so many.
    if (votes[v ? 1 : 0] >= rules.to_follow && rules.follows) value = v;
  }
  hand_over(state, context, value, out);
}

void receive_vote(State& state, const Context& context, Identity from, const Vote& vote, Box& out) {
  if (vote.asks && !state.handed_over.empty())
    out.send(IdentitySet::single(from), Vote{state.own.contains(true), false});
  if (!state.handed_over.empty() || (state.votes_0 | state.votes_1).contains(from)) return;
  (vote.value ? state.votes_1 : state.votes_0).insert(from);
  count_votes(state, context, out);
}

}  // namespace

// L1 and L2
void OneStep::start(State& state, const Context& context, Box& out) {
  const bool input = binary::input_of(context);
  state.own = Bits::of(input);
  out.note(EventKind::kProposed, kOnlyExchange, value_of(state.own));
  out.note(EventKind::kVoted, kOnlyExchange, value_of(state.own));
  out.send(context.everyone(), Vote{input, false});
  out.set_timer(kVoteTimer, kVoteTicks);
}

void OneStep::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  const auto handle = [&](const auto& alternative) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(alternative)>, Vote>) {
      receive_vote(state, context, from, alternative, out);
    } else {
      run_under(state, context, out, [&](auto& replica) { replica.receive(from, alternative); });
    }
  };
  std::visit(handle, message);
}

// The paper's channels lose nothing. Here partitions do: who lacks votes says its own again and asks for others, and
// who has handed over says its vote again to whom asks.
void OneStep::expire(State& state, const Context& context, TimerId timer, Box& out) {
  if (timer != kVoteTimer) return run_under(state, context, out, [&](auto& replica) { replica.expire(timer); });
  out.send(context.everyone(), Vote{state.own.contains(true), true});
  out.set_timer(kVoteTimer, kVoteTicks);
}

Round OneStep::round_of(const Message& message) {
  const auto round = [](const auto& alternative) {
    if constexpr (requires { alternative.round; }) return alternative.round;
    return kOnlyExchange;
  };
  return std::visit(round, message);
}

ValueId OneStep::subject_of(const Message& message) {
  const auto subject = [](const auto& alternative) {
    if constexpr (requires { alternative.value; }) return binary::subject_of(alternative.value);
    return kGenesis;
  };
  return std::visit(subject, message);
}

}  // namespace nika::one_step
