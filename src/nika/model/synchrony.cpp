#include <fmt/format.h>

#include "nika/model/scenario.hpp"

namespace nika {

Result<void> check_synchrony(const Rule& rule, const Timing& timing, const Cluster& cluster) {
  const bool comes_again = rule.action == Action::kTwice && rule.delay_rounds > 0;
  if (comes_again || rule.action == Action::kLate || rule.action == Action::kWithhold) {
    return bad_input(
        "a timed scenario has no network rounds and never heals, but this rule puts messages off until then: delay "
        "them by ticks, or drop them");
  }
  const bool is_timely = rule.action == Action::kDeliver || rule.action == Action::kTwice ||
                         (rule.action == Action::kDelay && rule.delay_ticks <= timing.delta_ticks);
  if (is_timely) return {};
  for (Seat from : cluster.honest_seats() & rule.from) {
    SeatSet late = (cluster.honest_seats() & rule.to) - SeatSet::single(from);
    if (rule.action == Action::kLinks) late = late - rule.reach[index_of(from)];
    if (late.empty()) continue;
    return bad_input(fmt::format(
        "messages between honest seats take at most delta = {} ticks in a synchronous network, but this rule keeps "
        "messages of {} from {}",
        timing.delta_ticks, name_of(cluster, from), name_of(cluster, *late.begin())));
  }
  return {};
}

Result<void> check_synchrony(const Scenario& scenario) {
  if (!scenario.timing) return {};
  const auto cluster = cast_of(scenario);
  if (!cluster) return tl::unexpected(cluster.error());
  const Timing& timing = *scenario.timing;
  if (timing.delta_ticks == 0 || timing.delay_ticks > timing.delta_ticks) {
    return bad_input("a message that no rule is about takes at most delta, and delta is at least one tick");
  }
  if (const SeatSet honest = timing.timers_first & cluster->honest_seats(); !honest.empty()) {
    return bad_input(fmt::format(
        "a message that takes delta is in time, but the timers of honest {} run out before what arrives in their tick",
        name_of(*cluster, *honest.begin())));
  }
  if (!scenario.crashes.empty()) return bad_input("a timed scenario has no crashes: drop the messages of the seat");
  for (const RoundPlan& plan : scenario.rounds) {
    if (plan.partition != Partition{}) return bad_input("a timed scenario has no partitions: delay messages by rules");
  }
  for (const Rule& rule : scenario.rules) {
    if (auto sound = check_synchrony(rule, timing, *cluster); !sound) return sound;
  }
  return {};
}

}  // namespace nika
