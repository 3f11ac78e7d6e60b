// Guided against blind search: how many scenarios, network rounds and seconds it takes to the first scenario that
// breaks the property, over several seeds, on one core. The ratio is blind by guided. Whether the repaired protocol
// breaks in the same scenario is not asked here. Arguments: SEEDS [CAP [FIRST_SEED]].

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "nika/base/located_json.hpp"
#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/attack_search.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/campaign/guided_search.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"
#include "stopwatch.hpp"

namespace nika::bench {
namespace {

struct Options {
  unsigned seeds = 21;
  Wide cap = 1'000'000;  // scenarios; a seed that needs more counts as this many
  std::uint64_t first_seed = 101;
};

struct Sample {
  bool found = false;
  double scenarios = 0;
  double rounds = 0;
  double messages = 0;
  double seconds = 0;
};

Result<Sample> blind(const Runner& runner, const Setup& setup, const guided::Draws& draws, Wide cap) {
  const auto session = runner.open(setup);
  if (!session) return tl::unexpected(session.error());
  const twins::TwinsGenerator by_rounds(draws.space());
  const auto schedule = draws.sampler() != nullptr ? draws.sampler()->schedule() : by_rounds.schedule();
  Sample sample;
  const Stopwatch watch;
  const Wide end = std::min(cap, draws.size());
  for (Wide i = 0; i < end && !sample.found; ++i) {
    schedule->seek(i);
    const Outcome& outcome = (*session)->run(*schedule);
    ++sample.scenarios;
    sample.rounds += outcome.rounds;
    sample.messages += outcome.delivered;
    sample.found = outcome.verdict() == Verdict::kViolated;
  }
  sample.seconds = watch.processor_seconds();
  return sample;
}

// Rounds, messages and seconds are those of whole generations; what is copied is not run again, so that its rounds
// count and its messages do not.
Result<Sample> with_guide(const Runner& runner, const Setup& setup, const guided::Draws& draws, Wide cap) {
  auto search = GuidedSearch::make(runner, setup, draws, 1);
  if (!search) return tl::unexpected(search.error());
  Sample sample;
  const Stopwatch watch;
  while (!sample.found && search->tried() < cap) {
    const auto sightings = search->run_generation();
    sample.found = !sightings.empty();
    sample.scenarios = static_cast<double>(sample.found ? sightings.front().index + 1 : std::min(cap, search->tried()));
  }
  sample.rounds = static_cast<double>(search->rounds_run());
  sample.messages = static_cast<double>(search->delivered());
  sample.seconds = watch.processor_seconds();
  return sample;
}

double quantile(const std::vector<Sample>& samples, double Sample::* what, double part) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*what);
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::lround(part * static_cast<double>(values.size() - 1)))];
}

void print_row(std::string_view name, std::string_view how, const std::vector<Sample>& samples, double ratio) {
  const auto missed = std::ranges::count(samples, false, &Sample::found);
  const auto scenarios = [&](double part) { return quantile(samples, &Sample::scenarios, part); };
  fmt::print("| {:<34} | {:<6} | {:>8.0f} | {:>8.0f} | {:>8.0f} | {:>4} | {:>9.0f} | {:>10.0f} | {:>7.3f} | {:>6} |\n",
             name, how, scenarios(0.5), scenarios(0.25), scenarios(0.75), missed,
             quantile(samples, &Sample::rounds, 0.5), quantile(samples, &Sample::messages, 0.5),
             quantile(samples, &Sample::seconds, 0.5), ratio > 0 ? fmt::format("{:.1f}", ratio) : "");
  std::fflush(stdout);
}

Result<void> compare(const Registry& registry, const store::Attack& attack, const Options& options) {
  const auto runner = registry.find(attack.flawed.protocol);
  if (!runner) return tl::unexpected(runner.error());
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  std::vector<Sample> without;
  std::vector<Sample> with;
  for (unsigned s = 0; s < options.seeds; ++s) {
    SearchBudget budget;
    budget.seed = options.first_seed + s;
    budget.takes_hints = true;
    const auto settings = search_settings(attack, attack.flawed, **runner, budget);
    if (!settings) return tl::unexpected(settings.error());
    const auto draws = guided::Draws::make(*settings, static_cast<unsigned>((*runner)->kinds().size()));
    if (!draws) return tl::unexpected(draws.error());
    const Setup setup{draws->space().cluster(), settings->bugs, only(**property)};
    const auto first = blind(**runner, setup, *draws, options.cap);
    const auto second = with_guide(**runner, setup, *draws, options.cap);
    if (!first) return tl::unexpected(first.error());
    if (!second) return tl::unexpected(second.error());
    without.push_back(*first);
    with.push_back(*second);
  }
  const double ratio = quantile(without, &Sample::scenarios, 0.5) / quantile(with, &Sample::scenarios, 0.5);
  print_row(attack.name, "blind", without, 0);
  print_row(attack.name, "guided", with, ratio);
  return {};
}

Result<void> compare_all(const Options& options) {
  const Registry registry = built_in_protocols();
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(NIKA_ATTACKS)) files.insert(entry.path().string());
  fmt::print("{} seeds from {}, at most {} scenarios each; medians, and quartiles of the scenarios\n\n", options.seeds,
             options.first_seed, to_string(options.cap));
  fmt::print("| {:<34} | {:<6} | {:>8} | {:>8} | {:>8} | {:>4} | {:>9} | {:>10} | {:>7} | {:>6} |\n",
             "to the first violation, 1 core", "search", "median", "quartile", "quartile", "cap", "rounds", "messages",
             "seconds", "ratio");
  fmt::print("|{:-<36}|{:-<8}|{:->10}|{:->10}|{:->10}|{:->6}|{:->11}|{:->12}|{:->9}|{:->8}|\n", "", "", ":", ":", ":",
             ":", ":", ":", ":", ":");
  for (const std::string& file : files) {
    const auto text = read_text_file(file);
    if (!text) return tl::unexpected(text.error());
    const auto attack = store::attack_from_json(*text, file, words_in(registry));
    if (!attack) return tl::unexpected(attack.error());
    if (attack->flawed.timing) continue;  // searched by its delays, without a guide
    if (auto compared = compare(registry, *attack, options); !compared) return compared;
  }
  return {};
}

}  // namespace
}  // namespace nika::bench

int main(int argc, char** argv) {
  nika::bench::Options options;
  if (argc > 1) options.seeds = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  if (argc > 2) options.cap = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) options.first_seed = std::strtoull(argv[3], nullptr, 10);
  if (options.seeds == 0 || options.cap == 0) {
    fmt::print(stderr, "bench_guided: expected SEEDS [CAP [FIRST_SEED]], each at least 1\n");
    return 2;
  }
  if (auto compared = nika::bench::compare_all(options); !compared) {
    fmt::print(stderr, "bench_guided: {}\n", compared.error().message);
    return 4;
  }
  return 0;
}
