// What `nika twins` tells, for people and for scripts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/cli/console.hpp"
#include "nika/cli/finding_files.hpp"
#include "nika/cli/twins_options.hpp"

namespace nika::cli {

struct TwinsReport {
  twins::Counts counts;
  std::string scenarios;  // decimal: how many were asked for; empty if there is no bound
  std::string classes;    // decimal, with --symmetry
  bool weights_are_exact = true;
  Verdict verdict = Verdict::kUnknown;
  SweepTotals totals;
  std::optional<SearchResult> search;  // with --exhaustive
  std::string reason;                  // why the verdict is unknown
  std::vector<StoredFinding> findings;
  double seconds = 0;
};

Json json_of(const TwinsRequest& request, const TwinsReport& report);
void print_report(const TwinsRequest& request, const TwinsReport& report);

// The counts of each step, for --dry-run.
Json json_of_counts(const TwinsRequest& request, const TwinsReport& report);
void print_counts(const TwinsRequest& request, const TwinsReport& report);

}  // namespace nika::cli
