#include "nika/report/attack_text.hpp"

#include <fmt/format.h>

#include <sstream>

namespace nika::report {

std::string wrapped(const std::string& text, const std::string& indent, const std::string& first_indent) {
  constexpr std::size_t kColumns = 100;
  std::string result;
  std::string line = first_indent;
  bool has_word = false;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (has_word && line.size() + 1 + word.size() > kColumns) {
      result += line + '\n';
      line = indent;
      has_word = false;
    }
    line += (has_word ? " " : "") + word;
    has_word = true;
  }
  return result + line + '\n';
}

std::string introduction_of(const store::Attack& attack) {
  std::string text = wrapped(attack.source, "            ", "  source    ");
  text += wrapped(attack.about, "            ", "  about     ");
  for (std::size_t i = 0; i < attack.steps.size(); ++i) {
    text += wrapped(attack.steps[i], "            ", fmt::format("  step {:<4} ", i + 1));
  }
  return text;
}

}  // namespace nika::report
