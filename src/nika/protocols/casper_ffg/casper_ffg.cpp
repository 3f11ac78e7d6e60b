#include "nika/protocols/casper_ffg/casper_ffg.hpp"

#include <algorithm>
#include <utility>

#include "nika/protocols/casper_ffg/rules.hpp"
#include "nika/protocols/chain/branch.hpp"

namespace nika::casper_ffg {

static_assert(Protocol<CasperFfg> && Protocol<CasperFfgLed>);
static_assert(std::has_unique_object_representations_v<State>);

namespace {

using Box = Outbox<Message>;

constexpr TimerId kEpochTimer{0};
// An epoch has time for a block, what its parent needs to be fetched, and the votes.
constexpr unsigned kEpochDeltas = 5;

enum class Form : std::uint8_t { kPublished, kLed };

// What nobody can have made is no block.
bool is_block(ValueId value) { return value.round() != Round(0) && !value.is_nameless(); }

// One input to one validator: the state it changes and all that it needs to do so.
class Validator {
 public:
  Validator(Form form, State& state, const Context& context, Box& out)
      : form_(form), state_(state), context_(context), rules_(rules_of(context)), out_(out) {}

  void start() { enter_epoch(Round(1)); }
  // An epoch passes with time. Who has left the others behind waits until n - f are in its epoch.
  void expire() {
    const int enough = context_.replica_count - context_.fault_count;
    if (state_.arrivals.entered_by(enough) >= state_.epoch) return enter_epoch(state_.epoch.next());
    restart_timer();
    send_status();
  }

  void receive(Identity from, const Proposal& proposal) {
    const Block block{proposal.block, proposal.parent.checkpoint};
    if (!is_block(block.id) || block.parent.round() >= block.id.round() || !may_propose(from, block.id.round())) return;
    hear(from, block.id.round());
    learn(proposal.parent, IdentitySet::single(from), block.id.round());
    const bool has_parent = state_.tree.contains(block.parent);
    if (has_parent) consider(block);
    if (is_ahead(block) || (!has_parent && block.id.round() == state_.epoch)) wait_with(block);
  }

  // "Votes whose source is not an ancestor of the target are invalid." Those for a target below the last height come
  // too late to be included.
  void receive(Identity from, const Vote& vote) {
    if (!is_block(vote.target) || vote.source.height() >= vote.target.round()) return;
    hear(from, vote.target.round());
    learn(vote.source, IdentitySet::single(from), vote.target.round());
    if (vote.target.round().next() < state_.epoch) return;
    const Link link{vote.source.checkpoint, vote.target};
    note_violations(from, link);
    const Tally* tally = state_.votes.add(from, link);
    if (state_.votes.is_full()) out_.report_overflow();
    if (tally != nullptr) justify(*tally);
  }

  void receive(Identity from, const Status& status) {
    if (status.epoch == Round(0)) return;
    hear(from, status.epoch);
    learn(status.justified, IdentitySet::single(from), status.epoch);
  }

  void receive(Identity from, const BlockRequest& request) {
    if (state_.tree.contains(request.wanted)) out_.send(IdentitySet::single(from), chain::answer(state_.tree, request));
  }

  void receive(Identity /*from*/, const BlockResponse& response) {
    if (!chain::learn(state_.tree, state_.committed, response, out_)) return;
    sort_tree();
    adopt_wanted();
    consider_waiting();
    justify_all();
  }

 private:
  // The proposal mechanism: "it proposes child blocks of existing blocks", and may fork.
  bool may_propose(Identity who, Round height) const {
    return form_ == Form::kPublished || context_.leaders_of(height).contains(who);
  }

  void enter_epoch(Round epoch) {
    if (epoch > Round(kMaxRound).next()) return out_.report_overflow();
    state_.epoch = epoch;
    out_.note(EventKind::kEnteredRound, epoch);
    restart_timer();
    state_.arrivals.forget_before(epoch);
    state_.arrivals.add(context_.self, epoch);
    forget_votes();
    // What nobody sent is given up with the epoch: it must not stand in the way of what can be had.
    state_.wanted.clear();
    for (std::size_t i = state_.waiting.size(); i > 0; --i) {
      if (state_.waiting[i - 1].id.round() < epoch) state_.waiting.erase_at(i - 1);
    }
    forget_blocks();
    if (may_propose(context_.self, epoch)) {
      propose();
    } else {
      send_status();
    }
    consider_waiting();  // what was proposed by who is ahead
    justify_all();
  }
  void restart_timer() { out_.set_timer(kEpochTimer, static_cast<Ticks>(kEpochDeltas * context_.delta_ticks)); }
  void send_status() { out_.send(context_.everyone(), Status{state_.justified, state_.epoch, 0}); }

  // "Follow the chain containing the justified checkpoint of the greatest height": a block is proposed on it.
  void propose() {
    const ValueId parent = state_.justified.checkpoint;
    const ValueId block = context_.fresh_block(state_.epoch, parent);
    if (block.is_genesis()) return out_.report_overflow();
    out_.note(EventKind::kProposed, state_.epoch, block, parent);
    out_.send(context_.everyone(), Proposal{block, state_.justified});
  }

  void consider(Block block) {
    insert(block);
    vote_for(block);
    justify_all();  // votes may have come before it
  }
  // A validator votes for the first block of its epoch that it may vote for.
  void vote_for(const Block& block) {
    if (block.id.round() != state_.epoch || !is_followed(block) || !is_allowed(block)) return;
    state_.voted_target = block.id.round();
    state_.voted_source = std::max(state_.voted_source, block.parent.round());
    out_.note(EventKind::kVoted, state_.epoch, block.id, block.parent);
    out_.send(context_.everyone(), Vote{{block.parent}, block.id});
  }
  // The fork choice. Led, a proposal is followed whatever else is known to be justified: two honest validators that
  // know of different checkpoints vote for one block all the same.
  bool is_followed(const Block& block) const {
    return form_ == Form::kLed || state_.tree.is_ancestor_or_equal(state_.justified.checkpoint, block.id);
  }
  // Both commandments, of this vote and all earlier ones: they were for no greater heights.
  bool is_allowed(const Block& block) const {
    if (block.id.round() < state_.voted_target) return false;
    if (rules_.one_vote_a_height && block.id.round() == state_.voted_target) return false;
    return !rules_.never_surrounds || block.parent.round() >= state_.voted_source;
  }

  // A supermajority link: a checkpoint is justified if there is one to it from a justified checkpoint.
  void justify(const Tally& tally) {
    if (tally.voters.size() < rules_.supermajority) return;
    const Link link = tally.link;
    if (!state_.tree.contains(link.target))
      return learn({link.target}, tally.voters, std::max(state_.epoch, link.target.round()));
    if (state_.tree.parent_of(link.target) == link.source) adopt({link.target});
  }
  void justify_all() {
    for (const Tally& tally : state_.votes) justify(tally);
  }

  // `sources` know its chain; `round` is that of the message that showed it.
  void learn(Justification justification, IdentitySet sources, Round round) {
    if (justification == state_.justified) return;
    if (state_.tree.contains(justification.checkpoint)) return adopt(justification);
    if (justification.height() <= state_.justified.height()) return;
    if (std::ranges::find(state_.wanted, justification) == state_.wanted.end()) {
      if (!state_.wanted.push_back(justification)) return out_.report_overflow();
      std::ranges::sort(state_.wanted, {}, &Justification::checkpoint);
    }
    out_.note(EventKind::kAskedForBlock, round, justification.checkpoint);
    out_.send(sources, BlockRequest{round, justification.checkpoint, state_.committed.id});
  }

  // All of them, and not only the highest: a liar may show that and never send its chain.
  void adopt_wanted() {
    const auto wanted = state_.wanted;
    for (const Justification& justification : wanted) {
      if (state_.tree.contains(justification.checkpoint)) adopt(justification);
    }
  }

  void adopt(Justification justification) {
    if (justification.height() > state_.justified.height()) {
      state_.justified = justification;
      out_.note(EventKind::kCertified, justification.height(), justification.checkpoint);
    }
    while (!state_.wanted.empty() && state_.wanted[0].height() <= state_.justified.height()) state_.wanted.erase_at(0);
    finalise_by(justification);
  }
  // A checkpoint is finalised if it is justified and there is a supermajority link from it to a direct child.
  void finalise_by(Justification justification) {
    if (justification.checkpoint == state_.tree.root().id) return;
    const ValueId source = state_.tree.parent_of(justification.checkpoint);
    if (source.is_genesis()) return;
    if (rules_.finalises_by_a_child && source.round().next() != justification.height()) return;
    if (state_.tree.is_ancestor_or_equal(source, state_.committed.id)) return;
    chain::commit(state_.tree, state_.committed, source, out_);
  }

  // Who hears f + 1 of later epochs goes there: one of them is honest. Clocks of the paper's validators agree.
  void hear(Identity from, Round epoch) {
    if (epoch < state_.epoch) return;
    state_.arrivals.add(from, epoch);
    const Round later = state_.arrivals.entered_by(context_.fault_count + 1);
    if (later > state_.epoch) enter_epoch(later);
  }

  void wait_with(Block block) {
    if (std::ranges::find(state_.waiting, block) != state_.waiting.end()) return;
    if (!state_.waiting.push_back(block)) return out_.report_overflow();
  }
  bool is_ahead(const Block& block) const { return block.id.round() > state_.epoch; }
  // A block whose parent has come is part of the tree; if it is of a later epoch, it still waits to be voted for.
  void consider_waiting() {
    for (std::size_t i = 0; i < state_.waiting.size();) {
      const Block block = state_.waiting[i];
      const bool stays = is_ahead(block);
      if (!state_.tree.contains(block.parent) || (stays && state_.tree.contains(block.id))) {
        ++i;
        continue;
      }
      if (!stays) state_.waiting.erase_at(i);
      adopt({block.parent});  // the proposal brought its justification
      consider(block);
      i = stays && !state_.tree.contains(block.id) ? i + 1 : 0;
    }
  }

  // What is heard of anybody twice: evidence for who wants to claim a deposit.
  void note_violations(Identity from, const Link& link) {
    for (const Votes* votes : {&state_.votes, &state_.links}) {
      for (const Tally& tally : *votes) {
        if (!tally.voters.contains(from)) continue;
        const bool is_double = is_double_vote(tally.link, link);
        if (!is_double && !is_surround_vote(tally.link, link)) continue;
        out_.note(is_double ? EventKind::kEquivocatingVote : own_note(0), link.target.round(), link.target,
                  tally.link.target);
      }
    }
  }
  // Supermajorities are kept: their votes are what an accusation needs (the paper's proof of accountable safety).
  void forget_votes() {
    state_.votes.forget_below(state_.epoch.previous(), [&](const Tally& tally) {
      if (tally.voters.size() < rules_.supermajority) return;
      for (Identity voter : tally.voters) (void)state_.links.add(voter, tally.link);
      if (state_.links.is_full()) out_.report_overflow();
    });
  }

  void insert(Block block) {
    chain::insert(state_.tree, state_.committed, block, out_);
    sort_tree();
  }
  // So that the order of arrival leaves no trace.
  void sort_tree() {
    keep_blocks([](const Block&) { return true; });
  }
  // A client of the paper keeps all blocks. Here those go that are no ancestor of anything that counts: of a justified
  // checkpoint, of a target that may still be justified, of a block of the last two epochs. They can be asked for.
  void forget_blocks() {
    const auto& blocks = state_.tree.blocks();
    std::array<bool, chain::BlockTree::kCapacity> counts{};
    for (std::size_t i = blocks.size(); i > 0; --i) {  // children come behind their parents
      const ValueId id = blocks[i - 1].id;
      counts[i - 1] = counts[i - 1] || id == state_.justified.checkpoint || id == state_.committed.id ||
                      id.round().next() >= state_.epoch;
      const auto* parent = std::ranges::find(blocks, blocks[i - 1].parent, &Block::id);
      if (counts[i - 1] && parent != blocks.end()) counts[static_cast<std::size_t>(parent - blocks.begin())] = true;
    }
    std::size_t i = 0;
    keep_blocks([&](const Block&) { return counts[i++]; });
  }
  template <class Kept>
  void keep_blocks(const Kept& kept) {
    std::array<Block, chain::BlockTree::kCapacity> blocks;
    std::size_t count = 0;
    for (const Block& block : state_.tree.blocks()) {
      if (kept(block)) blocks[count++] = block;
    }
    std::sort(blocks.begin(), blocks.begin() + count, [](Block a, Block b) { return a.id < b.id; });
    state_.tree.assign(state_.tree.root(), {blocks.data(), count});
  }

  const Form form_;
  State& state_;
  const Context& context_;
  const Rules rules_;
  Box& out_;
};

void receive_any(Validator validator, Identity from, const Message& message) {
  std::visit([&](const auto& m) { validator.receive(from, m); }, message);
}

}  // namespace

void CasperFfg::start(State& state, const Context& context, Box& out) {
  Validator(Form::kPublished, state, context, out).start();
}
void CasperFfg::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  receive_any({Form::kPublished, state, context, out}, from, message);
}
void CasperFfg::expire(State& state, const Context& context, TimerId, Box& out) {
  Validator(Form::kPublished, state, context, out).expire();
}

void CasperFfgLed::start(State& state, const Context& context, Box& out) {
  Validator(Form::kLed, state, context, out).start();
}
void CasperFfgLed::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  receive_any({Form::kLed, state, context, out}, from, message);
}
void CasperFfgLed::expire(State& state, const Context& context, TimerId, Box& out) {
  Validator(Form::kLed, state, context, out).expire();
}

Round Common::round_of(const Message& message) {
  struct Visitor {
    Round operator()(const Proposal& m) const { return m.block.round(); }
    Round operator()(const Vote& m) const { return m.target.round(); }
    Round operator()(const Status& m) const { return m.epoch; }
    Round operator()(const BlockRequest& m) const { return m.round; }
    Round operator()(const BlockResponse& m) const { return m.round; }
  };
  return std::visit(Visitor{}, message);
}

ValueId Common::subject_of(const Message& message) {
  struct Visitor {
    ValueId operator()(const Proposal& m) const { return m.block; }
    ValueId operator()(const Vote& m) const { return m.target; }
    ValueId operator()(const Status& m) const { return m.justified.checkpoint; }
    ValueId operator()(const BlockRequest& m) const { return m.wanted; }
    ValueId operator()(const BlockResponse& m) const { return m.wanted; }
  };
  const ValueId subject = std::visit(Visitor{}, message);
  return is_block(subject) ? subject : kGenesis;
}

int Common::certificate_votes(const Context& context) { return rules_of(context).supermajority; }

}  // namespace nika::casper_ffg
