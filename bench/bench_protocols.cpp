// Plain execution of every protocol that runs in network rounds, on one core: scenarios a second and nanoseconds per
// delivered message, drawn by rounds and by phases. The ratio is against DiemBFT by rounds, in the same run.

#include <fmt/format.h>

#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "schedules.hpp"

namespace nika::bench {
namespace {

constexpr unsigned kScenarios = 20'000;

struct Measured {
  double per_second = 0;
  double messages = 0;
};

twins::Settings settings_for(const Runner& runner) {
  twins::Settings settings{.clients = runner.clients(), .rounds = 4, .heal_rounds = 3};
  settings.protocol = runner.name();
  settings.leaders = *twins::parse_leaders("all");
  settings.at_most = true;
  return settings;
}

Measured by_rounds(const Runner& runner) {
  const twins::Space space = *twins::Space::make(settings_for(runner));
  Bench bench(runner, space.cluster(), std::make_unique<AnySchedule>(space));
  std::uint64_t delivered = 0;
  const Stopwatch watch;
  for (unsigned i = 0; i < kScenarios; ++i) delivered += bench.run(i).delivered;
  return {kScenarios / watch.processor_seconds(), static_cast<double>(delivered) / kScenarios};
}

Measured by_phases(const Runner& runner) {
  twins::Settings settings = settings_for(runner);
  settings.granularity = twins::Granularity::kPhase;
  settings.step3 = {twins::Selection::Kind::kRandom, kScenarios};
  const auto sampler = *phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size()));
  Bench bench(runner, sampler.cluster(), sampler.schedule());
  std::uint64_t delivered = 0;
  const Stopwatch watch;
  for (unsigned i = 0; i < kScenarios; ++i) delivered += bench.run(i).delivered;
  return {kScenarios / watch.processor_seconds(), static_cast<double>(delivered) / kScenarios};
}

void print(std::string_view name, std::string_view how, const Measured& m, double base) {
  fmt::print("| {:<26} | {:<7} | {:>9.0f} | {:>8.1f} | {:>6.1f} | {:>6.2f} |\n", name, how, m.per_second, m.messages,
             1e9 / m.per_second / m.messages, m.per_second / base);
}

}  // namespace
}  // namespace nika::bench

int main() {
  using namespace nika;
  using namespace nika::bench;
  const Registry registry = built_in_protocols();
  const double base = by_rounds(**registry.find("diembft")).per_second;
  fmt::print("4 nodes, A with a twin, at most 2 blocks, all lead, 4+3 rounds\n\n");
  fmt::print("| {:<26} | {:<7} | {:>9} | {:>8} | {:>6} | {:>6} |\n", "protocol, one core", "drawn", "a second",
             "messages", "ns/msg", "ratio");
  fmt::print("|{:-<28}|{:-<9}|{:->11}|{:->10}|{:->8}|{:->8}|\n", "", "", ":", ":", ":", ":");
  for (const auto& runner : registry.runners()) {
    if (runner->is_synchronous()) continue;  // it needs a clock
    print(runner->name(), "rounds", by_rounds(*runner), base);
    print(runner->name(), "phases", by_phases(*runner), base);
  }
  return 0;
}
