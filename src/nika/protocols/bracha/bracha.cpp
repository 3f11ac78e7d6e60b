#include "nika/protocols/bracha/bracha.hpp"

#include <algorithm>

namespace nika::bracha {

static_assert(Protocol<Bracha>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Bracha::Message>;

constexpr Round kOnlyRound{1};
constexpr TimerId kResendTimer{0};
constexpr Ticks kResendTicks = 4;

enum class Bug : std::uint8_t { kEchoMajority, kQuorum2f };

// The numbers of the paper. The seeded bugs are read here and nowhere else.
struct Thresholds {
  int echoes_to_ready = 0;    // more than (n + f) / 2: two such sets share an honest node, which echoes only once
  int readies_to_ready = 0;   // f + 1: at least one of them is honest
  int readies_to_accept = 0;  // 2f + 1: at least f + 1 of them are honest, enough to make everybody else ready
};

Thresholds thresholds_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  const int f = context.fault_count;
  Thresholds thresholds{context.quorum(), f + 1, 2 * f + 1};
  if (has(Bug::kEchoMajority)) thresholds.echoes_to_ready = context.replica_count / 2 + 1;
  if (has(Bug::kQuorum2f)) thresholds.echoes_to_ready = thresholds.readies_to_accept = 2 * f;
  return thresholds;
}

// Step 0: the sender sends (initial, v) to all. A twin of the sender has a fresh value of its own.
void send_initial(const Context& context, Box& out) {
  if (context.leads(kOnlyRound)) out.send(context.everyone(), Initial{context.fresh_value(kOnlyRound)});
}

// Step 1: send (echo, v) to all, for the first v that there is a reason for.
void echo(State& state, const Context& context, ValueId value, Box& out) {
  if (!state.echoed.is_genesis()) return;
  state.echoed = value;
  out.note(EventKind::kVoted, kOnlyRound, value);
  out.send(context.everyone(), Echo{value});
}

// Steps 1 to 3, as far as the messages for one value allow.
void advance(State& state, const Context& context, const Tally& tally, Box& out) {
  const Thresholds thresholds = thresholds_of(context);
  const bool has_reason =
      tally.echoes.size() >= thresholds.echoes_to_ready || tally.readies.size() >= thresholds.readies_to_ready;
  // Step 1, for who never heard the sender: so many echoes or readies are as good as an (initial, v).
  if (has_reason) echo(state, context, tally.value, out);
  // Step 2: more than (n + f) / 2 (echo, v) or f + 1 (ready, v): send (ready, v) to all, once.
  if (has_reason && state.readied.is_genesis()) {
    state.readied = tally.value;
    out.note(EventKind::kCertified, kOnlyRound, tally.value);
    out.send(context.everyone(), Ready{tally.value});
  }
  // Step 3: 2f + 1 (ready, v): accept v.
  if (tally.readies.size() >= thresholds.readies_to_accept && state.accepted.is_genesis()) {
    state.accepted = tally.value;
    out.commit(Height(1), tally.value);
  }
}

// The tally of a value, made if there is none; null if there is no room, which makes the verdict Unknown.
Tally* tally_of(State& state, ValueId value, Box& out) {
  const auto find = [&] { return std::ranges::find(state.tallies, value, &Tally::value); };
  if (Tally* known = find(); known != state.tallies.end()) return known;
  if (!state.tallies.push_back({value, {}, {}})) {
    out.report_overflow();
    return nullptr;
  }
  std::ranges::sort(state.tallies, {}, &Tally::value);
  return find();
}

}  // namespace

void Bracha::start(State&, const Context& context, Box& out) {
  if (context.leads(kOnlyRound)) out.note(EventKind::kProposed, kOnlyRound, context.fresh_value(kOnlyRound));
  send_initial(context, out);
  out.set_timer(kResendTimer, kResendTicks);
}

void Bracha::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  const ValueId value = subject_of(message);
  if (value.is_genesis()) return;  // nobody's value
  if (std::holds_alternative<Initial>(message)) {
    if (context.leaders_of(kOnlyRound).contains(from)) echo(state, context, value, out);
    return;
  }
  Tally* tally = tally_of(state, value, out);
  if (tally == nullptr) return;
  (std::holds_alternative<Echo>(message) ? tally->echoes : tally->readies).insert(from);
  advance(state, context, *tally, out);
}

// The paper's network loses nothing. Here partitions do, so a replica says again, once in each network round, all that
// it has said; who heard it before counts it once.
void Bracha::expire(State& state, const Context& context, TimerId, Box& out) {
  send_initial(context, out);
  if (!state.echoed.is_genesis()) out.send(context.everyone(), Echo{state.echoed});
  if (!state.readied.is_genesis()) out.send(context.everyone(), Ready{state.readied});
  out.set_timer(kResendTimer, kResendTicks);
}

bool Bracha::ignores(const State& state, const Context& context, Identity from, const Message& message) {
  const ValueId value = subject_of(message);
  if (value.is_genesis()) return true;
  if (std::holds_alternative<Initial>(message))
    return !state.echoed.is_genesis() || !context.leaders_of(kOnlyRound).contains(from);
  const bool is_echo = std::holds_alternative<Echo>(message);
  if (!(is_echo ? state.readied : state.accepted).is_genesis()) return true;
  const Tally* tally = std::ranges::find(state.tallies, value, &Tally::value);
  return tally != state.tallies.end() && (is_echo ? tally->echoes : tally->readies).contains(from);
}

void Bracha::forget_heard(State& state) {
  if (state.readied.is_genesis()) return;  // who is ready has echoed
  for (std::size_t i = state.tallies.size(); i-- > 0;) {
    Tally& tally = state.tallies[i];
    tally.echoes = {};
    if (!state.accepted.is_genesis()) tally.readies = {};
    if (tally.readies.empty()) state.tallies.erase_at(i);
  }
}

ValueId Bracha::subject_of(const Message& message) {
  return std::visit([](const auto& m) { return m.value; }, message);
}

}  // namespace nika::bracha
