// Which parameter of an automaton is n, which t and which f.
#pragma once

#include <array>

#include "nika/conform/names.hpp"

namespace nika::conform {

struct Sizes {
  std::int64_t n = 0;  // nodes
  std::int64_t t = 0;  // faults that they bear
  std::int64_t f = 0;  // faulty ones
};

inline constexpr std::size_t kParameters = 3;

inline std::array<std::int64_t, kParameters> values_of(Names& names, const Sizes& sizes) {
  std::array<std::int64_t, kParameters> values{};
  values[names.parameter("n") % kParameters] = sizes.n;
  values[names.parameter("t") % kParameters] = sizes.t;
  values[names.parameter("f") % kParameters] = sizes.f;
  return values;
}
// By configuration: parameters come first.
template <class Configuration>
Sizes sizes_in(Names& names, const Configuration& configuration) {
  return {configuration[names.parameter("n")], configuration[names.parameter("t")],
          configuration[names.parameter("f")]};
}

}  // namespace nika::conform
