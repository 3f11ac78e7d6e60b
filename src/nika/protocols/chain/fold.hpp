// Folding for every protocol with a block tree and a committed tip in its state: the protocol says which blocks its
// states and messages bring along, and which ones they name.
#pragma once

#include "nika/protocols/chain/contraction.hpp"

namespace nika::chain {

// Calls visit(block) for every block that a state or a message holds outside its tree and its committed tip.
template <class T, class Visit>
void for_each_register(T& value, const Visit& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::same_as<Plain, ValueId>) {
    visit(value);
  } else if constexpr (std::same_as<Plain, BlockTree> || std::same_as<Plain, Tip> || std::same_as<Plain, IdentitySet>) {
    return;
  } else if constexpr (Described<Plain>) {
    for_each_field(value, [&](std::string_view, auto& member) { for_each_register(member, visit); });
  } else if constexpr (requires { value.index(); }) {
    std::visit([&](auto& alternative) { for_each_register(alternative, visit); }, value);
  } else if constexpr (requires { value.begin(); }) {
    for (auto& item : value) for_each_register(item, visit);
  }
}

// `add(contraction, item)` adds the blocks that a state or message holds; `for_each_block(item, visit)` calls visit
// with each block that it names, but for the committed one, until that answers false. Both answer false to give up:
// then nothing is changed.
template <class State, class Message, class Add, class ForEachBlock>
bool fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope, Add&& add,
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
  if (scope.may_restart && !tree.knows(kGenesis)) return false;
  if (scope.may_restart) tree.refer(kGenesis);
  const auto refer = [&](ValueId block) {
    if (!tree.knows(block)) return false;
    tree.refer(block);
    return true;
  };
  for (const State& state : states) {
    if (!tree.knows(state.committed.id) || !for_each_block(state, refer)) return false;
    tree.refer_to_place(state.committed.id);
  }
  for (const Message& message : in_flight) {
    if (!for_each_block(message, refer)) return false;
  }
  if (!tree.contract()) return false;
  const auto rewrite = [&](ValueId& block) { tree.rewrite(block); };
  for (Message& message : in_flight) for_each_register(message, rewrite);
  for (State& state : states) {
    for_each_register(state, rewrite);
    tree.rewrite(state.tree);
    tree.rewrite(state.committed);
  }
  tree.rewrite(*scope.log);
  return true;
}

}  // namespace nika::chain
