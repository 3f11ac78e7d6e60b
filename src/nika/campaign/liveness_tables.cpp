#include "nika/campaign/liveness_tables.hpp"

#include <algorithm>
#include <array>

namespace nika::liveness {
namespace {

constexpr std::nullopt_t kNone = std::nullopt;

// Protocol, rounds, method, threshold, seconds, trace length, and the percentages of safety violations, liveness
// violations and false positives.
constexpr std::array<PaperRow, 34> kRows{{
    // Table III.
    {"hotstuff", 10, "temperature", 5, 1023, kNone, 0, 0, 0},
    {"hotstuff", 10, "lasso", kNone, 1036, kNone, 0, 0, 0},
    {"hotstuff", 10, "small-timeout", 0.8, 890, 8, 0, 98.8, 100},
    {"hotstuff", 10, "mid-timeout", 1.2, 1223, 9, 0, 96.4, 100},
    {"hotstuff", 10, "large-timeout", 1.6, 1903, 10, 0, 94.3, 100},
    {"hotstuff", 20, "temperature", 5, 3146, kNone, 0, 0, 0},
    {"hotstuff", 20, "lasso", kNone, 3423, kNone, 0, 0, 0},
    {"hotstuff", 20, "small-timeout", 2.8, 2923, 15, 0, 95.7, 100},
    {"hotstuff", 20, "mid-timeout", 3.8, 3912, 18, 0, 94.1, 100},
    {"hotstuff", 20, "large-timeout", 4.8, 4774, 20, 0, 90.6, 100},
    // Table IV.
    {"two-phase-hotstuff", 10, "temperature", 5, 985, 9, 0, 0.23, 0},
    {"two-phase-hotstuff", 10, "lasso", kNone, 979, 8, 0, 0.42, 0},
    {"two-phase-hotstuff", 10, "small-timeout", 0.8, 861, 8, 0, 77.8, 98.2},
    {"two-phase-hotstuff", 10, "mid-timeout", 1.2, 1184, 9, 0, 74.6, 94.5},
    {"two-phase-hotstuff", 10, "large-timeout", 1.6, 1811, 10, 0, 58.6, 88.6},
    {"two-phase-hotstuff", 20, "temperature", 5, 3073, 12, 0, 1.92, 0},
    {"two-phase-hotstuff", 20, "temperature", 10, 3210, 17, 0, 0.74, 0},
    {"two-phase-hotstuff", 20, "temperature", 15, 3242, 20, 0, 0.17, 0},
    {"two-phase-hotstuff", 20, "lasso", kNone, 3146, 13, 0, 2.04, 0},
    {"two-phase-hotstuff", 20, "small-timeout", 2.2, 2332, 12, 0, 78.8, 97.6},
    {"two-phase-hotstuff", 20, "mid-timeout", 3.6, 3552, 16, 0, 66.4, 90.4},
    {"two-phase-hotstuff", 20, "large-timeout", 5, 4833, 20, 0, 46.5, 77.9},
    // Table V.
    {"sync-hotstuff", 10, "temperature", 5, 414, 7, 3.1, 1.8, 2.2},
    {"sync-hotstuff", 10, "lasso", kNone, 398, 6, 2.6, 1.3, 2.6},
    {"sync-hotstuff", 10, "small-timeout", 3.1, 349, 7, 0.3, 33.6, 96.4},
    {"sync-hotstuff", 10, "mid-timeout", 4.1, 401, 8, 2.5, 32.4, 92.7},
    {"sync-hotstuff", 10, "large-timeout", 5.1, 517, 10, 2.6, 20.7, 84.8},
    {"sync-hotstuff", 20, "temperature", 5, 516, 9, 1.7, 1.9, 3.6},
    {"sync-hotstuff", 20, "temperature", 10, 544, 14, 1.1, 0.5, 0},
    {"sync-hotstuff", 20, "temperature", 15, 552, 18, 0.7, 0.1, 0},
    {"sync-hotstuff", 20, "lasso", kNone, 522, 8, 2.1, 1.6, 3.4},
    {"sync-hotstuff", 20, "small-timeout", 4.2, 422, 7, 0, 34.2, 95.3},
    {"sync-hotstuff", 20, "mid-timeout", 6.4, 624, 15, 0.3, 24.2, 91.2},
    {"sync-hotstuff", 20, "large-timeout", 8.6, 849, 20, 1.6, 16.7, 81.2},
}};

}  // namespace

std::span<const PaperRow> paper_rows() { return kRows; }

const PaperRow* paper_row(const RowName& name) {
  const auto is_it = [&](const PaperRow& row) {
    const bool same_threshold = !name.temperature || row.threshold == name.temperature;
    return row.protocol == name.protocol && row.rounds == name.rounds && row.method == name.method && same_threshold;
  };
  const auto* found = std::ranges::find_if(kRows, is_it);
  return found == kRows.end() ? nullptr : found;
}

}  // namespace nika::liveness
