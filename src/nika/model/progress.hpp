// How far a replica is with what is being agreed on: the partial process state of "Liveness Checking of the HotStuff
// Protocol Family" (Definition 1). A protocol tells it with one small function.
#pragma once

#include "nika/base/ids.hpp"

namespace nika {

// A block or value that a replica holds. The height tells apart blocks that share a value; 0 where the value says it
// all.
struct Held {
  ValueId value{};
  Height height{};

  bool operator==(const Held&) const = default;
  bool is_genesis() const { return value.is_genesis(); }
};

// What was prepared, locked and executed last; genesis for nothing.
struct Progress {
  Held prepared{};
  Held locked{};
  Held executed{};

  bool operator==(const Progress&) const = default;
};

}  // namespace nika
