#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/conform/maps/maps.hpp"

namespace nika::conform {

std::span<const Pair* const> pairs() {
  static const std::array kPairs{&bracha_pair(), &bv_broadcast_pair(), &dbft_pair(), &dbft_as_printed_pair(),
                                 &one_step_pair()};
  return kPairs;
}

Result<const Pair*> pair_of(std::string_view protocol) {
  std::string known;
  for (const Pair* pair : pairs()) {
    if (pair->protocol() == protocol) return pair;
    if (known.ends_with(pair->protocol())) continue;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", pair->protocol());
  }
  return bad_input(fmt::format("there is no map of \"{}\" to an automaton, expected one of: {}", protocol, known));
}

Result<const Pair*> pair_of(std::string_view protocol, const automata::Automaton& automaton) {
  for (const Pair* pair : pairs()) {
    if (pair->protocol() == protocol && pair->missing_in(automaton).empty()) return pair;
  }
  return pair_of(protocol);
}

}  // namespace nika::conform
