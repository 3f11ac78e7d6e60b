#include "nika/sim/adversary.hpp"

namespace nika {

const Rule* rule_about(std::span<const Rule> rules, const Envelope& envelope) {
  if (envelope.from == envelope.to) return nullptr;
  for (const Rule& rule : rules) {
    if (matches(rule, envelope)) return &rule;
  }
  return nullptr;
}

Fate fate_of(std::span<const Rule> rules, const Reach& reach, const Envelope& envelope) {
  if (envelope.from == envelope.to) return {};
  const Rule* rule = rule_about(rules, envelope);
  const bool by_links = rule == nullptr || rule->action == Action::kLinks;
  if (by_links) {
    const Reach& deciding = rule == nullptr ? reach : rule->reach;
    return {deciding[index_of(envelope.from)].contains(envelope.to) ? Action::kDeliver : Action::kDrop, 0};
  }
  return {rule->action, rule->action == Action::kDelay ? rule->delay_ticks : rule->delay_rounds};
}

}  // namespace nika
