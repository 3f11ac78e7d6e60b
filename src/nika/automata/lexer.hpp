// Words and symbols of the automaton language. Comments (/* … */ and // …) and white space vanish here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nika/automata/source_text.hpp"
#include "nika/automata/template.hpp"
#include "nika/base/result.hpp"

namespace nika::automata {

struct Token {
  enum class Kind { name, number, symbol, end };
  Kind kind = Kind::end;
  std::string text;
  std::int64_t number = 0;
  std::size_t offset = 0;  // in the source, before the expansion of templates
};

// "name 'x'", "number 3", "'->'", "the end of the file": how errors speak of a token.
std::string described(const Token& token);

// The last token is always of kind end.
Result<std::vector<Token>> tokens_of(const SourceText& source, const ExpandedText& expanded);

}  // namespace nika::automata
