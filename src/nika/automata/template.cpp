#include "nika/automata/template.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace nika::automata {
namespace {

constexpr std::size_t kMaxExpandedSize = 8U << 20U;
constexpr std::size_t kMaxScannedSize = 16 * kMaxExpandedSize;
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
  ExpressionReader(std::string_view text, std::size_t begin, std::size_t end, const Bindings& bindings)
      : text_(text), position_(begin), end_(end), bindings_(&bindings) {}

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
    return std::string(text_.substr(begin, position_ - begin));
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

  // Comparisons joined by "and", "or" and "not"; nothing counts as true by itself.
  bool condition(int depth = 0) {
    bool result = conjunction(depth);
    while (accept_word("or")) result = conjunction(depth) || result;
    return result;
  }

  bool accept(char c) {
    skip_space();
    if (peek() != c) return false;
    ++position_;
    return true;
  }

  void expect_colon_at_end() {
    if (!accept(':')) fail("':'");
    expect_end();
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
    return std::string(text_.substr(begin, position_++ - begin));
  }

  bool accept_word(const std::string& word) {
    skip_space();
    const std::size_t begin = position_;
    if (is_name_start(peek()) && name() == word) return true;
    position_ = begin;
    return false;
  }

  bool conjunction(int depth) {
    bool result = negation(depth);
    while (accept_word("and")) result = negation(depth) && result;
    return result;
  }

  bool negation(int depth) {
    if (depth > kMaxDepth) fail("fewer nested parts");
    if (accept_word("not")) return !negation(depth + 1);
    skip_space();
    const std::size_t begin = position_;
    if (peek() != '(') return comparison();
    // A parenthesis begins a sum or a condition; which of them shows later.
    try {
      return comparison();
    } catch (const Failure&) {
      position_ = begin + 1;
    }
    const bool result = condition(depth + 1);
    if (!accept(')')) fail("')'");
    return result;
  }

  bool comparison() {
    const std::string left = operand();
    skip_space();
    const std::size_t at = position_;
    std::string sign;
    while (sign.size() < 2 && (peek() == '=' || peek() == '!' || peek() == '<' || peek() == '>')) {
      sign += text_[position_++];
    }
    const bool is_order = sign == "<" || sign == "<=" || sign == ">" || sign == ">=";
    if (!is_order && sign != "==" && sign != "!=") {
      position_ = at;
      fail("'==', '!=', '<', '<=', '>' or '>='");
    }
    const std::string right = operand();
    if (!is_order) return (left == right) == (sign == "==");
    const std::int64_t difference = integer_of(left, at) - integer_of(right, at);
    if (difference == 0) return sign.size() == 2;
    return (difference < 0) == (sign.front() == '<');
  }

  // A text in quotes, a variable with a text, or a number, all as text.
  std::string operand() {
    skip_space();
    if (peek() == '\'' || peek() == '"') return quoted();
    const std::size_t begin = position_;
    if (is_name_start(peek())) {
      const std::string variable = name();
      skip_space();
      if (peek() != '+' && peek() != '-' && peek() != '*' && peek() != '%') return lookup(variable, begin);
    }
    position_ = begin;
    return std::to_string(sum(0));
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
    const auto found = bindings_->find(variable);
    if (found != bindings_->end()) return found->second;
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

  std::string_view text_;
  std::size_t position_;
  std::size_t end_;
  const Bindings* bindings_;
};

class Expander {
 public:
  explicit Expander(const std::string& text) : text_(text) {}

  ExpandedText run() {
    std::size_t position = 0;
    block(position, Open::nothing, 0, true);
    result_.origin.push_back(text_.size());
    return std::move(result_);
  }

 private:
  enum class Open { nothing, loop, branch, last_branch };

  // A control line: its word, where it begins, and the rest of it.
  struct Control {
    std::string word;
    std::size_t at = 0;
    ExpressionReader rest;
  };

  // Copies lines until the control line that ends what is open, and returns it (nothing at the end of the file); with
  // emit off it only finds the end.
  std::optional<Control> block(std::size_t& position, Open open, int depth, bool emit) {
    while (position < text_.size()) {
      const std::size_t begin = position;
      const std::size_t first = text_.find_first_not_of(" \t\r", begin);
      const std::size_t end = end_of_line(begin, first != std::string::npos && text_[first] == '%');
      position = std::min(end + 1, text_.size());
      scanned_ += position - begin;
      if (scanned_ > kMaxScannedSize) throw Failure{begin, "read a template, expected fewer or shorter repetitions"};
      const bool is_control = first < end && text_[first] == '%' && (first + 1 >= end || text_[first + 1] != '%');
      if (!is_control) {
        if (emit) copy_line(begin, position);
        continue;
      }
      Control control{{}, first, ExpressionReader(text_, first + 1, end, bindings_)};
      control.word = control.rest.name();
      if (ends(open, control)) return control;
      if (depth >= kMaxDepth) throw Failure{first, fmt::format("read '% {}', expected less nesting", control.word)};
      if (control.word == "for") loop(control, position, depth + 1, emit);
      if (control.word == "if") branches(std::move(control), position, depth + 1, emit);
    }
    if (open == Open::nothing) return std::nullopt;
    throw Failure{text_.size(),
                  fmt::format("read the end of the file, expected '% {}'", open == Open::loop ? "endfor" : "endif")};
  }

  // False for a line that opens something inside of it; all others are errors.
  static bool ends(Open open, const Control& control) {
    const std::string& word = control.word;
    if (word == "for" || word == "if") return false;
    if (open == Open::loop && word == "endfor") return true;
    if ((open == Open::branch || open == Open::last_branch) && word == "endif") return true;
    if (open == Open::branch && (word == "elif" || word == "else")) return true;
    std::string expected = "'% for' or '% if'";
    if (open == Open::nothing && word == "endfor") expected = "a '% for' before it";
    if (open == Open::nothing && (word == "elif" || word == "else" || word == "endif")) expected = "a '% if' before it";
    if (open == Open::loop) expected = "'% for', '% if' or '% endfor'";
    if (open == Open::branch) expected = "'% for', '% if', '% elif', '% else' or '% endif'";
    if (open == Open::last_branch) expected = "'% for', '% if' or '% endif'";
    throw Failure{control.at, fmt::format("read '% {}', expected {}", word, expected)};
  }

  // The first branch whose condition is true; conditions after it are not read.
  void branches(Control control, std::size_t& position, int depth, bool emit) {
    bool decided = !emit;
    while (control.word != "endif") {
      const bool is_last = control.word == "else";
      bool chosen = false;
      if (!decided) {
        chosen = is_last || control.rest.condition();
        control.rest.expect_colon_at_end();
      }
      decided = decided || chosen;
      control = *block(position, is_last ? Open::last_branch : Open::branch, depth, chosen);
    }
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

  void loop(Control& control, std::size_t& position, int depth, bool emit) {
    const std::string variable = control.rest.name();
    control.rest.keyword("in");
    const std::vector<std::string> values = emit ? control.rest.sequence() : std::vector<std::string>{};
    if (emit) control.rest.expect_colon_at_end();
    const std::size_t body = position;
    const auto shadowed = bindings_.find(variable);
    const std::optional<std::string> outer =
        shadowed == bindings_.end() ? std::nullopt : std::optional(shadowed->second);
    for (const std::string& value : values) {
      if (++iterations_ > kMaxExpandedSize / 64)
        throw Failure{control.at,
                      fmt::format("read a loop, expected at most {} repetitions in all", kMaxExpandedSize / 64)};
      bindings_[variable] = value;
      position = body;
      block(position, Open::loop, depth, true);
    }
    if (outer) {
      bindings_[variable] = *outer;
    } else {
      bindings_.erase(variable);
    }
    if (values.empty()) block(position, Open::loop, depth, false);
  }

  void copy_line(std::size_t begin, std::size_t end) {
    bool is_line_comment = false;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view next = std::string_view(text_).substr(i, 2);
      if (is_comment_ ? next == "*/" : !is_line_comment && next == "/*") {
        // Both characters at once: the star of "/*/" does not close it.
        is_comment_ = !is_comment_;
        put(text_[i], i);
        ++i;
        put(text_[i], i);
        continue;
      }
      is_line_comment = is_line_comment || (!is_comment_ && next == "//");
      if (next != "${" || is_comment_ || is_line_comment) {
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
    if (result_.text.size() >= kMaxExpandedSize)
      throw Failure{origin,
                    fmt::format("read a template, expected at most {} MiB after expansion", kMaxExpandedSize >> 20U)};
    result_.text += c;
    result_.origin.push_back(origin);
  }

  const std::string& text_;
  Bindings bindings_;
  ExpandedText result_;
  std::size_t iterations_ = 0;
  bool is_comment_ = false;  // what was copied last is inside of one: nothing is put in for ${…} there
  std::size_t scanned_ = 0;  // with every repetition of what is left out
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
