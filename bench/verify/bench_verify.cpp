// Decides every property of a corpus of automata and prints our seconds beside those of ByMC and the published ones.
// usage: bench_verify [CORPUS]; without an argument the environment variable NIKA_TA_CORPUS names the folder.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "nika/automata/parser.hpp"
#include "nika/automata/verifier.hpp"

namespace {

using namespace nika::automata;
using Clock = std::chrono::steady_clock;

struct Row {
  std::string property, expected, published, bymc_seconds, bymc_verdict;
};

struct Totals {
  double ours = 0, ours_where_bymc = 0, bymc = 0, slowest = 0;
  int met = 0, different = 0, unknown = 0, open = 0;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, '\t');) columns.push_back(column);
  columns.resize(7);
  return columns;
}

void count(const Row& row, Verdict verdict, double seconds, Totals& totals) {
  totals.ours += seconds;
  totals.slowest = std::max(totals.slowest, seconds);
  if (verdict == Verdict::unknown) {
    ++totals.unknown;
  } else if (row.expected == "unknown") {
    ++totals.open;
  } else {
    ++(row.expected == to_string(verdict) ? totals.met : totals.different);
  }
  if (row.bymc_seconds.empty()) return;
  totals.bymc += std::strtod(row.bymc_seconds.c_str(), nullptr);
  totals.ours_where_bymc += seconds;
}

// The preparation, which all properties of a file share, is counted for its first property.
void run_file(const std::string& corpus, const std::string& path, const std::vector<Row>& rows, Totals& totals) {
  Clock::time_point start = Clock::now();
  const auto automaton = read_automaton(corpus + "/" + path);
  if (!automaton) {
    fmt::print("{}\n", automaton.error().message);
    return;
  }
  const System system = prepare(*automaton, {});
  for (const Row& row : rows) {
    for (const Specification& specification : automaton->specifications) {
      if (specification.name != row.property) continue;
      VerifyOptions options;
      options.budget.deadline = Clock::now() + std::chrono::seconds(120);
      const Outcome outcome = verify_property(system, *specification.formula, options);
      const double seconds = seconds_since(start);
      const double bymc = std::strtod(row.bymc_seconds.c_str(), nullptr);
      const std::string ratio = bymc > 0 ? fmt::format("{:.0f}x", bymc / seconds) : "";
      fmt::print("{:<34} {:<20} {:<9} {:<9} {:>8.3f} {:>8} {:<9} {:>7}  {}\n", path, row.property,
                 to_string(outcome.verdict), row.expected, seconds, row.bymc_seconds, row.bymc_verdict, ratio,
                 row.published);
      count(row, outcome.verdict, seconds, totals);
      start = Clock::now();
    }
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  const char* variable = std::getenv("NIKA_TA_CORPUS");
  const std::string corpus = argument_count > 1 ? arguments[1] : variable != nullptr ? variable : "../shared/corpus/ta";
  std::ifstream index(corpus + "/INDEX.tsv");
  if (!index) {
    fmt::print("skipped: no INDEX.tsv in '{}'; give the corpus as argument or in NIKA_TA_CORPUS\n", corpus);
    return 0;
  }
  std::vector<std::string> order;
  std::map<std::string, std::vector<Row>> files;
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    const std::vector<std::string> columns = columns_of(line);
    if (files[columns[0]].empty()) order.push_back(columns[0]);
    files[columns[0]].push_back({columns[1], columns[2], columns[4], columns[5], columns[6]});
  }
  fmt::print("{:<34} {:<20} {:<9} {:<9} {:>8} {:>8} {:<9} {:>7}  {}\n", "file", "property", "verdict", "expected",
             "seconds", "ByMC s", "ByMC", "ratio", "published");
  Totals totals;
  for (const std::string& path : order) run_file(corpus, path, files[path], totals);
  fmt::print("\n{} verdicts as expected, {} different, {} decided that were open, {} unknown\n", totals.met,
             totals.different, totals.open, totals.unknown);
  fmt::print("{:.2f} s in total, slowest {:.2f} s; where ByMC was measured: {:.2f} s against {:.2f} s, {:.0f}x\n",
             totals.ours, totals.slowest, totals.ours_where_bymc, totals.bymc, totals.bymc / totals.ours_where_bymc);
  return 0;
}
