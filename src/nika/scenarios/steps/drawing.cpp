#include "nika/scenarios/steps/drawing.hpp"

#include <fmt/format.h>

#include "nika/base/wide.hpp"

namespace nika::steps {

Result<Drawing> parse_schedule(std::string_view text) {
  constexpr std::string_view kPriorities = "priorities:";
  constexpr unsigned kMaxDepth = 1000;
  Drawing drawing;
  if (text == "uniform") return drawing;
  if (text.starts_with(kPriorities)) {
    const auto depth = parse_wide(text.substr(kPriorities.size()));
    drawing.draw = Draw::kPriorities;
    drawing.change_points = static_cast<unsigned>(depth.value_or(0)) - 1;
    if (depth && *depth >= 1 && *depth <= kMaxDepth) return drawing;
  }
  return bad_input(
      fmt::format("read --schedule \"{}\", expected uniform or priorities:D with D from 1 to {}", text, kMaxDepth));
}

std::string schedule_text(const Drawing& drawing) {
  return drawing.draw == Draw::kUniform ? "uniform" : fmt::format("priorities:{}", drawing.change_points + 1);
}

}  // namespace nika::steps
