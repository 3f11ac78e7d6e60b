#include "nika/report/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/printable.hpp"

namespace nika::report {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// Bytes that continue a character of UTF-8 take no column.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

std::string wrapped(std::string_view text, std::string_view indent, std::string_view first_indent,
                    std::size_t columns) {
  std::string result;
  std::string line(first_indent);
  bool has_word = false;
  std::size_t begin = text.find_first_not_of(kSpaces);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
    const std::string word = printable(text.substr(begin, end - begin));
    if (has_word && columns_of(line) + 1 + columns_of(word) > columns) {
      result += line + '\n';
      line = indent;
      has_word = false;
    }
    line += (has_word ? " " : "") + word;
    has_word = true;
    begin = text.find_first_not_of(kSpaces, end);
  }
  return result + line + '\n';
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace nika::report
