// Fuzzing with a guide against fuzzing blindly: how many runs it takes to the first one that breaks something, for
// every seeded bug of every protocol, over several seeds, on one core. The ratio is guided by blind: below 1 the guide
// is better. What is not found counts as the cap. Arguments: SEEDS CAP FIRST_SEED C D R, then protocols, or bugs such
// as pbft:empty-digest; with R = 0 faults are in the protocol rounds of the first five network rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "nika/campaign/fuzz_generations.hpp"
#include "nika/properties/all.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/byzzfuzz/fuzz_guide.hpp"
#include "stopwatch.hpp"

namespace nika::bench {
namespace {

constexpr unsigned kViews = 5;
constexpr auto kBlindRuns = byzzfuzz::FuzzGuide::kBlindRuns;

struct Options {
  unsigned seeds = 21;
  Wide cap = 20'000;  // runs
  std::uint64_t first_seed = 101;
  unsigned lies = 1;
  unsigned outages = 1;
  unsigned rounds = 8;
  std::vector<std::string> protocols{};  // or bugs; none: all

  bool takes(const Runner& runner, std::string_view bug) const {
    return protocols.empty() || std::ranges::count(protocols, runner.name()) > 0 ||
           std::ranges::count(protocols, fmt::format("{}:{}", runner.name(), bug)) > 0;
  }
};

struct Sample {
  bool found = false;
  double runs = 0;
  double seconds = 0;
};
byzzfuzz::Settings settings_of(const Runner& runner, std::string_view bug, const Properties& properties,
                               const Options& options, unsigned seed) {
  byzzfuzz::Settings settings;
  settings.bugs = {std::string(bug)};
  settings.nodes = runner.resilience() + 1;
  settings.lies = options.lies;
  settings.outages = options.outages;
  settings.seed = options.first_seed + seed;
  settings.last_round = options.rounds == 0 ? kViews * runner.protocol_rounds() : options.rounds;
  set_protocol(settings, runner, properties);
  return settings;
}

// As the sweep of a campaign runs them.
Result<Sample> blind(const Runner& runner, const Setup& setup, const byzzfuzz::FuzzGenerator& generator, Wide cap) {
  const auto session = runner.open(setup);
  if (!session) return tl::unexpected(session.error());
  const auto schedule = generator.schedule();
  Sample sample;
  const Stopwatch watch;
  for (Wide i = 0; i < cap && !sample.found; ++i) {
    schedule->seek(i);
    ++sample.runs;
    if (schedule->known() != nullptr) continue;  // an equal run held
    const Outcome& outcome = (*session)->copying()->run_on(*schedule, schedule->shared(), 0);
    schedule->learn(outcome);
    sample.found = outcome.verdict() == Verdict::kViolated;
  }
  sample.seconds = watch.processor_seconds();
  return sample;
}

// Seconds are those of whole generations.
Result<Sample> guided(const Runner& runner, const Setup& setup, const byzzfuzz::FuzzGenerator& generator, Wide cap) {
  auto search = GuidedFuzz::make(runner, setup, generator, 1);
  if (!search) return tl::unexpected(search.error());
  Sample sample;
  const Stopwatch watch;
  while (!sample.found && search->tried() < cap) {
    const auto sightings = search->run_generation(cap - search->tried());
    sample.found = !sightings.empty();
    sample.runs = static_cast<double>(sample.found ? sightings.front().index + 1 : search->tried());
  }
  sample.seconds = watch.processor_seconds();
  return sample;
}

// Whether the median is within the cap.
bool is_found(const std::vector<Sample>& samples, const Options& options) {
  return 2 * std::ranges::count(samples, false, &Sample::found) < options.seeds;
}

double median(std::vector<Sample> samples, auto what) {
  std::ranges::sort(samples, {}, what);
  return static_cast<double>(std::invoke(what, samples[samples.size() / 2]));
}

using Search = Result<Sample> (*)(const Runner&, const Setup&, const byzzfuzz::FuzzGenerator&, Wide);
// Ends as soon as half of the seeds have found nothing: the median is beyond the cap then.
Result<std::vector<Sample>> samples_of(const Runner& runner, std::string_view bug, const Properties& properties,
                                       const Options& options, Search search) {
  std::vector<Sample> samples;
  for (unsigned s = 0; s < options.seeds; ++s) {
    const byzzfuzz::FuzzGenerator generator(settings_of(runner, bug, properties, options, s));
    const Setup setup{generator.cluster(), generator.settings().bugs, properties};
    const auto sample = search(runner, setup, generator, options.cap);
    if (!sample) return tl::unexpected(sample.error());
    samples.push_back(*sample);
    if (!is_found(samples, options)) break;
  }
  return samples;
}

struct Mean {
  double logarithms = 0;
  unsigned count = 0;

  void add(double ratio) {
    logarithms += std::log(ratio);
    ++count;
  }
  double value() const { return std::exp(logarithms / count); }
};

struct Means {
  Mean runs{};
  Mean seconds{};
  Mean late{};  // runs, where the guide had a say: before that both run the same
};

Result<void> compare(const Runner& runner, std::string_view bug, const Options& options, Means& means) {
  auto properties = parse_properties("agreement,validity,integrity,termination", built_in_properties());
  if (!properties) return tl::unexpected(properties.error());
  const auto without = samples_of(runner, bug, *properties, options, blind);
  if (!without) return tl::unexpected(without.error());
  const auto with = samples_of(runner, bug, *properties, options, guided);
  if (!with) return tl::unexpected(with.error());
  const auto runs_text = [&](const std::vector<Sample>& samples) {
    return is_found(samples, options) ? fmt::format("{:.0f}", median(samples, &Sample::runs)) : "-";
  };
  const auto seconds_text = [&](const std::vector<Sample>& samples) {
    return is_found(samples, options) ? fmt::format("{:.2f}", 1000 * median(samples, &Sample::seconds)) : "-";
  };
  const double runs = median(*with, &Sample::runs) / median(*without, &Sample::runs);
  const double seconds = median(*with, &Sample::seconds) / median(*without, &Sample::seconds);
  const bool counts = is_found(*without, options) || is_found(*with, options);
  if (counts) {
    means.runs.add(runs);
    means.seconds.add(seconds);
    if (median(*without, &Sample::runs) > kBlindRuns) means.late.add(runs);
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", runner.name(), bug, runs_text(*without), runs_text(*with),
             counts ? fmt::format("{:.2f}", runs) : "", seconds_text(*without), seconds_text(*with));
  std::fflush(stdout);
  return {};
}

Result<void> compare_all(const Options& options) {
  const Registry registry = built_in_protocols();
  fmt::print("c = {}, d = {}, r = {}; {} seeds from {}, at most {} runs each: medians, - if beyond\n\n", options.lies,
             options.outages, options.rounds == 0 ? "five network rounds" : fmt::format("{}", options.rounds),
             options.seeds, options.first_seed, to_string(options.cap));
  fmt::print("| protocol | bug | blind, runs | guided, runs | ratio | blind, ms | guided, ms |\n");
  fmt::print("|---|---|---:|---:|---:|---:|---:|\n");
  Means means;
  for (const auto& runner : registry.runners()) {
    if (runner->leaves().empty()) continue;
    for (const std::string_view bug : runner->bugs()) {
      if (!options.takes(*runner, bug)) continue;
      if (auto compared = compare(*runner, bug, options, means); !compared) return compared;
    }
  }
  fmt::print(
      "\ngeometric mean of the ratios: {:.3f} of runs and {:.3f} of seconds over {} bugs; {:.3f} of runs over "
      "those {} that take more than {} runs\n",
      means.runs.value(), means.seconds.value(), means.runs.count, means.late.value(), means.late.count, kBlindRuns);
  return {};
}

}  // namespace
}  // namespace nika::bench

int main(int argc, char** argv) {
  nika::bench::Options options;
  const auto number = [&](int at, auto& value) {
    if (argc > at) value = static_cast<std::remove_reference_t<decltype(value)>>(std::strtoull(argv[at], nullptr, 10));
  };
  number(1, options.seeds);
  number(2, options.cap);
  number(3, options.first_seed);
  number(4, options.lies);
  number(5, options.outages);
  number(6, options.rounds);
  for (int i = 7; i < argc; ++i) options.protocols.emplace_back(argv[i]);
  if (options.seeds == 0 || options.cap == 0) {
    fmt::print(stderr, "bench_fuzz: expected SEEDS and CAP of at least 1\n");
    return 2;
  }
  if (auto compared = nika::bench::compare_all(options); !compared) {
    fmt::print(stderr, "bench_fuzz: {}\n", compared.error().message);
    return 4;
  }
  return 0;
}
