#include "nika/automata/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/printable.hpp"

namespace nika::automata {

constexpr std::size_t kMostCharacters = 160;

std::string pointed_message(const SourceText& source, std::size_t offset, const std::string& message) {
  const std::string& text = source.text;
  offset = std::min(offset, text.size());
  const std::size_t line_number =
      1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return fmt::format("{}:{}:{}: {}", source.file, line_number, offset - begin + 1,
                     shortened(printable(message), kMostCharacters));
}

}  // namespace nika::automata
