// Contracts the union of several replicas' block trees to the blocks that some rule can still look at. What remains has
// the same ancestor relation; heights are counted anew from the new root. Blocks that are kept only for their place in
// the tree lose their names. This is what makes worlds with different pasts equal.
#pragma once

#include <array>
#include <span>

#include "nika/model/protocol.hpp"
#include "nika/protocols/chain/block_tree.hpp"

namespace nika::chain {

class Contraction {
 public:
  static constexpr std::size_t kMaxBlocks = 512;

  explicit Contraction(ValueId root) { blocks_[count_++] = {root, root}; }

  // All blocks must be added before the first is referred to. False if there are too many.
  [[nodiscard]] bool add(Block block);
  // False if a block's parent was not added.
  [[nodiscard]] bool finish_adding();
  bool knows(ValueId id) const;

  // Keeps the block and the two before it: a rule that looks at a block may look at its parent and grandparent too. Who
  // made it matters only for the block itself: messages about it are handled in the order of their makers.
  void refer(ValueId id);
  // Keeps the block's place in the tree: no rule looks at its round, nor behind it.
  void refer_to_place(ValueId id) { kept_[position_of(id)] = true; }

  // Adds the blocks where branches part, finds the new root and the new names. Nothing may be added or referred to
  // afterwards. False if names run out.
  [[nodiscard]] bool contract();

  // The same registers and trees over what is kept.
  void rewrite(ValueId& id) const;
  // The same replica's tree over what is kept.
  void rewrite(BlockTree& tree) const;
  void rewrite(Tip& tip) const;
  // What honest nodes committed, without what is not kept; entry 0 is the new root.
  void rewrite(Log& log) const;

 private:
  bool forget_names();
  std::size_t position_of(ValueId id) const;
  const Block* find(ValueId id) const;

  std::array<Block, kMaxBlocks> blocks_{};  // by name, so parents come before children
  std::array<std::uint16_t, kMaxBlocks> parent_{};
  std::array<std::uint8_t, kMaxBlocks> depth_{};
  std::array<bool, kMaxBlocks> kept_{};
  std::array<bool, kMaxBlocks> has_round_{};  // that matters
  std::array<bool, kMaxBlocks> has_maker_{};  // that matters
  std::array<ValueId, kMaxBlocks> name_;      // the new ones, of what is kept
  std::size_t count_ = 0;
  std::size_t root_ = 0;
};

}  // namespace nika::chain
