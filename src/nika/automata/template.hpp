// Expansion of the templates in which some automata are written: lines "% for v in [0, 1]:" … "% endfor" and "% if v ==
// 0:" … "% elif v < 3 and v != w:" … "% else:" … "% endif", and "${1-v}" with integer expressions. Every character of
// the result remembers where it came from, so errors point at the source.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nika/automata/source_text.hpp"
#include "nika/base/result.hpp"

namespace nika::automata {

struct ExpandedText {
  std::string text;
  std::vector<std::size_t> origin;  // for each character of text, and one past the end: its offset in the source
};

Result<ExpandedText> expand_templates(const SourceText& source);

}  // namespace nika::automata
