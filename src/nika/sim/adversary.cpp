#include "nika/sim/adversary.hpp"

namespace nika {

const Rule* rule_about(std::span<const Rule> rules, const Envelope& envelope) {
  if (envelope.from == envelope.to) return nullptr;
  for (const Rule& rule : rules) {
    if (matches(rule, envelope)) return &rule;
  }
  return nullptr;
}

Fate fate_by(const Rule& rule, Seat from, Seat to) {
  if (rule.action == Action::kLinks)
    return {rule.reach[index_of(from)].contains(to) ? Action::kDeliver : Action::kDrop, 0};
  return {rule.action, rule.action == Action::kDelay ? rule.delay_ticks : rule.delay_rounds};
}

Fate fate_of(std::span<const Rule> rules, const Reach& reach, const Envelope& envelope) {
  if (envelope.from == envelope.to) return {};
  if (const Rule* rule = rule_about(rules, envelope)) return fate_by(*rule, envelope.from, envelope.to);
  return {reach[index_of(envelope.from)].contains(envelope.to) ? Action::kDeliver : Action::kDrop, 0};
}

}  // namespace nika
