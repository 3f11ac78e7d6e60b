// Exhaustive search: how long whole spaces take, how many worlds they have, and how many times faster that is than
// running the scenarios one by one (measured in the same run on the same number of cores, then extrapolated).
// Arguments: seconds for each space (default 60) and memory in GiB (default 4).

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "nika/runners/built_in_protocols.hpp"
#include "schedules.hpp"

namespace nika::bench {
namespace {

double sweep_rate(const Runner& runner, const twins::Space& space) {
  Bench bench(runner, space.cluster(), std::make_unique<AnySchedule>(space));
  const Stopwatch watch;
  unsigned count = 0;
  for (; watch.wall_seconds() < 0.5; ++count) (void)bench.run(count);
  return 2 * count / watch.wall_seconds();
}

void measure(const Runner& runner, const twins::Settings& settings, double seconds, double gibibytes) {
  const twins::Space space = *twins::Space::make(settings);
  const double rate = sweep_rate(runner, space);
  SearchOptions options;
  options.memory_bytes = static_cast<std::uint64_t>(gibibytes * (1U << 30U));
  std::atomic<bool> stop{false};
  const Stopwatch watch;
  options.stop = &stop;
  options.progress = [&](const SearchProgress&) {
    if (watch.wall_seconds() > seconds) stop = true;
  };
  const auto session = runner.open({space.cluster(), settings.bugs, only(kAgreement)}).value();
  const auto found = session->search(space, options);
  const double took = watch.wall_seconds();
  const double scenarios = static_cast<double>(*space.size());
  const std::string name =
      fmt::format("{}+{}, {} partitions, {} rounds{}", settings.nodes, settings.twins, settings.partitions,
                  settings.rounds, settings.bugs.empty() ? "" : ", " + settings.bugs[0]);
  fmt::print("| {:<52} | {:>8.2g} | {:>8} | {:>10} | {:>8.2f} | {:>9.2g} | {}\n", name, scenarios,
             name_of(found->verdict), found->worlds, took, found->was_stopped ? 0.0 : scenarios / rate / took,
             found->was_stopped
                 ? fmt::format("stopped in round {}: {} |", found->rounds, fmt::join(found->worlds_by_round, " "))
                 : fmt::format("{} violating |", to_string(found->tally.violating)));
  std::fflush(stdout);
}

}  // namespace
}  // namespace nika::bench

int main(int argc, char** argv) {
  using namespace nika;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const double gibibytes = argc > 2 ? std::atof(argv[2]) : 4;
  const Registry registry = built_in_protocols();
  const Runner& runner = **registry.find("diembft");
  fmt::print("| {:<52} | {:>8} | {:>8} | {:>10} | {:>8} | {:>9} | note |\n", "diembft, exhaustive, 2 threads",
             "scenarios", "verdict", "worlds", "seconds", "× sweep");
  fmt::print("|{:-<54}|{:->11}|{:->10}|{:->12}|{:->10}|{:->11}|------|\n", "", ":", ":", ":", ":", ":");
  twins::Settings settings{.protocol = "diembft"};
  bench::measure(runner, settings, seconds, gibibytes);
  for (const std::string_view bug : runner.bugs()) {
    settings.bugs = {std::string(bug)};
    bench::measure(runner, settings, seconds, gibibytes);
  }
  settings.bugs.clear();
  settings.partitions = 3;
  bench::measure(runner, settings, seconds, gibibytes);
  settings.partitions = 2;
  settings.nodes = 7;
  settings.twins = 2;
  for (const unsigned rounds : {2U, 3U, 4U, 6U, 7U}) {
    settings.rounds = rounds;
    bench::measure(runner, settings, seconds, gibibytes);
  }
  return 0;
}
