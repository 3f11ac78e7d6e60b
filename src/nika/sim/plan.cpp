#include "nika/sim/plan.hpp"

namespace nika {

Links links_of(const Partition& partition, unsigned seat_count) {
  Links links;
  links.component_count = partition.block_count(seat_count);
  for (unsigned b = 0; b < links.component_count; ++b) links.components[b] = partition.block(b, seat_count);
  links.reach = reach_of(partition, seat_count);
  return links;
}

Links full_links(unsigned seat_count) { return links_of(Partition{}, seat_count); }

Faults faults_of(const Scenario& scenario) {
  Faults faults{scenario.rules, scenario.crashes};
  for (Rule& rule : faults.rules) {
    if (rule.last_round == Round(kMaxRound)) rule.last_round = Round(static_cast<unsigned>(scenario.rounds.size()));
  }
  return faults;
}

Fate fate_of(std::span<const Rule> rules, const Links& links, const Envelope& envelope) {
  if (envelope.from == envelope.to) return {};
  for (const Rule& rule : rules) {
    const bool matches = rule.first_round <= envelope.round && envelope.round <= rule.last_round &&
                         (rule.kinds >> envelope.kind & 1U) != 0 && rule.from.contains(envelope.from) &&
                         rule.to.contains(envelope.to);
    if (!matches) continue;
    if (rule.action != Action::kLinks) return {rule.action, rule.delay_ticks};
    return {rule.reach[index_of(envelope.from)].contains(envelope.to) ? Action::kDeliver : Action::kDrop, 0};
  }
  return {links.reach[index_of(envelope.from)].contains(envelope.to) ? Action::kDeliver : Action::kDrop, 0};
}

}  // namespace nika
