// What an exhaustive search is asked and what it answers. It covers every scenario of a space by running each distinct
// situation once: worlds that can only behave alike from here on are merged, and their scenarios are counted exactly.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nika/base/wide.hpp"
#include "nika/model/verdict.hpp"
#include "nika/properties/violation_kind.hpp"

namespace nika {

struct SearchProgress {
  unsigned round = 0;  // network rounds whose worlds are known
  std::uint64_t worlds = 0;
  std::uint64_t expanded = 0;  // worlds of the current round that are done
  std::uint64_t to_expand = 0;
};

struct SearchOptions {
  unsigned threads = 2;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30U;
  bool unbounded = false;  // any number of rounds: search until no new world appears
  bool folds = true;       // forget the history that no rule can look at any more
  bool renames = true;     // merge worlds that differ only by the names of honest nodes
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SearchProgress&)> progress;
};

// The first scenario (by rounds, then by configurations) that leads to a fork of some kind: its scheduled rounds up to
// the fork. Any continuation violates as well.
struct FoundFork {
  ViolationKind kind{};
  std::vector<std::uint32_t> configurations;
  bool while_healing = false;
};

struct SearchResult {
  Verdict verdict = Verdict::kUnknown;
  Wide covered = 0;  // scenarios whose verdict is known
  Wide violating = 0;
  Wide unknown = 0;              // scenarios in which some buffer was full
  std::uint64_t worlds = 0;      // distinct ones
  std::uint64_t executions = 0;  // network rounds that were run
  unsigned rounds = 0;           // completed; in an unbounded search, the round after which nothing new appeared
  bool closed = false;           // an unbounded search reached its fixpoint
  bool memory_was_full = false;
  bool was_stopped = false;
  std::string reason;  // why the verdict is unknown
  std::vector<FoundFork> forks;
  std::vector<std::uint64_t> worlds_by_round;
};

// Keeps one fork of each kind: the shortest, then the smallest.
void keep_first(std::vector<FoundFork>& forks, const FoundFork& fork);
// Adds the counts and forks of one thread to those of all.
void absorb(SearchResult& total, const SearchResult& part);

}  // namespace nika
