// The experiment of ByzzFuzz's Tables 2, 3 and 5, row by row, with Nika's protocols and counts. Never prints.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "nika/campaign/byzzfuzz_tables.hpp"
#include "nika/campaign/registry.hpp"

namespace nika::byzzfuzz {

struct ExperimentOptions {
  std::uint64_t runs = 0;  // of each row; 0: as many as the paper
  std::uint64_t seed = 1;
  unsigned threads = 1;
  Mutations mutations = Mutations::kPaper;
  Sampling sampling = Sampling::kUniform;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint64_t runs)> progress{};  // of the row
};

struct RowResult {
  std::uint64_t runs = 0;
  Violations found{};
  std::uint64_t unknown = 0;    // runs in which something could not be judged
  std::uint64_t effective = 0;  // runs in which a lie changed a message on its way
  double seconds = 0;
  bool was_stopped = false;
};

Result<RowResult> run_row(const Registry& registry, const Table& table, const TableRow& row,
                          const ExperimentOptions& options);

// The Wilson interval of a share, 95 %: where the true one is.
struct Interval {
  double low = 0;
  double high = 1;
};
Interval interval_of(std::uint64_t part, std::uint64_t whole);

}  // namespace nika::byzzfuzz
