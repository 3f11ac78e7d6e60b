#include "nika/properties/partial_trail.hpp"

#include <algorithm>
#include <array>

#include "nika/base/random.hpp"

namespace nika {
namespace {

// The blocks of a state in the order of their first appearance, each with a seat that holds it.
class BlockNumbers {
 public:
  unsigned number_of(Held block, Seat holder) {
    if (block.is_genesis()) return 0;
    unsigned at = 0;
    while (at < count_ && blocks_[at] != block) ++at;
    if (at == count_) {
      blocks_[count_] = block;
      holders_[count_++] = holder;
    }
    return at + 1;
  }

  void write_to(std::uint64_t& digest, const Sight& sight) const {
    for (unsigned i = 0; i < count_; ++i) {
      const int age = sight.now.number - blocks_[i].value.round().number;
      std::uint64_t facts = static_cast<std::uint64_t>(std::clamp<int>(age, 0, PartialTrail::kOldest));
      for (unsigned j = 0; j < count_; ++j) {
        const bool is_descendant = i != j && sight.extends(holders_[i], blocks_[i], blocks_[j]);
        facts = facts << 1U | (is_descendant ? 1U : 0U);
      }
      digest = mix64(digest ^ mix64(facts));
    }
  }

 private:
  static constexpr unsigned kMaxBlocks = 3 * kMaxSeats;
  std::array<Held, kMaxBlocks> blocks_{};
  std::array<Seat, kMaxBlocks> holders_{};
  unsigned count_ = 0;
};

}  // namespace

PartialSystemState partial_system_state(const Sight& sight) {
  PartialSystemState state{0, is_hot(sight)};
  state.digest = mix64(state.is_hot ? 1 : 0);
  BlockNumbers numbers;
  for (Seat seat : correct_seats(sight)) {
    const Progress progress = sight.progress(seat);
    std::uint64_t held = index_of(seat);
    for (const Held block : {progress.prepared, progress.locked, progress.executed})
      held = held << 8U | numbers.number_of(block, seat);
    state.digest = mix64(state.digest ^ mix64(held));
  }
  numbers.write_to(state.digest, sight);
  return state;
}

bool any_locks_conflict(const Sight& sight) {
  const SeatSet seats = correct_seats(sight);
  for (Seat one : seats) {
    for (Seat other : seats) {
      if (one < other && locks_conflict(sight, one, other)) return true;
    }
  }
  return false;
}

unsigned rounds_until_temperature(std::span<const PartialSystemState> trail, unsigned threshold) {
  unsigned temperature = 0;
  for (unsigned i = 0; i < trail.size(); ++i) {
    temperature = trail[i].is_hot ? temperature + 1 : 0;
    if (temperature == threshold) return i + 1;
  }
  return 0;
}

}  // namespace nika
