// A source file with its name, and messages that point into it by line and column.
#pragma once

#include <cstddef>
#include <string>

namespace nika::automata {

struct SourceText {
  std::string file;
  std::string text;
};

// "file:line:column: message": one line, as every error of the program.
std::string pointed_message(const SourceText& source, std::size_t offset, const std::string& message);

}  // namespace nika::automata
