#include "nika/protocols/chain/contraction.hpp"

#include <algorithm>

namespace nika::chain {

bool Contraction::add(Block block) {
  if (count_ == kMaxBlocks) return false;
  blocks_[count_++] = block;
  return true;
}

// The name of a block begins with its round, so sorting by name puts parents before children. The root stays in front:
// it is the oldest of all, but for genesis its name is smaller than any other anyway.
bool Contraction::finish_adding() {
  std::sort(blocks_.begin() + 1, blocks_.begin() + count_, [](Block a, Block b) { return a.id < b.id; });
  const auto end =
      std::unique(blocks_.begin() + 1, blocks_.begin() + count_, [](Block a, Block b) { return a.id == b.id; });
  count_ = static_cast<std::size_t>(end - blocks_.begin());
  parent_[0] = 0;
  for (std::size_t i = 1; i < count_; ++i) {
    const Block* parent = find(blocks_[i].parent);
    if (parent == nullptr) return false;
    parent_[i] = static_cast<std::uint16_t>(parent - blocks_.data());
  }
  return true;
}

const Block* Contraction::find(ValueId id) const {
  if (id == blocks_[0].id) return blocks_.data();
  const auto* end = blocks_.data() + count_;
  const auto* found =
      std::lower_bound(blocks_.data() + 1, end, id, [](Block block, ValueId name) { return block.id < name; });
  return found != end && found->id == id ? found : nullptr;
}

bool Contraction::knows(ValueId id) const { return find(id) != nullptr; }

std::size_t Contraction::position_of(ValueId id) const {
  const Block* found = find(id);
  NIKA_REQUIRE(found != nullptr);
  return static_cast<std::size_t>(found - blocks_.data());
}

void Contraction::refer(ValueId id) {
  std::size_t at = position_of(id);
  for (int generation = 0; generation < 3; ++generation, at = parent_[at]) kept_[at] = true;
}

void Contraction::contract() {
  std::array<std::uint8_t, kMaxBlocks> branches{};  // children that lead to a kept block, up to two
  for (std::size_t i = count_ - 1; i > 0; --i) {
    if (branches[i] > 1) kept_[i] = true;
    if (kept_[i] || branches[i] > 0)
      branches[parent_[i]] = static_cast<std::uint8_t>(std::min(branches[parent_[i]] + 1, 2));
  }
  if (branches[0] > 1) kept_[0] = true;
  root_ = 0;
  while (root_ < count_ && !kept_[root_]) ++root_;  // parents come first, and all kept blocks descend from one
  NIKA_REQUIRE(root_ < count_);
  parent_[root_] = static_cast<std::uint16_t>(root_);
  depth_[root_] = 0;
  for (std::size_t i = root_ + 1; i < count_; ++i) {
    if (!kept_[parent_[i]]) parent_[i] = parent_[parent_[i]];
    if (kept_[i]) depth_[i] = static_cast<std::uint8_t>(depth_[parent_[i]] + 1);
  }
}

void Contraction::rewrite(BlockTree& tree) const {
  std::array<Block, BlockTree::kCapacity> blocks;
  std::size_t count = 0;
  for (const Block& block : tree.blocks()) {
    if (block.id != root() && keeps(block.id)) blocks[count++] = {block.id, parent_of(block.id)};
  }
  std::sort(blocks.begin(), blocks.begin() + count, [](Block a, Block b) { return a.id < b.id; });
  Tip top;
  top.id = root();
  tree.assign(top, {blocks.data(), count});
}

void Contraction::rewrite(Log& log) const {
  Log folded;
  for (const ValueId value : log) {
    if (!value.is_genesis() && keeps(value)) (void)folded.push_back(value);
  }
  // Entry 0 is the root, whether or not its height was 0 before.
  if (folded.empty() || folded[0] != root()) {
    Log with_root;
    (void)with_root.push_back(root());
    for (const ValueId value : folded) (void)with_root.push_back(value);
    folded = with_root;
  }
  log = folded;
}

}  // namespace nika::chain
