#include "nika/protocols/xrp_lcp/xrp_lcp.hpp"

#include <algorithm>

#include "nika/protocols/xrp_lcp/rules.hpp"

namespace nika::xrp_lcp {
namespace {

using Box = Outbox<Message>;

enum class Note : std::uint8_t { kClosed, kSwitched, kIncompatible };

constexpr unsigned beat_of(TimerId timer) { return static_cast<unsigned>(kFirstBeat) - static_cast<unsigned>(timer); }
constexpr TimerId after(TimerId timer) { return static_cast<TimerId>(static_cast<unsigned>(timer) - 1); }

// areCompatible of Algorithm 2: whether a ledger of that name and sequence can be in the history of `view`.
bool are_compatible(const Ledger& view, const Ledger& ledger, Round sequence) {
  if (sequence == view.sequence) return ledger == view;                    // lines 9, 10
  if (sequence < view.sequence) return ledger == view.ancestor(sequence);  // lines 11, 12
  return true;                                                             // line 13
}

class Node {
 public:
  Node(State& state, const Context& context, Box& out)
      : state_(state), context_(context), rules_(rules_of(context)), out_(out) {}

  void start() {
    state_.round = Round(1);
    begin_round();
  }

  // Transactions are taken from anybody and passed on once; of two versions of a payment the first one counts.
  void receive(Identity, const Transaction& transaction) {
    const Payment payment{transaction.number, transaction.amount};
    if (!payment.is_sound() || state_.known.amount_of(payment.number) != 0) return;
    state_.known.set(payment.number, payment.version());
    out_.send(others(), transaction);
  }

  // Deliberation: only proposals of the own list count; those on another ledger wait until this node is there.
  void receive(Identity from, const Proposal& proposal) {
    if (!is_trusted(from) || !proposal.previous.is_sound() || !proposal.transactions.is_sound()) return;
    dispute(proposal.transactions);
    take_position({proposal.previous, proposal.transactions, from, proposal.number});
    // Who is late closes when more than half of its list has closed.
    if (state_.phase == Phase::kOpen && 2 * deliberating().size() > context_.trusted().size()) close();
  }

  // Validation: only validations of the own list count.
  void receive(Identity from, const Validation& validation) {
    if (!is_trusted(from)) return;
    take_validation(from, validation);
  }

  void expire(TimerId timer) {
    if (timer == kCloseTimer && state_.phase == Phase::kOpen)
      close();
    else if (timer == kNextTimer)
      next_round();
    else if (timer == kEndTimer && state_.phase == Phase::kEstablish)
      end();
    else if (state_.phase == Phase::kEstablish && timer != kCloseTimer)
      beat(timer);
  }

 private:
  // A round begins on the preferred ledger, with whatever a client hands in to this node.
  void begin_round() {
    state_.phase = Phase::kOpen;
    state_.has_switched = false;
    state_.number = state_.has_paused ? static_cast<std::uint8_t>(state_.number + 1) : 0;
    state_.disputed = {};
    if (const Ledger preferred = preferred_ledger(); preferred != state_.previous) change_to(preferred);
    forget();
    if (context_.leads(state_.round) && state_.round <= Round(kPayments)) submit();
    set_timer(kCloseTimer);
  }
  void next_round() {
    if (state_.round == Round(kMaxRound)) return out_.report_overflow();
    state_.round = state_.round.next();
    begin_round();
  }
  // The n-th payment is handed in to whoever leads round n. The seats of a liar hand in different versions of it.
  void submit() {
    const unsigned seat = index_of(context_.fresh.seat());
    const unsigned amount = seat < context_.replica_count ? 1 : 2 + (seat - context_.replica_count) % 2;
    if (state_.known.amount_of(state_.round.number) != 0) return;
    state_.known.set(state_.round.number, amount);
    out_.send(others(),
              Transaction{context_.fresh_value(state_.round), state_.round.number, static_cast<std::uint8_t>(amount)});
  }

  // The open ledger closes: what it holds is the first position.
  void close() {
    state_.phase = Phase::kEstablish;
    out_.cancel_timer(kCloseTimer);
    check_ledger();
    state_.position = state_.open();
    out_.note(own_note(static_cast<unsigned>(Note::kClosed)), state_.round, value_of(state_.position));
    propose();
    set_timer(kFirstBeat);
  }
  void propose() {
    if (!state_.has_switched) out_.send(others(), Proposal{state_.position, state_.number, 0, state_.previous});
  }

  // A heartbeat of the establish phase: each transaction stays or comes in if more of the list want it than the
  // threshold, which rises; 80 % for the same position is consensus.
  void beat(TimerId timer) {
    check_ledger();
    // updateVote: who only observes goes with more than half of the others.
    const TxSet updated = updated_position(state_.has_switched ? 0 : beat_of(timer));
    if (updated != state_.position) {
      state_.position = updated;
      ++state_.number;
      propose();
    }
    if (rules_.closes_after_final_round) return after(timer) == kEndTimer ? accept() : set_timer(after(timer));
    if (context_.is_quorum(agreeing()) && !should_pause()) return accept();
    set_timer(after(timer));
  }
  // Time is over: what there is becomes a ledger, unless too many are behind.
  void end() {
    check_ledger();
    if (!should_pause()) return accept();
    state_.has_paused = true;
    set_timer(kNextTimer);
  }
  // shouldPause of the implementation: a node that is ahead of its fully validated ledger waits for a round if too many
  // of its list are behind; how many are too many changes with how far it is ahead. Otherwise branches could for ever
  // be of different sequences, and whoever is ahead takes the others for uncommitted.
  bool should_pause() const {
    if (state_.has_paused || state_.previous.sequence <= state_.valid.sequence) return false;
    const auto current = state_.validations.current(state_.previous.sequence, state_.round);
    if (current.behind.empty()) return false;
    const unsigned ahead = state_.previous.sequence.number - state_.valid.sequence.number;
    const unsigned phase = (ahead - 1) % (kPausePhases + 1);
    if (phase == kPausePhases) return true;
    const int percent =
        XrpLcp::kQuorumPercent + static_cast<int>((100 - XrpLcp::kQuorumPercent) * phase / kPausePhases);
    return 100 * (current.up & context_.trusted()).size() < percent * context_.trusted().size();
  }
  TxSet updated_position(unsigned heartbeat) const {
    TxSet updated;
    for (unsigned number = 1; number <= kPayments; ++number) {
      std::array<unsigned, kMostAmount + 1> votes{};
      unsigned voters = 0;
      const auto vote = [&](TxSet transactions) {
        ++votes[transactions.amount_of(number)];
        ++voters;
      };
      if (!state_.has_switched) vote(state_.position);
      for (const Position& position : state_.positions) {
        if (position.previous == state_.previous) vote(position.transactions);
      }
      if (rules_.counts_whole_list) voters = static_cast<unsigned>(context_.trusted().size());
      for (unsigned amount = 1; amount <= kMostAmount; ++amount) {
        if (rules_.is_enough(votes[amount], voters, heartbeat)) updated.set(number, amount);
      }
    }
    return updated;
  }
  IdentitySet agreeing() const {
    IdentitySet result;
    if (!state_.has_switched) result.insert(context_.self);
    for (const Position& position : state_.positions) {
      if (position.previous == state_.previous && position.transactions == state_.position)
        result.insert(position.from);
    }
    return result;
  }
  IdentitySet deliberating() const {
    IdentitySet result;
    for (const Position& position : state_.positions) {
      if (position.previous == state_.previous) result.insert(position.from);
    }
    return result;
  }

  // Consensus, or time is over: the position becomes the next ledger, and the node validates it if it may.
  void accept() {
    const Ledger closed = state_.previous.child(state_.position);
    keep_disputed();
    state_.previous = closed;
    state_.phase = Phase::kAccepted;
    state_.has_paused = false;
    set_timer(kNextTimer);
    if (!is_compatible(closed)) {
      out_.note(own_note(static_cast<unsigned>(Note::kIncompatible)), state_.round, value_of(closed.transactions()));
      return;
    }
    if (state_.has_switched || closed.sequence <= state_.largest_issued) return;
    state_.largest_issued = closed.sequence;
    out_.note(EventKind::kVoted, state_.round, value_of(closed.transactions()));
    const Validation validation{closed, closed.sequence, 0};
    out_.send(others(), validation);
    take_validation(context_.self, validation);
  }
  // A transaction that somebody of the list wanted, and that did not get in, is the first in the next open ledger.
  void keep_disputed() {
    for (unsigned number = 1; number <= kPayments; ++number) {
      const unsigned wanted = state_.disputed.amount_of(number);
      const unsigned own = state_.known.amount_of(number);
      const bool is_in = state_.position.amount_of(number) != 0;
      if (!is_in && wanted != 0 && (own == 0 || wanted < own)) state_.known.set(number, wanted);
    }
  }
  void dispute(TxSet transactions) {
    for (unsigned number = 1; number <= kPayments; ++number) {
      const unsigned wanted = transactions.amount_of(number);
      const unsigned before = state_.disputed.amount_of(number);
      if (wanted != 0 && (before == 0 || wanted < before)) state_.disputed.set(number, wanted);
    }
  }
  // isCompatible of rippled's LedgerMaster. What is shorter than the fully validated ledger must be in its history.
  bool is_compatible(const Ledger& view) const {
    return are_compatible(view, state_.valid, state_.valid.sequence) &&
           are_compatible(state_.valid, view, view.sequence) &&
           are_compatible(view, state_.last_valid, state_.last_valid_sequence);
  }

  void take_validation(Identity from, const Validation& validation) {
    if (!validation.ledger.is_sound() || validation.ledger.is_genesis()) return;
    if (rules_.compares_sequence && validation.sequence != validation.ledger.sequence) return;
    if (!state_.validations.add(from, validation, state_.round)) return;
    check_accept(validation.ledger, validation.sequence);
  }
  // checkAccept of Algorithm 2 and of rippled: whether a ledger becomes the last one that is fully validated.
  void check_accept(const Ledger& ledger, Round sequence) {
    if (sequence < state_.valid.sequence) return;
    const bool is_validated = rules_.is_validated(context_, state_.validations.validators_of(ledger));
    if (is_validated && sequence > state_.last_valid_sequence) {  // lines 3 to 5
      state_.last_valid = ledger;
      state_.last_valid_sequence = sequence;
    }
    if (is_validated && ledger.sequence > state_.valid.sequence) set_valid(ledger);
  }
  // With a ledger all its ancestors are fully validated.
  void set_valid(const Ledger& ledger) {
    for (Round at = state_.valid.sequence.next(); at <= ledger.sequence; at = at.next())
      out_.commit(Height(at.number), value_of(ledger.ancestor(at).transactions()));
    state_.valid = ledger;
  }

  // The preferred branch, and checkLedger of the implementation: a node that works on another ledger than the preferred
  // one changes to that, and only observes for the rest of the round.
  void check_ledger() {
    const Ledger preferred = preferred_ledger();
    if (preferred == state_.previous) return;
    change_to(preferred);
    state_.has_switched = true;
    state_.position = state_.open();
  }
  Ledger preferred_ledger() const {
    if (!rules_.follows_validations) return state_.previous;
    return state_.validations.preferred(
        {state_.previous, state_.valid, state_.largest_issued, state_.round, context_.trusted()});
  }
  // Payments of the branch that it leaves are not lost.
  void change_to(const Ledger& ledger) {
    state_.previous = ledger;
    out_.note(own_note(static_cast<unsigned>(Note::kSwitched)), state_.round, value_of(ledger.transactions()));
  }

  // The latest position of each node on each ledger.
  void take_position(const Position& position) {
    auto& all = state_.positions;
    Position* found = std::ranges::find_if(
        all, [&](const Position& old) { return old.from == position.from && old.previous == position.previous; });
    if (found != all.end()) {
      if (found->number < position.number) *found = position;
      return;
    }
    if (position.previous.sequence.number + 1U < state_.previous.sequence.number) return;
    if (std::ranges::count(all, position.from, &Position::from) == kLedgersAtOnce) forget_oldest(position.from);
    const auto key = [](const Position& p) { return std::tuple(p.from, p.previous.sequence); };
    const auto at = std::ranges::upper_bound(all, key(position), {}, key) - all.begin();
    (void)all.push_back(position);
    std::rotate(all.begin() + at, all.end() - 1, all.end());
  }
  // A node is on one ledger at a time, and may be on the next one already; a liar that is on more says nothing.
  void forget_oldest(Identity from) {
    auto& all = state_.positions;
    all.erase_at(static_cast<std::size_t>(std::ranges::find(all, from, &Position::from) - all.begin()));
  }
  // What no rule asks for any more: positions on ledgers that were closed before the last one, and old validations.
  void forget() {
    auto& all = state_.positions;
    for (std::size_t i = all.size(); i > 0; --i) {
      if (all[i - 1].previous.sequence < state_.previous.sequence) all.erase_at(i - 1);
    }
    const unsigned top = std::max(state_.valid.sequence.number, state_.previous.sequence.number);
    const unsigned kept = top > kMostKept ? top - kMostKept : 0;
    const unsigned below = state_.valid.sequence.number > Validations::kKeptBelow
                               ? state_.valid.sequence.number - Validations::kKeptBelow
                               : 0;
    state_.validations.forget_before(Round(std::max(kept, below)));
  }

  bool is_trusted(Identity from) const { return context_.trusted().contains(from); }
  IdentitySet others() const { return context_.everyone() - IdentitySet::single(context_.self); }
  // Moments of a round are 2Δ apart.
  void set_timer(TimerId timer) {
    out_.set_timer(timer,
                   static_cast<Ticks>(2 * (XrpLcp::kTimerCount - static_cast<unsigned>(timer)) * context_.delta_ticks));
  }

  static constexpr std::ptrdiff_t kLedgersAtOnce = 2;
  static constexpr unsigned kPausePhases = 4;
  static constexpr unsigned kMostKept = 8;  // ledgers whose validations are counted while none is fully validated

  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

}  // namespace

void XrpLcp::start(State& state, const Context& context, Box& out) { Node(state, context, out).start(); }

void XrpLcp::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Node node(state, context, out);
  std::visit([&](const auto& m) { node.receive(from, m); }, message);
}

void XrpLcp::expire(State& state, const Context& context, TimerId timer, Box& out) {
  Node(state, context, out).expire(timer);
}

Round XrpLcp::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Transaction& m) const { return Round(m.number); }
    Round operator()(const Proposal& m) const { return m.previous.sequence.next(); }
    Round operator()(const Validation& m) const { return m.ledger.sequence; }  // whatever sequence a liar says with it
  };
  return std::visit(Visitor{}, message);
}

unsigned XrpLcp::protocol_round_of(const Message& message) {
  const unsigned ledger = round_of(message).number;
  if (ledger == 0) return 0;
  return 2 * ledger + static_cast<unsigned>(message.index()) - 1;
}

// Whoever names another ledger says its sequence; whoever says another sequence keeps the name.
void XrpLcp::make_consistent(const Message& truth, Message& lie) {
  auto* told = std::get_if<Validation>(&lie);
  if (told != nullptr && told->ledger != std::get<Validation>(truth).ledger) told->sequence = told->ledger.sequence;
}

ValueId XrpLcp::subject_of(const Message& message) {
  const auto* transaction = std::get_if<Transaction>(&message);
  return transaction == nullptr ? kGenesis : transaction->origin;
}

Progress XrpLcp::progress(const State& state, const Context&) {
  const auto held = [](const Ledger& ledger) {
    return ledger.is_genesis() ? Held{} : Held{value_of(ledger.transactions()), Height(ledger.sequence.number)};
  };
  return {held(state.previous), held(state.last_valid), held(state.valid)};
}

bool XrpLcp::extends(const State& state, Held block, Held ancestor) {
  if (block == ancestor || ancestor.is_genesis()) return true;
  const auto is_in = [](const Ledger& ledger, Held held) {
    const Round at(held.height.number);
    return at <= ledger.sequence && value_of(ledger.ancestor(at).transactions()) == held.value;
  };
  if (ancestor.height >= block.height) return false;
  return std::ranges::any_of(std::array{state.previous, state.valid},
                             [&](const Ledger& ledger) { return is_in(ledger, block) && is_in(ledger, ancestor); });
}

}  // namespace nika::xrp_lcp
