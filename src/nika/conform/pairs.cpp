#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/conform/maps/maps.hpp"

namespace nika::conform {

std::span<const Pair* const> pairs() {
  static const std::array<const Pair*, 3> kPairs{&bracha_pair(), &bv_broadcast_pair(), &dbft_pair()};
  return kPairs;
}

Result<const Pair*> pair_of(std::string_view protocol) {
  std::string known;
  for (const Pair* pair : pairs()) {
    if (pair->protocol() == protocol) return pair;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", pair->protocol());
  }
  return bad_input(fmt::format("there is no map of \"{}\" to an automaton, expected one of: {}", protocol, known));
}

}  // namespace nika::conform
