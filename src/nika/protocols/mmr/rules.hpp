// The numbers of MMR14's rules, and its seeded bugs, which are read here and nowhere else.
#pragma once

#include "nika/protocols/binary/bv.hpp"

namespace nika::mmr {

enum class Bug : std::uint8_t { kEchoT, kAuxT1, kDecideAnyCoin, kDecidedT, kSilentDeciders };

struct Rules {
  binary::BvThresholds bv{};
  int aux = 0;                    // n - t: any two such sets share a correct process, which sends one AUX in a round
  int to_follow = 0;              // t + 1 have decided a value: one of them is correct
  int to_halt = 0;                // 2t + 1 have: so many correct ones that everybody else will follow
  bool only_coin_decides = true;  // a value is decided only in a round whose coin shows it
  bool deciders_go_on = true;     // until nobody needs them
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  const int t = context.fault_count;
  Rules rules;
  rules.bv = binary::bv_thresholds(context);
  if (has(Bug::kEchoT)) --rules.bv.to_echo;
  rules.aux = context.replica_count - (has(Bug::kAuxT1) ? 2 : 1) * t;
  rules.to_follow = has(Bug::kDecidedT) ? t : t + 1;
  rules.to_halt = 2 * t + 1;
  rules.only_coin_decides = !has(Bug::kDecideAnyCoin);
  rules.deciders_go_on = !has(Bug::kSilentDeciders);
  return rules;
}

}  // namespace nika::mmr
