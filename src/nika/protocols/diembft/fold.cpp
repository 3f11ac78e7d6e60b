// Folding for DiemBFT: forgets the blocks that nothing in any state or message refers to. A block that nothing refers
// to cannot come back: votes, certificates and proposals are only made for blocks that some replica's registers name,
// and rules look at most two blocks behind those.

#include "nika/protocols/chain/fold.hpp"

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
  bool go_on = visit(state.certificate.block) && visit(state.committed.id);
  if (!state.wanted.block.is_genesis()) go_on = go_on && visit(state.wanted.block);
  for (const Tally& tally : state.votes) go_on = go_on && visit(tally.block);
  for (const Proposal& proposal : state.waiting) go_on = go_on && visit(proposal.block);
  return go_on;
}
template <class Visit>
bool for_each_block(const DiemBft::Message& message, Visit&& visit) {
  return visit(std::get<Proposal>(message).block);
}

}  // namespace

bool DiemBft::fold(std::span<State> states, std::span<const Message> in_flight, Log& log) {
  const bool folded = chain::fold(
      states, in_flight, log, [](auto& tree, const auto& item) { return add(tree, item); },
      [](const auto& item, auto&& visit) { return for_each_block(item, visit); });
  if (!folded) return false;
  for (State& state : states) {
    // Votes are cast in the current round only, so an older vote says no more than none.
    if (state.last_voted_round < state.current_round) state.last_voted_round = {};
  }
  return true;
}

}  // namespace nika::diembft
