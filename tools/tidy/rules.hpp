// The limits of the style that a machine can check. What each rule is for is said in docs/contributing.md.
#pragma once

#include "tidy/source.hpp"
#include "tidy/violation.hpp"

namespace nika::tidy {

inline constexpr std::size_t kFileLinesBelow = 500;
inline constexpr std::size_t kMaxFunctionLines = 60;
inline constexpr std::size_t kMaxColumns = 120;
inline constexpr std::size_t kMaxHeaderCommentLines = 5;

// Every rule that looks at one file alone, the includes among them, in the order of the lines.
Violations check_file(const SourceFile& file);

}  // namespace nika::tidy
