// The blocks that a replica of Sync HotStuff knows. The blocks that one leader's seat makes in one view follow each
// other in height, so a tree of blocks is a few chains, each with a first and a last height and the value that it grew
// from. Bounded and ancestor-closed: a block enters only when its parent is known.
#pragma once

#include <algorithm>
#include <array>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/fields.hpp"

namespace nika::sync_hotstuff {

// The block at `height` of the chain that a seat makes in a view; both zero is genesis.
struct BlockName {
  ValueId value{};
  Height height{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const BlockName&) const = default;
  bool is_genesis() const { return height == Height(0); }
  static constexpr auto fields() {
    return std::tuple{field("value", &BlockName::value), field("height", &BlockName::height)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &BlockName::unused)}; }
};

struct Chain {
  ValueId value{};
  ValueId parent{};  // of the block below `first`
  Height first{};
  Height last{};

  bool operator==(const Chain&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Chain::value), field("parent", &Chain::parent), field("first", &Chain::first),
                      field("last", &Chain::last)};
  }
};

class Chains {
 public:
  static constexpr std::size_t kCapacity = 24;

  bool contains(BlockName block) const {
    if (block.is_genesis()) return block.value.is_genesis();
    const Chain* chain = find(block.value);
    return chain != nullptr && chain->first <= block.height && block.height <= chain->last;
  }
  // Of a known block other than genesis.
  BlockName parent_of(BlockName block) const {
    const Chain* chain = find(block.value);
    const Height below(block.height.number - 1U);
    return {block.height == chain->first ? chain->parent : chain->value, below, 0};
  }
  // False when there is no room. The parent must be known and one lower. A block that contradicts what its own maker
  // built before is ignored: no correct replica makes it.
  [[nodiscard]] bool insert(BlockName block, BlockName parent) {
    NIKA_REQUIRE(contains(parent) && parent.height.next() == block.height);
    if (Chain* chain = find(block.value); chain != nullptr) {
      if (parent.value == block.value && parent.height == chain->last) chain->last = block.height;
      return true;
    }
    return chains_.push_back({block.value, parent.value, block.height, block.height});
  }
  bool extends_or_equals(BlockName block, BlockName ancestor) const {
    if (!contains(block)) return false;
    while (block.height > ancestor.height) block = parent_of(block);
    return block == ancestor;
  }
  // Forgets the chains that are neither needed, by their values, nor below one that is.
  template <class IsNeeded>
  void forget_unless(const IsNeeded& is_needed) {
    std::array<bool, kCapacity> kept{};
    // A chain comes after the one that it grew from.
    for (std::size_t i = chains_.size(); i > 0; --i) {
      if (!kept[i - 1] && !is_needed(chains_[i - 1].value)) continue;
      kept[i - 1] = true;
      for (std::size_t below = 0; below < i - 1; ++below) {
        if (chains_[below].value == chains_[i - 1].parent) kept[below] = true;
      }
    }
    for (std::size_t i = chains_.size(); i > 0; --i) {
      if (!kept[i - 1]) chains_.erase_at(i - 1);
    }
  }
  // Another block of the same view at the same height.
  bool has_rival(BlockName block) const {
    return std::ranges::any_of(chains_, [&](const Chain& chain) {
      return chain.value != block.value && chain.value.round() == block.value.round() && chain.first <= block.height &&
             block.height <= chain.last;
    });
  }

  static constexpr auto fields() { return std::tuple{field("chains", &Chains::chains_)}; }
  bool operator==(const Chains&) const = default;

 private:
  const Chain* find(ValueId value) const {
    const auto found = std::ranges::find(chains_, value, &Chain::value);
    return found == chains_.end() ? nullptr : found;
  }
  Chain* find(ValueId value) {
    const auto found = std::ranges::find(chains_, value, &Chain::value);
    return found == chains_.end() ? nullptr : found;
  }

  BoundedVector<Chain, kCapacity> chains_{};
};

}  // namespace nika::sync_hotstuff
