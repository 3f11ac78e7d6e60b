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
#include "nika/properties/tally.hpp"

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
  bool folds = true;       // forget the history that no rule can look at any more, where that is exact
  bool renames = true;     // merge worlds that differ only by the names of honest nodes, where that is sound
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SearchProgress&)> progress;
};

// The first scenario (by rounds, then by configurations) that breaks a property in some way: its scheduled rounds up to
// there. Any continuation breaks it as well.
struct BrokenPrefix {
  std::size_t property = 0;
  std::string_view kind{};
  std::vector<std::uint32_t> configurations;
  bool while_healing = false;
  std::uint32_t healing = 0;  // how it heals, by its number in the space
};

struct SearchResult {
  Verdict verdict = Verdict::kUnknown;
  Tally tally;                       // of scenarios
  std::uint64_t worlds = 0;          // distinct ones
  std::uint64_t executions = 0;      // worlds, each with one configuration of its next round
  std::uint64_t healing_rounds = 0;  // that were run
  unsigned rounds = 0;               // completed; in an unbounded search, the round after which nothing new appeared
  bool closed = false;               // an unbounded search reached its fixpoint
  bool has_committed = false;        // an honest seat committed something in some world
  bool memory_was_full = false;
  bool was_stopped = false;
  std::string reason;  // why the verdict is unknown
  std::vector<BrokenPrefix> broken;
  std::vector<std::uint64_t> worlds_by_round;
};

// Keeps one of each property and kind: the shortest, then the smallest.
void keep_first(std::vector<BrokenPrefix>& broken, const BrokenPrefix& found);
// Adds the counts of one thread to those of all.
void absorb(SearchResult& total, const SearchResult& part);

}  // namespace nika
