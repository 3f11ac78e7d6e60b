#include "nika/protocols/mmr/mmr.hpp"

#include <algorithm>

#include "nika/protocols/mmr/rules.hpp"

namespace nika::mmr {

static_assert(Protocol<Mmr14> && Protocol<Mmr14Conf>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Message>;

constexpr Round kFirstRound{1};
constexpr Height kOnlyHeight{1};
constexpr std::array kBits{false, true};
constexpr TimerId kResendTimer{0};
constexpr unsigned kResendDeltas = 4;

// One input to one replica. Rules are those of the figure of MMR14's consensus as HoneyBadger's paper (CCS 2016,
// Figure 11) prints it: (1) BVAL, (2) AUX, (3) the coin; (CONF) is the repair's.
template <class S>
class Replica {
 public:
  Replica(S& state, const Context& context, Box& out, Repair repair)
      : state_(state), context_(context), rules_(rules_of(context)), out_(out), repair_(repair) {}

  void propose(bool value) {
    state_.est = value;
    out_.note(EventKind::kProposed, kFirstRound, value_of(Bits::of(state_.est)));
    begin_round(kFirstRound);
  }

  void receive(Identity from, const BVal& message) {
    RoundRecord* record = record_of(message.round);
    if (record == nullptr || state_.has_halted) return;
    record->bv.heard(message.value).insert(from);
    // What is heard of later rounds counts when they begin; in rounds that it has left a process echoes still.
    if (message.round <= state_.round) filter(message.round, message.value);
  }
  void receive(Identity from, const Aux& message) {
    RoundRecord* record = record_of(message.round);
    if (record != nullptr && !state_.has_halted) record->aux(message.value).insert(from);
  }
  void receive(Identity from, const Conf& message) {
    RoundRecord* record = record_of(message.round);
    if (record == nullptr || state_.has_halted || (!message.has_0 && !message.has_1)) return;
    const bool has_both = message.has_0 && message.has_1;
    (has_both ? record->conf_both : message.has_1 ? record->conf_1 : record->conf_0).insert(from);
  }
  void receive(Identity from, const Decided& message) {
    if (state_.has_halted) return;
    state_.decided_by(message.value).insert(from);
    follow();
  }
  void receive(Identity from, const Ask& message) {
    const IdentitySet asker = IdentitySet::single(from);
    tell_decision(asker);  // also to who is further: some halt in early rounds, because they follow others
    if (message.round <= state_.round && record_of(message.round) != nullptr) say_again(asker, message.round);
  }

  // The papers' channels lose nothing. Here partitions do: now and then everybody says again what it has said in its
  // round, and asks those who are further for what it missed.
  void send_again() {
    if (state_.has_halted) return;
    tell_decision(context_.everyone());
    if (has_begun()) say_again(context_.everyone(), state_.round);
    out_.send(context_.everyone(), Ask{state_.round});
    out_.set_timer(kResendTimer, resend_ticks());
  }

  // All rules of the current round whose conditions hold, one by one, until none does.
  void act() {
    while (has_begun() && !state_.has_halted && (send_aux() || send_conf() || end_round())) {
    }
  }

 private:
  // A process that is a part of another one hears the others before it has an input.
  bool has_begun() const { return state_.round != Round{}; }
  bool is_round(Round round) const {
    return round >= state_.first && round.number < state_.first.number + S::kMostRounds && round.number < kMaxRound;
  }
  // Nobody correct gets to a round that there is no room for without saying so.
  RoundRecord* record_of(Round round) {
    if (!is_round(round)) return nullptr;
    const unsigned at = round.number - state_.first.number;
    while (state_.records.size() <= at) (void)state_.records.push_back({});
    return &state_.records[at];
  }
  RoundRecord& now() { return state_.records[state_.round.number - state_.first.number]; }
  Ticks resend_ticks() const { return static_cast<Ticks>(kResendDeltas * context_.delta_ticks); }

  // (1) A round begins: broadcast BVAL with the estimate. What was heard of the round before counts now.
  void begin_round(Round round) {
    if (record_of(round) == nullptr) {
      out_.report_overflow();
      return halt();
    }
    state_.round = round;
    out_.note(EventKind::kEnteredRound, round);
    out_.set_timer(kResendTimer, resend_ticks());
    send_bval(round, state_.est);
    for (const bool value : kBits) filter(round, value);
  }
  void send_bval(Round round, bool value) {
    record_of(round)->bv.sent.insert(value);
    out_.send(context_.everyone(), BVal{round, value});
  }

  // (1) t + 1 BVAL(v): send it too. 2t + 1: v is in bin_values. What is delivered first is what AUX will tell.
  void filter(Round round, bool value) {
    RoundRecord& record = *record_of(round);
    if (record.bv.must_echo(value, rules_.bv)) send_bval(round, value);
    if (record.bv.must_deliver(value, rules_.bv)) {
      record.bv.delivered.insert(value);
      if (round == state_.round) (void)send_aux();
    }
  }

  // (2) When bin_values is not empty, broadcast AUX with a value of it.
  bool send_aux() {
    RoundRecord& record = now();
    if (!record.sent_aux.empty() || record.bv.delivered.empty()) return false;
    record.sent_aux = record.bv.delivered;  // one value: it is sent when the first is delivered
    out_.note(EventKind::kVoted, state_.round, value_of(record.sent_aux));
    out_.send(context_.everyone(), Aux{state_.round, record.sent_aux.contains(true)});
    return true;
  }

  // (2) The values of n - t AUX messages, all of them in bin_values; none if there are not so many.
  Bits values_of_aux() {
    const RoundRecord& record = now();
    for (const bool value : kBits) {
      if (record.bv.delivered.contains(value) && record.aux(value).size() >= rules_.aux) return Bits::of(value);
    }
    const bool has_enough = (record.aux_0 | record.aux_1).size() >= rules_.aux;
    return has_enough && record.bv.delivered == Bits::both() ? Bits::both() : Bits{};
  }

  // (CONF) Broadcast these values before the coin is asked for.
  bool send_conf() {
    if (repair_ != Repair::kConf || !now().sent_conf.empty()) return false;
    const Bits values = values_of_aux();
    if (values.empty() || now().sent_aux.empty()) return false;
    now().sent_conf = values;
    out_.send(context_.everyone(), Conf{state_.round, values.contains(false), values.contains(true)});
    return true;
  }
  // (CONF) The values of n - t CONF messages, all of them in bin_values. With n - t of which t + 1 are correct, at most
  // one value can be the only one of anybody, and which that is does not depend on the coin.
  Bits values_of_conf() {
    const RoundRecord& record = now();
    if (record.sent_conf.empty()) return {};
    for (const bool value : kBits) {
      if (record.bv.delivered.contains(value) && record.conf(value).size() >= rules_.aux) return Bits::of(value);
    }
    const bool has_enough = (record.conf_0 | record.conf_1 | record.conf_both).size() >= rules_.aux;
    return has_enough && record.bv.delivered == Bits::both() ? Bits::both() : Bits{};
  }

  // (3) One value: it is the estimate, and decided if the coin shows it. Both: the coin is the estimate.
  bool end_round() {
    if (now().sent_aux.empty()) return false;
    const Bits values = repair_ == Repair::kConf ? values_of_conf() : values_of_aux();
    if (values.empty()) return false;
    const bool had_decided = !state_.decided.empty();
    const bool coin = context_.coin(state_.round);
    const bool is_single = values != Bits::both();
    state_.est = is_single ? values.contains(true) : coin;
    if (is_single && (state_.est == coin || !rules_.only_coin_decides)) decide(state_.est);
    if (state_.has_halted) return true;
    begin_round(state_.round.next());
    // What it said when it decided may be lost, and no timer runs out as long as enough of them go on.
    if (had_decided) tell_decision(context_.everyone());
    return true;
  }

  void decide(bool value) {
    if (!state_.decided.empty()) return;
    state_.decided.insert(value);
    out_.commit(kOnlyHeight, value_of(Bits::of(value)));
    out_.send(context_.everyone(), Decided{state_.round, value});
    state_.decided_by(value).insert(context_.self);
    if (!rules_.deciders_go_on) return halt();
    follow();
  }
  // MMR14 goes on for ever. Here processes tell what they decided, as Bracha's broadcast does by its readies: t + 1 are
  // enough to decide as they did, and who knows of 2t + 1 is needed by nobody any more.
  void follow() {
    for (const bool value : kBits) {
      if (state_.decided.empty() && state_.decided_by(value).size() >= rules_.to_follow) return decide(value);
      if (!state_.decided.empty() && state_.decided_by(value).size() >= rules_.to_halt) halt();
    }
  }
  void halt() {
    state_.has_halted = true;
    out_.cancel_timer(kResendTimer);
  }

  void tell_decision(IdentitySet to) {
    if (!state_.decided.empty()) out_.send(to, Decided{state_.round, state_.decided.contains(true)});
  }
  void say_again(IdentitySet to, Round round) {
    const RoundRecord& record = *record_of(round);
    for (const bool value : kBits) {
      if (record.bv.sent.contains(value)) out_.send(to, BVal{round, value});
      if (record.sent_aux.contains(value)) out_.send(to, Aux{round, value});
    }
    if (const Bits conf = record.sent_conf; !conf.empty())
      out_.send(to, Conf{round, conf.contains(false), conf.contains(true)});
  }

  S& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
  const Repair repair_;
};

}  // namespace

template <class S>
void Process<S>::propose(S& state, const Context& context, bool value, Box& out, Repair repair) {
  Replica replica(state, context, out, repair);
  replica.propose(value);
  replica.act();
}
template <class S>
void Process<S>::receive(S& state, const Context& context, Identity from, const Message& message, Box& out,
                         Repair repair) {
  Replica replica(state, context, out, repair);
  std::visit([&](const auto& alternative) { replica.receive(from, alternative); }, message);
  replica.act();
}
template <class S>
void Process<S>::expire(S& state, const Context& context, Box& out) {
  Replica(state, context, out, Repair::kNone).send_again();
}
template struct Process<State>;
template struct Process<PartState>;

void Mmr14::start(State& state, const Context& context, Box& out) {
  Process<State>::propose(state, context, binary::input_of(context), out, Repair::kNone);
}
void Mmr14::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Process<State>::receive(state, context, from, message, out, Repair::kNone);
}
void Mmr14Conf::start(State& state, const Context& context, Box& out) {
  Process<State>::propose(state, context, binary::input_of(context), out, Repair::kConf);
}
void Mmr14Conf::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Process<State>::receive(state, context, from, message, out, Repair::kConf);
}
void Common::expire(State& state, const Context& context, TimerId, Box& out) {
  Process<State>::expire(state, context, out);
}

Round Common::round_of(const Message& message) {
  return std::visit([](const auto& alternative) { return alternative.round; }, message);
}

ValueId Common::subject_of(const Message& message) {
  const auto subject = [](const auto& alternative) {
    if constexpr (requires { alternative.value; }) return binary::subject_of(alternative.value);
    if constexpr (requires { alternative.has_0; }) return binary::subject_of(!alternative.has_0);
    return kGenesis;
  };
  return std::visit(subject, message);
}

bool Common::fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope) {
  if (scope.may_restart) return false;
  Round oldest(kMaxRound);
  for (const State& state : states) oldest = std::min(oldest, state.round);
  for (const Message& message : in_flight) oldest = std::min(oldest, round_of(message));
  for (State& state : states) {
    if (state.first >= oldest) continue;
    const std::size_t gone = std::min<std::size_t>(oldest.number - state.first.number, state.records.size());
    std::copy(state.records.begin() + gone, state.records.end(), state.records.begin());
    state.records.resize_down(state.records.size() - gone);
    state.first = oldest;
  }
  return true;
}

}  // namespace nika::mmr
