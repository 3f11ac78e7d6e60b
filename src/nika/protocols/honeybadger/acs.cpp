#include "nika/protocols/honeybadger/acs.hpp"

#include <algorithm>

#include "nika/protocols/honeybadger/parts.hpp"
#include "nika/protocols/honeybadger/rules.hpp"

namespace nika::honeybadger {

static_assert(Protocol<Acs>);
static_assert(std::has_unique_object_representations_v<State>);

Agreement::Agreement(const Context& context, Identity instance, const mmr::PartState& state, Round last)
    : outer_(context), instance_(instance), context_(context) {
  static const Coins kParity;  // to copy it is cheaper than to make it
  coins_ = kParity;
  // Whoever ends a round has a record of it.
  const unsigned known = state.first.number + static_cast<unsigned>(state.records.size());
  const unsigned end = std::min<unsigned>(std::max<unsigned>(known, last.number), mmr::kRoundsOfPart);
  for (unsigned round = std::max<unsigned>(state.round.number, 1); round <= end; ++round) {
    coins_.show(Round(round), context.coin.coins->of(Round(Acs::coin_number(context, instance, Round(round)))));
  }
  context_.coin = {&coins_, 0};
  context_.bugs = 0;
}

Agreement::~Agreement() {
  const Round asked(context_.coin.latest_asked);
  if (asked != Round{}) (void)outer_.coin(Round(Acs::coin_number(outer_, instance_, asked)));
}

namespace {

using Box = Outbox<Message>;
using Process = mmr::Process<mmr::PartState>;

constexpr TimerId kResendTimer{0};
constexpr unsigned kResendDeltas = 4;
constexpr ValueId kNothing = ValueId::nameless(Round(0), 0);

enum class Note : std::uint8_t { kDelivered, kTakes, kRefuses };

// One input to one replica. The rules are those of Figure 4, from (1), the first bullet, to (4), the last one.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out)
      : state_(state), context_(context), rules_(rules_of(context)), out_(out) {}

  // (1) Upon the input v_i, input v_i to RBC_i.
  void start() {
    if (context_.replica_count > State::kMostNodes) return out_.report_overflow();
    for (Identity j : context_.everyone()) {
      (void)state_.instances.push_back({});
      broadcast(j, context_.everyone(),
                [&](const Context& inner, auto& out) { bracha::Bracha::start(of(j).broadcast, inner, out); });
    }
    out_.note(EventKind::kProposed, Round(1), context_.input());
    out_.set_timer(kResendTimer, resend_ticks());
  }

  template <class Part>
  void receive(Identity from, const Of<Part>& message) {
    const Identity j = message.instance;
    if (index_of(j) >= state_.instances.size()) return;  // of nobody
    if constexpr (std::is_constructible_v<bracha::Bracha::Message, Part>) {
      hear_broadcast(j, from, message.message);
    } else {
      if constexpr (std::same_as<Part, mmr::Ask>) {
        if (is_told_anyway(j, message.message)) return;
        if (is_done()) say_broadcast_again(j, IdentitySet::single(from));
      }
      hear_agreement(j, from, message.message);
    }
    act();
  }

  // Channels lose nothing in the papers, see docs/honeybadger.md: both parts say again what they said. Of agreements
  // only the slowest do, since the others wait for nothing that was lost.
  void send_again() {
    for (Identity j : context_.everyone()) {
      say_broadcast_again(j, context_.everyone());
      const mmr::PartState& agreement = of(j).agreement;
      const bool has_begun = agreement.round != Round{};
      if (!agreement.decided.empty()) {
        ask_for_the_rest(j);
      } else if (!has_begun || agreement.round == Acs::current_round(state_)) {
        agree(j, Round{}, [&](const Context& inner, auto& out) { Process::expire(of(j).agreement, inner, out); });
      }
    }
    out_.set_timer(kResendTimer, resend_ticks());
  }

 private:
  Instance& of(Identity j) { return state_.instances[index_of(j)]; }
  bool has_value(Identity j) { return !of(j).broadcast.accepted.is_genesis(); }
  mmr::Repair repair() const { return rules_.confirms ? mmr::Repair::kConf : mmr::Repair::kNone; }
  Ticks resend_ticks() const { return static_cast<Ticks>(kResendDeltas * context_.delta_ticks); }

  template <class Input>
  void broadcast(Identity j, IdentitySet audience, const Input& input) {
    const Broadcast part(context_, j);
    run_part<bracha::Bracha>(j, audience, out_, [&](auto& out) { input(part.context(), out); });
  }
  template <class Input>
  void agree(Identity j, Round last, const Input& input) {
    const Agreement part(context_, j, of(j).agreement, last);
    run_part<mmr::Mmr14>(j, context_.everyone(), out_, [&](auto& out) { input(part.context(), out); });
  }

  void hear_broadcast(Identity j, Identity from, const bracha::Bracha::Message& message) {
    const bool had_value = has_value(j);
    broadcast(j, context_.everyone(), [&](const Context& inner, auto& out) {
      bracha::Bracha::receive(of(j).broadcast, inner, from, message, out);
    });
    if (!had_value && has_value(j)) note(Note::kDelivered, of(j).broadcast.accepted);
  }
  void say_broadcast_again(Identity j, IdentitySet to) {
    broadcast(j, to, [&](const Context& inner, auto& out) {
      bracha::Bracha::expire(of(j).broadcast, inner, kResendTimer, out);
    });
  }
  void hear_agreement(Identity j, Identity from, const mmr::Message& message) {
    const mmr::Bits before = of(j).agreement.decided;
    agree(j, mmr::Common::round_of(message), [&](const Context& inner, auto& out) {
      Process::receive(of(j).agreement, inner, from, message, out, repair());
    });
    note_decision(j, before);
  }
  // Who has decided tells it, and asks who else has, or who has the broadcast that it waits for.
  void ask_for_the_rest(Identity j) {
    const mmr::PartState& agreement = of(j).agreement;
    const bool is_taken = agreement.decided.contains(true);
    if (!agreement.has_halted) out_.send(context_.everyone(), Of<mmr::Decided>{j, {agreement.round, is_taken}});
    if (agreement.has_halted && (!is_taken || has_value(j))) return;
    out_.send(context_.everyone(), Of<mmr::Ask>{j, {}});
  }
  // Whoever is in this round still says again what it said there without being asked, by its timer.
  bool is_told_anyway(Identity j, const mmr::Ask& ask) {
    return of(j).agreement.decided.empty() && ask.round == of(j).agreement.round;
  }

  // Provides its input to BA_j, once. Who knows already that so many have decided needs none.
  void give(Identity j, bool value) {
    state_.given.insert(j);
    if (of(j).agreement.has_halted) return;
    const mmr::Bits before = of(j).agreement.decided;
    agree(j, Round{},
          [&](const Context& inner, auto& out) { Process::propose(of(j).agreement, inner, value, out, repair()); });
    note_decision(j, before);
  }

  // All rules whose conditions hold, until none does.
  void act() {
    while (give_one() || give_zero()) {
    }
    output();
    if (is_done()) out_.cancel_timer(kResendTimer);
  }

  // (2) Upon delivery of v_j from RBC_j, if BA_j has no input yet, input 1 to BA_j.
  bool give_one() {
    for (Identity j : context_.everyone() - state_.given) {
      const bool has_reason = rules_.waits_for_delivery ? has_value(j) : !of(j).broadcast.echoed.is_genesis();
      if (!has_reason) continue;
      give(j, true);
      return true;
    }
    return false;
  }
  // (3) Upon delivery of 1 from at least n - f instances of BA, input 0 to each that has no input yet.
  bool give_zero() {
    const IdentitySet missing = context_.everyone() - state_.given;
    if (!rules_.gives_zeros || missing.empty() || taken().size() < rules_.ones_to_refuse) return false;
    for (Identity j : missing) give(j, false);
    return true;
  }
  // (4) Once all instances of BA have completed, C are those that delivered 1. Wait for v_j of each j of C, and output
  // all of them. What is committed is a slot for each node, with its value or with nothing, so that two of these are
  // the same if and only if the sets are.
  void output() {
    const auto is_open = [](const Instance& instance) { return instance.agreement.decided.empty(); };
    if (state_.has_output || std::ranges::any_of(state_.instances, is_open)) return;
    const IdentitySet chosen = taken();
    if (rules_.waits_for_values && !(chosen - delivered()).empty()) return;
    state_.has_output = true;
    for (Identity j : context_.everyone()) {
      const bool has_slot = chosen.contains(j) && has_value(j);
      out_.commit(Height(index_of(j) + 1), has_slot ? of(j).broadcast.accepted : kNothing);
    }
  }

  IdentitySet delivered() {
    IdentitySet result;
    for (Identity j : context_.everyone()) {
      if (has_value(j)) result.insert(j);
    }
    return result;
  }
  IdentitySet taken() {
    IdentitySet result;
    for (Identity j : context_.everyone()) {
      if (of(j).agreement.decided.contains(true)) result.insert(j);
    }
    return result;
  }
  // There is nothing that it waits for, and nothing that it has to do but to answer.
  bool is_done() {
    const auto has_halted = [](const Instance& instance) { return instance.agreement.has_halted; };
    return state_.has_output && std::ranges::all_of(state_.instances, has_halted);
  }

  void note(Note kind, ValueId value) { out_.note(own_note(static_cast<unsigned>(kind)), value.round(), value); }
  void note_decision(Identity j, mmr::Bits before) {
    const mmr::Bits decided = of(j).agreement.decided;
    if (before == decided) return;
    note(decided.contains(true) ? Note::kTakes : Note::kRefuses, ValueId(Round(1), static_cast<Seat>(j), 0));
  }

  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void Acs::start(State& state, const Context& context, Box& out) { Replica(state, context, out).start(); }

void Acs::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& alternative) { replica.receive(from, alternative); }, message);
}

void Acs::expire(State& state, const Context& context, TimerId, Box& out) { Replica(state, context, out).send_again(); }

// What only helps belongs to no round, and waits for none.
Round Acs::round_of(const Message& message) {
  const auto round = []<class Part>(const Of<Part>& of) {
    if constexpr (!Of<Part>::kHasNoRound && requires { of.message.round; }) return of.message.round;
    return Round(1);
  };
  return std::visit(round, message);
}

// What arrives together is handled by the ranks of seats: each value of a broadcast has that of its maker, and of an
// agreement 1 has that of its node and 0 another one, so that drawn orders say which comes first.
ValueId Acs::subject_of(const Message& message) {
  const auto subject = []<class Part>(const Of<Part>& of) -> ValueId {
    const unsigned j = index_of(of.instance);
    const auto about = [&](bool bit) { return ValueId(Round(1), static_cast<Seat>(bit ? j : j ^ 1U), 0); };
    if constexpr (requires { of.message.value.seat(); }) {
      return of.message.value;
    } else if constexpr (requires { of.message.has_0; }) {
      return about(!of.message.has_0);
    } else if constexpr (requires { of.message.value; }) {
      return about(of.message.value);
    } else {
      return kGenesis;
    }
  };
  return std::visit(subject, message);
}

// The earliest round of an agreement that has begun and not decided. Whoever has decided goes on only for the others,
// and must not look as if it got ahead: timers, by which it tells them, would never run out.
Round Acs::current_round(const State& state) {
  Round earliest(kMaxRound);
  for (const Instance& instance : state.instances) {
    const bool has_begun = instance.agreement.round != Round{};
    if (has_begun && instance.agreement.decided.empty()) earliest = std::min(earliest, instance.agreement.round);
  }
  return earliest == Round(kMaxRound) ? Round(1) : earliest;
}

}  // namespace nika::honeybadger
