#include "nika/protocols/ibft/ibft.hpp"

#include "nika/protocols/ibft/rules.hpp"

namespace nika::ibft {

static_assert(Protocol<Ibft>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Message>;

// A round has time for a ROUND-CHANGE and three steps. Timeouts grow with the rounds of a height, and who knows of
// somebody ahead is less patient than who does not: so those behind catch up.
constexpr unsigned kTimeoutDeltas = 5;
constexpr unsigned kMostPatience = 16;

// What nobody can have made is no value.
bool is_value(ValueId value) { return value.round() != Round(0) && !value.is_nameless(); }
bool is_position(Height height, Round round) {
  return height != Height(0) && round >= Round(height.number) && round <= Round(kMaxRound).next();
}
bool is_first(Height height, Round round) { return round == Round(height.number); }

// One input to one validator: the state it changes and all that it needs to do so.
class Validator {
 public:
  Validator(State& state, const Context& context, Box& out)
      : state_(state), context_(context), rules_(rules_of(context)), out_(out) {}

  void start() { start_height(); }

  void receive(Identity from, const RoundChange& message) {
    if (!is_position(message.height, message.round)) return;
    help(from, message.height);
    if (message.height != state_.height() || message.round < state_.round) return;
    if (is_acceptable(message)) state_.round_changes.add(from, message.round, message.prepared);
    hurry();
  }

  // EIP-650, NEW ROUND to PRE-PREPARED: the proposer is whoever leads the round.
  void receive(Identity from, const PrePrepare& message) {
    if (!is_position(message.height, message.round) || !is_value(message.value)) return;
    ask(from, message.height);
    if (!context_.leaders_of(message.round).contains(from) || !is_justified(message)) return;
    if (Tally* tally = tally_at(message)) tally->is_proposed = true;
  }

  void receive(Identity from, const Prepare& vote) {
    if (Tally* tally = tally_of(from, vote)) tally->prepares.insert(from);
  }
  void receive(Identity from, const Commit& vote) {
    if (Tally* tally = tally_of(from, vote)) tally->commits.insert(from);
  }

  void receive(Identity from, const Status& status) {
    if (is_position(status.height, status.round)) help(from, status.height);
  }

  // EIP-650: who gets verified blocks through peer synchronisation leaves the round change loop. There may be more of
  // them where this one came from.
  void receive(Identity from, const Block& message) {
    const Finalized& block = message.finalized;
    if (!is_position(block.height, block.round) || !is_value(block.value)) return;
    if (block.height != state_.height()) return;
    finalize(block);
    send_status(from);
  }

  // EIP-650: the round change timer expires.
  void expire() { change_round(state_.round.next()); }

  // All rules whose conditions hold, one by one, until none does.
  void act() {
    while (state_.finalized.size() < State::kMostHeights && act_once()) {
    }
  }

 private:
  bool act_once() {
    return commit_block() || follow_round_changes() || follow_proposal() || propose() || accept_proposal() || prepare();
  }

  void start_height() {
    state_.round = state_.first_round();
    state_.patience = 0;
    start_round(state_.round);
  }
  void start_round(Round round) {
    if (round > Round(kMaxRound).next()) return out_.report_overflow();
    const unsigned passed = round.number - state_.round.number;
    state_.patience = static_cast<std::uint8_t>(std::min(state_.patience + passed, kMostPatience));
    state_.round = round;
    state_.furthest = std::max(state_.furthest, round);
    state_.accepted = {};
    state_.has_proposed = state_.has_committed = false;
    state_.tallies.forget_before(state_.height(), round);
    state_.round_changes.forget_before(round);
    out_.note(EventKind::kEnteredRound, round);
    set_timer();
  }

  // IBFT 2.0: ROUND-CHANGE has the latest prepared certificate. That of EIP-650 has a round and nothing else.
  void change_round(Round round) {
    out_.note(EventKind::kTimedOut, state_.round);
    start_round(round);
    const Prepared prepared = rules_.prepared_is_locked ? Prepared{} : state_.prepared;
    out_.send(context_.everyone(), RoundChange{prepared, state_.height(), round});
  }

  // EIP-650: F+1 ROUND-CHANGE messages for a later round than its own make a validator send one for that round.
  bool follow_round_changes() {
    const Round later = state_.round_changes.wanted_by(context_.fault_count + 1);
    if (later <= state_.round) return false;
    change_round(later);
    return true;
  }

  // IBFT 2.0: a justified proposal of a later round shows that a quorum has gone there.
  bool follow_proposal() {
    for (const Tally& tally : state_.tallies) {
      if (tally.height != state_.height() || tally.round <= state_.round || !tally.is_proposed) continue;
      start_round(tally.round);
      return true;
    }
    return false;
  }

  // The first round of a height begins by itself; every other one with the ROUND-CHANGE messages of a quorum.
  bool propose() {
    if (state_.has_proposed || !context_.leads(state_.round)) return false;
    const Height height = state_.height();
    RoundChangeCertificate certificate;
    if (!is_first(height, state_.round)) {
      if (state_.round_changes.count(state_.round) < rules_.quorum) return false;
      const Prepared latest = state_.round_changes.latest_prepared(state_.round);
      certificate = {latest.value, height, state_.round, latest.round, 0};
    }
    state_.has_proposed = true;
    const ValueId value = value_to_propose(certificate);
    out_.note(EventKind::kProposed, state_.round, value);
    out_.send(context_.everyone(), PrePrepare{value, certificate, height, state_.round});
    return true;
  }
  // EIP-650: a proposer that is locked proposes its locked block. IBFT 2.0: the block of the latest prepared
  // certificate.
  ValueId value_to_propose(const RoundChangeCertificate& certificate) {
    if (is_locked()) return state_.prepared.value;
    if (certificate.prepared_round != Round(0)) return certificate.value;
    state_.made = std::max(state_.round, state_.made.next());
    return context_.fresh_value(state_.made);
  }

  // EIP-650, cases 2 and 3 of PRE-PREPARE: who is not locked sends a PREPARE, who is locked on this block a COMMIT at
  // once, and who is locked on another one a ROUND-CHANGE.
  bool accept_proposal() {
    if (!state_.accepted.is_genesis()) return false;
    const auto* tally = std::ranges::find_if(state_.tallies, [&](const Tally& each) { return is_proposed_now(each); });
    if (tally == state_.tallies.end()) return false;
    if (is_locked() && tally->value != state_.prepared.value) {
      change_round(state_.round.next());
      return true;
    }
    state_.accepted = tally->value;
    out_.note(EventKind::kVoted, state_.round, state_.accepted);
    if (is_locked()) {
      send_commit();
    } else {
      out_.send(context_.everyone(), Prepare{{state_.accepted, state_.height(), state_.round}});
    }
    return true;
  }

  // EIP-650, PRE-PREPARED to PREPARED.
  bool prepare() {
    if (state_.accepted.is_genesis() || state_.has_committed) return false;
    const Tally* tally = state_.tallies.find(state_.height(), state_.round, state_.accepted);
    if (prepares_of(*tally).size() < rules_.quorum) return false;
    state_.prepared = {state_.accepted, state_.height(), state_.round};
    out_.note(EventKind::kCertified, state_.round, state_.accepted);
    send_commit();
    return true;
  }
  // Where a locked validator sends no PREPARE, EIP-650 counts PREPAREs and COMMITs together.
  IdentitySet prepares_of(const Tally& tally) const {
    return rules_.prepared_is_locked ? tally.prepares | tally.commits : tally.prepares;
  }
  void send_commit() {
    state_.has_committed = true;
    out_.send(context_.everyone(), Commit{{state_.accepted, state_.height(), state_.round}});
  }

  // EIP-650, PREPARED to COMMITTED and FINAL COMMITTED. A block with the seals of a quorum is final for everybody.
  bool commit_block() {
    for (const Tally& tally : state_.tallies) {
      if (tally.height != state_.height() || !tally.is_proposed || !is_new(tally.value)) continue;
      if (tally.commits.size() < rules_.quorum) continue;
      finalize({tally.value, tally.height, tally.round});
      return true;
    }
    return false;
  }

  // EIP-650, FINAL COMMITTED to NEW ROUND of the next height. Locks and certificates are those of one height.
  void finalize(const Finalized& block) {
    out_.commit(state_.height(), block.value);
    (void)state_.finalized.push_back(block);
    if (state_.finalized.size() == State::kMostHeights) return out_.report_overflow();
    state_.prepared = {};
    state_.round_changes = {};
    start_height();
  }

  bool is_locked() const { return rules_.prepared_is_locked && !state_.prepared.is_none(); }

  // A prepared certificate is of this height and of a round before the one that is wished for.
  bool is_acceptable(const RoundChange& message) const {
    const Prepared& prepared = message.prepared;
    if (is_first(message.height, message.round)) return false;
    if (prepared.is_none()) return prepared == Prepared{};
    return is_position(prepared.height, prepared.round) && is_value(prepared.value) &&
           prepared.height == message.height && prepared.round < message.round;
  }
  // IBFT 2.0: after the first round of a height a proposal wants the ROUND-CHANGE messages of a quorum, and repeats the
  // block that is prepared latest in them, if any is.
  static bool is_justified(const PrePrepare& message) {
    const RoundChangeCertificate& certificate = message.certificate;
    if (is_first(message.height, message.round)) return certificate.round == Round(0);
    if (certificate.height != message.height || certificate.round != message.round) return false;
    return certificate.prepared_round == Round(0) || certificate.value == message.value;
  }
  bool is_proposed_now(const Tally& tally) const {
    return tally.is_proposed && tally.is_of(state_.height(), state_.round) && is_new(tally.value);
  }
  // A valid block is one that is not in the chain yet. What is in it is the application's matter.
  bool is_new(ValueId value) const {
    return std::ranges::find(state_.finalized, value, &Finalized::value) == state_.finalized.end();
  }

  // The tally for a message, unless it is of no more use. What is of a later height is dropped if there is no room: its
  // sender gives the block to who lacks it.
  template <class Kind>
  Tally* tally_at(const Kind& message) {
    const bool is_ahead = message.height > state_.height();
    const bool is_over = message.height < state_.height() || (!is_ahead && message.round < state_.round);
    if (is_over) return nullptr;
    Tally* tally = state_.tallies.at(message.height, message.round, message.value);
    if (tally != nullptr || is_ahead) return tally;
    if (!state_.tallies.forget_furthest(state_.height())) out_.report_overflow();
    return state_.tallies.at(message.height, message.round, message.value);
  }
  Tally* tally_of(Identity from, const Vote& vote) {
    if (!is_position(vote.height, vote.round) || !is_value(vote.value)) return nullptr;
    ask(from, vote.height);
    return tally_at(vote);
  }

  // Block synchronisation: who hears of a later height asks for the block it lacks, and who is stuck at an earlier one
  // gets it.
  void ask(Identity from, Height height) {
    if (height > state_.height()) send_status(from);
  }
  void help(Identity from, Height height) {
    if (height >= state_.height()) return ask(from, height);
    out_.send(IdentitySet::single(from), Block{state_.finalized[height.number - 1U]});
  }
  void send_status(Identity to) { out_.send(IdentitySet::single(to), Status{state_.height(), state_.round}); }

  bool is_behind() const { return state_.round_changes.wanted_by(1) > state_.round; }
  void hurry() {
    if (state_.timer == 0 && is_behind()) set_timer();
  }
  // In network rounds each timer runs out once. So who is behind uses the others in turn, and gets through several
  // rounds, as a clock would let it; by a clock it makes no difference which one runs.
  void set_timer() {
    constexpr unsigned kOthers = Ibft::kTimerCount - 1;
    out_.cancel_timer(TimerId{state_.timer});
    state_.timer = static_cast<std::uint8_t>(is_behind() ? state_.timer % kOthers + 1 : 0);
    const unsigned deltas = kTimeoutDeltas + state_.patience + (is_behind() ? 0U : 1U);
    out_.set_timer(TimerId{state_.timer}, static_cast<Ticks>(deltas * context_.delta_ticks));
  }

  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void Ibft::start(State& state, const Context& context, Box& out) {
  Validator validator(state, context, out);
  validator.start();
  validator.act();
}

void Ibft::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Validator validator(state, context, out);
  std::visit([&](const auto& m) { validator.receive(from, m); }, message);
  validator.act();
}

void Ibft::expire(State& state, const Context& context, TimerId, Box& out) {
  Validator validator(state, context, out);
  validator.expire();
  validator.act();
}

Round Ibft::round_of(const Message& message) {
  return std::visit(
      [](const auto& m) {
        if constexpr (requires { m.finalized; }) {
          return m.finalized.round;
        } else {
          return m.round;
        }
      },
      message);
}

ValueId Ibft::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Status&) const { return kGenesis; }
    ValueId operator()(const Block& m) const { return m.finalized.value; }
    ValueId operator()(const RoundChange& m) const { return m.prepared.value; }
    ValueId operator()(const PrePrepare& m) const { return m.value; }
    ValueId operator()(const Vote& m) const { return m.value; }
  };
  const ValueId value = std::visit(Visitor{}, message);
  return is_value(value) ? value : kGenesis;
}

int Ibft::certificate_votes(const Context& context) { return rules_of(context).quorum; }

// What is prepared binds nobody; what EIP-650 locks does.
Progress Ibft::progress(const State& state, const Context& context) {
  const Held prepared = state.prepared.is_none() ? Held{} : Held{state.prepared.value, state.prepared.height};
  const Held executed =
      state.finalized.empty() ? Held{} : Held{state.finalized.back().value, state.finalized.back().height};
  return {prepared, rules_of(context).prepared_is_locked ? prepared : Held{}, executed};
}

bool Ibft::extends(const State& state, Held block, Held ancestor) {
  if (block == ancestor || ancestor.is_genesis()) return true;
  const unsigned height = ancestor.height.number;
  return height < block.height.number && height <= state.finalized.size() &&
         state.finalized[height - 1U].value == ancestor.value;
}

}  // namespace nika::ibft
