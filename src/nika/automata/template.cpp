#include "nika/automata/template.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace nika::automata {
namespace {

constexpr std::size_t kMaxExpandedSize = 8U << 20U;
constexpr std::int64_t kMaxNumber = 1'000'000'000;
constexpr std::int64_t kMaxRange = 10'000;
constexpr int kMaxDepth = 64;

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Failure {
  std::size_t offset;
  std::string message;
};

// Loop variables hold text; arithmetic reads it as an integer.
using Bindings = std::map<std::string, std::string>;

// Reads the small expression language of templates between two offsets of the source.
class ExpressionReader {
 public:
  ExpressionReader(const std::string& text, std::size_t begin, std::size_t end, const Bindings& bindings)
      : text_(text), position_(begin), end_(end), bindings_(bindings) {}

  std::string value() {
    skip_space();
    const std::string result = peek() == '\'' || peek() == '"' ? quoted() : value_or_number();
    expect_end();
    return result;
  }

  std::string name() {
    skip_space();
    if (!is_name_start(peek())) fail("a variable name");
    const std::size_t begin = position_;
    while (is_name_part(peek())) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  void keyword(const std::string& word) {
    skip_space();
    const std::size_t begin = position_;
    if (!is_name_start(peek()) || name() != word) {
      position_ = begin;
      fail("'" + word + "'");
    }
  }

  std::vector<std::string> sequence() {
    skip_space();
    std::vector<std::string> values;
    if (accept('[') || accept('(')) {
      const char close = text_[position_ - 1] == '[' ? ']' : ')';
      while (!accept(close)) {
        skip_space();
        values.push_back(peek() == '\'' || peek() == '"' ? quoted() : std::to_string(sum(0)));
        if (!accept(',') && (skip_space(), peek() != close)) fail(std::string("',' or '") + close + "'");
      }
      return values;
    }
    keyword("range");
    if (!accept('(')) fail("'('");
    std::vector<std::int64_t> bounds{sum(0)};
    while (bounds.size() < 3 && accept(',')) bounds.push_back(sum(0));
    if (!accept(')')) fail("')'");
    const std::int64_t first = bounds.size() == 1 ? 0 : bounds[0];
    const std::int64_t last = bounds.size() == 1 ? bounds[0] : bounds[1];
    const std::int64_t step = bounds.size() == 3 ? bounds[2] : 1;
    if (step == 0) fail("a step other than 0");
    if ((last - first) / step > kMaxRange) fail(fmt::format("a range of at most {} numbers", kMaxRange));
    for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step) values.push_back(std::to_string(i));
    return values;
  }

  bool accept(char c) {
    skip_space();
    if (peek() != c) return false;
    ++position_;
    return true;
  }

  void expect_end() {
    skip_space();
    if (position_ < end_) fail("the end of the expression");
  }

  [[noreturn]] void fail(const std::string& expected) {
    const std::string read = position_ < end_ ? fmt::format("'{}'", peek()) : "the end of the expression";
    throw Failure{position_, fmt::format("read {} in a template, expected {}", read, expected)};
  }

 private:
  char peek() const { return position_ < end_ ? text_[position_] : '\0'; }
  void skip_space() {
    while (position_ < end_ && (std::isspace(static_cast<unsigned char>(text_[position_])) != 0 || continues_line())) {
      ++position_;
    }
  }

  // A backslash at the end of a control line joins it with the next.
  bool continues_line() const {
    const std::size_t next = text_.find_first_not_of(" \t\r", position_ + 1);
    return text_[position_] == '\\' && next < end_ && text_[next] == '\n';
  }

  std::string quoted() {
    const char quote = text_[position_++];
    const std::size_t begin = position_;
    while (position_ < end_ && peek() != quote) ++position_;
    if (position_ >= end_) fail(std::string("a closing ") + quote);
    return text_.substr(begin, position_++ - begin);
  }

  // A lone variable may hold any text; everything else is arithmetic.
  std::string value_or_number() {
    const std::size_t begin = position_;
    if (is_name_start(peek())) {
      const std::string variable = name();
      skip_space();
      if (position_ == end_) return lookup(variable, begin);
    }
    position_ = begin;
    return std::to_string(sum(0));
  }

  const std::string& lookup(const std::string& variable, std::size_t at) {
    const auto found = bindings_.find(variable);
    if (found != bindings_.end()) return found->second;
    throw Failure{at, fmt::format("read '{}' in a template, expected the variable of an enclosing '% for'", variable)};
  }

  std::int64_t checked(std::int64_t number) {
    if (number > kMaxNumber || number < -kMaxNumber) fail(fmt::format("numbers of at most {}", kMaxNumber));
    return number;
  }

  std::int64_t sum(int depth) {
    std::int64_t result = product(depth);
    for (;;) {
      if (accept('+')) {
        result = checked(result + product(depth));
      } else if (accept('-')) {
        result = checked(result - product(depth));
      } else {
        return result;
      }
    }
  }

  std::int64_t product(int depth) {
    std::int64_t result = factor(depth);
    for (;;) {
      if (accept('*')) {
        result = checked(result * factor(depth));
      } else if (accept('%')) {
        const std::int64_t divisor = factor(depth);
        if (divisor <= 0) fail("a positive divisor");
        result = ((result % divisor) + divisor) % divisor;
      } else {
        return result;
      }
    }
  }

  std::int64_t factor(int depth) {
    if (depth > kMaxDepth) fail("fewer nested parentheses");
    skip_space();
    if (accept('-')) return -factor(depth + 1);
    if (accept('(')) {
      const std::int64_t inner = sum(depth + 1);
      if (!accept(')')) fail("')'");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0) return number();
    const std::size_t begin = position_;
    if (!is_name_start(peek())) fail("a number, a variable or '('");
    return integer_of(lookup(name(), begin), begin);
  }

  std::int64_t number() {
    std::int64_t result = 0;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0)
      result = checked(result * 10 + (text_[position_++] - '0'));
    return result;
  }

  static std::int64_t integer_of(const std::string& text, std::size_t at) {
    std::int64_t result = 0;
    const bool negative = !text.empty() && text.front() == '-';
    for (std::size_t i = negative ? 1 : 0; i < text.size(); ++i) {
      if (std::isdigit(static_cast<unsigned char>(text[i])) == 0 || result > kMaxNumber) {
        throw Failure{at, fmt::format("read the text '{}' in a template, expected an integer", text)};
      }
      result = result * 10 + (text[i] - '0');
    }
    return negative ? -result : result;
  }

  const std::string& text_;
  std::size_t position_;
  std::size_t end_;
  const Bindings& bindings_;
};

class Expander {
 public:
  explicit Expander(const std::string& text) : text_(text) {}

  ExpandedText run() {
    std::size_t position = 0;
    block(position, 0, true);
    result_.origin.push_back(text_.size());
    return std::move(result_);
  }

 private:
  // Copies lines until "% endfor" (or the end of the file at depth 0); with emit off it only finds the end.
  void block(std::size_t& position, int depth, bool emit) {
    while (position < text_.size()) {
      const std::size_t begin = position;
      const std::size_t first = text_.find_first_not_of(" \t\r", begin);
      const std::size_t end = end_of_line(begin, first != std::string::npos && text_[first] == '%');
      position = std::min(end + 1, text_.size());
      const bool control = first < end && text_[first] == '%' && !(first + 1 < end && text_[first + 1] == '%');
      if (!control) {
        if (emit) copy_line(begin, position);
        continue;
      }
      ExpressionReader reader(text_, first + 1, end, bindings_);
      const std::string word = reader.name();
      if (word == "endfor") {
        if (depth == 0) throw Failure{first, "read '% endfor', expected a '% for' before it"};
        return;
      }
      if (word != "for") throw Failure{first, fmt::format("read '% {}', expected '% for' or '% endfor'", word)};
      loop(reader, first, position, depth + 1, emit);
    }
    if (depth > 0) throw Failure{text_.size(), "read the end of the file, expected '% endfor'"};
  }

  std::size_t end_of_line(std::size_t begin, bool may_continue) const {
    for (;;) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::size_t last = text_.find_last_not_of(" \t\r", end - 1);
      const bool continued = may_continue && end > begin && end < text_.size() && last >= begin && text_[last] == '\\';
      if (!continued) return end;
      begin = end + 1;
    }
  }

  void loop(ExpressionReader& reader, std::size_t at, std::size_t& position, int depth, bool emit) {
    if (depth > kMaxDepth) throw Failure{at, "read '% for', expected fewer nested loops"};
    const std::string variable = reader.name();
    reader.keyword("in");
    const std::vector<std::string> values = emit ? reader.sequence() : std::vector<std::string>{};
    if (emit && !reader.accept(':')) reader.fail("':'");
    if (emit) reader.expect_end();
    const std::size_t body = position;
    const auto shadowed = bindings_.find(variable);
    const std::optional<std::string> outer =
        shadowed == bindings_.end() ? std::nullopt : std::optional(shadowed->second);
    for (const std::string& value : values) {
      if (++iterations_ > kMaxExpandedSize / 64) throw Failure{at, "read a loop, expected fewer repetitions"};
      bindings_[variable] = value;
      position = body;
      block(position, depth, true);
    }
    if (outer) {
      bindings_[variable] = *outer;
    } else {
      bindings_.erase(variable);
    }
    if (values.empty()) block(position, depth, false);
  }

  void copy_line(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i] != '$' || i + 1 >= end || text_[i + 1] != '{') {
        put(text_[i], i);
        continue;
      }
      const std::size_t close = text_.find('}', i);
      if (close == std::string::npos || close >= end) throw Failure{i, "read '${', expected '}' on the same line"};
      ExpressionReader reader(text_, i + 2, close, bindings_);
      for (const char c : reader.value()) put(c, i);
      i = close;
    }
  }

  void put(char c, std::size_t origin) {
    if (result_.text.size() >= kMaxExpandedSize) throw Failure{origin, "read a template, expected a smaller expansion"};
    result_.text += c;
    result_.origin.push_back(origin);
  }

  const std::string& text_;
  Bindings bindings_;
  ExpandedText result_;
  std::size_t iterations_ = 0;
};

}  // namespace

Result<ExpandedText> expand_templates(const SourceText& source) {
  try {
    return Expander(source.text).run();
  } catch (const Failure& failure) {
    return bad_input(pointed_message(source, failure.offset, failure.message));
  }
}

}  // namespace nika::automata
