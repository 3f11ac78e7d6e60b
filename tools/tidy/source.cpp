#include "tidy/source.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace nika::tidy {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Copies a text twice, once with its code and once with its comments, all else replaced by spaces.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text), code_(blank_copy(text)), comments_(code_) {}

  void run() {
    while (at_ < text_.size()) step();
  }
  const std::string& code() const { return code_; }
  const std::string& comments() const { return comments_; }

 private:
  static std::string blank_copy(std::string_view text) {
    std::string blank(text);
    std::ranges::replace_if(blank, [](char c) { return c != '\n'; }, ' ');
    return blank;
  }

  void step() {
    if (rest().starts_with("//")) return copy_comment(text_.find('\n', at_));
    if (rest().starts_with("/*")) return copy_comment(end_of("*/", at_ + 2));
    if (rest().starts_with("R\"") && !continues_word()) return skip_raw_string();
    if (text_[at_] == '"' || (text_[at_] == '\'' && !is_digit_separator())) return skip_literal();
    code_[at_] = text_[at_];
    ++at_;
  }

  std::string_view rest() const { return text_.substr(at_); }

  // The position after the next `mark`, or the end of the text.
  std::size_t end_of(std::string_view mark, std::size_t from) const {
    const std::size_t found = text_.find(mark, from);
    return found == std::string_view::npos ? text_.size() : found + mark.size();
  }

  void copy_comment(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) comments_[at_] = text_[at_];
  }

  // Whether the R before a quote is the end of a longer word; u8R, uR, UR and LR are prefixes all the same.
  bool continues_word() const {
    return at_ > 0 && is_word(text_[at_ - 1]) &&
           std::string_view("uUL8").find(text_[at_ - 1]) == std::string_view::npos;
  }

  // 1'000'000: the word that the quote would end begins with a digit.
  bool is_digit_separator() const {
    std::size_t start = at_;
    while (start > 0 && (is_word(text_[start - 1]) || text_[start - 1] == '\'')) --start;
    return start < at_ && std::isdigit(static_cast<unsigned char>(text_[start])) != 0;
  }

  void skip_raw_string() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const std::size_t end = end_of(close, open);
    code_[at_ + 1] = code_[end - 1] = '"';
    at_ = end;
  }

  void skip_literal() {
    const char quote = text_[at_];
    code_[at_++] = quote;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ < text_.size() && text_[at_] == quote) code_[at_++] = quote;
  }

  std::string_view text_;
  std::string code_;
  std::string comments_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view SourceFile::folder() const {
  if (!is_library()) return {};
  std::string_view rest = path;
  rest.remove_prefix(std::string_view("src/nika/").size());
  const std::size_t slash = rest.find('/');
  return slash == std::string_view::npos ? std::string_view{} : rest.substr(0, slash);
}

SourceFile parse_source(std::string path, std::string_view text) {
  Splitter splitter(text);
  splitter.run();
  return {std::move(path), lines_of(text), lines_of(splitter.code()), lines_of(splitter.comments())};
}

}  // namespace nika::tidy
