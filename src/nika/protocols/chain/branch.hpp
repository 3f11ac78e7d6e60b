// What every chained protocol does with its block tree: add a block, and commit a block with all its ancestors.
#pragma once

#include <utility>

#include "nika/model/protocol.hpp"
#include "nika/protocols/chain/retrieval.hpp"

namespace nika::chain {

// A full tree forgets what does not descend from the last committed block; if that is not enough, it is an overflow.
template <class Message>
void insert(BlockTree& tree, const Tip& committed, Block block, Outbox<Message>& out) {
  if (tree.insert(block)) return;
  tree.fold_below(committed.id);
  if (!tree.contains(block.parent) || !tree.insert(block)) out.report_overflow();
}

// Adds the blocks of a response whose parents are known, and says whether there was a new one.
template <class Message>
bool learn(BlockTree& tree, const Tip& committed, const BlockResponse& response, Outbox<Message>& out) {
  bool learned = false;
  ValueId parent = response.below;
  for (const ValueId id : response.branch) {
    const Block block{id, std::exchange(parent, id)};
    if (tree.contains(block.id) || !tree.contains(block.parent)) continue;
    insert(tree, committed, block, out);
    learned = true;
  }
  if (learned) out.note(EventKind::kFetchedBlock, response.round, response.wanted);
  // What does not connect although it is all that there is was forgotten by a tree that was full: the run has outgrown
  // it, where a real replica would ask for a snapshot.
  const bool is_forgotten = response.is_from_root && !response.below.is_genesis() && !tree.contains(response.below);
  if (is_forgotten && !tree.contains(response.wanted)) out.report_overflow();
  return learned;
}

// Commits the ancestors that were not committed before, oldest first, then the block. A block on another branch is
// committed too, with all its branch: that is how a fork shows.
template <class Message>
void commit(const BlockTree& tree, Tip& committed, ValueId block, Outbox<Message>& out) {
  const BlockTree::Branch branch = tree.branch(block, committed.id);
  Height height = branch.below == committed.id ? committed.height : tree.root().height;
  for (std::size_t i = branch.length; i > 0; --i) out.commit(height = height.next(), branch.blocks[i - 1]->id);
  committed.id = block;
  committed.height = height;
}

}  // namespace nika::chain
