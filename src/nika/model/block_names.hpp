// The names of blocks where several seats have one input: it stands for the hash function of a chained protocol, by
// which the same payload on the same parent in the same round is one block, and on two parents two. Part of the world.
#pragma once

#include "nika/base/bounded_vector.hpp"
#include "nika/base/ids.hpp"

namespace nika {

class BlockNames {
 public:
  static constexpr std::size_t kCapacity = 256;

  struct Content {
    ValueId payload{};  // with the round that it is proposed in
    ValueId parent{};
    bool operator==(const Content&) const = default;
  };

  // What the block with this content is called. Whoever asks first gives it the name; `own` is a name that nobody else
  // gives. Genesis if there is no more room.
  ValueId name_of(Content content, ValueId own) {
    for (const Entry& entry : entries_) {
      if (entry.content == content) return entry.name;
    }
    return entries_.push_back({content, own}) ? own : kGenesis;
  }
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  bool operator==(const BlockNames&) const = default;

 private:
  struct Entry {
    Content content{};
    ValueId name{};
    bool operator==(const Entry&) const = default;
  };
  BoundedVector<Entry, kCapacity> entries_{};
};

}  // namespace nika
