// The numbers of DBFT's rules, and its seeded bugs, which are read here and nowhere else.
#pragma once

#include "nika/protocols/binary/bv.hpp"

namespace nika::dbft {

enum class Bug : std::uint8_t { kStopsEchoing, kSilentDeciders, kDecideAnyParity, kAuxT1, kEchoT };

struct Rules {
  binary::BvThresholds est{};
  int aux = 0;                      // n - t: any two such sets share a correct process, which sends one AUX in a round
  bool echoes_at_any_time = true;   // and not only until it leaves the loop of L7
  bool deciders_go_on = true;       // for two more rounds (L23)
  bool only_parity_decides = true;  // L17
};

inline Rules rules_of(const Context& context, std::uint32_t bugs) {
  const auto has = [&](Bug bug) { return (bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  Rules rules;
  rules.est = binary::bv_thresholds(context);
  if (has(Bug::kEchoT)) --rules.est.to_echo;
  rules.aux = context.replica_count - (has(Bug::kAuxT1) ? 2 : 1) * context.fault_count;
  rules.echoes_at_any_time = !has(Bug::kStopsEchoing);
  rules.deciders_go_on = !has(Bug::kSilentDeciders);
  rules.only_parity_decides = !has(Bug::kDecideAnyParity);
  return rules;
}

}  // namespace nika::dbft
