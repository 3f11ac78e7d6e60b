#include "nika/base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace nika {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // in bytes; 0: no UTF-8
};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

// The first character of a text that is not empty. Overlong forms, surrogates and what is beyond Unicode are no UTF-8.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return {};
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  static constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[size] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

// Line and paragraph separators, embeddings, overrides and isolates.
bool turns_text(std::uint32_t code) {
  return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
}

std::string escaped(std::uint32_t code) {
  switch (code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.size == 0) {
      result += escaped(static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (is_control(character.code) || turns_text(character.code)) {
      result += escaped(character.code);
    } else {
      result += text.substr(0, character.size);
    }
    text.remove_prefix(character.size);
  }
  return result;
}

std::string printable_json(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const Character character = first_character(json);
    const bool is_layout = character.code == '\n' || character.size == 0;
    if (!is_layout && (is_control(character.code) || turns_text(character.code))) {
      result += fmt::format("\\u{:04x}", character.code);
    } else {
      result += json.substr(0, std::max<std::size_t>(character.size, 1));
    }
    json.remove_prefix(std::max<std::size_t>(character.size, 1));
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (const char byte : text) characters += continues(byte) ? 0 : 1;
  if (characters <= most || most == 0) return std::string(text);
  const std::size_t tail = (most - 1) / 3;
  const std::size_t head = most - 1 - tail;
  std::size_t begin = 0;
  for (std::size_t seen = 0; begin < text.size(); ++begin) {
    if (!continues(text[begin]) && seen++ == head) break;
  }
  std::size_t end = text.size();
  for (std::size_t seen = 0; seen < tail;) {
    if (!continues(text[--end])) ++seen;
  }
  return fmt::format("{}…{}", text.substr(0, begin), text.substr(end));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMostCharacters = 40;
  // Cut before it is made printable: a file of 100 MB would be copied for the sake of a few dozen characters.
  constexpr std::size_t kEnough = 4 * (kMostCharacters + 1);
  const bool cut = text.size() > 2 * kEnough;
  const std::string shown =
      cut ? printable(text.substr(0, kEnough)) + printable(text.substr(text.size() - kEnough)) : printable(text);
  return fmt::format("\"{}\"", shortened(shown, kMostCharacters));
}

}  // namespace nika
