#include "nika/cli/reproduce_byzzfuzz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "nika/campaign/byzzfuzz_experiment.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"

namespace nika::cli {
namespace {

using byzzfuzz::RowResult;
using byzzfuzz::Table;
using byzzfuzz::TableRow;
using byzzfuzz::Violations;

Json json_of(const Violations& v) {
  return Json{{"T", v.termination}, {"V", v.validity}, {"I", v.integrity}, {"A", v.agreement}, {"total", v.total}};
}

Json json_of(const Table& table, const TableRow& row, const RowResult& result) {
  Json json = json_of(result.found);
  json["c"] = row.lies;
  json["d"] = row.outages;
  json["scope"] = name_of(row.scope);
  json["runs"] = result.runs;
  json["effective"] = result.effective;
  json["unknown"] = result.unknown;
  json["seconds"] = std::round(result.seconds * 1e3) / 1e3;
  const auto interval = byzzfuzz::interval_of(result.found.total, result.runs);
  json["total_interval"] = {interval.low, interval.high};
  json["paper"] = json_of(row.paper);
  json["paper"]["runs"] = table.runs;
  return json;
}

void print_table(const Table& table, std::uint64_t runs) {
  fmt::print("Table {}: {}, {} nodes, r = {}, what is cut off is {}; {} runs a row, the paper {}\n", table.number,
             table.protocol, table.nodes, table.fault_rounds, table.withholds ? "withheld" : "lost", grouped(runs),
             table.runs);
  fmt::print("  {:>2} {:>2} {:<9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>20} {:>10} {:>8}   {}\n", "c", "d", "scope", "T",
             "V", "I", "A", "total", "total % (95 %)", "effective", "unknown", "paper:  T   V   I   A  total");
}

void print_row(const TableRow& row, const RowResult& result) {
  const Violations& found = result.found;
  const auto interval = byzzfuzz::interval_of(found.total, result.runs);
  fmt::print(
      "  {:>2} {:>2} {:<9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>20} {:>10} {:>8}        {:>3} {:>3} {:>3} {:>3} {:>6}\n",
      row.lies, row.outages, name_of(row.scope), grouped(found.termination), grouped(found.validity),
      grouped(found.integrity), grouped(found.agreement), grouped(found.total),
      fmt::format("{:.2f} to {:.2f}", 100 * interval.low, 100 * interval.high), grouped(result.effective),
      grouped(result.unknown), row.paper.termination, row.paper.validity, row.paper.integrity, row.paper.agreement,
      row.paper.total);
}

Result<std::vector<const Table*>> tables_of(const std::string& protocol) {
  std::vector<const Table*> chosen;
  std::vector<std::string_view> names;
  for (const Table& table : byzzfuzz::tables()) {
    names.push_back(table.protocol);
    if (protocol.empty() || table.protocol == protocol) chosen.push_back(&table);
  }
  if (!chosen.empty()) return chosen;
  return bad_input(fmt::format("--protocol: read \"{}\", expected one of {}", protocol, fmt::join(names, ", ")));
}

}  // namespace

Result<int> reproduce_byzzfuzz(const ByzzFuzzArguments& a, const Registry& registry) {
  const auto tables = tables_of(a.protocol);
  if (!tables) return tl::unexpected(tables.error());
  byzzfuzz::ExperimentOptions options;
  options.runs = a.runs;
  options.seed = a.seed;
  options.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  options.sampling = a.sampling == "uniform" ? byzzfuzz::Sampling::kUniform : byzzfuzz::Sampling::kArtifact;
  options.stop = &catch_interrupts();
  ProgressLine progress;
  Json told = Json::array();
  bool was_stopped = false;
  for (const Table* table : *tables) {
    Json rows = Json::array();
    const std::uint64_t runs = a.runs > 0 ? a.runs : table->runs;
    if (!a.json) print_table(*table, runs);
    for (const TableRow& row : table->rows) {
      if (was_stopped) break;
      const Watch watch;
      options.progress = [&](std::uint64_t run) {
        progress.show(fmt::format("{}, c = {}, d = {}: {} of {}  {:.0f} s", table->protocol, row.lies, row.outages,
                                  grouped(run), grouped(runs), watch.seconds()));
      };
      const auto result = run_row(registry, *table, row, options);
      progress.clear();
      if (!result) return tl::unexpected(result.error());
      was_stopped = result->was_stopped;
      if (was_stopped) break;
      rows.push_back(json_of(*table, row, *result));
      if (!a.json) print_row(row, *result);
      std::fflush(stdout);
    }
    told.push_back(Json{{"table", table->number}, {"protocol", table->protocol}, {"rows", rows}});
  }
  if (a.json) {
    print_json(Json{{"command", "reproduce"},
                    {"what", "byzzfuzz"},
                    {"seed", a.seed},
                    {"sampling", a.sampling},
                    {"was_stopped", was_stopped},
                    {"tables", told}});
  } else if (was_stopped) {
    fmt::print("stopped: only what was finished is told\n");
  }
  return was_stopped ? kExitUnknown : kExitHolds;
}

}  // namespace nika::cli
