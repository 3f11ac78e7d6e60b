#include "nika/protocols/chain/contraction.hpp"

#include <algorithm>

namespace nika::chain {
namespace {

constexpr ValueId kNobody(Round(255), Seat{31}, 7);

}  // namespace

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
  has_maker_[at] = true;
  for (int generation = 0; generation < 3; ++generation, at = parent_[at]) kept_[at] = has_round_[at] = true;
}

bool Contraction::contract() {
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
  return forget_names();
}

// A block whose round does not matter gets the earliest one that its place allows; such a root becomes genesis. Rounds
// still grow from parent to child, because no new round is later than the old one. Blocks of one round are told apart
// by what descends from them, never by the names they had.
bool Contraction::forget_names() {
  struct Nameless {
    Round round;
    ValueId heir;  // the first of those that keep their names
    std::uint16_t position;
    auto operator<=>(const Nameless&) const = default;
  };
  std::array<ValueId, kMaxBlocks> heirs;
  for (std::size_t i = 0; i < count_; ++i) heirs[i] = has_maker_[i] ? blocks_[i].id : kNobody;
  for (std::size_t i = count_ - 1; i > 0; --i) heirs[parent_[i]] = std::min(heirs[parent_[i]], heirs[i]);
  BoundedVector<Nameless, kMaxBlocks> nameless;
  for (std::size_t i = 0; i < count_; ++i) {
    name_[i] = blocks_[i].id;
    if (!kept_[i] || has_maker_[i] || name_[i].is_genesis()) continue;
    if (!has_round_[i]) name_[i] = i == root_ ? kGenesis : ValueId(name_[parent_[i]].round().next(), Seat{}, 0);
    if (name_[i].is_genesis()) continue;
    (void)nameless.push_back({name_[i].round(), heirs[i], static_cast<std::uint16_t>(i)});
  }
  std::ranges::sort(nameless);
  unsigned number = 0;
  for (std::size_t i = 0; i < nameless.size(); ++i) {
    number = i > 0 && nameless[i].round == nameless[i - 1].round ? number + 1 : 0;
    if (number == ValueId::kMaxNameless) return false;
    name_[nameless[i].position] = ValueId::nameless(nameless[i].round, number);
  }
  return true;
}

void Contraction::rewrite(ValueId& id) const {
  if (const Block* found = find(id); found != nullptr) id = name_[static_cast<std::size_t>(found - blocks_.data())];
}

void Contraction::rewrite(BlockTree& tree) const {
  std::array<Block, BlockTree::kCapacity> blocks;
  std::size_t count = 0;
  for (const Block& block : tree.blocks()) {
    const std::size_t at = position_of(block.id);
    if (at != root_ && kept_[at]) blocks[count++] = {name_[at], name_[parent_[at]]};
  }
  std::sort(blocks.begin(), blocks.begin() + count, [](Block a, Block b) { return a.id < b.id; });
  Tip top;
  top.id = name_[root_];
  tree.assign(top, {blocks.data(), count});
}

void Contraction::rewrite(Tip& tip) const {
  const std::size_t at = position_of(tip.id);
  tip.height = Height(depth_[at]);
  tip.id = name_[at];
}

void Contraction::rewrite(Log& log) const {
  Log folded;
  (void)folded.push_back(name_[root_]);  // entry 0, whether or not its height was 0 before
  for (const ValueId value : log) {
    // What is older than the root of all trees was forgotten by all of them when they were full.
    if (value.is_genesis() || value < blocks_[0].id) continue;
    const std::size_t at = position_of(value);
    if (at != root_ && kept_[at]) (void)folded.push_back(name_[at]);
  }
  log = folded;
}

}  // namespace nika::chain
