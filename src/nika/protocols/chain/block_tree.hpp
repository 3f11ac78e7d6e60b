// The block tree of a chained protocol, inside a replica's state: bounded, plain bytes, ancestor-closed. A block enters
// only when its parent is known. Everything at and below the root is folded away: only the root's name and height
// remain.
#pragma once

#include <algorithm>
#include <span>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/fields.hpp"

namespace nika::chain {

struct Block {
  ValueId id{};
  ValueId parent{};

  bool operator==(const Block&) const = default;
  static constexpr auto fields() { return std::tuple{field("id", &Block::id), field("parent", &Block::parent)}; }
};

struct Tip {
  ValueId id{};
  Height height{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const Tip&) const = default;
  static constexpr auto fields() { return std::tuple{field("id", &Tip::id), field("height", &Tip::height)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &Tip::unused)}; }
};

class BlockTree {
 public:
  static constexpr std::size_t kCapacity = 60;

  bool contains(ValueId id) const { return id == root_.id || (id <= highest_ && find(id) != nullptr); }
  // The parent of a known block; the root's own parent is folded away and answered with the root itself.
  ValueId parent_of(ValueId id) const {
    const Block* block = find(id);
    return block == nullptr ? root_.id : block->parent;
  }
  // False when the tree is full. A block that is known already is not added twice, and one whose parent is not known is
  // refused: whatever a liar says, the tree stays closed.
  [[nodiscard]] bool insert(Block block) {
    if (contains(block.id) || !contains(block.parent)) return true;
    highest_ = std::max(highest_, block.id);
    return blocks_.push_back(block);
  }
  // Walks from the younger block towards the root.
  bool is_ancestor_or_equal(ValueId ancestor, ValueId descendant) const {
    for (ValueId at = descendant;; at = parent_of(at)) {
      if (at == ancestor) return true;
      if (at == root_.id || at.round() < ancestor.round()) return false;
    }
  }
  Height height_of(ValueId id) const {
    unsigned above_root = 0;
    for (ValueId at = id; at != root_.id; at = parent_of(at)) ++above_root;
    return Height(root_.height.number + above_root);
  }
  // The blocks from `top`, which must be known, down to the one above `bottom` or above the root.
  struct Branch {
    std::array<const Block*, kCapacity> blocks;  // youngest first
    std::size_t length = 0;
    ValueId below{};  // `bottom` or the root, whichever came first
  };
  Branch branch(ValueId top, ValueId bottom) const {
    Branch branch;
    ValueId at = top;
    for (; at != bottom && at != root_.id; at = branch.blocks[branch.length++]->parent) {
      branch.blocks[branch.length] = find(at);
    }
    branch.below = at;
    return branch;
  }
  // Folds everything that does not descend from `root`, which must be known.
  void fold_below(ValueId root);

  const Tip& root() const { return root_; }
  const auto& blocks() const { return blocks_; }
  // For rewriting a tree as a whole: describes it anew from a root and its blocks, parents before children.
  void assign(Tip root, std::span<const Block> blocks) {
    root_ = root;
    highest_ = root.id;
    blocks_.clear();
    for (const Block& block : blocks) {
      NIKA_REQUIRE(blocks_.push_back(block));
      highest_ = std::max(highest_, block.id);
    }
  }

  static constexpr auto fields() {
    return std::tuple{field("root", &BlockTree::root_), field("highest", &BlockTree::highest_),
                      field("blocks", &BlockTree::blocks_)};
  }
  bool operator==(const BlockTree&) const = default;

 private:
  // Newest first: rules look at recent blocks.
  const Block* find(ValueId id) const {
    for (const Block* block = blocks_.end(); block != blocks_.begin();) {
      if ((--block)->id == id) return block;
    }
    return nullptr;
  }

  Tip root_{};
  ValueId highest_{};  // of all names: most blocks that are asked for and unknown are newer than all that are known
  BoundedVector<Block, kCapacity> blocks_{};
};

// Whether the first of two blocks, of which it may know neither, is a descendant of the second, or the same.
inline bool extends(const BlockTree& tree, ValueId block, ValueId ancestor) {
  return block == ancestor || (tree.contains(block) && tree.is_ancestor_or_equal(ancestor, block));
}

inline void BlockTree::fold_below(ValueId root) {
  BlockTree folded;
  folded.root_.id = folded.highest_ = root;
  folded.root_.height = height_of(root);
  for (const Block& block : blocks_) {
    if (block.id != root && is_ancestor_or_equal(root, block.id)) NIKA_REQUIRE(folded.insert(block));
  }
  *this = folded;
}

}  // namespace nika::chain
