#include "nika/protocols/diembft/diembft.hpp"

#include <algorithm>
#include <utility>

#include "nika/protocols/chain/branch.hpp"
#include "nika/protocols/diembft/rules.hpp"

namespace nika::diembft {

static_assert(Protocol<DiemBft>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<DiemBft::Message>;

constexpr TimerId kRoundTimer{0};
constexpr Ticks kBaseTimeoutTicks = 4;
constexpr std::uint8_t kMaxDoublings = 2;

// One input to one replica: the state it changes and all that it needs to do so.
class Replica {
 public:
  Replica(State& state, const Context& context, Box& out) : state_(state), context_(context), out_(out) {}

  void start() { enter_round(Round(1)); }

  void receive(Identity from, const Proposal& proposal) {
    if (!context_.leaders_of(proposal.block.round()).contains(from) || !is_justified(proposal)) return;
    process_timeout_certificate(proposal.timeout_certificate);
    process_certificate(proposal.certificate, from);
    if (proposal.certificate.round() < state_.certificate.round()) help(from, proposal.block.round());
    if (knows(proposal.certificate.block)) {
      consider(proposal);
    } else if (proposal.block.round() >= state_.current_round) {
      keep_waiting(proposal);
    }
  }

  void receive(Identity from, const Vote& vote) {
    if (vote.block.round() == state_.current_round) count(from, vote);
  }

  void receive(Identity from, const Timeout& timeout) {
    if (timeout.timeout_certificate >= state_.current_round) process_timeout_certificate(timeout.timeout_certificate);
    if (timeout.certificate.round() > state_.certificate.round()) {
      process_certificate(timeout.certificate, from);
    }
    if (timeout.round < state_.current_round) return help_if_behind(from, timeout.round);
    if (timeout.round > state_.current_round) return join_later_round(from, timeout.round);
    state_.timeouts.insert(from);
    if (is_time_to_join()) expire();
    if (state_.timeouts.size() < rules().quorum) return;
    out_.note(EventKind::kTimeoutCertified, timeout.round);
    process_timeout_certificate(timeout.round);
  }

  void receive(Identity from, const SyncInfo& info) {
    process_timeout_certificate(info.timeout_certificate);
    process_certificate(info.certificate, from);
  }

  void receive(Identity from, const BlockRequest& request) {
    if (!state_.tree.contains(request.wanted)) return;
    out_.send(IdentitySet::single(from), chain::answer(state_.tree, request));
  }

  void receive(Identity /*from*/, const BlockResponse& response) {
    const bool learned = chain::learn(state_.tree, state_.committed, response, out_);
    if (!learned || !state_.tree.contains(response.wanted)) return;
    if (!state_.wanted.block.is_genesis() && state_.tree.contains(state_.wanted.block)) {
      adopt(std::exchange(state_.wanted, {}));
    }
    consider_waiting();
  }

  void expire() {
    out_.note(EventKind::kTimedOut, state_.current_round);
    // A timeout is a vote for nothing: the round is over for this replica.
    state_.last_voted_round = std::max(state_.last_voted_round, state_.current_round);
    // A certificate whose block did not come is given up with the round: it must not stand in the way of one whose
    // block can be had, and who knows its block shows it again with the own timeout.
    state_.wanted = {};
    state_.timeouts.insert(context_.self);
    out_.send(context_.everyone(), Timeout{state_.current_round, state_.timeout_certificate, state_.certificate});
    if (state_.failed_rounds < kMaxDoublings) ++state_.failed_rounds;
    restart_timer();
  }

 private:
  Rules rules() const { return rules_of(context_); }

  // Most often it is the block of the highest certificate that is asked for.
  bool knows(ValueId block) const { return block == state_.certificate.block || state_.tree.contains(block); }

  // f+1 timeouts prove that an honest node has given up on the round: one that gives up with it lets all honest nodes
  // have the timeout certificate as soon as one of them has it (DiemBFT version 4, pacemaker).
  bool is_time_to_join() const {
    return state_.timeouts.size() == context_.fault_count + 1 && !state_.timeouts.contains(context_.self);
  }

  // One round behind without a certificate of that round is no lag: the sender is about to time out with everybody.
  void help_if_behind(Identity sender, Round round) {
    if (state_.certificate.round() >= round || state_.current_round > round.next()) help(sender, round);
  }

  // f+1 timeouts of a later round prove that an honest node is there and has given up on it: join both.
  void join_later_round(Identity from, Round round) {
    if (round < state_.later_round) return;
    if (round > state_.later_round) state_.later_timeouts = {};
    state_.later_round = round;
    state_.later_timeouts.insert(from);
    if (state_.later_timeouts.size() <= context_.fault_count) return;
    enter_round(round);
    expire();
  }

  void help(Identity behind, Round round) {
    out_.send(IdentitySet::single(behind), SyncInfo{round, state_.timeout_certificate, state_.certificate});
  }

  // A proposal follows either its parent's round or a round that is proven to have timed out.
  static bool is_justified(const Proposal& proposal) {
    const Round before = proposal.block.round().previous();
    return proposal.certificate.round() == before ||
           (proposal.timeout_certificate == before && proposal.certificate.round() < before);
  }

  void consider(const Proposal& proposal) {
    chain::insert(state_.tree, state_.committed, {proposal.block, proposal.certificate.block}, out_);
    if (!may_vote_for(proposal)) return;
    const Round round = proposal.block.round();
    state_.last_voted_round = std::max(state_.last_voted_round, round);  // Update Rule 1
    if (rules().updates_preferred_round) {                               // Update Rule 2
      state_.preferred_round = std::max(state_.preferred_round, proposal.certificate.parent.round());
    }
    const Vote vote{proposal.block, proposal.certificate.block};
    out_.note(EventKind::kVoted, round, vote.block, vote.parent);
    out_.send(context_.leaders_of(round.next()), vote);
  }

  bool may_vote_for(const Proposal& proposal) const {
    // Safety Rule 1. A proposal of an earlier round than the current one came too late.
    const Round round = proposal.block.round();
    const bool rises = rules().votes_once_a_round ? round > state_.last_voted_round : round >= state_.last_voted_round;
    if (rules().votes_in_rising_rounds && !(rises && round >= state_.current_round)) return false;
    return proposal.certificate.round() >= state_.preferred_round;  // Safety Rule 2
  }

  void count(Identity from, const Vote& vote) {
    Tally* tally = nullptr;
    for (Tally& other : state_.votes) {
      // A vote signs the parent along with the block: votes that differ in it are for different things.
      const bool same = other.block == vote.block && other.parent == vote.parent;
      if (other.voters.contains(from)) {  // Safety Rules 3 and 4
        out_.note(same ? EventKind::kDuplicateVote : EventKind::kEquivocatingVote, vote.block.round(), vote.block,
                  other.block);
        return;
      }
      if (same) tally = &other;
    }
    if (tally == nullptr) {
      if (!state_.votes.push_back({vote.block, vote.parent, {}})) return out_.report_overflow();
      tally = &state_.votes.back();
    }
    tally->voters.insert(from);
    if (tally->voters.size() != rules().quorum) return;  // each certificate is made once
    out_.note(EventKind::kCertified, vote.block.round(), vote.block, vote.parent);
    process_certificate({vote.block, vote.parent}, from);  // Update Rule 4 follows from entering the next round
  }

  // A certificate counts once its block is known; until then it leads to no later round, since nobody could be shown
  // what that round builds on. Whoever showed the certificate, or cast its last vote, is asked for the block.
  void process_certificate(const QuorumCertificate& certificate, Identity from) {
    if (certificate.block == state_.certificate.block) return;  // adopted before
    if (state_.tree.contains(certificate.block)) return adopt(certificate);
    if (certificate.round() < state_.wanted.round()) return;
    state_.wanted = certificate;
    ask_for(certificate.block, from, std::min(state_.current_round, certificate.round().next()));
  }

  void adopt(const QuorumCertificate& certificate) {
    if (certificate.round() > state_.certificate.round()) {
      state_.certificate = certificate;
      state_.failed_rounds = 0;
    }
    if (state_.wanted.round() <= state_.certificate.round()) state_.wanted = {};
    if (state_.timeout_certificate <= state_.certificate.round()) state_.timeout_certificate = {};
    commit_by(certificate);
    enter_round(certificate.round().next());  // Update Rule 3
    propose_if_due();
  }

  void process_timeout_certificate(Round round) {
    if (round <= state_.certificate.round()) return;  // proves nothing that the certificate does not
    state_.timeout_certificate = std::max(state_.timeout_certificate, round);
    enter_round(round.next());
  }

  // A certified block, its parent and its grandparent of three consecutive rounds commit the grandparent.
  void commit_by(const QuorumCertificate& certificate) {
    const ValueId parent = certificate.parent;
    const bool may_follow = parent.round().next() == certificate.round();
    if ((rules().commits_consecutive_rounds && !may_follow) || parent == state_.tree.root().id) return;
    const ValueId grandparent = state_.tree.parent_of(parent);
    if (grandparent == state_.committed.id || grandparent.is_genesis()) return;
    if (rules().commits_consecutive_rounds && grandparent.round().next() != parent.round()) return;
    if (!state_.tree.is_ancestor_or_equal(grandparent, state_.committed.id)) {
      chain::commit(state_.tree, state_.committed, grandparent, out_);
    }
  }

  void enter_round(Round round) {
    if (round > state_.current_round) begin_round(round);
  }

  void begin_round(Round round) {
    state_.current_round = round;
    state_.votes.clear();
    state_.timeouts = state_.later_round == round ? state_.later_timeouts : IdentitySet{};
    if (state_.later_round <= round) {
      state_.later_round = {};
      state_.later_timeouts = {};
    }
    forget_waiting_before(round);
    out_.note(EventKind::kEnteredRound, round);
    restart_timer();
    state_.proposal_is_due = context_.leads(round);
    propose_if_due();
  }

  void propose_if_due() {
    const Round round = state_.current_round;
    const bool follows = state_.certificate.round().next() == round;
    if (!state_.proposal_is_due || !(follows || state_.timeout_certificate.next() == round)) return;
    state_.proposal_is_due = false;
    const ValueId block = context_.fresh_block(round, state_.certificate.block);
    if (block.is_genesis()) return out_.report_overflow();
    out_.note(EventKind::kProposed, round, block, state_.certificate.block);
    out_.send(context_.everyone(), Proposal{block, state_.certificate, follows ? Round(0) : round.previous()});
  }

  void forget_waiting_before(Round round) {
    for (std::size_t i = state_.waiting.size(); i > 0; --i) {
      if (state_.waiting[i - 1].block.round() < round) state_.waiting.erase_at(i - 1);
    }
  }

  // A justified proposal proves that the rounds before its own are over, so those of the latest round alone are kept.
  void keep_waiting(const Proposal& proposal) {
    const Round round = proposal.block.round();
    if (!state_.waiting.empty() && round < state_.waiting[0].block.round()) return;
    forget_waiting_before(round);
    const bool waits = std::ranges::find(state_.waiting, proposal.block, &Proposal::block) != state_.waiting.end();
    if (!waits && !state_.waiting.push_back(proposal)) out_.report_overflow();
  }

  void consider_waiting() {
    for (std::size_t i = 0; i < state_.waiting.size();) {
      const Proposal proposal = state_.waiting[i];
      if (!state_.tree.contains(proposal.certificate.block)) {
        ++i;
        continue;
      }
      state_.waiting.erase_at(i);
      adopt(proposal.certificate);
      consider(proposal);
      i = 0;  // adopting may have entered a round and forgotten others
    }
  }

  void ask_for(ValueId block, Identity from, Round round) {
    out_.note(EventKind::kAskedForBlock, round, block);
    out_.send(IdentitySet::single(from), BlockRequest{round, block, state_.committed.id});
  }

  void restart_timer() { out_.set_timer(kRoundTimer, static_cast<Ticks>(kBaseTimeoutTicks << state_.failed_rounds)); }

  State& state_;
  const Context& context_;
  Box& out_;
};

}  // namespace

void DiemBft::start(State& state, const Context& context, Box& out) { Replica(state, context, out).start(); }

void DiemBft::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, out);
  std::visit([&](const auto& m) { replica.receive(from, m); }, message);
}

void DiemBft::expire(State& state, const Context& context, TimerId, Box& out) { Replica(state, context, out).expire(); }

}  // namespace nika::diembft
