// What keeping a campaign costs: the same campaign with a file and without, in turns, on one thread; the ratio of the
// processor time of the whole program, store included, with to without. Below 1.05 is what is wanted. The file's size
// and the rows of progress come beside it. Arguments: PAIRS RUNS.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "nika/campaign/fuzz_generations.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "stopwatch.hpp"

namespace nika::bench {
namespace {

struct Sample {
  double processor = 0;
  double wall = 0;
};

// An empty path: without a file.
using Campaign = std::function<bool(const std::string& file)>;

Sample measured(const Campaign& campaign, const std::string& file) {
  const Stopwatch watch;
  if (!campaign(file)) std::abort();
  return {watch.processor_seconds(), watch.wall_seconds()};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(const char* name, unsigned pairs, const Campaign& campaign) {
  std::string pattern = (std::filesystem::temp_directory_path() / "nika-bench-XXXXXX").string();
  const std::filesystem::path directory = mkdtemp(pattern.data());
  std::vector<double> ratios;
  std::vector<double> without;
  std::vector<double> with;
  std::uintmax_t bytes = 0;
  for (unsigned pair = 0; pair < pairs; ++pair) {
    const std::string file = (directory / fmt::format("{}.db", pair)).string();
    Sample plain;
    Sample stored;
    if (pair % 2 == 0) plain = measured(campaign, "");
    stored = measured(campaign, file);
    if (pair % 2 == 1) plain = measured(campaign, "");
    ratios.push_back(stored.processor / plain.processor);
    without.push_back(plain.processor);
    with.push_back(stored.processor);
    bytes = std::filesystem::file_size(file);
  }
  std::filesystem::remove_all(directory);
  fmt::print("| {:<34} | {:>8.2f} | {:>8.2f} | {:>8.3f} | {:>8.3f} | {:>6} |\n", name, std::ranges::min(without),
             std::ranges::min(with), std::ranges::min(with) / std::ranges::min(without), median(ratios), bytes >> 10U);
  std::fflush(stdout);
}

bool run_sweep(const char* protocol, std::vector<std::string> bugs, Wide runs, const std::string& file) {
  TwinsRequest request;
  request.runner = &built_in_protocol(protocol);
  request.settings.protocol = protocol;
  request.settings.bugs = std::move(bugs);
  request.settings.step3 = twins::Selection{twins::Selection::Kind::kRandom, runs};
  request.properties = only(kAgreement);
  request.place.file = file;
  return run_twins(request, {}).has_value();
}

bool run_fuzzing(bool is_guided, std::uint64_t runs, const std::string& file) {
  FuzzRequest request;
  request.runner = &built_in_protocol("hotstuff");
  request.properties = only(kAgreement);
  request.settings.lies = request.settings.outages = 1;
  request.settings.last_round = 24;
  if (is_guided) request.settings.guide = byzzfuzz::Guide::kCoverage;
  request.settings.runs = runs;
  set_protocol(request.settings, *request.runner, request.properties);
  request.place.file = file;
  return (is_guided ? run_guided_fuzz(request, {}) : run_fuzz(request, {})).has_value();
}

}  // namespace
}  // namespace nika::bench

int main(int argc, char** argv) {
  using namespace nika;
  using namespace nika::bench;
  const unsigned pairs = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 5;
  const std::uint64_t runs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 300'000;
  fmt::print("| {:<34} | {:>8} | {:>8} | {:>8} | {:>8} | {:>6} |\n", "one thread, processor seconds", "without", "with",
             "fastest", "median", "KiB");
  fmt::print("|{:-<36}|{:->10}|{:->10}|{:->10}|{:->10}|{:->8}|\n", "", ":", ":", ":", ":", ":");
  compare("twins diembft", pairs, [&](const std::string& file) { return run_sweep("diembft", {}, runs, file); });
  compare("twins diembft --bug quorum-2f", pairs,
          [&](const std::string& file) { return run_sweep("diembft", {"quorum-2f"}, runs, file); });
  compare("fuzz hotstuff", pairs, [&](const std::string& file) { return run_fuzzing(false, runs, file); });
  compare("fuzz hotstuff --guide coverage", pairs,
          [&](const std::string& file) { return run_fuzzing(true, runs / 4, file); });
  return 0;
}
