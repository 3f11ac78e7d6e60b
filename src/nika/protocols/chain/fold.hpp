// Folding for every protocol with a block tree and a committed tip in its state: the protocol says which blocks its
// states and messages bring along, and which ones they name.
#pragma once

#include "nika/protocols/chain/contraction.hpp"

namespace nika::chain {

// `add(contraction, item)` adds the blocks that a state or message holds; `for_each_block(item, visit)` calls visit
// with each block that it names until that answers false. Both answer false to give up: then nothing is changed.
template <class State, class Message, class Add, class ForEachBlock>
bool fold(std::span<State> states, std::span<const Message> in_flight, Log& log, Add&& add,
          ForEachBlock&& for_each_block) {
  const ValueId root = states[0].tree.root().id;
  Contraction tree(root);
  for (const State& state : states) {
    if (state.tree.root().id != root || !add(tree, state)) return false;
  }
  for (const Message& message : in_flight) {
    if (!add(tree, message)) return false;
  }
  if (!tree.finish_adding()) return false;
  const auto refer = [&](ValueId block) {
    if (!tree.knows(block)) return false;
    tree.refer(block);
    return true;
  };
  for (const State& state : states) {
    if (!for_each_block(state, refer)) return false;
  }
  for (const Message& message : in_flight) {
    if (!for_each_block(message, refer)) return false;
  }
  tree.contract();
  for (State& state : states) {
    tree.rewrite(state.tree);
    tree.rewrite(state.committed);
  }
  tree.rewrite(log);
  return true;
}

}  // namespace nika::chain
