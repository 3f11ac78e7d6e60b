// Decides every property of a corpus of automata and prints our seconds beside those of ByMC and the published ones.
// Every property is decided by itself; what symmetry would have saved is measured beside that and summed up at the end.
// usage: bench_verify [CORPUS]; without an argument the environment variable NIKA_TA_CORPUS names the folder.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "nika/automata/parser.hpp"
#include "nika/automata/symmetric_outcome.hpp"

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

struct SymmetryTotals {
  double searching = 0, with = 0, without = 0;  // "with" includes the search
  int files = 0, properties = 0, images = 0, different = 0;

  void operator+=(const SymmetryTotals& other) {
    searching += other.searching;
    with += other.with;
    without += other.without;
    files += other.files;
    properties += other.properties;
    images += other.images;
    different += other.different;
  }
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

// Compares what symmetry says of a property with what was decided without, and the seconds of both.
void count_image(const Automaton& automaton, std::size_t property, const std::optional<PropertyImage>& image,
                 const std::vector<Outcome>& outcomes, double seconds, SymmetryTotals& totals) {
  ++totals.properties;
  const Clock::time_point start = Clock::now();
  const auto outcome = image ? outcome_by_symmetry(automaton, property, *image, outcomes[image->of]) : std::nullopt;
  const double transfer = seconds_since(start);
  totals.with += outcome ? transfer : seconds;
  totals.without += seconds;
  if (!outcome) return;
  ++totals.images;
  if (outcome->verdict != outcomes[property].verdict) ++totals.different;
}

// The preparation, which all properties of a file share, is counted for its first property.
SymmetryTotals run_file(const std::string& corpus, const std::string& path, const std::vector<Row>& rows,
                        Totals& totals) {
  SymmetryTotals symmetry;
  Clock::time_point start = Clock::now();
  const auto automaton = read_automaton(corpus + "/" + path);
  if (!automaton) {
    fmt::print("{}\n", automaton.error().message);
    return symmetry;
  }
  const System system = prepare(*automaton, {});
  double preparation = seconds_since(start);
  start = Clock::now();
  const auto images = find_images(*automaton);
  symmetry.searching = seconds_since(start);
  symmetry.with = preparation + symmetry.searching;
  symmetry.without = preparation;
  symmetry.files = 1;
  std::vector<Outcome> outcomes(images.size());
  for (std::size_t i = 0; i < automaton->specifications.size(); ++i) {
    for (const Row& row : rows) {
      const Specification& specification = automaton->specifications[i];
      if (specification.name != row.property) continue;
      start = Clock::now();
      VerifyOptions options;
      options.budget.deadline = Clock::now() + std::chrono::seconds(120);
      const Outcome& outcome = outcomes[i] = verify_property(system, *specification.formula, options);
      const double alone = seconds_since(start);
      const double seconds = alone + std::exchange(preparation, 0);
      const double bymc = std::strtod(row.bymc_seconds.c_str(), nullptr);
      const std::string ratio = bymc > 0 ? fmt::format("{:.0f}x", bymc / seconds) : "";
      fmt::print("{:<34} {:<20} {:<9} {:<9} {:>8.3f} {:>8} {:<9} {:>7}  {}\n", path, row.property,
                 to_string(outcome.verdict), row.expected, seconds, row.bymc_seconds, row.bymc_verdict, ratio,
                 row.published);
      count(row, outcome.verdict, seconds, totals);
      count_image(*automaton, i, images[i], outcomes, alone, symmetry);
    }
  }
  return symmetry;
}

void print(const SymmetryTotals& found, const SymmetryTotals& all) {
  fmt::print("symmetry: {} of {} properties are images of others, {} with another verdict\n", all.images,
             all.properties, all.different);
  fmt::print("  all {} files: {:.2f} s with it, of which {:.3f} s to look for symmetries, {:.2f} s without\n",
             all.files, all.with, all.searching, all.without);
  fmt::print(
      "  the {} files with images: {:.2f} s with it, of which {:.3f} s to look for symmetries, {:.2f} s without\n",
      found.files, found.with, found.searching, found.without);
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
  SymmetryTotals all_files, files_with_images;
  for (const std::string& path : order) {
    const SymmetryTotals file = run_file(corpus, path, files[path], totals);
    all_files += file;
    if (file.images > 0) files_with_images += file;
  }
  fmt::print("\n{} verdicts as expected, {} different, {} decided that were open, {} unknown\n", totals.met,
             totals.different, totals.open, totals.unknown);
  fmt::print("{:.2f} s in total, slowest {:.2f} s; where ByMC was measured: {:.2f} s against {:.2f} s, {:.0f}x\n",
             totals.ours, totals.slowest, totals.ours_where_bymc, totals.bymc, totals.bymc / totals.ours_where_bymc);
  print(files_with_images, all_files);
  return 0;
}
