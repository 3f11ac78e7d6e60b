// One broken rule at one place; lines count from 1.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace nika::tidy {

struct Violation {
  std::string path;
  std::size_t line = 1;
  std::string what;

  auto operator<=>(const Violation&) const = default;
};

using Violations = std::vector<Violation>;

}  // namespace nika::tidy
