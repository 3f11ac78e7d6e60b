// Folding for DiemBFT: forgets the blocks that nothing in any state or message refers to. A block that nothing refers
// to cannot come back: votes, certificates and proposals are only made for blocks that some replica's registers name,
// and rules look at most two blocks behind those.

#include "nika/protocols/chain/contraction.hpp"
#include "nika/protocols/diembft/diembft.hpp"

namespace nika::diembft {

namespace {

void refer(chain::Contraction& tree, const QuorumCertificate& certificate) { tree.refer(certificate.block); }

void refer_all(chain::Contraction& tree, const State& state) {
  refer(tree, state.certificate);
  if (!state.wanted.block.is_genesis()) refer(tree, state.wanted);
  tree.refer(state.committed.id);
  for (const Tally& tally : state.votes) tree.refer(tally.block);
  for (const Proposal& proposal : state.waiting) tree.refer(proposal.block);
}

bool add_all(chain::Contraction& tree, const State& state) {
  for (const Block& block : state.tree.blocks()) {
    if (!tree.add(block)) return false;
  }
  for (const Proposal& proposal : state.waiting) {
    if (!tree.add({proposal.block, proposal.certificate.block})) return false;
  }
  return true;
}

}  // namespace

bool DiemBft::fold(std::span<State> states, std::span<const Message> in_flight, Log& log) {
  const ValueId root = states[0].tree.root().id;
  chain::Contraction tree(root);
  for (const State& state : states) {
    if (state.tree.root().id != root || !add_all(tree, state)) return false;
  }
  for (const Message& message : in_flight) {
    const auto* proposal = std::get_if<Proposal>(&message);
    if (proposal == nullptr || !tree.add({proposal->block, proposal->certificate.block})) return false;
  }
  tree.finish_adding();
  for (const State& state : states) refer_all(tree, state);
  for (const Message& message : in_flight) tree.refer(std::get<Proposal>(message).block);
  tree.contract();
  for (State& state : states) {
    // Votes are cast in the current round only, so an older vote says no more than none.
    if (state.last_voted_round < state.current_round) state.last_voted_round = {};
    tree.rewrite(state.tree);
    tree.rewrite(state.committed);
  }
  tree.rewrite(log);
  return true;
}

}  // namespace nika::diembft
