#include "nika/automata/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>

#include "nika/base/printable.hpp"

namespace nika::automata {
namespace {

// Longer symbols come first, so that "<->"-like prefixes are never cut short.
constexpr std::array<std::string_view, 30> kSymbols = {
    "->", "==", "!=", "<=", ">=", "&&", "||", "[]", "<>", ":=", "{", "}", "(", ")", "[",
    "]",  ";",  ",",  ":",  "+",  "-",  "*",  "<",  ">",  "!",  "'", "=", ".", "/", "&"};

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

constexpr std::int64_t kMaxNumber = 1'000'000'000;

class Lexer {
 public:
  Lexer(const SourceText& source, const ExpandedText& expanded)
      : source_(source), expanded_(expanded), text_(expanded.text) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    if (starts_with("\xef\xbb\xbf")) position_ = 3;  // a byte order mark
    for (;;) {
      if (!skip_blanks()) return error(position_, "read '/*', expected a closing '*/'");
      Token token;
      token.offset = expanded_.origin[position_];
      if (position_ == text_.size()) {
        tokens.push_back(std::move(token));
        return tokens;
      }
      if (const std::string problem = read(token); !problem.empty()) return error(position_, problem);
      tokens.push_back(std::move(token));
    }
  }

 private:
  tl::unexpected<Error> error(std::size_t position, const std::string& message) const {
    return bad_input(pointed_message(source_, expanded_.origin[position], message));
  }

  bool starts_with(std::string_view prefix) const { return text_.compare(position_, prefix.size(), prefix) == 0; }

  bool skip_blanks() {
    while (position_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[position_])) != 0) {
        ++position_;
      } else if (starts_with("//")) {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (starts_with("/*")) {
        const std::size_t close = text_.find("*/", position_ + 2);
        if (close == std::string::npos) return false;
        position_ = close + 2;
      } else {
        return true;
      }
    }
    return true;
  }

  // Reads one token; what it returns is a complaint, or nothing.
  std::string read(Token& token) {
    const std::size_t begin = position_;
    if (is_name_start(text_[begin])) {
      while (position_ < text_.size() && is_name_part(text_[position_])) ++position_;
      token.kind = Token::Kind::name;
    } else if (is_digit(text_[begin])) {
      token.kind = Token::Kind::number;
      for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
        token.number = token.number * 10 + (text_[position_] - '0');
        if (token.number > kMaxNumber) return fmt::format("read a number above {}, expected a smaller one", kMaxNumber);
      }
    } else {
      token.kind = Token::Kind::symbol;
      for (const std::string_view symbol : kSymbols) {
        if (!starts_with(symbol)) continue;
        position_ += symbol.size();
        break;
      }
      if (position_ == begin) return unknown_character(text_[begin]);
    }
    token.text = text_.substr(begin, position_ - begin);
    return {};
  }

  static std::string unknown_character(char c) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 32 && code < 127) return fmt::format("read '{}', expected a name, a number or an operator", c);
    return fmt::format("read the byte 0x{:02x}, expected a name, a number or an operator", code);
  }

  const SourceText& source_;
  const ExpandedText& expanded_;
  const std::string& text_;
  std::size_t position_ = 0;
};

}  // namespace

std::string described(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end: return "the end of the file";
    case Token::Kind::name:
    case Token::Kind::number:
    case Token::Kind::symbol: break;
  }
  constexpr std::size_t kMostCharacters = 40;
  return "'" + shortened(token.text, kMostCharacters) + "'";
}

Result<std::vector<Token>> tokens_of(const SourceText& source, const ExpandedText& expanded) {
  return Lexer(source, expanded).run();
}

}  // namespace nika::automata
