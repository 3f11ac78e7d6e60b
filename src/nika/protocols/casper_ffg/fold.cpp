// Folding for Casper FFG: forgets the blocks that nothing in any state or message refers to, and the evidence. A block
// that nothing refers to cannot come back: blocks are proposed on, and voted for from, checkpoints that some
// validator's registers name, and rules look at no more than the parent of those.

#include "nika/protocols/chain/fold.hpp"

#include "nika/protocols/casper_ffg/casper_ffg.hpp"

namespace nika::casper_ffg {

namespace {

// What is on its way between two network rounds: blocks and statuses of the next one, and what comes late.
bool add(chain::Contraction& tree, const Message& message) {
  if (const auto* proposal = std::get_if<Proposal>(&message))
    return tree.add({proposal->block, proposal->parent.checkpoint});
  return std::holds_alternative<Vote>(message) || std::holds_alternative<Status>(message);
}

bool add(chain::Contraction& tree, const State& state) {
  const auto add_all = [&](const auto& blocks) {
    return std::ranges::all_of(blocks, [&](const Block& block) { return tree.add(block); });
  };
  return add_all(state.tree.blocks()) && add_all(state.waiting);
}

// Every block that a state or a message names; `visit` answers whether to go on.
template <class Visit>
bool for_each_block(const State& state, Visit&& visit) {
  bool go_on = visit(state.justified.checkpoint);
  for (const Justification& wanted : state.wanted) go_on = go_on && visit(wanted.checkpoint);
  for (const Tally& tally : state.votes) go_on = go_on && visit(tally.link.source) && visit(tally.link.target);
  for (const Block& block : state.waiting) go_on = go_on && visit(block.id) && visit(block.parent);
  return go_on;
}
template <class Visit>
bool for_each_block(const Message& message, Visit&& visit) {
  if (const auto* status = std::get_if<Status>(&message)) return visit(status->justified.checkpoint);
  if (const auto* vote = std::get_if<Vote>(&message)) return visit(vote->source.checkpoint) && visit(vote->target);
  const Proposal& proposal = std::get<Proposal>(message);
  return visit(proposal.block) && visit(proposal.parent.checkpoint);  // who lacks the parent will ask for it
}

// Who has finalised blocks of two branches forgets those of the first: heights of such a log cannot be counted anew.
bool is_known(const Log& log, std::span<const State> states) {
  const ValueId root = states[0].tree.root().id;
  return std::ranges::all_of(log, [&](ValueId value) {
    const auto knows = [&](const State& state) { return state.tree.contains(value); };
    return value.is_genesis() || value < root || std::ranges::any_of(states, knows);
  });
}

}  // namespace

bool Common::fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope) {
  if (!is_known(*scope.log, states)) return false;
  const bool is_folded = chain::fold(
      states, in_flight, scope, [](auto& tree, const auto& item) { return add(tree, item); },
      [](const auto& item, auto&& visit) { return for_each_block(item, visit); });
  if (!is_folded) return false;
  for (State& state : states) state.links.clear();
  return true;
}

}  // namespace nika::casper_ffg
