// Folding for DiemBFT: forgets the blocks that nothing in any state or message refers to. A block that nothing refers
// to cannot come back: votes, certificates and proposals are only made for blocks that some replica's registers name,
// and rules look at most two blocks behind those.

#include "nika/protocols/chain/fold.hpp"

#include <algorithm>
#include <bitset>

#include "nika/protocols/diembft/diembft.hpp"

namespace nika::diembft {

namespace {

bool add(chain::Contraction& tree, const State& state) {
  for (const Block& block : state.tree.blocks()) {
    if (!tree.add(block)) return false;
  }
  for (const Proposal& proposal : state.waiting) {
    if (!tree.add({proposal.block, proposal.certificate.block})) return false;
  }
  return true;
}
bool add(chain::Contraction& tree, const DiemBft::Message& message) {
  const auto* proposal = std::get_if<Proposal>(&message);
  return proposal != nullptr && tree.add({proposal->block, proposal->certificate.block});
}

template <class Visit>
bool for_each_block(const State& state, Visit&& visit) {
  bool go_on = visit(state.certificate.block);
  if (!state.wanted.block.is_genesis()) go_on = go_on && visit(state.wanted.block);
  for (const Tally& tally : state.votes) go_on = go_on && visit(tally.block);
  for (const Proposal& proposal : state.waiting) go_on = go_on && visit(proposal.block);
  return go_on;
}
template <class Visit>
bool for_each_block(const DiemBft::Message& message, Visit&& visit) {
  const auto& proposal = std::get<Proposal>(message);
  return visit(proposal.block) && visit(proposal.certificate.block);  // who lacks the parent will ask for it
}

// Replicas vote for a proposal when it arrives, or when they have fetched its parent.
bool is_waiting(const State& state, Round round) {
  return std::ranges::any_of(state.waiting, [&](const Proposal& p) { return p.block.round() == round; });
}
bool is_on_its_way(const DiemBft::Message& message, Round round) {
  const auto* proposal = std::get_if<Proposal>(&message);
  return proposal == nullptr || proposal->block.round() == round;
}
bool will_propose(const State& state, const Context& context, Round round) {
  if (!context.leads(round) || state.current_round > round) return false;
  return state.current_round < round || state.proposal_is_due;
}

// The rounds that proposals to come may have in their certificates, as far as replicas cannot be in them any more.
class OldRounds {
 public:
  OldRounds(std::span<const State> states, std::span<const DiemBft::Message> in_flight) {
    for (const State& state : states) {
      slowest_ = std::min(slowest_, state.current_round);
      add(state.certificate);
      if (!state.wanted.block.is_genesis()) add(state.wanted);
      for (const Tally& tally : state.votes) add(QuorumCertificate{tally.block, tally.parent});
      for (const Proposal& proposal : state.waiting) add(proposal);
    }
    for (const DiemBft::Message& message : in_flight) {
      if (const auto* proposal = std::get_if<Proposal>(&message)) add(*proposal);
    }
  }

  // The latest round that says the same as `round` does when rounds of certificates are compared with it.
  Round latest_like(Round round) const {
    while (round < slowest_ && !used_.test(round.number)) round = round.next();
    return round;
  }

 private:
  void add(const QuorumCertificate& certificate) {
    used_.set(certificate.block.round().number);
    used_.set(certificate.parent.round().number);
  }
  void add(const Proposal& proposal) {
    used_.set(proposal.block.round().number);
    add(proposal.certificate);
  }

  std::bitset<256> used_;
  Round slowest_ = Round(255);
};

}  // namespace

void DiemBft::forget(std::span<State> states, std::span<const Context> contexts, std::span<const Message> in_flight) {
  for (State& state : states) {
    if (state.votes.empty()) continue;
    const Round round = state.current_round;
    bool may_grow = std::ranges::any_of(in_flight, [&](const Message& m) { return is_on_its_way(m, round); });
    for (std::size_t s = 0; s < states.size() && !may_grow; ++s) {
      may_grow = is_waiting(states[s], round) || will_propose(states[s], contexts[s], round);
    }
    if (!may_grow) state.votes.clear();
  }
  const OldRounds old_rounds(states, in_flight);
  for (State& state : states) state.preferred_round = old_rounds.latest_like(state.preferred_round);
}

bool DiemBft::fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope) {
  const bool folded = chain::fold(
      states, in_flight, scope, [](auto& tree, const auto& item) { return add(tree, item); },
      [](const auto& item, auto&& visit) { return for_each_block(item, visit); });
  if (!folded) return false;
  for (State& state : states) {
    // Votes are cast in the current round only, so an older vote says no more than none.
    if (state.last_voted_round < state.current_round) state.last_voted_round = {};
  }
  return true;
}

}  // namespace nika::diembft
