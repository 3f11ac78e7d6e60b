// Plain execution, one scenario after the other on one core, nothing shared: scenarios a second, nanoseconds per
// delivered message, allocations per scenario; then how the cost grows with nodes and rounds. The same scenarios are
// run five times, and the fastest counts: whatever else the machine does can only add time. The baseline, measured in
// the same run and way, is the general way to run a scenario: everything built anew, with the full trace.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/campaign/allocations.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "schedules.hpp"

namespace nika::bench {
namespace {

struct Measured {
  double per_second = 0;
  double messages = 0;
  double nanoseconds_per_message = 0;
  double allocations = 0;
};

enum class Pick { kInOrder, kAtRandom };

constexpr std::size_t kRepeats = 5;

Measured measure_once(const Runner& runner, const twins::Space& space, unsigned count, Pick pick) {
  auto schedule =
      pick == Pick::kInOrder ? twins::TwinsGenerator(space).schedule() : std::make_unique<AnySchedule>(space);
  Bench bench(runner, space.cluster(), std::move(schedule));
  std::uint64_t delivered = 0;
  const std::uint64_t allocations = allocation_count();
  const Stopwatch watch;
  for (unsigned i = 0; i < count; ++i) {
    delivered += bench.run(i).delivered;
  }
  const double seconds = watch.processor_seconds();
  Measured result;
  result.per_second = count / seconds;
  result.messages = static_cast<double>(delivered) / count;
  result.nanoseconds_per_message = seconds * 1e9 / static_cast<double>(delivered);
  result.allocations = static_cast<double>(allocation_count() - allocations) / count;
  return result;
}

Measured measure(const Runner& runner, const twins::Space& space, unsigned count, Pick pick) {
  std::array<Measured, kRepeats> runs;
  for (Measured& run : runs) run = measure_once(runner, space, count, pick);
  std::ranges::sort(runs, {}, &Measured::per_second);
  return runs[kRepeats / 2];
}

double baseline_once(const Runner& runner, const twins::Space& space, unsigned count) {
  Random random(1);
  const Stopwatch watch;
  for (unsigned i = 0; i < count; ++i) {
    Trace trace;
    const auto size = static_cast<std::uint64_t>(*space.size());
    (void)run_scenario(runner, space.scenario(random.below(size)), only(kAgreement), &trace);
  }
  return count / watch.processor_seconds();
}

double baseline(const Runner& runner, const twins::Space& space, unsigned count) {
  std::array<double, kRepeats> runs{};
  for (double& run : runs) run = baseline_once(runner, space, count);
  std::ranges::sort(runs);
  return runs[kRepeats / 2];
}

void print(const std::string& what, const Measured& m, double base) {
  fmt::print("| {:<44} | {:>9.0f} | {:>8.1f} | {:>6.1f} | {:>6.2f} | {:>6.1f} |\n", what, m.per_second, m.messages,
             m.nanoseconds_per_message, m.allocations, m.per_second / base);
}

twins::Space space_of(twins::Settings settings) {
  settings.protocol = "diembft";
  return *twins::Space::make(settings);
}

}  // namespace
}  // namespace nika::bench

int main() {
  using namespace nika;
  using namespace nika::bench;
  const Registry registry = built_in_protocols();
  const Runner& runner = **registry.find("diembft");
  const twins::Space paper = space_of({});
  const double base = baseline(runner, paper, 5000);
  fmt::print("baseline: {:.0f} scenarios a second (built anew, with trace)\n\n", base);
  fmt::print("| {:<44} | {:>9} | {:>8} | {:>6} | {:>6} | {:>6} |\n", "diembft, one core", "a second", "messages",
             "ns/msg", "allocs", "ratio");
  fmt::print("|{:-<46}|{:->11}|{:->10}|{:->8}|{:->8}|{:->8}|\n", "", ":", ":", ":", ":", ":");
  print("4+1, 2 partitions, 7 rounds, in order", measure(runner, space_of({.heal_rounds = 0}), 200'000, Pick::kInOrder),
        base);
  print("4+1, 2 partitions, 7 rounds, at random",
        measure(runner, space_of({.heal_rounds = 0}), 200'000, Pick::kAtRandom), base);
  print("  … and 3 rounds of healing, in order", measure(runner, paper, 200'000, Pick::kInOrder), base);
  print("  … and 3 rounds of healing, at random", measure(runner, paper, 200'000, Pick::kAtRandom), base);
  for (const unsigned nodes : {4U, 7U, 10U, 13U, 15U}) {
    print(fmt::format("{}+1, 2 partitions, 7+3 rounds, at random", nodes),
          measure(runner, space_of({.nodes = nodes}), 20'000, Pick::kAtRandom), base);
  }
  for (const unsigned rounds : {4U, 7U, 14U, 25U, 50U}) {
    print(fmt::format("4+1, 2 partitions, {}+3 rounds, at random", rounds),
          measure(runner, space_of({.rounds = rounds}), 20'000, Pick::kAtRandom), base);
  }
  return 0;
}
