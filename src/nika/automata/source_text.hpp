// A source file with its name, and messages that point into it: line, column, the line itself and a caret below it.
#pragma once

#include <cstddef>
#include <string>

namespace nika::automata {

struct SourceText {
  std::string file;
  std::string text;
};

// "file:line:column: message", then the source line, then a caret under the column.
std::string pointed_message(const SourceText& source, std::size_t offset, const std::string& message);

}  // namespace nika::automata
