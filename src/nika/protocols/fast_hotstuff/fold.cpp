// Folding for Fast-HotStuff: forgets the blocks that nothing in any state or message refers to. A block that nothing
// refers to cannot come back: votes, certificates and proposals are only made for blocks that some replica's registers
// name, and rules look at no more than the parent of those.

#include "nika/protocols/chain/fold.hpp"

#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

namespace nika::fast_hotstuff {

namespace {

// What is on its way between two network rounds: proposals and NEW-VIEW messages of the next one.
bool add(chain::Contraction& tree, const FastHotStuff::Message& message) {
  if (const auto* proposal = std::get_if<Proposal>(&message)) {
    return tree.add({proposal->block, proposal->certificate.block});
  }
  return std::holds_alternative<NewView>(message);
}

bool add(chain::Contraction& tree, const State& state) {
  for (const Block& block : state.tree.blocks()) {
    if (!tree.add(block)) return false;
  }
  for (const Block& block : state.waiting) {
    if (!tree.add(block)) return false;
  }
  return true;
}

// Every block that a state or a message names; `visit` answers whether to go on.
template <class Visit>
bool for_each_block(const State& state, Visit&& visit) {
  bool go_on = visit(state.certificate.block);
  if (!state.wanted.block.is_genesis()) go_on = go_on && visit(state.wanted.block);
  for (const Report& report : state.pacemaker.new_views.reports()) {
    if (report.has_certificate) go_on = go_on && visit(report.certificate.block);
  }
  for (const Tally& tally : state.votes) go_on = go_on && visit(tally.block);
  for (const Block& block : state.waiting) go_on = go_on && visit(block.id);
  return go_on;
}
template <class Visit>
bool for_each_block(const FastHotStuff::Message& message, Visit&& visit) {
  if (const auto* new_view = std::get_if<NewView>(&message)) return visit(new_view->certificate.block);
  const Proposal& proposal = std::get<Proposal>(message);
  bool go_on = visit(proposal.block) && visit(proposal.certificate.block);  // who lacks the parent will ask for it
  for (const Report& report : proposal.proof) go_on = go_on && visit(report.certificate.block);
  return go_on;
}

}  // namespace

bool FastHotStuff::fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope) {
  return chain::fold(
      states, in_flight, scope, [](auto& tree, const auto& item) { return add(tree, item); },
      [](const auto& item, auto&& visit) { return for_each_block(item, visit); });
}

}  // namespace nika::fast_hotstuff
