// The rules of DBFT's binary consensus: what a replica does with one input. Whoever has a binary consensus underneath
// runs them too, with an outbox of its own; messages that come before a replica has started are counted.
#pragma once

#include <algorithm>

#include "nika/protocols/dbft/dbft.hpp"
#include "nika/protocols/dbft/rules.hpp"

namespace nika::dbft {

inline constexpr Round kFirstRound{1};
inline constexpr Height kOnlyHeight{1};
inline constexpr std::array kBits{false, true};

inline constexpr TimerId kCoordTimer{0};
inline constexpr TimerId kAuxTimer{1};
inline constexpr TimerId kResendTimer{2};
// The two timeouts of a round grow with it, up to a bound; what may be lost is repeated when they are over.
inline constexpr unsigned kMostGrowth = 8;
inline constexpr unsigned kResendDeltas = kMostGrowth + 4;

// One input to one replica: the state it changes and all that it needs to do so. Labels such as L6 are lines of
// Algorithm 2; where that has BV and ECHO, the messages are EST and AUX as in the paper of DBFT.
template <class Box>
class Replica {
 public:
  Replica(State& state, const Context& context, const Rules& rules, Box& out)
      : state_(state), context_(context), rules_(rules), out_(out) {}

  // L1 to L3. What was heard before counts.
  void start(bool input) {
    state_.est = input;
    out_.note(EventKind::kProposed, kFirstRound, value_of(Bits::of(state_.est)));
    begin_round(kFirstRound);
  }
  bool has_started() const { return state_.round != Round(0); }

  void receive(Identity from, const Est& message) {
    RoundRecord* record = record_of(message.round);
    if (record == nullptr) return;
    record->est.heard(message.value).insert(from);
    if (!has_started()) return state_.arrivals.add(from, message.round);
    if (message.round > state_.round) return catch_up(from, message.round);
    filter(message.round, message.value);
  }
  // From the coordinator: the first one counts that any of them has sent.
  void receive(Identity from, const Coord& message) {
    RoundRecord* record = record_of(message.round);
    if (record == nullptr || !context_.leaders_of(message.round).contains(from)) return;
    if (record->heard_coord.empty()) record->heard_coord.insert(message.value);
  }
  void receive(Identity from, const Aux& message) {
    if (RoundRecord* record = record_of(message.round)) record->aux(message.value).insert(from);
  }
  // Who has left the round too may have missed an EST, and has yet to echo it for the one who asks: so where
  // both values were sent each EST goes to all from whom it was not heard, too.
  void receive(Identity from, const Ask& message) {
    if (!is_round(message.round)) return;
    const bool is_over = message.round < state_.round || (message.round == state_.round && state_.has_exited);
    if (is_over) say_again(IdentitySet::single(from), message.round);
  }

  void expire(TimerId timer) {
    if (!has_started() || state_.has_exited) return;
    if (timer == kCoordTimer) state_.coord_is_over = true;
    if (timer == kAuxTimer) state_.aux_is_over = true;
    if (timer == kResendTimer) send_again();
  }

  // All rules of the current round whose conditions hold, one by one, until none does.
  void act() {
    if (!has_started()) return;
    while (!state_.has_exited && (coordinate() || send_aux() || end_round())) {
    }
  }

 private:
  static bool is_round(Round round) { return round >= kFirstRound && round.number <= State::kMostRounds; }
  // Nobody correct gets to a round that there is no room for without saying so.
  RoundRecord* record_of(Round round) {
    if (!is_round(round)) return nullptr;
    while (state_.records.size() < round.number) (void)state_.records.push_back({});
    return &state_.records[round.number - 1U];
  }
  RoundRecord& now() { return state_.records[state_.round.number - 1U]; }

  Ticks timeout() const {
    return static_cast<Ticks>(context_.delta_ticks * (1U + std::min<unsigned>(state_.round.number, kMostGrowth)));
  }

  // L5 and L6. What was heard of the round before it began counts now.
  void begin_round(Round round) {
    if (record_of(round) == nullptr) {
      out_.report_overflow();
      return exit();
    }
    state_.round = round;
    state_.coord_is_over = state_.aux_is_over = false;
    state_.arrivals.forget_before(round.next());
    out_.note(EventKind::kEnteredRound, round);
    out_.set_timer(kCoordTimer, timeout());
    out_.cancel_timer(kAuxTimer);
    out_.set_timer(kResendTimer, static_cast<Ticks>(kResendDeltas * context_.delta_ticks));
    send_est(round, state_.est);
    for (const bool value : kBits) filter(round, value);
  }

  void send_est(Round round, bool value) {
    record_of(round)->est.sent.insert(value);
    out_.send(context_.everyone(), Est{round, value});
  }

  // L8 to L10, and L14: BV-broadcast. Algorithm 2 as printed echoes only until it leaves its first loop, so that a
  // round may never end for somebody else; here a process echoes at any time, in rounds that it has left as well.
  void filter(Round round, bool value) {
    RoundRecord& record = *record_of(round);
    const bool may_echo = rules_.echoes_at_any_time || record.sent_aux.empty();
    if (may_echo && record.est.must_echo(value, rules_.est)) send_est(round, value);
    if (!record.est.must_deliver(value, rules_.est)) return;
    record.est.delivered.insert(value);
    if (record.first.empty()) record.first.insert(value);
  }

  // The coordinator suggests what it delivered first. The suggestion is weak: nobody has to wait for it or to follow.
  bool coordinate() {
    RoundRecord& record = now();
    if (record.first.empty() || !record.sent_coord.empty() || !context_.leads(state_.round)) return false;
    record.sent_coord = record.first;
    out_.send(context_.everyone(), Coord{state_.round, record.first.contains(true)});
    return true;
  }

  // L10 to L12: AUX with what was delivered. That is what the coordinator suggests, if it does in time; else, what was
  // delivered first.
  bool send_aux() {
    RoundRecord& record = now();
    if (!record.sent_aux.empty() || record.first.empty()) return false;
    const Bits suggested{static_cast<std::uint8_t>(record.heard_coord.mask & record.est.delivered.mask)};
    if (suggested.empty() && !state_.coord_is_over && !is_late()) return false;
    record.sent_aux = suggested.empty() ? record.first : suggested;
    out_.note(EventKind::kVoted, state_.round, value_of(record.sent_aux));
    out_.send(context_.everyone(), Aux{state_.round, record.sent_aux.contains(true)});
    out_.cancel_timer(kCoordTimer);
    out_.set_timer(kAuxTimer, static_cast<Ticks>(timeout() + context_.delta_ticks));
    return true;
  }

  bool end_round() {
    const RoundRecord& record = now();
    if (record.sent_aux.empty()) return false;
    const bool parity = state_.round.number % 2 != 0;
    // L15 to L19: n - t processes have sent the same.
    for (const bool value : kBits) {
      if (!record.est.delivered.contains(value) || record.aux(value).size() < rules_.aux) continue;
      state_.est = value;
      if (value == parity || !rules_.only_parity_decides) decide(value);
      leave_round();
      return true;
    }
    // L20 to L22: n - t have sent one or the other. Who waits until the time for AUX is over has heard all correct
    // ones, if the network is good, and follows them if they agree.
    const bool has_enough = (record.aux_0 | record.aux_1).size() >= rules_.aux;
    const bool has_waited = state_.aux_is_over || is_late();
    if (!has_enough || !has_waited || record.est.delivered != Bits::both()) return false;
    state_.est = parity;
    leave_round();
    return true;
  }

  // L17 and L18
  void decide(bool value) {
    if (state_.decided_in != Round(0)) return;
    state_.decided_in = state_.round;
    out_.commit(kOnlyHeight, value_of(Bits::of(value)));
  }

  // L23: who decided two rounds ago has helped everybody else to decide.
  void leave_round() {
    const unsigned helps_for = rules_.deciders_go_on ? 2 : 0;
    const bool has_decided = state_.decided_in != Round(0);
    if (!has_decided || state_.round.number < state_.decided_in.number + helps_for)
      return begin_round(state_.round.next());
    exit();
  }
  void exit() {
    state_.has_exited = true;
    for (const TimerId timer : {kCoordTimer, kAuxTimer, kResendTimer}) out_.cancel_timer(timer);
  }

  // t + 1 processes in later rounds: one of them is correct and has left this one, and it is of no use to wait for
  // anybody's time.
  bool is_late() const { return state_.arrivals.entered_by(context_.fault_count + 1) > state_.round; }

  // The papers' channels lose nothing. Here partitions do: who hears that somebody is further asks once for what
  // it missed, and when its timer runs out it says again what it has said and asks everybody.
  void catch_up(Identity from, Round round) {
    const chain::Arrivals before = state_.arrivals;
    state_.arrivals.add(from, round);
    if (!state_.has_exited && state_.arrivals != before) out_.send(IdentitySet::single(from), Ask{state_.round});
  }
  void send_again() {
    say_again(context_.everyone(), state_.round);
    out_.send(context_.everyone(), Ask{state_.round});
    out_.set_timer(kResendTimer, static_cast<Ticks>(kResendDeltas * context_.delta_ticks));
  }
  void say_again(IdentitySet to, Round round) {
    RoundRecord& record = *record_of(round);
    for (const bool value : kBits) {
      const bool is_contested = !record.est.heard(!value).empty();
      const IdentitySet silent = is_contested ? context_.everyone() - record.est.heard(value) : IdentitySet{};
      if (record.est.sent.contains(value)) out_.send(to | silent, Est{round, value});
      if (record.sent_coord.contains(value)) out_.send(to, Coord{round, value});
      if (record.sent_aux.contains(value)) out_.send(to, Aux{round, value});
    }
  }

  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace nika::dbft
