// The numbers of the rules of the agreement on a common subset, and its seeded bugs, which are read here and nowhere
// else. The parts have bugs of their own, which they do not get here.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::honeybadger {

enum class Bug : std::uint8_t {
  kZerosTooEarly,
  kOutputWithoutWaiting,
  kOneBeforeDelivery,
  kNoZeros,
  kWithoutConf,
};

struct Rules {
  int ones_to_refuse = 0;          // n - f: so many broadcasts arrive however silent f nodes are
  bool waits_for_values = true;    // of all instances that were decided by 1
  bool waits_for_delivery = true;  // before the input 1, and not only for what its sender says first
  bool gives_zeros = true;
  bool confirms = true;  // MMR14 with CONF before its coin
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  const int f = context.fault_count;
  Rules rules;
  rules.ones_to_refuse = has(Bug::kZerosTooEarly) ? f + 1 : context.replica_count - f;
  rules.waits_for_values = !has(Bug::kOutputWithoutWaiting);
  rules.waits_for_delivery = !has(Bug::kOneBeforeDelivery);
  rules.gives_zeros = !has(Bug::kNoZeros);
  rules.confirms = !has(Bug::kWithoutConf);
  return rules;
}

}  // namespace nika::honeybadger
