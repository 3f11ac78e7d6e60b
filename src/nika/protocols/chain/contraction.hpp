// Contracts the union of several replicas' block trees to the blocks that some rule can still look at. What remains has
// the same ancestor relation; heights are counted anew from the new root. This is what makes worlds with different
// pasts equal.
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

  // Keeps the block and the two before it: a rule that looks at a block may look at its parent and grandparent too.
  void refer(ValueId id);

  // Adds the blocks where branches part, and finds the new root. Nothing may be added or referred to afterwards.
  void contract();

  bool keeps(ValueId id) const { return kept_[position_of(id)]; }
  ValueId root() const { return blocks_[root_].id; }
  ValueId parent_of(ValueId id) const { return blocks_[parent_[position_of(id)]].id; }  // the nearest that is kept
  Height height_of(ValueId id) const { return Height(depth_[position_of(id)]); }

  // The same replica's tree over what is kept.
  void rewrite(BlockTree& tree) const;
  void rewrite(Tip& tip) const { tip.height = height_of(tip.id); }
  // What honest nodes committed, without what is not kept; entry 0 is the new root.
  void rewrite(Log& log) const;

 private:
  std::size_t position_of(ValueId id) const;
  const Block* find(ValueId id) const;

  std::array<Block, kMaxBlocks> blocks_{};  // by name, so parents come before children
  std::array<std::uint16_t, kMaxBlocks> parent_{};
  std::array<std::uint8_t, kMaxBlocks> depth_{};
  std::array<bool, kMaxBlocks> kept_{};
  std::size_t count_ = 0;
  std::size_t root_ = 0;
};

}  // namespace nika::chain
