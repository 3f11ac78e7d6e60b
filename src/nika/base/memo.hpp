// Remembers, from several threads at once, what is known of a world, by the fingerprint of its bytes as they came: many
// worlds come again in the very same form, and need not be folded and renamed, or healed, again.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "nika/base/fingerprint.hpp"

namespace nika {

template <class Known>
class Memo {
 public:
  std::optional<Known> find(const Fingerprint& raw) {
    Shard& shard = shards_[raw.high % kShards];
    const std::lock_guard lock(shard.mutex);
    if (shard.entries.empty()) return std::nullopt;
    const Entry& entry = shard.entries[slot_of(shard, raw)];
    if (entry.raw != raw) return std::nullopt;
    return entry.known;
  }
  void insert(const Fingerprint& raw, const Known& known) {
    Shard& shard = shards_[raw.high % kShards];
    const std::lock_guard lock(shard.mutex);
    if ((shard.used + 1) * 2 > shard.entries.size()) {
      grow(shard);
      capacity_.fetch_add(shard.entries.size() / 2, std::memory_order_relaxed);
    }
    Entry& entry = shard.entries[slot_of(shard, raw)];
    if (entry.raw == raw) return;
    entry = {raw, known};
    ++shard.used;
  }
  std::uint64_t bytes() const { return capacity_.load(std::memory_order_relaxed) * sizeof(Entry); }

 private:
  static constexpr std::size_t kShards = 64;

  struct Entry {
    Fingerprint raw{};  // zero: free
    Known known{};
  };
  struct Shard {
    std::mutex mutex;
    std::vector<Entry> entries;  // open addressing, a power of two
    std::size_t used = 0;
  };

  static std::size_t slot_of(const Shard& shard, const Fingerprint& raw) {
    const std::size_t mask = shard.entries.size() - 1;
    std::size_t slot = raw.low & mask;
    while (shard.entries[slot].raw != raw && shard.entries[slot].raw != Fingerprint{}) slot = (slot + 1) & mask;
    return slot;
  }
  static void grow(Shard& shard) {
    std::vector<Entry> old(shard.entries.empty() ? 64 : shard.entries.size() * 2);
    std::swap(old, shard.entries);
    for (const Entry& entry : old) {
      if (entry.raw != Fingerprint{}) shard.entries[slot_of(shard, entry.raw)] = entry;
    }
  }

  std::array<Shard, kShards> shards_{};
  std::atomic<std::uint64_t> capacity_{0};  // of all shards; the first step from nothing counts by half
};

}  // namespace nika
