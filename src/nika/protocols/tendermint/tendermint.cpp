#include "nika/protocols/tendermint/tendermint.hpp"

#include "nika/protocols/tendermint/rules.hpp"

namespace nika::tendermint {

static_assert(Protocol<Tendermint>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Message>;

constexpr TimerId kProposeTimer{0};
constexpr TimerId kPrevoteTimer{1};
constexpr TimerId kPrecommitTimer{2};
constexpr TimerId kGossipTimer{3};
// What is sent again has come before anybody gives up. The three timeouts grow by Δ with every round of a height.
constexpr unsigned kGossipDeltas = 2;
constexpr unsigned kTimeoutDeltas = 3;
constexpr unsigned kMostGrowth = 16;

// What nobody can have made is no value.
bool is_value(ValueId value) { return value.round() != Round(0) && !value.is_nameless(); }
bool is_value_or_nil(ValueId value) { return value.is_genesis() || is_value(value); }
bool is_position(Height height, Round round) {
  return height != Height(0) && round >= Round(height.number) && round <= Round(kMaxRound).next();
}

// One input to one replica: the state it changes and all that it needs to do so. Labels such as L22 are lines of
// Algorithm 1.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out)
      : state_(state), context_(context), rules_(rules_of(context)), out_(out) {}

  // L10
  void start() { start_round(state_.first_round()); }

  // "From proposer(h, round)": whoever leads the round. Of one value that a liar proposes twice the first counts.
  void receive(Identity from, const Proposal& proposal) {
    if (!is_position(proposal.height, proposal.round) || !is_value(proposal.value)) return;
    if (!context_.leaders_of(proposal.round).contains(from)) return;
    notice(from, proposal.height, proposal.round);
    if (Tally* tally = tally_at(proposal.height, proposal.round, proposal.value)) {
      propose(*tally, proposal.valid_round);
    }
  }

  void receive(Identity from, const Prevote& vote) {
    if (Tally* tally = tally_of(from, vote)) count(from, tally->prevotes, tally->prevotes_again);
  }
  void receive(Identity from, const Precommit& vote) {
    if (Tally* tally = tally_of(from, vote)) count(from, tally->precommits, tally->precommits_again);
    const bool is_now = vote.height == state_.height() && vote.round == state_.round;
    if (is_now && vote.value.is_genesis()) show_polka(IdentitySet::single(from));
  }

  void receive(Identity from, const Status& status) {
    if (!is_position(status.height, status.round)) return;
    notice(from, status.height, status.round);
    help(from, status);
  }

  // As if the proposal and each of the prevotes had come by itself. Algorithm 1 makes a polka valid only while its
  // round lasts (L36), and relies on who has it to lead some day. Who gets it later may as well propose it.
  void receive(Identity, const Prevotes& message) {
    const Polka& polka = message.polka;
    if (!is_position(polka.height, polka.round) || !is_value(polka.value)) return;
    Tally* tally = tally_at(polka.height, polka.round, polka.value);
    if (tally == nullptr) return;
    propose(*tally, polka.valid_round);
    tally->has_passed_on_polka = true;
    if (polka.height != state_.height()) return;
    if (polka.round > state_.round) start_round(polka.round);  // L55
    const bool is_over = polka.round < state_.round;
    if (is_over && polka.round > state_.valid.round && is_valid(polka.value))
      state_.valid = {polka.value, polka.round, 0};
  }

  // As if the precommits had come one by one: L55, then L47.
  void receive(Identity, const Precommits& message) {
    const RoundEnd& end = message.end;
    if (!is_position(end.height, end.round)) return;
    if (end.height != state_.height()) return;
    if (end.round > state_.round) start_round(end.round);
    if (end.round == state_.round && !state_.awaits_precommits) await_end_of_round();
  }

  // Who got to a height this way has missed what was said there.
  void receive(Identity, const Decision& message) {
    const Certificate& certificate = message.certificate;
    if (!is_position(certificate.height, certificate.round) || !is_value(certificate.value)) return;
    if (certificate.height != state_.height()) return;
    decide(certificate);
    if (rules_.gossips) send_status(context_.everyone(), true);
  }

  void expire(TimerId timer) {
    if (timer == kGossipTimer) return send_again();
    if (timer == kProposeTimer && state_.step == Step::kPropose) prevote(kGenesis);    // L57 to L60
    if (timer == kPrevoteTimer && state_.step == Step::kPrevote) precommit(kGenesis);  // L61 to L64
    if (timer == kPrecommitTimer) end_round();                                         // L65 to L67
  }

  // All rules whose conditions hold, one by one, until none does.
  void act() {
    while (state_.decided.size() < State::kMostHeights && act_once()) {
    }
  }

 private:
  bool act_once() {
    return decide_on_precommits() || skip_rounds() || release_lock() || await_proposal() || prevote_on_proposal() ||
           act_on_polka() || precommit_nil() || await_prevotes() || await_precommits();
  }

  // L11 to L20
  void start_round(Round round) {
    if (round > Round(kMaxRound).next()) return out_.report_overflow();
    state_.round = round;
    state_.furthest = std::max(state_.furthest, round);
    state_.step = Step::kPropose;
    state_.proposed = {};
    state_.prevoted = state_.precommitted = {};
    state_.awaits_proposal = state_.awaits_prevotes = state_.awaits_precommits = state_.came_by_timeout = false;
    state_.tallies.forget_before(state_.height(), round);
    state_.arrivals.forget_before(round);
    state_.arrivals.add(context_.self, round);
    out_.note(EventKind::kEnteredRound, round);
    for (const TimerId timer : {kProposeTimer, kPrevoteTimer, kPrecommitTimer}) out_.cancel_timer(timer);
    restart_gossip();
    if (context_.leads(round)) make_proposal();
    if (rules_.gossips && round != state_.first_round()) send_status(context_.everyone(), false);
  }
  void end_round() {
    out_.note(EventKind::kTimedOut, state_.round);
    start_round(state_.round.next());
    state_.came_by_timeout = true;
  }

  // L15 to L19. Over gossip, the polka of validRound comes with it.
  void make_proposal() {
    state_.proposed = state_.valid;
    if (state_.valid.is_none()) {
      state_.made = std::max(state_.round, state_.made.next());
      state_.proposed.value = context_.fresh_value(state_.made);
    }
    out_.note(EventKind::kProposed, state_.round, state_.proposed.value);
    send_proposal(context_.everyone());
    if (rules_.gossips) send_polka(context_.everyone());
  }

  // L20, L21. timeoutPropose(round) must be long enough for the others to come to the round, however far behind they
  // are; over gossip that can be seen, and the timer waits for a quorum to be there.
  bool await_proposal() {
    if (state_.awaits_proposal || state_.step != Step::kPropose || context_.leads(state_.round)) return false;
    const bool is_first = state_.round == state_.first_round();
    if (rules_.gossips && !is_first && state_.arrivals.entered_by(rules_.quorum) < state_.round) return false;
    state_.awaits_proposal = true;
    set_timeout(kProposeTimer);
    return true;
  }

  // L22 to L33
  bool prevote_on_proposal() {
    if (state_.step != Step::kPropose) return false;
    for (const Tally& tally : state_.tallies) {
      if (!is_proposed_now(tally)) continue;
      const bool is_fresh = tally.valid_round == Round(0);
      if (!is_fresh && !is_proven(tally)) continue;
      prevote(is_valid(tally.value) && (is_fresh ? is_free_for(tally) : is_free_by_polka(tally)) ? tally.value
                                                                                                 : kGenesis);
      return true;
    }
    return false;
  }
  // L28
  bool is_proven(const Tally& tally) const {
    if (tally.valid_round >= state_.round) return false;
    const Tally* earlier = state_.tallies.find(tally.height, tally.valid_round, tally.value);
    return !rules_.wants_proof_of_round || (earlier != nullptr && earlier->has_polka(rules_.quorum));
  }
  // L23
  bool is_free_for(const Tally& tally) const { return state_.locked.is_none() || state_.locked.value == tally.value; }
  // L29
  bool is_free_by_polka(const Tally& tally) const {
    return !rules_.lock_binds || state_.locked.round <= tally.valid_round || state_.locked.value == tally.value;
  }

  // L34, L35
  bool await_prevotes() {
    if (state_.step != Step::kPrevote || state_.awaits_prevotes) return false;
    if (count_all(&Tally::prevotes, &Tally::prevotes_again) < rules_.quorum) return false;
    state_.awaits_prevotes = true;
    set_timeout(kPrevoteTimer);
    return true;
  }

  // L36 to L43
  bool act_on_polka() {
    if (state_.step == Step::kPropose || state_.valid.round == state_.round) return false;
    for (const Tally& tally : state_.tallies) {
      if (!is_proposed_now(tally) || !tally.has_polka(rules_.quorum) || !is_valid(tally.value)) continue;
      const Choice choice{tally.value, state_.round, 0};
      out_.note(EventKind::kCertified, choice.round, choice.value);
      if (state_.step == Step::kPrevote) {
        if (rules_.locks) state_.locked = choice;
        precommit(choice.value);
      }
      state_.valid = choice;
      const Tally* nil = state_.tallies.find(state_.height(), state_.round, kGenesis);
      if (nil != nullptr) show_polka(nil->precommits);
      return true;
    }
    return false;
  }

  // L44 to L46
  bool precommit_nil() {
    if (state_.step != Step::kPrevote) return false;
    const Tally* nil = state_.tallies.find(state_.height(), state_.round, kGenesis);
    if (nil == nullptr || !nil->has_polka(rules_.quorum)) return false;
    precommit(kGenesis);
    return true;
  }

  // L47, L48
  bool await_precommits() {
    if (state_.awaits_precommits) return false;
    if (count_all(&Tally::precommits, &Tally::precommits_again) < rules_.quorum) return false;
    await_end_of_round();
    return true;
  }
  void await_end_of_round() {
    state_.awaits_precommits = true;
    set_timeout(kPrecommitTimer);
  }

  // L49, L50
  bool decide_on_precommits() {
    for (const Tally& tally : state_.tallies) {
      if (tally.height != state_.height() || !tally.is_proposed || !is_valid(tally.value)) continue;
      if (!tally.is_decided(rules_.quorum)) continue;
      decide({tally.value, tally.height, tally.round});
      return true;
    }
    return false;
  }

  // L51 to L54
  void decide(const Certificate& certificate) {
    out_.commit(state_.height(), certificate.value);
    (void)state_.decided.push_back(certificate);
    if (state_.decided.size() == State::kMostHeights) return out_.report_overflow();
    state_.locked = state_.valid = {};
    state_.arrivals = {};
    start_round(state_.first_round());
    for (const Tally& tally : state_.tallies) {
      for (const Identity voter : tally.prevotes | tally.precommits) notice_round(voter, tally.height, tally.round);
    }
  }

  // L55, L56
  bool skip_rounds() {
    const Round later = state_.arrivals.entered_by(context_.fault_count + 1);
    if (later <= state_.round) return false;
    start_round(later);
    return true;
  }

  // Early Tendermint, and no rule of Algorithm 1: who sees a polka of a later round than its lock forgets the lock.
  bool release_lock() {
    if (!rules_.polka_releases_lock || state_.locked.is_none()) return false;
    const bool releases = std::ranges::any_of(state_.tallies, [&](const Tally& tally) {
      const bool is_later = tally.round > state_.locked.round && tally.round < state_.round;
      return tally.height == state_.height() && is_later && tally.has_polka(rules_.quorum);
    });
    if (releases) state_.locked = {};
    return releases;
  }

  void prevote(ValueId value) {
    state_.prevoted = value;
    state_.step = Step::kPrevote;
    if (!value.is_genesis()) out_.note(EventKind::kVoted, state_.round, value);
    send_prevote(context_.everyone());
  }
  void precommit(ValueId value) {
    state_.precommitted = value;
    state_.step = Step::kPrecommit;
    send_precommit(context_.everyone());
  }

  // valid(v): a value that was not decided before. What is in it is the application's matter.
  bool is_valid(ValueId value) const {
    return std::ranges::find(state_.decided, value, &Certificate::value) == state_.decided.end();
  }
  bool is_proposed_now(const Tally& tally) const {
    return tally.is_proposed && tally.is_of(state_.height(), state_.round);
  }

  // The tally for a message, unless it is of no more use. What is ahead of this height need not be kept over gossip: it
  // comes again.
  Tally* tally_at(Height height, Round round, ValueId value) {
    const bool is_ahead = height > state_.height();
    const bool is_over = height < state_.height() || (!is_ahead && round < state_.round && value.is_genesis());
    if (is_over) return nullptr;
    Tally* tally = state_.tallies.at(height, round, value);
    if (tally != nullptr) return tally;
    if (!rules_.gossips || (!is_ahead && !state_.tallies.forget_furthest(state_.height()))) out_.report_overflow();
    return is_ahead ? nullptr : state_.tallies.at(height, round, value);
  }
  Tally* tally_of(Identity from, const Vote& vote) {
    if (!is_position(vote.height, vote.round) || !is_value_or_nil(vote.value)) return nullptr;
    notice(from, vote.height, vote.round);
    return tally_at(vote.height, vote.round, vote.value);
  }
  static void propose(Tally& tally, Round valid_round) {
    if (tally.is_proposed) return;
    tally.is_proposed = true;
    tally.valid_round = valid_round;
  }
  void count(Identity from, IdentitySet& voters, std::uint8_t& again) const {
    if (rules_.counts_repeats && voters.contains(from) && again < kMaxSeats) ++again;
    voters.insert(from);
  }
  // Votes of this round for whatever value: an identity that voted for several counts once.
  int count_all(IdentitySet Tally::* voters, std::uint8_t Tally::* again) const {
    IdentitySet all;
    int repeated = 0;
    for (const Tally& tally : state_.tallies) {
      if (!tally.is_of(state_.height(), state_.round)) continue;
      all |= tally.*voters;
      repeated += tally.*again;
    }
    return all.size() + repeated;
  }

  // The gossip layer.

  void notice(Identity from, Height height, Round round) {
    if (height > state_.height() && rules_.gossips) send_status(IdentitySet::single(from), false);
    notice_round(from, height, round);
  }
  void notice_round(Identity from, Height height, Round round) {
    if (height == state_.height() && round >= state_.round) state_.arrivals.add(from, round);
  }
  // Who is behind gets the decision of its height, or why one may come to this round; who has just come there and asks
  // gets what this replica has said.
  void help(Identity from, const Status& status) {
    if (!rules_.gossips) return;
    const IdentitySet to = IdentitySet::single(from);
    if (status.height < state_.height()) {
      out_.send(to, Decision{state_.decided[status.height.number - 1U]});
    } else if (status.height == state_.height() && status.round < state_.round) {
      if (state_.came_by_timeout) out_.send(to, Precommits{{state_.height(), state_.round.previous()}});
      send_status(to, false);
    } else if (status.height == state_.height() && status.round == state_.round && status.asks) {
      send_own(to);
    }
  }
  // Who precommits nil has not seen the polka of this round, perhaps since a liar voted for few. It must know it before
  // the next round begins, or a leader that does not know what others are locked on fails, round after round.
  void show_polka(IdentitySet to) {
    if (rules_.gossips && state_.valid.round == state_.round && !to.empty()) send_polka(to);
  }
  void send_again() {
    restart_gossip();
    send_own(context_.everyone());
    send_status(context_.everyone(), false);
  }
  void send_own(IdentitySet to) {
    send_polka(to);
    if (!state_.proposed.value.is_genesis()) send_proposal(to);
    if (state_.step >= Step::kPrevote) send_prevote(to);
    if (state_.step >= Step::kPrecommit) send_precommit(to);
  }
  void send_proposal(IdentitySet to) {
    out_.send(to, Proposal{state_.proposed.value, state_.height(), state_.round, state_.proposed.round, 0});
  }
  void send_prevote(IdentitySet to) { out_.send(to, Prevote{{state_.prevoted, state_.height(), state_.round}}); }
  void send_precommit(IdentitySet to) {
    out_.send(to, Precommit{{state_.precommitted, state_.height(), state_.round}});
  }
  void send_status(IdentitySet to, bool asks) {
    out_.send(to, Status{state_.height(), state_.round, state_.step, asks});
  }
  void send_polka(IdentitySet to) {
    if (state_.valid.is_none()) return;
    const Tally* tally = state_.tallies.find(state_.height(), state_.valid.round, state_.valid.value);
    if (tally == nullptr) return;
    out_.send(to, Prevotes{{tally->value, tally->height, tally->round, tally->valid_round, 0}});
  }

  void set_timeout(TimerId timer) {
    const unsigned growth = std::min<unsigned>(state_.round.number - state_.first_round().number, kMostGrowth);
    out_.set_timer(timer, static_cast<Ticks>((kTimeoutDeltas + growth) * context_.delta_ticks));
  }
  void restart_gossip() {
    if (rules_.gossips) out_.set_timer(kGossipTimer, static_cast<Ticks>(kGossipDeltas * context_.delta_ticks));
  }

  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void Tendermint::start(State& state, const Context& context, Box& out) {
  Replica replica(state, context, out);
  replica.start();
  replica.act();
}

void Tendermint::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
  replica.act();
}

void Tendermint::expire(State& state, const Context& context, TimerId timer, Box& out) {
  Replica replica(state, context, out);
  replica.expire(timer);
  replica.act();
}

Round Tendermint::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Prevotes& m) const { return m.polka.round; }
    Round operator()(const Precommits& m) const { return m.end.round; }
    Round operator()(const Decision& m) const { return m.certificate.round; }
    Round operator()(const Proposal& m) const { return m.round; }
    Round operator()(const Vote& m) const { return m.round; }
    Round operator()(const Status& m) const { return m.round; }
  };
  return std::visit(Visitor{}, message);
}

ValueId Tendermint::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Status&) const { return kGenesis; }
    ValueId operator()(const Precommits&) const { return kGenesis; }
    ValueId operator()(const Prevotes& m) const { return m.polka.value; }
    ValueId operator()(const Decision& m) const { return m.certificate.value; }
    ValueId operator()(const Proposal& m) const { return m.value; }
    ValueId operator()(const Vote& m) const { return m.value; }
  };
  const ValueId value = std::visit(Visitor{}, message);
  return is_value(value) ? value : kGenesis;
}

Progress Tendermint::progress(const State& state, const Context&) {
  const auto at_this_height = [&](const Choice& choice) {
    return choice.is_none() ? Held{} : Held{choice.value, state.height()};
  };
  const Held executed = state.decided.empty() ? Held{} : Held{state.decided.back().value, state.decided.back().height};
  return {at_this_height(state.valid), at_this_height(state.locked), executed};
}

bool Tendermint::extends(const State& state, Held block, Held ancestor) {
  if (block == ancestor || ancestor.is_genesis()) return true;
  const unsigned height = ancestor.height.number;
  return height < block.height.number && height <= state.decided.size() &&
         state.decided[height - 1U].value == ancestor.value;
}

}  // namespace nika::tendermint
