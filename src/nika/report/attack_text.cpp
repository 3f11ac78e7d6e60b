#include "nika/report/attack_text.hpp"

#include <fmt/format.h>

namespace nika::report {

std::string introduction_of(const store::Attack& attack, std::size_t columns) {
  const std::string indent(12, ' ');
  std::string text = wrapped(attack.source, indent, "  source    ", columns);
  text += wrapped(attack.about, indent, "  about     ", columns);
  for (std::size_t i = 0; i < attack.steps.size(); ++i) {
    text += wrapped(attack.steps[i], indent, fmt::format("  step {:<4} ", i + 1), columns);
  }
  return text;
}

}  // namespace nika::report
