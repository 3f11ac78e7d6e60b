// What each property costs the executor: the same drawn scenarios on one core, judged by agreement alone and by
// agreement with the property. Agreement looks at what is recorded of every run anyway, so it is the executor without
// properties. Each ratio is the median of five, measured in turns; above 1 is slower.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/runners/built_in_protocols.hpp"
#include "schedules.hpp"

namespace nika::bench {
namespace {

constexpr unsigned kScenarios = 2'000;
constexpr std::size_t kRepeats = 5;
constexpr unsigned kTimeBound = 30;

twins::Space space_for(const Runner& runner) {
  twins::Settings settings{
      .clients = runner.clients(), .at_most = true, .rounds = 7, .heal_rounds = 2 * runner.heal_rounds()};
  settings.protocol = runner.name();
  settings.leaders = *twins::parse_leaders("all");
  return *twins::Space::make(settings);
}

double seconds_of(const Runner& runner, const twins::Space& space, const Properties& properties) {
  Bench bench(runner, space.cluster(), std::make_unique<AnySchedule>(space), properties);
  const Stopwatch watch;
  for (unsigned i = 0; i < kScenarios; ++i) (void)bench.run(i);
  return watch.processor_seconds();
}

double ratio_of(const Runner& runner, const twins::Space& space, const Property& property) {
  Properties both = only(kAgreement);
  (void)both.push_back(property.name == "bounded-time" ? &limited_to(property, kTimeBound) : &property);
  std::array<double, kRepeats> ratios{};
  for (double& ratio : ratios) {
    const double alone = seconds_of(runner, space, only(kAgreement));
    ratio = seconds_of(runner, space, both) / alone;
  }
  std::ranges::sort(ratios);
  return ratios[kRepeats / 2];
}

}  // namespace
}  // namespace nika::bench

int main() {
  using namespace nika;
  using namespace nika::bench;
  const Registry registry = built_in_protocols();
  fmt::print("4 nodes, A with a twin, at most 2 blocks, all lead, 7 rounds and twice the healing that is promised\n\n");
  fmt::print("| {:<26} |", "time with the property");
  for (const Property* property : built_in_properties()) fmt::print(" {:>14} |", property->name);
  fmt::print("\n|{:-<28}|", "");
  for (std::size_t i = 0; i < built_in_properties().size(); ++i) fmt::print("{:->16}|", ":");
  fmt::print("\n");
  for (const auto& runner : registry.runners()) {
    if (runner->is_synchronous()) continue;  // it needs a clock
    const twins::Space space = space_for(*runner);
    fmt::print("| {:<26} |", runner->name());
    for (const Property* property : built_in_properties())
      fmt::print(" {:>14.2f} |", property == &kAgreement ? 1.0 : ratio_of(*runner, space, *property));
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}
