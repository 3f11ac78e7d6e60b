// Gives equal values equal numbers, from several threads at once. Values never move once they are in.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "nika/base/fingerprint.hpp"
#include "nika/base/require.hpp"

namespace nika {

template <class T>
class Interner {
 public:
  Interner() : chunks_(std::make_unique<std::array<std::atomic<T*>, kMaxChunks>>()) {}
  ~Interner() {
    for (auto& chunk : *chunks_) delete[] chunk.load();
  }
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  // The fingerprint stands for the value; the value is copied only if it is new.
  std::uint32_t intern(const Fingerprint& fingerprint, const T& value) {
    Shard& shard = shards_[fingerprint.high % kShards];
    const std::lock_guard lock(shard.mutex);
    const auto [entry, is_new] = shard.numbers.try_emplace(fingerprint, 0);
    if (is_new) {
      const std::uint32_t number = count_.fetch_add(1);
      place(number) = value;
      entry->second = number;
    }
    return entry->second;
  }
  const T& operator[](std::uint32_t number) const {
    return (*chunks_)[number / kChunk].load(std::memory_order_acquire)[number % kChunk];
  }
  std::uint64_t size() const { return count_.load(); }
  std::uint64_t bytes() const { return size() * (sizeof(T) + 64); }

 private:
  static constexpr std::size_t kShards = 64;
  static constexpr std::size_t kChunk = 1024;
  static constexpr std::size_t kMaxChunks = std::size_t{1} << 16U;

  struct Shard {
    std::mutex mutex;
    std::unordered_map<Fingerprint, std::uint32_t> numbers;  // looked up only, never iterated
  };

  T& place(std::uint32_t number) {
    const std::size_t chunk = number / kChunk;
    NIKA_REQUIRE(chunk < kMaxChunks);
    T* items = (*chunks_)[chunk].load(std::memory_order_acquire);
    if (items == nullptr) {
      const std::lock_guard lock(growth_);
      items = (*chunks_)[chunk].load(std::memory_order_acquire);
      if (items == nullptr) {
        items = new T[kChunk];
        (*chunks_)[chunk].store(items, std::memory_order_release);
      }
    }
    return items[number % kChunk];
  }

  std::array<Shard, kShards> shards_{};
  std::unique_ptr<std::array<std::atomic<T*>, kMaxChunks>> chunks_;
  std::mutex growth_;
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace nika
