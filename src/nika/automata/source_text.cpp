#include "nika/automata/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika::automata {

std::string pointed_message(const SourceText& source, std::size_t offset, const std::string& message) {
  const std::string& text = source.text;
  offset = std::min(offset, text.size());
  const std::size_t line_number =
      1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  std::string line = text.substr(begin, end - begin);
  std::string margin;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool printable = static_cast<unsigned char>(line[i]) >= 32;
    if (begin + i < offset) margin += line[i] == '\t' ? '\t' : ' ';
    if (!printable && line[i] != '\t') line[i] = ' ';
  }
  return fmt::format("{}:{}:{}: {}\n  {}\n  {}^", source.file, line_number, offset - begin + 1, message, line, margin);
}

}  // namespace nika::automata
