// What "Randomized Testing of Byzantine Fault Tolerant Algorithms" (Winter et al., OOPSLA 2023) reports in its Tables
// 2, 3 and 5, and what it says of how it got there. Plain data.
#pragma once

#include <span>
#include <string_view>

#include "nika/scenarios/byzzfuzz/settings.hpp"

namespace nika::byzzfuzz {

// Runs that break termination, validity, integrity, agreement, and any of them.
struct Violations {
  std::uint64_t termination = 0;
  std::uint64_t validity = 0;
  std::uint64_t integrity = 0;
  std::uint64_t agreement = 0;
  std::uint64_t total = 0;
};

// c and d of the baseline are ours: it drops and corrupts messages as often as the largest row of its table.
struct TableRow {
  Scope scope = Scope::kSmall;
  unsigned lies = 0;     // c
  unsigned outages = 0;  // d
  Violations paper{};
};

struct Table {
  unsigned number = 0;
  std::string_view protocol;
  std::string_view bug_set;  // that makes it the one that was tested; empty if one bug does
  std::string_view bug;
  unsigned nodes = 4;
  unsigned fault_rounds = 0;  // r
  unsigned runs = 0;          // of each row
  bool withholds = false;     // what a partition cuts off comes in the end
  std::span<const TableRow> rows;
  std::string_view unls{};   // who counts whom
  std::string_view liars{};  // who lies and gets what clients hand in; nobody: anybody
  unsigned first_round = 1;  // with faults
};

std::span<const Table> tables();

}  // namespace nika::byzzfuzz
