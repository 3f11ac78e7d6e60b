// Finds function bodies by their braces: functions of a namespace, members defined in a class, and lambdas that a
// namespace-level variable holds. A heuristic for formatted code, not a parser: it never looks inside a body.
#pragma once

#include <cstddef>
#include <vector>

#include "tidy/source.hpp"

namespace nika::tidy {

// The lines of the opening and of the closing brace, counted from 1.
struct FunctionBody {
  std::size_t first_line;
  std::size_t last_line;

  std::size_t line_count() const { return last_line - first_line + 1; }
  bool operator==(const FunctionBody&) const = default;
};

std::vector<FunctionBody> function_bodies(const SourceFile& file);

}  // namespace nika::tidy
