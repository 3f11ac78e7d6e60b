// What "Liveness Checking of the HotStuff Protocol Family" measured: its Tables III, IV and V, as data.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace nika::liveness {

struct PaperRow {
  std::string_view protocol;
  unsigned rounds = 0;
  std::string_view method;
  std::optional<double> threshold;  // hot rounds of the temperature, seconds of the timeouts
  double seconds = 0;
  std::optional<double> trace_length;  // nothing was reported where it is missing
  double safety_percent = 0;
  double liveness_percent = 0;
  double false_positive_percent = 0;
};

std::span<const PaperRow> paper_rows();

struct RowName {
  std::string_view protocol;
  unsigned rounds = 0;
  std::string_view method;
  std::optional<double> temperature{};  // of the temperature method, which has several rows
};
// Null where the paper has no such row.
const PaperRow* paper_row(const RowName& name);

}  // namespace nika::liveness
