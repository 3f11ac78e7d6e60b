#include "tidy/functions.hpp"

#include <regex>
#include <string>
#include <string_view>
#include <utility>

namespace nika::tidy {
namespace {

enum class BraceKind { kScope, kFunction, kInitializer };

// What the outline of a declaration can look like just before its brace.
struct Shapes {
  std::regex scope{R"(\bnamespace\b|\bextern\s*"\s*"$)"};
  std::regex type{R"(\b(class|struct|union|enum)\b)"};
  std::regex function_end{R"((\)|&|\b(const|noexcept|override|final|mutable|try))$)"};
  std::regex held_lambda{R"(=\s*\[[^\]]*\]$)"};
  std::regex constructor_list{R"(\)[^:]*[^:]:([^:]|$))"};
  std::regex constructor_list_end{R"([)}]$)"};
  std::regex after_parameters{R"(\).*(->|\brequires\b))"};
};

bool matches(const std::string& text, const std::regex& shape) { return std::regex_search(text, shape); }

// Without what stands in parentheses and in template parameter lists, where words such as class mean something else.
std::string outline_of(std::string_view header) {
  std::string outline;
  int parentheses = 0;
  int angles = 0;
  for (const char c : header) {
    if (c == ')' && parentheses > 0) --parentheses;
    if (c == '>' && angles > 0) --angles;
    if (parentheses == 0 && angles == 0) outline += c;
    if (c == '(') ++parentheses;
    const bool opens_parameters = outline.ends_with("template <") || outline.ends_with("template<");
    if (c == '<' && parentheses == 0 && (angles > 0 || opens_parameters)) ++angles;
  }
  outline.erase(outline.find_last_not_of(" \n") + 1);
  return outline;
}

// What a brace opens, from the text between the end of the declaration before it and the brace.
BraceKind kind_of(const std::string& header) {
  static const Shapes kShapes;
  const std::string outline = outline_of(header);
  const bool has_parameters = outline.find("()") != std::string::npos;
  const bool ends_like_function = has_parameters && matches(outline, kShapes.function_end);
  if (matches(outline, kShapes.scope)) return BraceKind::kScope;
  if (matches(outline, kShapes.type) && !ends_like_function) return BraceKind::kScope;
  if (matches(outline, kShapes.held_lambda)) return BraceKind::kFunction;
  if (!has_parameters) return BraceKind::kInitializer;
  // A constructor's list: a brace after a name initialises a member, after anything else it opens the body.
  if (matches(outline, kShapes.constructor_list)) {
    return matches(outline, kShapes.constructor_list_end) ? BraceKind::kFunction : BraceKind::kInitializer;
  }
  if (ends_like_function || matches(outline, kShapes.after_parameters)) return BraceKind::kFunction;
  return BraceKind::kInitializer;
}

class BraceReader {
 public:
  void read_line(std::size_t number, std::string_view code) {
    line_ = number;
    for (const char c : code) read(c);
    if (nested_ == 0) header_ += ' ';
  }
  std::vector<FunctionBody> bodies() && { return std::move(bodies_); }

 private:
  void read(char c) {
    if (nested_ > 0) return read_nested(c);
    switch (c) {
      case '{': return open();
      case '}': return header_.clear();
      case ';':
        if (parentheses_ == 0) return header_.clear();
        break;
      case '(': ++parentheses_; break;
      case ')': --parentheses_; break;
      default: break;
    }
    header_ += c;
  }

  void open() {
    kind_ = parentheses_ > 0 ? BraceKind::kInitializer : kind_of(header_);
    if (kind_ == BraceKind::kScope) return header_.clear();
    first_line_ = line_;
    nested_ = 1;
  }

  void read_nested(char c) {
    if (c == '{') ++nested_;
    if (c != '}' || --nested_ > 0) return;
    if (kind_ == BraceKind::kInitializer) {
      header_ += '}';
      return;
    }
    bodies_.push_back({first_line_, line_});
    header_.clear();
  }

  std::string header_;
  std::size_t line_ = 0;
  std::size_t first_line_ = 0;
  int parentheses_ = 0;
  int nested_ = 0;  // braces open inside a function or an initializer, itself included
  BraceKind kind_ = BraceKind::kScope;
  std::vector<FunctionBody> bodies_;
};

}  // namespace

std::vector<FunctionBody> function_bodies(const SourceFile& file) {
  BraceReader reader;
  bool in_directive = false;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& code = file.code[i];
    const std::size_t start = code.find_first_not_of(' ');
    in_directive = in_directive || (start != std::string::npos && code[start] == '#');
    if (!in_directive) reader.read_line(i + 1, code);
    in_directive = in_directive && file.lines[i].ends_with('\\');
  }
  return std::move(reader).bodies();
}

}  // namespace nika::tidy
