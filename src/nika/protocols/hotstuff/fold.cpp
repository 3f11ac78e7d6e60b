// Folding for HotStuff: forgets the blocks that nothing in any state or message refers to. Such a block cannot come
// back: every proposal extends a certificate that some replica has reported, and every certificate is for a proposal.

#include "nika/protocols/chain/fold.hpp"

#include "nika/protocols/hotstuff/hotstuff.hpp"

namespace nika::hotstuff {

namespace {

bool add(chain::Contraction& tree, const State& state) {
  for (const Block& block : state.tree.blocks()) {
    if (!tree.add(block)) return false;
  }
  for (const Waiting& message : state.waiting) {
    if (message.phase == Phase::kPrepare && !tree.add({message.block, message.missing})) return false;
  }
  return true;
}
// Between two network rounds only NEW-VIEW messages of the next one are on their way, and decisions passed on with
// them.
bool add(chain::Contraction&, const Message& message) {
  return std::holds_alternative<NewView>(message) || std::holds_alternative<Decide>(message);
}

// Every block that a state or a message names; `visit` answers whether to go on.
template <class Visit>
bool for_each_block(const State& state, Visit&& visit) {
  bool go_on = visit(state.prepared.block) && visit(state.locked.block);
  if (!state.proposed.is_genesis()) go_on = go_on && visit(state.proposed);
  for (const Report& report : state.pacemaker.new_views.reports()) {
    if (report.has_certificate) go_on = go_on && visit(report.certificate.block);
  }
  for (const Waiting& message : state.waiting) go_on = go_on && visit(message.block);
  // A decision of the view before is passed on when this one fails. A block that has lost its name is never of a later
  // round than it was.
  const ValueId decided = state.committed.id;
  if (!decided.is_genesis() && decided.round().next() == state.pacemaker.view) go_on = go_on && visit(decided);
  return go_on;
}
template <class Visit>
bool for_each_block(const Message& message, Visit&& visit) {
  if (const auto* decision = std::get_if<Decide>(&message)) return visit(decision->certificate.block);
  return visit(std::get<NewView>(message).certificate.block);
}

}  // namespace

template <int kPhases>
bool Family<kPhases>::fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope) {
  return chain::fold(
      states, in_flight, scope, [](auto& tree, const auto& item) { return add(tree, item); },
      [](const auto& item, auto&& visit) { return for_each_block(item, visit); });
}

template bool Family<2>::fold(std::span<State>, std::span<Message>, const FoldScope&);
template bool Family<3>::fold(std::span<State>, std::span<Message>, const FoldScope&);

}  // namespace nika::hotstuff
