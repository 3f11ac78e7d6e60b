// One broken rule at one place; lines count from 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nika::tidy {

struct Violation {
  std::string path;
  std::size_t line = 1;
  std::string what;

  bool operator==(const Violation&) const = default;
};

using Violations = std::vector<Violation>;

}  // namespace nika::tidy
