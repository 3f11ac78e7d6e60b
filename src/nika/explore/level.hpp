// The distinct worlds before one network round, each with the exact number of scenario prefixes that lead to it.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "nika/base/fingerprint.hpp"
#include "nika/base/ids.hpp"
#include "nika/base/wide.hpp"

namespace nika {

inline constexpr unsigned kMaxExploredRounds = 32;

struct Node {
  Fingerprint fingerprint{};
  Wide count = 0;      // of scenario prefixes that lead here
  Wide committed = 0;  // of those in which something was committed; folding may have forgotten it
  std::array<std::uint32_t, kMaxSeats> seats{};  // numbers of interned replicas
  std::uint32_t rest = 0;                        // number of the interned remainder of the world
  std::uint8_t network_round = 0;                // that was run last, as the world counts its rounds
  std::uint16_t leaders = 0;                     // who leads the coming round: a position in the space's leader sets
  // The smallest prefix that leads here, in this world's own names, so that results do not depend on the threads.
  std::array<std::uint16_t, kMaxExploredRounds> prefix{};
};

class Level {
 public:
  static constexpr std::size_t kShards = 64;

  // Adds the node's count to an equal world, or keeps the node if there is room. False if it is new and there is no
  // room.
  bool merge(const Node& node, bool has_room) {
    Shard& shard = shards_[node.fingerprint.high % kShards];
    const std::lock_guard lock(shard.mutex);
    if ((shard.nodes.size() + 1) * 2 > shard.slots.size()) grow(shard);
    std::size_t slot = node.fingerprint.low & (shard.slots.size() - 1);
    for (; shard.slots[slot] != kEmpty; slot = (slot + 1) & (shard.slots.size() - 1)) {
      Node& known = shard.nodes[shard.slots[slot]];
      if (known.fingerprint != node.fingerprint) continue;
      known.count += node.count;
      known.committed += node.committed;
      if (node.prefix < known.prefix) take_names(known, node);
      return true;
    }
    if (!has_room) return false;
    shard.slots[slot] = static_cast<std::uint32_t>(shard.nodes.size());
    shard.nodes.push_back(node);
    size_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  static constexpr std::uint64_t kBytesPerNode = sizeof(Node) * 3 / 2 + 16;
  std::vector<Node>& nodes_of(std::size_t shard) { return shards_[shard].nodes; }

 private:
  static constexpr std::uint32_t kEmpty = ~0U;

  struct Shard {
    std::mutex mutex;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> slots;  // open addressing, a power of two
  };

  // Equal worlds may come with different irrelevant pasts; all that depends on the past goes with the prefix.
  static void take_names(Node& known, const Node& node) { known.prefix = node.prefix; }

  static void grow(Shard& shard) {
    std::vector<std::uint32_t> slots(shard.slots.empty() ? 64 : shard.slots.size() * 2, kEmpty);
    for (std::uint32_t i = 0; i < shard.nodes.size(); ++i) {
      std::size_t slot = shard.nodes[i].fingerprint.low & (slots.size() - 1);
      while (slots[slot] != kEmpty) slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = i;
    }
    shard.slots = std::move(slots);
  }

  std::array<Shard, kShards> shards_{};
  std::atomic<std::uint64_t> size_{0};
};

// Which worlds were ever seen, for a search that does not end with a given round.
class Seen {
 public:
  // True if it is new.
  bool insert(const Fingerprint& fingerprint) {
    Shard& shard = shards_[fingerprint.high % kShards];
    const std::lock_guard lock(shard.mutex);
    return shard.worlds.insert(fingerprint).second;
  }

 private:
  static constexpr std::size_t kShards = 64;
  struct Shard {
    std::mutex mutex;
    std::unordered_set<Fingerprint> worlds;  // looked up only, never iterated
  };
  std::array<Shard, kShards> shards_{};
};

}  // namespace nika
